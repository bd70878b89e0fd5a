import { commands, window } from "vscode";
import type { Memory } from "../ask/recent";
import { unlinked } from "../server/messages";

const KEY = "sightline.modelConsent";
const ALLOW = "Allow in This Workspace";

/** The user's consent to send this workspace's code to one of the editor's language models. Stored per model. */
export class ModelConsent {
  private readonly asking = new Map<string, Promise<boolean>>();

  constructor(private readonly memory: Memory) {
    this.told();
  }

  /** Resolves once the user has consented. Rejects if they decline. */
  async required(name: string, id: string): Promise<void> {
    if (this.allowed().includes(id)) return;
    let asking = this.asking.get(id);
    if (asking === undefined) {
      asking = this.ask(name, id).finally(() => {
        this.asking.delete(id);
      });
      this.asking.set(id, asking);
    }
    if (!(await asking)) throw new Error("you did not allow its use");
  }

  async forget(): Promise<void> {
    await this.memory.update(KEY, undefined);
    this.told();
  }

  private allowed(): string[] {
    return (this.memory.get(KEY) as string[] | undefined) ?? [];
  }

  private async ask(name: string, id: string): Promise<boolean> {
    const answer = await window.showInformationMessage(
      unlinked(`Allow Sightline to use ${name}?`),
      {
        modal: true,
        detail:
          "Your questions and excerpts from this workspace's files will be sent to this language model and count towards its quota. Sightline's status shows the tokens used.",
      },
      ALLOW,
    );
    if (answer !== ALLOW) return false;
    await this.memory.update(KEY, [...this.allowed(), id]);
    this.told();
    return true;
  }

  private told(): void {
    void commands.executeCommand("setContext", KEY, this.allowed().length > 0);
  }
}
