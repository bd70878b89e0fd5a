import { commands, window } from "vscode";
import type { Memory } from "../ask/recent";
import { withoutLinks } from "../server/messages";

const KEY = "sightline.modelConsent";
const ALLOW = "Allow in This Workspace";

/** The user's consent to send this workspace's code to one of the editor's language models. Stored per model. */
export class ModelConsent {
  private readonly pendingAnswers = new Map<string, Promise<boolean>>();

  constructor(private readonly memory: Memory) {
    this.updateContextKey();
  }

  /** Resolves once the user has consented. Rejects if they decline. */
  async ensure(name: string, id: string): Promise<void> {
    if (this.allowed().includes(id)) return;
    let pendingAnswer = this.pendingAnswers.get(id);
    if (pendingAnswer === undefined) {
      pendingAnswer = this.ask(name, id).finally(() => {
        this.pendingAnswers.delete(id);
      });
      this.pendingAnswers.set(id, pendingAnswer);
    }
    if (!(await pendingAnswer)) throw new Error("you did not allow its use");
  }

  async forget(): Promise<void> {
    await this.memory.update(KEY, undefined);
    this.updateContextKey();
  }

  private allowed(): string[] {
    return (this.memory.get(KEY) as string[] | undefined) ?? [];
  }

  private async ask(name: string, id: string): Promise<boolean> {
    const answer = await window.showInformationMessage(
      withoutLinks(`Allow Sightline to use ${name}?`),
      {
        modal: true,
        detail:
          "Your questions and excerpts from this workspace's files will be sent to this language model and count towards its quota. Sightline's status shows the tokens used.",
      },
      ALLOW,
    );
    if (answer !== ALLOW) return false;
    await this.memory.update(KEY, [...this.allowed(), id]);
    this.updateContextKey();
    return true;
  }

  private updateContextKey(): void {
    void commands.executeCommand("setContext", KEY, this.allowed().length > 0);
  }
}
