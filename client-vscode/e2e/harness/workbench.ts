import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  cpSync,
  createWriteStream,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { chromium } from "playwright-core";
import type { Browser, FrameLocator, Locator, Page } from "playwright-core";
import { readEnvironment, temporaryFolder } from "./environment";
import type { Environment } from "./environment";
import { FlowTree } from "./flow";
import { Probe } from "./probe";
import { ReportsTree } from "./reports";
import { MARK, waitForExit } from "./processes";
import { until } from "./wait";

export interface Options {
  /** The folder of `samples/` to open, as a copy. */
  sample: string;
  /** More folders of `samples/`, to open a workspace with several folders. */
  otherSamples?: string[];
  /** The name of the first of several folders in the workspace file. */
  folderName?: string;
  settings?: Record<string, unknown>;
  /** Whether to enable workspace trust, so that the editor asks about the folder. */
  askTrust?: boolean;
  /** Environment variables for the editor's processes; they override those of the tests. */
  variables?: Record<string, string>;
  prepare?: (folder: string) => void;
  /** Whether to copy the installed extensions, for a test that changes them. */
  ownExtensions?: boolean;
}

const SETTINGS = {
  "workbench.startupEditor": "none",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.tips.enabled": false,
  "workbench.colorTheme": "Dark Modern",
  "window.autoDetectColorScheme": false,
  "chat.disableAIFeatures": false,
  "extensions.ignoreRecommendations": true,
  "git.enabled": false,
  "editor.minimap.enabled": false,
  "files.autoSave": "off",
  "files.simpleDialog.enable": true,
  "editor.fontFamily": "DejaVu Sans Mono",
};

/** The real workbench, opened on a copy of a sample, with the packaged extension and the real server. */
export class Workbench {
  readonly flow: FlowTree;
  readonly reports: ReportsTree;

  private constructor(
    readonly page: Page,
    readonly probe: Probe,
    readonly folder: string,
    private readonly resources: {
      browser: Browser;
      server: ChildProcess;
      mark: string;
      base: string;
      environment: Environment;
    },
  ) {
    this.flow = new FlowTree(page);
    this.reports = new ReportsTree(page);
  }

