import type { FromPage, ToPage } from "../messages";
import { Zoom } from "./zoom";

interface Host {
  postMessage(message: FromPage): void;
  getState(): { scale: number } | undefined;
  setState(state: { scale: number }): void;
}
declare function acquireVsCodeApi(): Host;

const host = acquireVsCodeApi();
const map = byId("map");
const zoom = new Zoom(map, (scale) => {
  byId("share").textContent = `${Math.round(scale * 100)}%`;
  host.setState({ scale });
});
let shownId = "";

function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no ${id}.`);
  return found;
}

function show(message: ToPage): void {
  const { reportId, query } = message;
  const focused = document.activeElement?.getAttribute("data-step");
  byId("query").textContent = query;
  byId("save").toggleAttribute("disabled", message.kind === "nothing");
  if (message.kind === "nothing") {
    const empty = document.createElement("p");
    empty.textContent = message.why;
    map.replaceChildren(empty);
    byId("legend").hidden = true;
    return;
  }
  const parsed = new DOMParser().parseFromString(message.svg, "image/svg+xml").documentElement;
  map.replaceChildren(document.importNode(parsed, true));
  byId("legend").hidden = map.querySelector(".unvouched") === null;
  zoom.setPicture(
    map.querySelector("svg"),
    shownId === "" ? host.getState()?.scale : undefined,
    reportId !== shownId,
  );
  shownId = reportId;
  nodes()
    .find((each) => each.dataset.step === focused)
    ?.focus();
}

function nodes(): SVGElement[] {
  return [...map.querySelectorAll<SVGElement>(".node")];
}

function open(target: EventTarget | null): void {
  const step = (target as Element | null)?.closest<SVGElement>(".node")?.dataset.step;
  if (step !== undefined) host.postMessage({ kind: "open", reportId: shownId, step: Number(step) });
}

/** Moves the focus `by` steps in flow order, stopping at both ends. */
function moveFocus(by: number): void {
  const all = nodes();
  const index = all.findIndex((each) => each === document.activeElement);
  all[index < 0 ? 0 : Math.min(all.length - 1, Math.max(0, index + by))]?.focus();
}

const KEYS: Record<string, () => void> = {
  "+": () => {
    zoom.by(1.2);
  },
  "=": () => {
    zoom.by(1.2);
  },
  "-": () => {
    zoom.by(1 / 1.2);
  },
  "0": () => {
    zoom.to(1);
  },
  f: () => {
    zoom.fit();
  },
  ArrowDown: () => {
    moveFocus(1);
  },
  ArrowUp: () => {
    moveFocus(-1);
  },
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const onButton = event.target instanceof HTMLButtonElement;
  if (!onButton && (event.key === "Enter" || event.key === " ")) {
    open(event.target);
    event.preventDefault();
    return;
  }
  const action = KEYS[event.key];
  if (action === undefined) return;
  action();
  event.preventDefault();
});
map.addEventListener("click", (event) => {
  if (!zoom.dragged) open(event.target);
});
byId("in").addEventListener("click", () => {
  zoom.by(1.2);
});
byId("out").addEventListener("click", () => {
  zoom.by(1 / 1.2);
});
byId("share").addEventListener("click", () => {
  zoom.to(1);
});
byId("fit").addEventListener("click", () => {
  zoom.fit();
});
byId("save").addEventListener("click", () => {
  host.postMessage({ kind: "save", reportId: shownId });
});
window.addEventListener("message", ({ data }: MessageEvent<ToPage>) => {
  show(data);
});
host.postMessage({ kind: "ready" });
