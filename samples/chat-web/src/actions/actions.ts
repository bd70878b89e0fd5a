import type { Channel, Message, State, User } from "../store/types.ts";

export type Action =
  | { type: "session/started"; me: string; users: User[]; channels: Channel[] }
  | { type: "message/submitted"; message: Message }
  | { type: "message/retried"; message: Message }
  | { type: "message/received"; message: Message }
  | { type: "message/confirmed"; localId: string; message: Message }
  | { type: "message/rejected"; localId: string; channelId: string }
  | { type: "history/loaded"; channelId: string; messages: Message[] }
  | { type: "channel/read"; channelId: string; at: number }
  | { type: "draft/changed"; channelId: string; text: string }
  | { type: "typing/changed"; channelId: string; userIds: string[] }
  | { type: "presence/changed"; userId: string; online: boolean }
  | { type: "route/changed"; view: string; params: Record<string, string> }
  | { type: "connection/changed"; connection: State["connection"] };

export type ActionType = Action["type"];
export type ActionOf<T extends ActionType> = Extract<Action, { type: T }>;

export function submitMessage(channelId: string, authorId: string, text: string): Action {
  return {
    type: "message/submitted",
    message: {
      id: `local-${crypto.randomUUID()}`,
      channelId,
      authorId,
      text: text.trim(),
      sentAt: Date.now(),
      delivery: "sending",
    },
  };
}

export const retryMessage = (message: Message): Action => ({
  type: "message/retried",
  message: { ...message, delivery: "sending" },
});

export const changeDraft = (channelId: string, text: string): Action => ({
  type: "draft/changed",
  channelId,
  text,
});

export const markRead = (channelId: string, at = Date.now()): Action => ({
  type: "channel/read",
  channelId,
  at,
});
