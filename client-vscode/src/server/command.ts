/** A program to start and where it was found. */
export interface ServerCommand {
  command: string;
  args: string[];
  /** Human-readable: "the setting sightline.server.command". */
  origin: string;
  version: string;
}
