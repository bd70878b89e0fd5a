/** The part of the client's library that is used as values; the whole of it needs the editor. */
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
