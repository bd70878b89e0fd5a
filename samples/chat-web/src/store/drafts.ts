import type { Effect } from "./store.ts";

const KEY = "chat.drafts";

/** Half-written messages survive a reload. */
export function persistDrafts(storage: Storage): Effect {
  return (action, { getState }) => {
    if (action.type === "draft/changed" || action.type === "message/submitted") {
      storage.setItem(KEY, JSON.stringify(getState().drafts));
    }
  };
}

export function restoreDrafts(storage: Storage): Record<string, string> {
  try {
    return JSON.parse(storage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}
