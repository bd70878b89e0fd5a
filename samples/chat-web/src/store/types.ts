export interface User {
  id: string;
  name: string;
  online: boolean;
}

export interface Message {
  id: string;
  channelId: string;
  authorId: string;
  text: string;
  sentAt: number;
  /** Missing once the server knows the message. */
  delivery?: "sending" | "failed";
}

export interface Channel {
  id: string;
  name: string;
  lastReadAt: number;
}

export interface State {
  me: string | null;
  users: Record<string, User>;
  channels: Record<string, Channel>;
  messages: Record<string, Message[]>;
  typing: Record<string, string[]>;
  drafts: Record<string, string>;
  route: { view: string; params: Record<string, string> };
  connection: "offline" | "connecting" | "online";
}
