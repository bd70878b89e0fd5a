import type { Action, ActionOf, ActionType } from "../actions/actions.ts";
import type { Message, State } from "./types.ts";

export const initialState: State = {
  me: null,
  users: {},
  channels: {},
  messages: {},
  typing: {},
  drafts: {},
  route: { view: "home", params: {} },
  connection: "offline",
};

type Handlers = { [T in ActionType]?: (state: State, action: ActionOf<T>) => State };

/** One entry for every action that changes the state. */
const handlers: Handlers = {
  "session/started": (state, { me, users, channels }) => ({
    ...state,
    me,
    users: byId(users),
    channels: byId(channels),
  }),
  "message/submitted": (state, { message }) => ({
    ...appendMessage(state, message),
    drafts: { ...state.drafts, [message.channelId]: "" },
  }),
  "message/received": (state, { message }) => appendMessage(state, message),
  "message/confirmed": (state, { localId, message }) => replaceMessage(state, localId, message),
  "message/rejected": (state, { localId, channelId }) => {
    const failed = state.messages[channelId]?.find((message) => message.id === localId);
    return failed ? replaceMessage(state, localId, { ...failed, delivery: "failed" }) : state;
  },
  "history/loaded": (state, { channelId, messages }) => ({
    ...state,
    messages: { ...state.messages, [channelId]: merge(messages, state.messages[channelId] ?? []) },
  }),
  "channel/read": (state, { channelId, at }) => ({
    ...state,
    channels: { ...state.channels, [channelId]: { ...state.channels[channelId]!, lastReadAt: at } },
  }),
  "draft/changed": (state, { channelId, text }) => ({
    ...state,
    drafts: { ...state.drafts, [channelId]: text },
  }),
  "typing/changed": (state, { channelId, userIds }) => ({
    ...state,
    typing: { ...state.typing, [channelId]: userIds },
  }),
  "presence/changed": (state, { userId, online }) => {
    const user = state.users[userId];
    return user ? { ...state, users: { ...state.users, [userId]: { ...user, online } } } : state;
  },
  "route/changed": (state, { view, params }) => ({ ...state, route: { view, params } }),
  "connection/changed": (state, { connection }) => ({ ...state, connection }),
};

export function reduce(state: State, action: Action): State {
  const handler = handlers[action.type] as ((state: State, action: Action) => State) | undefined;
  return handler ? handler(state, action) : state;
}

function byId<T extends { id: string }>(items: T[]): Record<string, T> {
  return Object.fromEntries(items.map((item) => [item.id, item]));
}

function appendMessage(state: State, message: Message): State {
  const known = state.messages[message.channelId] ?? [];
  if (known.some((other) => other.id === message.id)) return state;
  return { ...state, messages: { ...state.messages, [message.channelId]: merge(known, [message]) } };
}

function replaceMessage(state: State, id: string, message: Message): State {
  const known = state.messages[message.channelId] ?? [];
  // The socket may have brought our own message before the answer to our request came.
  const others = known.filter((other) => other.id !== id && other.id !== message.id);
  return { ...state, messages: { ...state.messages, [message.channelId]: merge(others, [message]) } };
}

function merge(older: Message[], newer: Message[]): Message[] {
  const all = new Map([...older, ...newer].map((message) => [message.id, message]));
  return [...all.values()].sort((a, b) => a.sentAt - b.sentAt);
}
