/** The messages between the panel and its webview page. */
export type ToPage = { reportId: string; query: string } & (
  { kind: "draw"; svg: string } | { kind: "nothing"; why: string }
);

export type FromPage =
  | { kind: "ready" }
  | { kind: "open"; reportId: string; step: number }
  | { kind: "save"; reportId: string };

export function isFromPage(value: unknown): value is FromPage {
  if (typeof value !== "object" || value === null) return false;
  const message = value as Partial<Record<"kind" | "reportId" | "step", unknown>>;
  switch (message.kind) {
    case "ready":
      return true;
    case "open":
      return typeof message.reportId === "string" && typeof message.step === "number";
    case "save":
      return typeof message.reportId === "string";
    default:
      return false;
  }
}
