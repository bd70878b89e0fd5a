import { commands, EventEmitter } from "vscode";
import type { CancellationToken, Disposable, LogOutputChannel } from "vscode";
import type * as library from "vscode-languageclient/node";
import type { LanguageClient, LanguageClientOptions } from "vscode-languageclient/node";
import { Backoff } from "./backoff";
import type { ServerCommand } from "./command";
import { execute } from "./execute";
import { Failure, RESTART, SHOW_LOG, showFailure } from "./failure";
import { unsupportedVersion } from "./find";
import { checkVersion } from "./version";

/** The client library, most of the code to load. It is therefore loaded when the server is first needed. */
type Library = typeof library;

export type ServerState = "stopped" | "starting" | "running" | "missing" | "failed";

export interface ServerDependencies {
  log: LogOutputChannel;
  /** Finds the server's program. Rejects with `Failure` if there is none. */
  find: () => Promise<ServerCommand>;
  /** Variables for the server's process, in addition to the editor's own. */
  environment: () => Promise<Record<string, string>>;
  options: () => LanguageClientOptions;
  /** Adds handlers and features to a client before it starts. */
  prepare: (client: LanguageClient) => void;
  /** The server's working directory: a folder of the extension, so that it picks up nothing from the workspace. */
  folder: string;
}

const STOP_MS = 2000;

/** The language server's process and connection. Started on demand, and restarted if it ends. */
export class Server implements Disposable {
  private readonly changed = new EventEmitter<ServerState>();
  private readonly backoff = new Backoff();
  private client: LanguageClient | undefined;
  private starting: Promise<LanguageClient> | undefined;
  private attempt = 0;
  private currentState: ServerState = "stopped";
  command: ServerCommand | undefined;

  readonly onDidChange = this.changed.event;

  constructor(private readonly dependencies: ServerDependencies) {}

  get state(): ServerState {
    return this.currentState;
  }

  /** The client, once the server is running. Rejects with `Failure`. */
  async ready(): Promise<LanguageClient> {
    if (this.starting === undefined) {
      const starting = this.start();
      this.starting = starting;
      starting.catch(() => {
        if (this.starting === starting) this.starting = undefined;
      });
    }
    return this.starting;
  }

  /** Starts in the background. A failure shows in the view, and is reported when a question is asked. */
  warmUp(): void {
    this.ready().catch((error: unknown) => {
      this.dependencies.log.info(`The server was not started: ${String(error)}`);
    });
  }

  /** Runs one of the server's commands. Rejects with `Failure`, or with the server's own error. */
  async run<T>(command: string, argument: unknown, token?: CancellationToken): Promise<T> {
    const client = await this.ready();
    const params = { command, arguments: [argument] };
    return (await execute(client, params, token)) as T;
  }

  async restart(): Promise<LanguageClient> {
    this.backoff.reset();
    await this.stop();
    return this.ready();
  }

  /** Notifies the server, which then requests the settings it needs. */
  settingsChanged(): void {
    if (this.currentState !== "running") return;
    const params = { settings: null };
    // Errors do not matter: a server that has ended reads the settings when it restarts.
    this.client
      ?.sendNotification("workspace/didChangeConfiguration", params)
      .catch(() => undefined);
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.attempt += 1;
    this.client = undefined;
    this.starting = undefined;
    this.setState("stopped");
    await client?.dispose(STOP_MS).catch(() => undefined);
  }

  dispose(): void {
    void this.stop();
    this.changed.dispose();
  }

  private setState(state: ServerState): void {
    if (this.currentState === state) return;
    this.currentState = state;
    void commands.executeCommand("setContext", "sightline.server", state);
    this.changed.fire(state);
  }

