import type { Report } from "../reports/report";

export type ExportFormat = "markdown" | "json" | "codetour" | "mermaid" | "svg";

export type ServerExport = (
  reportId: string,
  format: "markdown" | "json" | "codetour" | "mermaid",
) => Promise<string>;

/** A report in one of its forms. */
export async function exportReport(
  report: Report,
  format: ExportFormat,
  fromServer: ServerExport,
): Promise<string> {
  if (format === "json") return `${JSON.stringify(report, null, 2)}\n`;
  if (format === "svg") throw new Error("SVG is not there yet.");
  return fromServer(report.id, format);
}
