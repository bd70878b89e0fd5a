/** A fake of those parts of the editor's API that the modules under test use. */

export class Disposable {
  constructor(private readonly run: () => void) {}
  static from(...all: { dispose(): unknown }[]): Disposable {
    return new Disposable(() => {
      for (const each of all) each.dispose();
    });
  }
  dispose(): void {
    this.run();
  }
}

export class EventEmitter<T> {
  private readonly listeners = new Set<(value: T) => unknown>();
  readonly event = (listener: (value: T) => unknown): Disposable => {
    this.listeners.add(listener);
    return new Disposable(() => this.listeners.delete(listener));
  };
  fire(value: T): void {
    for (const each of [...this.listeners]) each(value);
  }
  dispose(): void {
    this.listeners.clear();
  }
}

export class CancellationTokenSource {
  private readonly cancelled = new EventEmitter<unknown>();
  readonly token = {
    isCancellationRequested: false,
    onCancellationRequested: this.cancelled.event,
  };
  cancel(): void {
    if (this.token.isCancellationRequested) return;
    this.token.isCancellationRequested = true;
    this.cancelled.fire(undefined);
  }
  dispose(): void {
    this.cancelled.dispose();
  }
}

export class CancellationError extends Error {}

export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}

export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(line: number, character: number, endLine: number, endCharacter: number) {
    this.start = new Position(line, character);
    this.end = new Position(endLine, endCharacter);
  }
}

export class Uri {
  private constructor(private readonly text: string) {}
  static parse(text: string): Uri {
    return new Uri(text);
  }
  static file(path: string): Uri {
    return new Uri(`file://${path}`);
  }
  get scheme(): string {
    return this.text.slice(0, this.text.indexOf(":"));
  }
  toString(): string {
    return this.text;
  }
}

export class ThemeIcon {
  constructor(
    readonly id: string,
    readonly color?: ThemeColor,
  ) {}
}

export class ThemeColor {
  constructor(readonly id: string) {}
}

export class TreeItem {
  constructor(
    readonly label: string,
    readonly collapsibleState: number,
  ) {}
}

export class DataTransferItem {
  constructor(readonly value: unknown) {}
}

export class MarkdownString {
  constructor(public value = "") {}
  appendText(text: string): this {
    this.value += text;
    return this;
  }
}

export class LanguageModelTextPart {
  constructor(readonly value: string) {}
}

export class LanguageModelToolCallPart {
  constructor(
    readonly callId: string,
    readonly name: string,
    readonly input: object,
  ) {}
}

export class LanguageModelToolResultPart {
  constructor(
    readonly callId: string,
    readonly content: unknown[],
  ) {}
}

export class LanguageModelToolResult {
  constructor(readonly content: unknown[]) {}
}

export class LanguageModelError extends Error {
  static readonly NoPermissions = { name: "NoPermissions" };
  static readonly Blocked = { name: "Blocked" };
  static readonly NotFound = { name: "NotFound" };
  code = "";
}

export class LanguageModelChatMessage {
  constructor(
    readonly role: string,
    readonly content: unknown,
  ) {}
  static User(content: unknown): LanguageModelChatMessage {
    return new LanguageModelChatMessage("user", content);
  }
  static Assistant(content: unknown): LanguageModelChatMessage {
    return new LanguageModelChatMessage("assistant", content);
  }
}

export const LanguageModelChatToolMode = { Auto: 1, Required: 2 };
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };
export const QuickPickItemKind = { Separator: -1, Default: 0 };
export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 };
export const LanguageStatusSeverity = { Information: 0, Warning: 1, Error: 2 };
export const ProgressLocation = { Window: 10, Notification: 15 };
export const ConfigurationTarget = { Global: 1, Workspace: 2 };
export class TabInputWebview {
  readonly _ = undefined;
}
export const ViewColumn = { Beside: -2 };
export const OverviewRulerLane = { Center: 2 };
export const DecorationRangeBehavior = { ClosedClosed: 1 };
export const TextEditorRevealType = { InCenterIfOutsideViewport: 2 };

/** The commands that were run, and the results to return, keyed by command. */
export const executedCommands: { command: string; args: unknown[] }[] = [];
export const commandHandlers = new Map<string, (...args: unknown[]) => unknown>();

export const commands = {
  executeCommand(command: string, ...args: unknown[]): Promise<unknown> {
    executedCommands.push({ command, args });
    return Promise.resolve(commandHandlers.get(command)?.(...args));
  },
  registerCommand(command: string, run: (...args: unknown[]) => unknown): Disposable {
    commandHandlers.set(command, run);
    return new Disposable(() => commandHandlers.delete(command));
  },
};

