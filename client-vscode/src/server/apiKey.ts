import { window } from "vscode";
import type { SecretStorage } from "vscode";
import { setting } from "./settings";

const SECRET = "sightline.apiKey";
/** The environment variable the server reads its key from, and names in its notes if the key is missing. */
export const KEY_VARIABLE = "ANTHROPIC_API_KEY";

/** The user's API key for a model, kept in the editor's secret storage and never in a setting. */
export class ApiKey {
  constructor(private readonly secrets: SecretStorage) {}

  /** Calls `run` when the key changes, in this window or another. */
  onDidChange(run: () => void) {
    return this.secrets.onDidChange(({ key }) => {
      if (key === SECRET) run();
    });
  }

  /** Asks for a key and stores it. Returns whether a key was entered. */
  async set(): Promise<boolean> {
    const key = await window.showInputBox({
      title: "Sightline: API Key",
      prompt: "Stored in the editor's secret storage. Sent only to the chosen model's server.",
      placeHolder: "Paste the key",
      password: true,
      ignoreFocusOut: true,
      validateInput: (value) =>
        value.trim() === "" || /\s/.test(value.trim()) ? "Enter a key without spaces." : undefined,
    });
    if (key === undefined) return false;
    await this.secrets.store(SECRET, key.trim());
    return true;
  }

  async remove(): Promise<void> {
    await this.secrets.delete(SECRET);
  }

  /** The variable that passes the key to the server. Empty unless a model that needs a key may judge. */
  async environment(): Promise<Record<string, string>> {
    const model = setting<string>("model", "");
    const judge = setting<string>("judge", "auto");
    if (model === "editor" || (model === "" && judge === "auto") || judge === "offline") return {};
    const key = await this.secrets.get(SECRET);
    return key === undefined ? {} : { [KEY_VARIABLE]: key };
  }
}
