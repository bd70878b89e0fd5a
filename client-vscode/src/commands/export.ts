import { Uri, window, workspace } from "vscode";
import { exportReport } from "../export/export";
import type { ExportFormat } from "../export/export";
import { restoreReport } from "../reports/live";
import type { Report } from "../reports/report";
import { Failure, showFailure } from "../server/failure";
import type { Server } from "../server/server";

const FORMATS: { format: ExportFormat; label: string; detail: string; suffix: string }[] = [
  { format: "markdown", label: "Markdown", detail: "For reading, or for an issue", suffix: "md" },
  { format: "json", label: "JSON", detail: "For programs", suffix: "json" },
  { format: "codetour", label: "CodeTour", detail: "A tour through the code", suffix: "tour" },
  { format: "mermaid", label: "Mermaid", detail: "A diagram as text", suffix: "mmd" },
  { format: "svg", label: "SVG", detail: "A picture", suffix: "svg" },
];

/** Asks for a format, unless one is given, and a file, and writes the report there. */
export async function saveReport(
  server: Server,
  report: Report,
  format?: ExportFormat,
): Promise<void> {
  const chosen =
    FORMATS.find((each) => each.format === format) ??
    (await window.showQuickPick(FORMATS, { title: "Export Report As" }));
  if (chosen === undefined) return;
  const target = await window.showSaveDialog({
    defaultUri: await defaultFile(report, chosen.format, chosen.suffix),
    filters: { [chosen.label]: [chosen.suffix] },
    title: `Export As ${chosen.label}`,
  });
  if (target === undefined) return;
  try {
    const content = await exportReport(report, chosen.format, async (reportId, requestedFormat) => {
      await restoreReport(server, report);
      const argument = { reportId, format: requestedFormat };
      return (await server.run<{ content: string }>("sightline.export", argument)).content;
    });
    await workspace.fs.writeFile(target, new TextEncoder().encode(content));
    await window.showTextDocument(target, { preview: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    showFailure(new Failure(`The report could not be exported. ${message}`));
  }
}

/** The suggested file. CodeTour files go into `.tours` if that folder already exists. */
async function defaultFile(report: Report, format: ExportFormat, suffix: string): Promise<Uri> {
  const folder = workspace.workspaceFolders?.[0]?.uri ?? Uri.file("/");
  const name = slug(report.query);
  const tours = Uri.joinPath(folder, ".tours");
  const toursExist = async (): Promise<boolean> => {
    try {
      await workspace.fs.stat(tours);
      return true;
    } catch {
      return false;
    }
  };
  if (format === "codetour" && (await toursExist()))
    return Uri.joinPath(tours, `${name}.${suffix}`);
  return Uri.joinPath(folder, `${name}.${suffix}`);
}

/** A file name made from the question's first words. */
export function slug(query: string): string {
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  return words.slice(0, 8).join("-").slice(0, 60) || "report";
}