/** The messages shown to the user, and the button the user presses next. */
export const shownMessages: string[] = [];
export const user: { presses: string | undefined } = { presses: undefined };

function show(message: string): Promise<string | undefined> {
  shownMessages.push(message);
  return Promise.resolve(user.presses);
}

export const visibleEditorsChanged = new EventEmitter<void>();

/** A fake quick pick, which tests can accept and which then hides. */
function quickPick() {
  const doNothing = (): undefined => undefined;
  const accepted = new EventEmitter<void>();
  const typed = new EventEmitter<string>();
  const hidden = new EventEmitter<void>();
  return {
    value: "",
    items: [] as { label: string }[],
    selectedItems: [] as { label: string }[],
    accepted,
    typed,
    show: doNothing,
    hide: () => {
      hidden.fire();
    },
    dispose: doNothing,
    onDidChangeValue: typed.event,
    onDidTriggerItemButton: doNothing,
    onDidAccept: accepted.event,
    onDidHide: hidden.event,
  };
}

export const window = {
  activeTextEditor: undefined as unknown,
  showQuickPick: <T extends { label: string }>(rows: T[]): Promise<T | undefined> =>
    Promise.resolve(rows.find(({ label }) => label === user.presses)),
  picks: [] as ReturnType<typeof quickPick>[],
  createQuickPick: () => {
    const pick = quickPick();
    window.picks.push(pick);
    return pick;
  },
  visibleTextEditors: [] as unknown[],
  tabGroups: { activeTabGroup: { activeTab: undefined, viewColumn: 1 }, all: [] },
  createTextEditorDecorationType: () => new Disposable(() => undefined),
  onDidChangeVisibleTextEditors: visibleEditorsChanged.event,
  showTextDocument: () => Promise.resolve(window.visibleTextEditors[0]),
  showErrorMessage: show,
  showWarningMessage: show,
  showInformationMessage: show,
  setStatusBarMessage: (message: string) => {
    shownMessages.push(message);
  },
};

export const models: { id: string }[] = [];
export class McpStdioServerDefinition {
  readonly _ = undefined;
}
/** How often the MCP server definitions were re-announced. */
export const mcp = { changes: 0 };
export const lm = {
  registerMcpServerDefinitionProvider: (
    _: string,
    { onDidChangeMcpServerDefinitions }: Record<string, EventEmitter<void>["event"]>,
  ) => onDidChangeMcpServerDefinitions?.(() => (mcp.changes += 1)),
  selectChatModels: ({ id }: { id?: string }) =>
    Promise.resolve(models.filter((model) => id === undefined || model.id === id)),
};

/** The user's settings and the workspace's settings. */
export const settings = new Map<string, unknown>();
export const workspaceSettings = new Map<string, unknown>();

const configuration = {
  get: (name: string) => workspaceSettings.get(name) ?? settings.get(name),
  inspect: (name: string) => ({
    key: name,
    globalValue: settings.get(name),
    workspaceValue: workspaceSettings.get(name),
  }),
  update: (name: string, value: unknown, target: number) => {
    const values = target === ConfigurationTarget.Workspace ? workspaceSettings : settings;
    if (value === undefined) values.delete(name);
    else values.set(name, value);
    return Promise.resolve();
  },
};

/** A fake document of a hundred numbered lines. */
export function textDocument(uri: Uri) {
  const lineAt = (line: number) => ({
    text: `line ${line}`,
    lineNumber: line,
    firstNonWhitespaceCharacterIndex: 0,
  });
  return { uri, lineCount: 100, lineAt };
}

export const configurationChanged = new EventEmitter<{
  affectsConfiguration: (name: string) => boolean;
}>();
export const foldersChanged = new EventEmitter<void>();
export const trustGranted = new EventEmitter<void>();

export const workspace = {
  onDidChangeConfiguration: configurationChanged.event,
  onDidChangeWorkspaceFolders: foldersChanged.event,
  onDidGrantWorkspaceTrust: trustGranted.event,
  isTrusted: true,
  workspaceFolders: [{ uri: Uri.file("/repo") }],
  textDocuments: [],
  getWorkspaceFolder: (uri: Uri) =>
    uri.toString().startsWith("file:///repo")
      ? { uri: Uri.file("/repo"), name: "Repo" }
      : undefined,
  asRelativePath: (uri: Uri) => uri.toString().replace("file:///repo/", ""),
  openTextDocument: (uri: Uri) => Promise.resolve(textDocument(uri)),
  getConfiguration: () => configuration,
  onDidChangeTextDocument: () => new Disposable(() => undefined),
  fs: { readFile: () => Promise.reject(new Error("There is no such file.")) },
};

export const languages = { getDiagnostics: () => [] };
export const env = {};
export const extensions = { getExtension: () => undefined };
