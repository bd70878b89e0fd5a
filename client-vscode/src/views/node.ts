import type { Location } from "../reports/report";

/** A row of the Flow view, before it becomes a tree item. */
export interface Node {
  /** Unique within the tree and stable across rebuilds, so that unfolded rows stay unfolded. */
  id: string;
  label: string;
  description?: string;
  /** The name of a theme icon, and below it the icon's theme colour. */
  icon?: string;
  colour?: string;
  tooltip?: string;
  /** Code to show in the tooltip, below its text. */
  code?: string;
  /** The text for screen readers. */
  spoken: string;
  context: string;
  children: Node[];
  expanded?: boolean;
  /** The place that a click opens. */
  place?: Place;
  /** Instead of `place` if the file is gone: its path, and the 0-based index of the report's link. */
  gone?: { path: string; step: number };
  /** The id of the command that a click runs if the row has no place. */
  command?: string;
}

export interface Place {
  /** Stays the same when the place moves. */
  id: string;
  /** The lines to reveal. */
  location: Location;
  /** The lines to highlight within them. */
  quote?: Location;
  /** If this is a link: its 0-based index in the report. Two links may share an id, so the id will not do. */
  step?: number;
  /** The text to copy to the clipboard. */
  text: string;
}
