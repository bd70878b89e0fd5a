/** Fakes of the client library's exports that are used as values. The real library needs the editor. */
import { EventEmitter } from "./vscode";

export class ProgressType {
  readonly _ = undefined;
}
export const WorkDoneProgress = { type: new ProgressType() };
export class ResponseError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

export enum State {
  Stopped = 1,
  Running = 2,
  Starting = 3,
}
export enum CloseAction {
  DoNotRestart = 1,
  Restart = 2,
}
export const ErrorAction = { Continue: 1 };
export const RevealOutputChannelOn = { Never: 4 };

interface Options {
  errorHandler: { closed: () => Promise<{ action: CloseAction }> };
}

/** A fake client whose server starts at once. Tests set its state. */
export class LanguageClient {
  private readonly changed = new EventEmitter<{ newState: State }>();
  readonly onDidChangeState = this.changed.event;
  readonly initializeResult = { serverInfo: { name: "sightline", version: "0.1.0" } };

  constructor(
    readonly id: string,
    readonly name: string,
    readonly program: unknown,
    readonly options: Options,
  ) {}

  setState(newState: State): void {
    this.changed.fire({ newState });
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }
}
