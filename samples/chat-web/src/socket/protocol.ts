import type { Dispatch } from "../store/store.ts";
import type { Message } from "../store/types.ts";

export type Outgoing = { kind: "ping" } | { kind: "typing"; channelId: string };

export type Incoming =
  | { kind: "pong" }
  | { kind: "message"; message: Message }
  | { kind: "presence"; userId: string; online: boolean }
  | { kind: "typing"; channelId: string; userIds: string[] };

type Frames = { [K in Incoming["kind"]]: (frame: Extract<Incoming, { kind: K }>, dispatch: Dispatch) => void };

const frames: Frames = {
  pong: () => {},
  message: ({ message }, dispatch) => dispatch({ type: "message/received", message }),
  presence: ({ userId, online }, dispatch) => dispatch({ type: "presence/changed", userId, online }),
  typing: ({ channelId, userIds }, dispatch) => dispatch({ type: "typing/changed", channelId, userIds }),
};

/** Turns what the server pushed into an action. Kinds from a newer server are ignored. */
export function receive(frame: Incoming, dispatch: Dispatch): void {
  const handle = frames[frame.kind] as ((frame: Incoming, dispatch: Dispatch) => void) | undefined;
  handle?.(frame, dispatch);
}
