import type { Effect, Dispatch } from "../store/store.ts";

interface Pattern {
  view: string;
  expression: RegExp;
  names: string[];
}

/** Paths to views. Add a line here and an entry in `views/index.tsx` for a new page. */
const patterns: Pattern[] = [
  define("home", "/"),
  define("channel", "/channels/:channelId"),
  define("profile", "/people/:userId"),
];

function define(view: string, path: string): Pattern {
  const names: string[] = [];
  const source = path.replace(/:(\w+)/g, (_, name: string) => {
    names.push(name);
    return "([^/]+)";
  });
  return { view, expression: new RegExp(`^${source}/?$`), names };
}

export function matchPath(path: string): { view: string; params: Record<string, string> } {
  for (const { view, expression, names } of patterns) {
    const match = expression.exec(path);
    if (match) {
      const params = Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(match[i + 1]!)]));
      return { view, params };
    }
  }
  return { view: "notFound", params: {} };
}

/** Follows the address bar; `navigate` is the only way to change it. */
export class Router {
  constructor(private dispatch: Dispatch, private window: Window) {}

  start(): void {
    this.window.addEventListener("popstate", this.sync);
    this.sync();
  }

  navigate = (path: string): void => {
    if (path === this.window.location.pathname) return;
    this.window.history.pushState(null, "", path);
    this.sync();
  };

  private sync = (): void => {
    this.dispatch({ type: "route/changed", ...matchPath(this.window.location.pathname) });
  };
}

/** Keeps the page title in step with where we are. */
export const titleEffect: Effect = (action, { getState }) => {
  if (action.type !== "route/changed") return;
  const channel = getState().channels[action.params["channelId"] ?? ""];
  document.title = channel ? `#${channel.name}` : "Chat";
};
