import { memoize } from "./memoize.ts";
import type { Channel, Message, State } from "../store/types.ts";

export const currentChannelId = (state: State): string | undefined => state.route.params["channelId"];

export const messagesOf = (state: State, channelId: string): Message[] => state.messages[channelId] ?? [];

export const unreadCounts = memoize(
  (state: State) => [state.channels, state.messages, state.me] as const,
  (channels, messages, me) =>
    Object.fromEntries(
      Object.values(channels).map((channel) => [
        channel.id,
        (messages[channel.id] ?? []).filter(
          (message) => message.sentAt > channel.lastReadAt && message.authorId !== me,
        ).length,
      ]),
    ) as Record<string, number>,
);

export const sortedChannels = memoize(
  (state: State) => [state.channels, unreadCounts(state)] as const,
  (channels, unread): Channel[] =>
    Object.values(channels).sort(
      (a, b) => Number(unread[b.id]! > 0) - Number(unread[a.id]! > 0) || a.name.localeCompare(b.name),
    ),
);

export const typingNames = (state: State, channelId: string): string[] =>
  (state.typing[channelId] ?? [])
    .filter((userId) => userId !== state.me)
    .map((userId) => state.users[userId]?.name ?? "Somebody");
