import type { Location } from "../reports/report";

/** A row of the Flow view, before it becomes a tree item. */
export interface Node {
  /** Unique within the tree and the same for the same thing, so that what is unfolded stays so. */
  id: string;
  label: string;
  description?: string;
  /** Name of a theme icon, and the theme colour it has. */
  icon?: string;
  colour?: string;
  tooltip?: string;
  /** Code that the tooltip shows below its text. */
  code?: string;
  /** What a screen reader says. */
  spoken: string;
  context: string;
  children: Node[];
  unfolded?: boolean;
  /** Where a click leads. */
  place?: Place;
  /** In place of a place: the file that is gone, and the link of the report, from 0. */
  gone?: { path: string; step: number };
  /** What a click on a row without a place does: the id of a command. */
  command?: string;
}

export interface Place {
  /** The same for the same place, wherever it moves to. */
  id: string;
  /** The lines that are revealed. */
  location: Location;
  /** The lines that are highlighted in them. */
  quote?: Location;
  /** The link of the report this is, from 0, if it is one. Its id will not do: two may have one. */
  step?: number;
  /** For the clipboard. */
  text: string;
}
