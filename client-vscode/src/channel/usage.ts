import { EventEmitter, window } from "vscode";
import { tokens } from "../reports/words";

interface TurnUsage {
  inputTokens: number;
  outputTokens: number;
}

/** Counts the tokens that the editor's model has used since the window opened. */
export class ModelUsage {
  private readonly changed = new EventEmitter<void>();
  private input = 0;
  private output = 0;
  private turns = 0;
  private model = "";

  readonly onDidChange = this.changed.event;

  add(model: string, { inputTokens, outputTokens }: TurnUsage): void {
    this.model = model;
    this.turns += 1;
    this.input += inputTokens;
    this.output += outputTokens;
    window.setStatusBarMessage(`$(sparkle) ${this.text()}`, 8000);
    this.changed.fire();
  }

  /** `Copilot: 12k tokens in, 800 out`; empty before the first turn. */
  text(): string {
    if (this.turns === 0) return "";
    return `${this.model}: ${tokens(this.input)} tokens in, ${tokens(this.output)} out`;
  }
}