  static async open(options: Options): Promise<Workbench> {
    const environment = readEnvironment();
    const base = temporaryFolder(options.sample);
    if (options.ownExtensions === true) {
      const copy = join(base, "extensions");
      cpSync(environment.extensions, copy, { recursive: true });
      environment.extensions = copy;
    }
    const folder = join(base, options.sample);
    cpSync(join(environment.samples, options.sample), folder, { recursive: true });
    for (const sample of options.otherSamples ?? []) {
      cpSync(join(environment.samples, sample), join(base, sample), { recursive: true });
    }
    options.prepare?.(folder);
    const ownSettings = { "sightline.server.command": [environment.server], ...options.settings };
    writeSettings(join(base, "user", "User"), { ...SETTINGS, ...ownSettings });
    // Machine-scoped settings are read on the machine where the extension runs.
    writeSettings(join(base, "user", "Machine"), ownSettings);
    const mark = randomUUID();
    const socket = join(base, "probe");
    const port = await freePort();
    const server = spawn(environment.node, commandLine(environment, base, folder, port, options), {
      env: { ...serverVariables(environment, base, socket), ...options.variables, [MARK]: mark },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const log = createWriteStream(join(base, "code-server.log"));
    server.stdout.pipe(log);
    server.stderr.pipe(log);
    const address = `http://127.0.0.1:${port}`;
    await until("the workbench's server", async () => (await fetch(`${address}/healthz`)).ok);
    const browser = await chromium.launch({
      executablePath: environment.browser,
      args: ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"],
    });
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    page.setDefaultTimeout(20_000);
    await page.goto(`${address}/?${workspaceQuery(base, options)}`);
    await page.locator(".monaco-workbench .activitybar").waitFor();
    return new Workbench(page, new Probe(socket), folder, {
      browser,
      server,
      mark,
      base,
      environment,
    });
  }

  get mark(): string {
    return this.resources.mark;
  }

  /** Waits until the probe answers, which it does once it and its Python language server have started. */
  async ready(): Promise<void> {
    await until(
      "the probe",
      () => this.probe.ask("trusted"),
      (value) => typeof value === "boolean",
      60_000,
    );
  }

  command(title: string): Promise<void> {
    return this.palette(`Sightline: ${title}`);
  }

  /** Runs a command from the palette. An editor that opens late closes the palette, so this retries. */
  async palette(title: string): Promise<void> {
    const palette = this.page.locator(".quick-input-widget:visible");
    const row = palette.locator(".monaco-list-row").filter({ hasText: title });
    await until(`the command ${title}`, async () => {
      await this.page.keyboard.press("F1");
      await palette.locator("input[type=text]").fill(`>${title}`, { timeout: 1000 });
      await row.first().click({ timeout: 2000 });
      return true;
    });
  }

  /** Types into the open input box and confirms. */
  async enterText(text: string): Promise<void> {
    const input = this.page.locator(".quick-input-widget:visible input[type]").first();
    await input.waitFor();
    await input.fill(text);
    await this.page.keyboard.press("Enter");
  }

  /** Types a secret into the open password box and confirms, until the box closes. */
  async enterSecret(secret: string): Promise<void> {
    const input = this.page.locator(".quick-input-widget:visible input[type=password]").first();
    await input.waitFor();
    await until("the secret to be taken", async () => {
      if (!(await input.isVisible())) return true;
      await input.fill(secret, { timeout: 1000 });
      await input.press("Enter", { timeout: 1000 });
      return false;
    });
  }

  async ask(question: string, how = "Explain How..."): Promise<void> {
    await this.command(how);
    await this.enterText(question);
    await this.flow.waitForAnswerTo(question);
  }

  /** The rows of the open quick pick. */
  get quickPickRows(): Locator {
    return this.page.locator(".quick-input-widget:visible .monaco-list-row");
  }

  /** Chooses an entry of the open menu; earlier labels name the submenus on the way to it. */
  async chooseMenuItem(...labels: string[]): Promise<void> {
    const menu = this.page.locator(".monaco-menu");
    const items = labels.map((label) =>
      menu
        .locator(".action-menu-item")
        .filter({ has: this.page.getByText(label, { exact: true }) }),
    );
    for (const item of items) await item.hover();
    const last = items.at(-1);
    // A menu ignores clicks just after it opens, so that the opening click chooses nothing. Hence the retries.
    await until("the menu to close", async () => {
      if (await menu.first().isVisible()) await last?.click({ timeout: 1000 });
      return !(await menu.first().isVisible());
    });
  }

  /** Opens the editor's context menu with the mouse, at the cursor. */
  async menuAtCursor(): Promise<void> {
    const cursor = this.page
      .locator(".editor-group-container.active .cursors-layer .cursor")
      .first();
    await cursor.waitFor({ state: "attached" });
    const box = await cursor.boundingBox();
    if (box === null) throw new Error("The cursor is out of sight.");
    await this.page.mouse.click(box.x + 3, box.y + box.height / 2, { button: "right" });
    await this.page.locator(".monaco-menu").first().waitFor();
  }

  toast(text: string | RegExp): Locator {
    return this.page
      .locator(".notifications-toasts .notification-list-item")
      .filter({ hasText: text });
  }

  dialog(text: string | RegExp): Locator {
    return this.page.locator(".monaco-dialog-box").filter({ hasText: text });
  }

  /** Chooses a row of the open quick pick. */
  async chooseRow(label: string): Promise<void> {
    await this.quickPickRows.filter({ hasText: label }).first().click();
  }

  /** The page inside the only open webview. */
  webview(): FrameLocator {
    return this.page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
  }

  /** The folder in which the extensions are installed. */
  get extensions(): string {
    return this.resources.environment.extensions;
  }

  /** The folder with everything that the editor stores for this window. */
  get userDataFolder(): string {
    return join(this.resources.base, "user");
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.page.locator(".monaco-workbench .activitybar").waitFor();
    await this.ready();
  }

  /** Drags the side bar's edge until it has the given width in pixels. */
  async widenSideBar(width: number): Promise<void> {
    const box = await this.page.locator(".part.sidebar").boundingBox();
    if (box === null) throw new Error("There is no side bar.");
    const y = box.y + box.height / 2;
    await this.page.mouse.move(box.x + box.width + 1, y);
    await this.page.mouse.down();
    await this.page.mouse.move(box.x + width, y, { steps: 5 });
    await this.page.mouse.up();
  }

  async screenshot(name: string): Promise<void> {
    mkdirSync(this.resources.environment.pictures, { recursive: true });
    const path = join(this.resources.environment.pictures, `${name}.png`);
    await this.page.screenshot({ animations: "disabled", path });
  }

  /** Saves the extension's log next to the pictures. */
  saveLog(name: string): void {
    mkdirSync(this.resources.environment.pictures, { recursive: true });
    const logs = globSync(join(this.userDataFolder, "**", "sightline.sightline", "*.log"));
    const text = logs.map((file) => readFileSync(file, "utf8")).join("\n");
    writeFileSync(join(this.resources.environment.pictures, `${name}.log`), text);
  }

  async theme(name: string, kind: string): Promise<void> {
    await this.probe.ask("configure", { name: "workbench.colorTheme", value: name });
    await this.page.locator(`.monaco-workbench.${kind}`).first().waitFor();
  }

  /** Shuts everything down. Fails if a process that was started is still running. */
  async close(): Promise<void> {
    const { browser, server, mark, base } = this.resources;
    await browser.close();
    server.kill("SIGTERM");
    await waitForExit(mark);
    rmSync(base, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The query string of the workbench's URL, which says what to open. */
function workspaceQuery(base: string, { sample, otherSamples, folderName }: Options): string {
  if (otherSamples === undefined) return `folder=${encodeURIComponent(join(base, sample))}`;
  const file = join(base, "several.code-workspace");
  const others = otherSamples.map((path) => ({ path }));
  const folders = [{ path: sample, name: folderName }, ...others];
  writeFileSync(file, JSON.stringify({ folders }));
  return `workspace=${encodeURIComponent(file)}`;
}

function writeSettings(folder: string, settings: Record<string, unknown>): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "settings.json"), JSON.stringify(settings));
}

function commandLine(
  environment: Environment,
  base: string,
  folder: string,
  port: number,
  { askTrust = false }: Options,
): string[] {
  return [
    environment.codeServer,
    ...["--auth", "none", "--bind-addr", `127.0.0.1:${port}`],
    ...["--disable-telemetry", "--disable-update-check", "--disable-getting-started-override"],
    ...(askTrust ? [] : ["--disable-workspace-trust"]),
    ...["--extensions-dir", environment.extensions, "--user-data-dir", join(base, "user")],
    ...["--reconnection-grace-time", "2", folder],
  ];
}

function serverVariables(
  environment: Environment,
  base: string,
  socket: string,
): NodeJS.ProcessEnv {
  return {
    ...{ PATH: process.env.PATH, HOME: join(base, "home"), LANG: "C.UTF-8", TMPDIR: base },
    ...{ XDG_CACHE_HOME: join(base, "cache"), XDG_CONFIG_HOME: join(base, "config") },
    ...{ XDG_DATA_HOME: join(base, "data"), E2E_SOCKET: socket },
    E2E_PYTHON_SERVER: JSON.stringify(environment.pythonServer),
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });
}
