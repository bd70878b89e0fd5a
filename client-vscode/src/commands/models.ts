import { ConfigurationTarget, lm, window, workspace } from "vscode";
import type { QuickPickItem } from "vscode";
import { SECTION } from "../server/settings";

interface Choice extends QuickPickItem {
  model: string | undefined;
  editorModel?: string;
  byName?: boolean;
}

const OFFLINE: Choice = {
  label: "$(shield) No model",
  detail: "The offline judge. Nothing leaves this machine.",
  model: undefined,
};
const OWN: Choice = {
  label: "$(key) A model with your own key...",
  detail: "Of Anthropic, or of any server that speaks the Messages API (sightline.baseUrl).",
  model: "",
  byName: true,
};

/** Let the user choose who judges: nobody's model, one of the editor's, or one by a key. */
export async function chooseModel(setKey: () => Promise<boolean>): Promise<void> {
  const found = await lm.selectChatModels({});
  const editors = found.map((model) => ({
    label: `$(sparkle) ${model.name}`,
    description: model.vendor,
    detail: "A language model of this editor. You are asked before anything is sent.",
    model: "editor",
    editorModel: model.id,
  }));
  const chosen = await window.showQuickPick<Choice>([OFFLINE, ...editors, OWN], {
    title: "Sightline: Choose a Model",
    placeHolder: "Who judges which of the places found matter?",
  });
  if (chosen === undefined) return;
  const model = chosen.byName === true ? await named(setKey) : chosen.model;
  if (chosen.byName === true && model === undefined) return;
  const configuration = workspace.getConfiguration(SECTION);
  await configuration.update("editorModel", chosen.editorModel, ConfigurationTarget.Global);
  await configuration.update("model", model, ConfigurationTarget.Global);
}

async function named(setKey: () => Promise<boolean>): Promise<string | undefined> {
  const name = await window.showInputBox({
    title: "Sightline: Model",
    prompt: "The model's name, as its provider writes it",
    value: workspace.getConfiguration(SECTION).get<string | null>("model") ?? "",
    validateInput: (value) => (value.trim() === "" ? "Say which model." : undefined),
  });
  if (name === undefined) return undefined;
  await setKey();
  return name.trim();
}