  private async start(): Promise<LanguageClient> {
    const attempt = ++this.attempt;
    this.setState("starting");
    let client: LanguageClient | undefined;
    try {
      const found = await this.dependencies.find();
      const environment = await this.dependencies.environment();
      const library = await import("vscode-languageclient/node");
      this.throwIfOutdated(attempt);
      this.command = found;
      this.dependencies.log.info(
        `Server: ${found.command} (version ${found.version}, from ${found.origin})`,
      );
      client = this.buildClient(library, found, environment);
      this.client = client;
      await client.start();
      this.throwIfOutdated(attempt);
      this.checkVersion(client, found);
      this.setState("running");
      return client;
    } catch (error) {
      await client?.dispose(STOP_MS).catch(() => undefined);
      if (attempt !== this.attempt) throw stoppedFailure();
      this.client = undefined;
      const isFailure = error instanceof Failure;
      this.setState(isFailure && client === undefined ? "missing" : "failed");
      if (isFailure) throw error;
      throw new Failure(`The server did not start. ${errorSentence(error)}`, [RESTART, SHOW_LOG]);
    }
  }

  /** Throws if the server was stopped or restarted since this attempt began. */
  private throwIfOutdated(attempt: number): void {
    if (attempt !== this.attempt) throw stoppedFailure();
  }

  private buildClient(
    library: Library,
    found: ServerCommand,
    environment: Record<string, string>,
  ): LanguageClient {
    const env = { ...process.env, PYTHONSAFEPATH: "1", PYTHONUNBUFFERED: "1", ...environment };
    const options = { env, cwd: this.dependencies.folder };
    const client: LanguageClient = new library.LanguageClient(
      "sightline",
      "Sightline",
      { command: found.command, args: [...found.args, "serve"], options },
      {
        ...this.dependencies.options(),
        outputChannel: this.dependencies.log,
        revealOutputChannelOn: library.RevealOutputChannelOn.Never,
        initializationFailedHandler: () => false,
        errorHandler: {
          error: () => ({ action: library.ErrorAction.Continue, handled: true }),
          closed: async () => {
            const { DoNotRestart, Restart } = library.CloseAction;
            const shouldRestart = await this.closed(client, library);
            return { action: shouldRestart ? Restart : DoNotRestart, handled: true };
          },
        },
      },
    );
    this.dependencies.prepare(client);
    return client;
  }

  private checkVersion(client: LanguageClient, found: ServerCommand): void {
    const version = client.initializeResult?.serverInfo?.version ?? found.version;
    if (checkVersion(version) !== "fits") throw unsupportedVersion({ ...found, version });
  }

  /** Handles a server that ended by itself. Resolves, after a pause, to whether the client should restart it. */
  private async closed(client: LanguageClient, library: Library): Promise<boolean> {
    if (this.client !== client || this.currentState !== "running") return false;
    const pause = this.backoff.next(Date.now());
    if (pause === undefined) {
      this.giveUp(client);
      showFailure(new Failure("Sightline's server keeps stopping.", [RESTART, SHOW_LOG]));
      return false;
    }
    this.starting = this.awaitRestart(client, library);
    this.starting.catch(() => undefined);
    this.setState("starting");
    this.dependencies.log.warn(`The server stopped; restarting it in ${pause} ms.`);
    await new Promise((resolve) => setTimeout(resolve, pause));
    return this.client === client;
  }

  /** Waits for the client's automatic restart. Rejects if that fails or the server is stopped meanwhile. */
  private awaitRestart(client: LanguageClient, { State }: Library): Promise<LanguageClient> {
    return new Promise((resolve, reject) => {
      let isStarting = false;
      const stopListening = (): void => {
        watching.dispose();
        stopping.dispose();
      };
      const stopping = this.onDidChange((state) => {
        if (state !== "stopped") return;
        stopListening();
        reject(stoppedFailure());
      });
      const watching = client.onDidChangeState(({ newState }) => {
        isStarting ||= newState === State.Starting;
        if (!isStarting || newState === State.Starting) return;
        stopListening();
        if (newState === State.Running) {
          this.setState("running");
          resolve(client);
          return;
        }
        this.giveUp(client);
        const message = "The server stopped and could not be restarted.";
        reject(new Failure(message, [RESTART, SHOW_LOG]));
      });
    });
  }

  private giveUp(client: LanguageClient): void {
    if (this.client !== client) return;
    this.client = undefined;
    this.starting = undefined;
    this.setState("failed");
    setTimeout(() => {
      client.dispose().catch(() => undefined);
    });
  }
}

function stoppedFailure(): Failure {
  return new Failure("The server was stopped.", [RESTART]);
}

function errorSentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.endsWith(".") ? message : `${message}.`;
}
