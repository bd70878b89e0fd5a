import { picture } from "../flowmap/picture";
import type { Report } from "../reports/report";

export type ExportFormat = "markdown" | "json" | "codetour" | "mermaid" | "svg";

type ServerExport = (
  reportId: string,
  format: "markdown" | "json" | "codetour" | "mermaid",
) => Promise<string>;

/** A report in one of its forms: what the server offers comes from it, the picture is drawn here. */
export async function exportReport(
  report: Report,
  format: ExportFormat,
  fromServer: ServerExport,
): Promise<string> {
  if (format === "svg") return picture(report);
  return fromServer(report.id, format);
}
