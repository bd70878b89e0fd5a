import { ConfigurationTarget, lm, window, workspace } from "vscode";
import type { QuickPickItem } from "vscode";
import { SECTION, setting } from "../server/settings";

interface Choice extends QuickPickItem {
  model: string | undefined;
  editorModel?: string;
  byName?: boolean;
}

/** Also sets the judge to offline: files that the editor does not write may name a model. */
const OFFLINE: Choice = {
  label: "$(shield) No model",
  detail: "Use the offline judge. Nothing leaves this machine.",
  model: undefined,
};
const OWN_KEY: Choice = {
  label: "$(key) A model with your own API key...",
  detail: "From Anthropic, or any server that implements the Messages API (sightline.baseUrl).",
  model: "",
  byName: true,
};

/** Lets the user choose the judge: no model, one of the editor's models, or one with an API key. */
export async function chooseModel(setKey: () => Promise<boolean>): Promise<void> {
  const models = await lm.selectChatModels({});
  const editorModels = models.map((model) => ({
    label: `$(sparkle) ${model.name}`,
    description: model.vendor,
    detail: "One of this editor's language models. You will be asked before anything is sent.",
    model: "editor",
    editorModel: model.id,
  }));
  const chosen = await window.showQuickPick<Choice>([OFFLINE, ...editorModels, OWN_KEY], {
    title: "Sightline: Choose a Model",
    placeHolder: "Select what judges which of the places found matter",
  });
  if (chosen === undefined) return;
  const model = chosen.byName === true ? await askForModelName(setKey) : chosen.model;
  if (chosen.byName === true && model === undefined) return;
  if (model === undefined) await updateSetting("judge", "offline");
  await updateSetting("editorModel", chosen.editorModel);
  await updateSetting("model", model);
  if (model !== undefined && setting<string>("judge", "auto") === "offline")
    await updateSetting("judge", undefined);
}

/** Sets the user's value, and the workspace's value too if there is one, because it would take precedence. */
async function updateSetting(name: string, value: string | undefined): Promise<void> {
  const configuration = workspace.getConfiguration(SECTION);
  const targets = [ConfigurationTarget.Global];
  if (configuration.inspect(name)?.workspaceValue !== undefined) {
    targets.push(ConfigurationTarget.Workspace);
  }
  for (const target of targets) await configuration.update(name, value, target);
}

async function askForModelName(setKey: () => Promise<boolean>): Promise<string | undefined> {
  const name = await window.showInputBox({
    title: "Sightline: Model",
    prompt: "The model's name, exactly as its provider writes it",
    value: workspace.getConfiguration(SECTION).get<string | null>("model") ?? "",
    validateInput: (value) => (value.trim() === "" ? "Enter a model name." : undefined),
  });
  if (name === undefined) return undefined;
  await setKey();
  return name.trim();
}
