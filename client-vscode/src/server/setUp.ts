import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { ProgressLocation, window } from "vscode";
import type { CancellationToken, LogOutputChannel, Progress } from "vscode";
import { Failure, openSettings, SHOW_LOG } from "./failure";
import type { Button } from "./failure";
import { findPython } from "./interpreters";
import { run, RunError } from "./run";
import { exists } from "./surroundings";

const INSTALL_MS = 15 * 60_000;
const VENV_MS = 3 * 60_000;
const TRY_AGAIN: Button = { title: "Try Again", command: "sightline.ui.setUp" };

/** The private server: a Python virtual environment in the extension's storage. */
export class PrivateServer {
  private readonly environment: string;
  private readonly backup: string;

  constructor(
    private readonly folder: string,
    private readonly wheels: string,
    private readonly log: LogOutputChannel,
  ) {
    this.environment = join(folder, "server");
    this.backup = join(folder, "server.before");
  }

  get program(): string {
    return this.script("sightline");
  }

  /**
   * Asks for confirmation, then creates the environment; `stopOld` ends whatever runs from the old one.
   * False if the user declines. An existing environment is kept until the new one works.
   */
  async setUp(stopOld: () => Promise<void>): Promise<boolean> {
    const answer = await window.showInformationMessage(
      "Set up Sightline's server?",
      {
        modal: true,
        detail:
          "This creates a private Python environment in the extension's storage. The server is bundled with the extension; its dependencies (about 100 MB) are downloaded from PyPI. Nothing else on this machine is changed.",
      },
      "Set Up",
    );
    if (answer === undefined) return false;
    const python = await findPython(this.folder, this.log);
    await stopOld();
    await window.withProgress(
      {
        location: ProgressLocation.Notification,
        title: "Setting up Sightline's server",
        cancellable: true,
      },
      (progress, token) => this.install(python, progress, token),
    );
    return true;
  }

  /** The version of the server bundled with the extension. */
  async bundledVersion(): Promise<string | undefined> {
    const names = await readdir(this.wheels).catch(() => []);
    return names.flatMap((name) => /^sightline_lsp-([^-]+)-.*\.whl$/.exec(name)?.[1] ?? [])[0];
  }

  private script(name: string): string {
    return process.platform === "win32"
      ? join(this.environment, "Scripts", `${name}.exe`)
      : join(this.environment, "bin", name);
  }

  private async install(
    python: readonly string[],
    progress: Progress<{ message: string }>,
    token: CancellationToken,
  ): Promise<void> {
    const reportLine = (line: string): void => {
      this.log.info(line);
      const message = progressMessage(line);
      if (message !== undefined) progress.report({ message });
    };
    const options = { cwd: this.folder, token, onLine: reportLine };
    try {
      await this.backUp();
      progress.report({ message: "creating the environment" });
      const [command = "python3", ...args] = python;
      const venv = [...args, "-m", "venv", this.environment];
      await run(command, venv, { ...options, timeoutMs: VENV_MS });
      const wheel = await this.wheel();
      const pip = ["-m", "pip", "install", "--disable-pip-version-check", "--no-input", wheel];
      await run(this.script("python"), pip, { ...options, timeoutMs: INSTALL_MS });
      if (!(await exists(this.program))) throw new Error("The server's program is missing.");
      await removeFolder(this.backup);
    } catch (error) {
      await this.restoreBackup();
      if (token.isCancellationRequested) throw new Failure("The setup was cancelled.", [TRY_AGAIN]);
      throw explainFailure(error);
    }
  }

  /** Renames the old environment for now: a new one must be created under its final name to work. */
  private async backUp(): Promise<void> {
    // If one is still set aside, an earlier attempt was interrupted: the current one is incomplete.
    if (await exists(this.backup)) await removeFolder(this.environment);
    else await rename(this.environment, this.backup).catch(() => undefined);
  }

  private async restoreBackup(): Promise<void> {
    await removeFolder(this.environment);
    await rename(this.backup, this.environment).catch(() => undefined);
  }

  private async wheel(): Promise<string> {
    const names = await readdir(this.wheels).catch(() => []);
    const wheel = names.find((name) => name.endsWith(".whl"));
    if (wheel !== undefined) return join(this.wheels, wheel);
    throw new Error("The extension does not contain its server; reinstall the extension.");
  }
}

function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}

/** A progress message for a line of pip's output; undefined if it is not worth one. */
export function progressMessage(line: string): string | undefined {
  const [, activity, name] =
    /^\s*(Collecting|Downloading|Installing collected packages)[ :]*([\w.-]*)/.exec(line) ?? [];
  switch (activity) {
    case "Collecting":
      return `looking for ${name ?? ""}`;
    case "Downloading":
      return `downloading ${(name ?? "").split("-")[0] ?? ""}`;
    case "Installing collected packages":
      return "installing";
    default:
      return undefined;
  }
}

/** Explains a failed set-up in one sentence; the common causes have their own. */
export function explainFailure(error: unknown): Failure {
  const output = error instanceof RunError ? error.output : "";
  const message = error instanceof Error ? error.message : String(error);
  if (/ensurepip|No module named venv/.test(output)) {
    return new Failure(
      "This Python cannot create virtual environments: its venv module is not installed (on Debian and Ubuntu, install python3-venv). You can also choose another Python.",
      [openSettings("sightline.server.python"), TRY_AGAIN, SHOW_LOG],
    );
  }
  if (
    /Temporary failure in name resolution|NewConnectionError|Could not fetch|ConnectTimeout/.test(
      output,
    )
  ) {
    return new Failure("PyPI could not be reached. Check the connection or pip's proxy settings.", [
      TRY_AGAIN,
      SHOW_LOG,
    ]);
  }
  return new Failure(`Sightline's server could not be set up. ${message}`, [TRY_AGAIN, SHOW_LOG]);
}
