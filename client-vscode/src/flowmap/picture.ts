import type { Report } from "../reports/report";
import { draw } from "./drawing";

const LIGHT = {
  ...{ ground: "#ffffff", file: "#f5f6f8", border: "#c9ced6", box: "#ffffff", text: "#1f2328" },
  ...{
    muted: "#57606a",
    quote: "#eef1f5",
    accent: "#0b5cad",
    onAccent: "#ffffff",
    stale: "#9a5b00",
  },
};
const DARK: typeof LIGHT = {
  ...{ ground: "#1b1f24", file: "#22272e", border: "#444c56", box: "#1b1f24", text: "#e6edf3" },
  ...{
    muted: "#9da7b3",
    quote: "#2b313a",
    accent: "#6cb6ff",
    onAccent: "#10161d",
    stale: "#e0a243",
  },
};

/** The flow as a stand-alone SVG file. It follows the viewer's light or dark colour scheme. */
export function picture(report: Report): string {
  const style = `${styleRules(LIGHT)}@media (prefers-color-scheme: dark){${styleRules(DARK)}}`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${draw(report, style)}\n`;
}

function styleRules(colours: typeof LIGHT): string {
  return [
    "text{font-family:system-ui,'Segoe UI','DejaVu Sans',sans-serif;fill:" + colours.text + "}",
    "text.quote{font-family:ui-monospace,Consolas,'DejaVu Sans Mono',monospace}",
    "text.name,text.number{font-weight:600}",
    `text.head,text.folder,text.witness{fill:${colours.muted}}`,
    `.ground{fill:${colours.ground}}`,
    `.file rect{fill:${colours.file};stroke:${colours.border}}`,
    `.box{fill:${colours.box};stroke:${colours.border}}`,
    `rect.quote{fill:${colours.quote}}`,
    `circle.number{fill:${colours.accent}}text.number{fill:${colours.onAccent}}`,
    `.stale .box{stroke:${colours.stale}}.stale text.head{fill:${colours.stale}}.stale circle.number{fill:${colours.stale}}`,
    `.line{fill:none;stroke:${colours.accent};stroke-width:1.5}.tip{fill:${colours.accent}}`,
    `.unvouched .line{stroke:${colours.muted}}.unvouched .tip{fill:${colours.muted}}`,
  ].join("");
}
