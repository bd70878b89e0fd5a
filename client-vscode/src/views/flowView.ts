import { commands, DataTransferItem, EventEmitter, window } from "vscode";
import type {
  DataTransfer,
  Disposable,
  TreeDataProvider,
  TreeDragAndDropController,
  TreeItem,
  TreeView,
} from "vscode";
import type { Asker } from "../ask/asker";
import type { Exploration } from "../ask/exploration";
import { scopeOf } from "../ask/scope";
import type { ReportStore } from "../reports/store";
import * as words from "../reports/words";
import { setting } from "../server/settings";
import { flowNodes } from "./flowNodes";
import type { Node } from "./node";
import { treeItem } from "./treeItem";

const FLOW_VIEW = "sightline.flow";
/** The command that opens a row's place. Not in the command palette. */
export const OPEN_NODE = "sightline.ui.openNode";

/** The Flow view: the shown report, or the running question. */
export class FlowView
  implements TreeDataProvider<Node>, TreeDragAndDropController<Node>, Disposable
{
  readonly dropMimeTypes = [];
  readonly dragMimeTypes = ["text/uri-list", "text/plain"];
  private readonly changed = new EventEmitter<undefined>();
  private readonly subscriptions: Disposable[];
  private roots: Node[] = [];
  private parents = new Map<string, Node>();
  readonly view: TreeView<Node>;
  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly asker: Asker,
    private readonly store: ReportStore,
  ) {
    this.view = window.createTreeView(FLOW_VIEW, {
      treeDataProvider: this,
      dragAndDropController: this,
      showCollapseAll: true,
    });
    this.subscriptions = [
      this.view,
      asker.onDidChange((exploration) => {
        if (exploration !== undefined) this.watch(exploration);
        this.refresh();
      }),
      store.onDidChangeCurrent(() => {
        this.refresh();
      }),
    ];
    this.refresh();
  }

  getTreeItem(node: Node): TreeItem {
    return treeItem(node, OPEN_NODE);
  }

  getChildren(node?: Node): Node[] {
    return node === undefined ? this.roots : node.children;
  }

  getParent(node: Node): Node | undefined {
    return this.parents.get(node.id);
  }

  /** Lets places be dragged into an editor group, a chat or text. */
  handleDrag(nodes: readonly Node[], data: DataTransfer): void {
    const places = nodes.flatMap(({ place }) => place ?? []);
    const uris = places.map(({ quote, location }) => {
      const { uri, range } = quote ?? location;
      return `${uri}#L${range.start.line + 1}`;
    });
    data.set("text/uri-list", new DataTransferItem(uris.join("\r\n")));
    data.set("text/plain", new DataTransferItem(places.map(({ text }) => text).join("\n\n")));
  }

  /** The row a command applies to: the one passed by a menu, otherwise the selected one. */
  commandTarget(node?: Node): Node | undefined {
    return node ?? this.view.selection[0];
  }

  /** Selects a link's row without taking the focus. */
  async select(index: number): Promise<void> {
    const row = this.roots.find((node) => node.place?.step === index);
    if (row === undefined || !this.view.visible) return;
    await this.reveal(row, true);
  }

  /** Shows the view, if possible without taking the focus. */
  async show(): Promise<void> {
    const first = this.roots[0];
    if (this.view.visible || (first !== undefined && (await this.reveal(first, false)))) return;
    await commands.executeCommand("workbench.view.extension.sightline");
  }

  dispose(): void {
    for (const each of this.subscriptions) each.dispose();
    this.changed.dispose();
  }

  /** Rebuilds the rows. */
  refresh(): void {
    const running = this.asker.current;
    const report = running === undefined ? this.store.current : running.partial;
    this.roots = flowNodes(
      report,
      running && {
        query: running.question.query,
        message: running.message,
        percentage: running.percentage,
      },
      setting("flow.quotes", true),
      scopeOf(running?.question ?? (report && this.store.request(report.id))),
    );
    this.parents = new Map(
      this.roots.flatMap((root) => root.children.map((child) => [child.id, root] as const)),
    );
    const stale = report?.links.filter((link) => link.stale).length ?? 0;
    this.view.badge =
      stale === 0
        ? undefined
        : { value: stale, tooltip: `${words.staleSteps(stale)}; ask again to check the answer` };
    this.view.description = (running?.question.query ?? report?.query ?? "").replaceAll(
      /\s+/g,
      " ",
    );
    this.changed.fire(undefined);
  }

  /** Reveals a row. False if it disappeared before the view could show it. */
  private async reveal(node: Node, select: boolean): Promise<boolean> {
    try {
      await this.view.reveal(node, { select, focus: false });
      return true;
    } catch {
      return false;
    }
  }

  /** Shows the view's progress bar, and refreshes the rows, while a question runs. */
  private watch(exploration: Exploration): void {
    exploration.onDidChange(() => {
      if (this.asker.current === exploration) this.refresh();
    });
    void window.withProgress(
      { location: { viewId: FLOW_VIEW } },
      () =>
        new Promise<void>((resolve) => {
          const subscription = this.asker.onDidChange((current) => {
            if (current === exploration) return;
            subscription.dispose();
            resolve();
          });
        }),
    );
  }
}
