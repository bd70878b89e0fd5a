import {
  DecorationRangeBehavior,
  OverviewRulerLane,
  Position,
  Range,
  TabInputWebview,
  TextEditorRevealType,
  ThemeColor,
  Uri,
  ViewColumn,
  window,
  workspace,
} from "vscode";
import type { Disposable, TextEditor } from "vscode";
import type { Location } from "../reports/report";
import type { Place } from "./node";

/** Opens places in an editor and highlights their lines and quotes. */
export class Revealer implements Disposable {
  private readonly lines = window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new ThemeColor("sightline.rangeBackground"),
    borderColor: new ThemeColor("sightline.rangeBorder"),
    borderStyle: "solid",
    borderWidth: "0 0 0 2px",
    rangeBehavior: DecorationRangeBehavior.ClosedClosed,
  });
  private readonly quote = window.createTextEditorDecorationType({
    backgroundColor: new ThemeColor("sightline.quoteBackground"),
    borderColor: new ThemeColor("sightline.quoteBorder"),
    borderStyle: "solid",
    borderWidth: "1px",
    overviewRulerColor: new ThemeColor("editorOverviewRuler.findMatchForeground"),
    overviewRulerLane: OverviewRulerLane.Center,
    rangeBehavior: DecorationRangeBehavior.ClosedClosed,
  });
  private shownPlace: Place | undefined;
  private readonly subscription = window.onDidChangeVisibleTextEditors(() => {
    this.decorate();
  });

  /** Opens a place: scrolls to its lines and puts the cursor on the quote. */
  async reveal(place: Place, options: { beside?: boolean } = {}): Promise<TextEditor | undefined> {
    const target = place.quote ?? place.location;
    const document = await workspace.openTextDocument(Uri.parse(place.location.uri));
    const first = document.lineAt(Math.min(target.range.start.line, document.lineCount - 1));
    const start = new Position(first.lineNumber, first.firstNonWhitespaceCharacterIndex);
    const editor = await window.showTextDocument(document, {
      preview: true,
      selection: new Range(start, start),
      viewColumn: options.beside === true ? ViewColumn.Beside : column(),
    });
    this.shownPlace = place;
    this.decorate();
    editor.revealRange(rangeOf(place.location), TextEditorRevealType.InCenterIfOutsideViewport);
    editor.revealRange(rangeOf(target), TextEditorRevealType.InCenterIfOutsideViewport);
    return editor;
  }

  /**
   * Updates the highlighted place from the shown report's current places, and removes the highlight if it
   * is no longer among them. Existing decorations follow edits by themselves, before the server knows; the
   * new position is for editors decorated from now on.
   */
  updateHighlight(places: readonly Place[]): void {
    const { shownPlace } = this;
    if (shownPlace === undefined) return;
    this.shownPlace =
      places.find(({ id }) => id === shownPlace.id) ??
      places.find((each) => isSamePlace(each, shownPlace));
    if (this.shownPlace === undefined) this.decorate();
  }

  clear(): void {
    this.shownPlace = undefined;
    this.decorate();
  }

  dispose(): void {
    this.subscription.dispose();
    this.lines.dispose();
    this.quote.dispose();
  }

  private decorate(): void {
    const { location, quote } = this.shownPlace ?? {};
    for (const editor of window.visibleTextEditors) {
      const inEditor = (location: Location | undefined): Location[] =>
        location !== undefined &&
        Uri.parse(location.uri).toString() === editor.document.uri.toString()
          ? [location]
          : [];
      editor.setDecorations(this.lines, inEditor(location).map(rangeOf));
      editor.setDecorations(
        this.quote,
        inEditor(quote).flatMap((location) => textRanges(editor, rangeOf(location))),
      );
    }
  }
}

/** The active group's column, or another one if that shows a webview, which the code would cover. */
function column(): ViewColumn {
  const { activeTabGroup, all } = window.tabGroups;
  // A fixed number, because another group may be active by the time the editor opens the place.
  if (!(activeTabGroup.activeTab?.input instanceof TabInputWebview)) {
    return activeTabGroup.viewColumn;
  }
  const other = all.find((group) => group !== activeTabGroup);
  return other?.viewColumn ?? ViewColumn.Beside;
}

/** Whether two places of different reports have the same lines and the same quote. */
function isSamePlace(one: Place, other: Place): boolean {
  return (
    JSON.stringify([one.location, one.quote]) === JSON.stringify([other.location, other.quote])
  );
}

function rangeOf({ range }: Location): Range {
  const { start, end } = range;
  return new Range(start.line, start.character, end.line, end.character);
}

/** Splits a range into one range per line without indentation, as one would mark it with a highlighter. */
function textRanges(editor: TextEditor, range: Range): Range[] {
  const ranges: Range[] = [];
  const last = range.end.character === 0 ? range.end.line - 1 : range.end.line;
  for (let line = range.start.line; line <= Math.max(last, range.start.line); line++) {
    if (line >= editor.document.lineCount) break;
    const { text, firstNonWhitespaceCharacterIndex } = editor.document.lineAt(line);
    const end = text.trimEnd().length;
    if (end > firstNonWhitespaceCharacterIndex) {
      ranges.push(new Range(line, firstNonWhitespaceCharacterIndex, line, end));
    }
  }
  return ranges;
}
