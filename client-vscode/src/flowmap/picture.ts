import type { Report } from "../reports/report";
import { draw } from "./drawing";

const LIGHT = {
  ...{ ground: "#ffffff", file: "#f5f6f8", border: "#c9ced6", box: "#ffffff", text: "#1f2328" },
  ...{ muted: "#57606a", quote: "#eef1f5", accent: "#0b5cad", on: "#ffffff", stale: "#9a5b00" },
};
const DARK: typeof LIGHT = {
  ...{ ground: "#1b1f24", file: "#22272e", border: "#444c56", box: "#1b1f24", text: "#e6edf3" },
  ...{ muted: "#9da7b3", quote: "#2b313a", accent: "#6cb6ff", on: "#10161d", stale: "#e0a243" },
};

/** The flow as a stand-alone SVG file. It follows the viewer's light or dark colour scheme. */
export function picture(report: Report): string {
  const style = `${rules(LIGHT)}@media (prefers-color-scheme: dark){${rules(DARK)}}`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${draw(report, style)}\n`;
}

function rules(of: typeof LIGHT): string {
  return [
    "text{font-family:system-ui,'Segoe UI','DejaVu Sans',sans-serif;fill:" + of.text + "}",
    "text.quote{font-family:ui-monospace,Consolas,'DejaVu Sans Mono',monospace}",
    "text.name,text.number{font-weight:600}",
    `text.head,text.folder,text.witness{fill:${of.muted}}`,
    `.ground{fill:${of.ground}}`,
    `.file rect{fill:${of.file};stroke:${of.border}}`,
    `.box{fill:${of.box};stroke:${of.border}}`,
    `rect.quote{fill:${of.quote}}`,
    `circle.number{fill:${of.accent}}text.number{fill:${of.on}}`,
    `.stale .box{stroke:${of.stale}}.stale text.head{fill:${of.stale}}.stale circle.number{fill:${of.stale}}`,
    `.line{fill:none;stroke:${of.accent};stroke-width:1.5}.tip{fill:${of.accent}}`,
    `.unvouched .line{stroke:${of.muted}}.unvouched .tip{fill:${of.muted}}`,
  ].join("");
}
