import { picture } from "../flowmap/picture";
import type { Report } from "../reports/report";

export type ExportFormat = "markdown" | "json" | "codetour" | "mermaid" | "svg";

type ServerExport = (
  reportId: string,
  format: "markdown" | "json" | "codetour" | "mermaid",
) => Promise<string>;

/** Exports a report. The SVG is drawn here; the server renders all other formats. */
export async function exportReport(
  report: Report,
  format: ExportFormat,
  fromServer: ServerExport,
): Promise<string> {
  if (format === "svg") return picture(report);
  return fromServer(report.id, format);
}
