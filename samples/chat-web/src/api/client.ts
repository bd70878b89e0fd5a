import { backoff } from "../lib/backoff.ts";
import type { Channel, Message, User } from "../store/types.ts";
import type { TokenStore } from "./tokens.ts";

export class ApiError extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

type Wait = (milliseconds: number) => Promise<void>;
const sleep: Wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const ATTEMPTS = 3;

/** Everything we ask of the server over HTTP. */
export class ApiClient {
  constructor(
    private base: string,
    private tokens: TokenStore,
    private fetcher: typeof fetch = fetch.bind(globalThis),
    private wait: Wait = sleep,
  ) {}

  session(): Promise<{ me: string; users: User[]; channels: Channel[] }> {
    return this.request("GET", "/session");
  }

  history(channelId: string, before?: string): Promise<Message[]> {
    const query = before ? `?before=${encodeURIComponent(before)}` : "";
    return this.request("GET", `/channels/${channelId}/messages${query}`);
  }

  /** `key` makes the request safe to repeat: the server stores one message for one key. */
  postMessage(channelId: string, text: string, key: string): Promise<Message> {
    return this.request("POST", `/channels/${channelId}/messages`, { text }, key);
  }

  markRead(channelId: string, at: number): Promise<void> {
    return this.request("PUT", `/channels/${channelId}/read`, { at });
  }

  private async request<T>(method: string, path: string, body?: unknown, key?: string): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      const response = await this.once(method, path, body, key);
      if (response?.ok) {
        return (response.status === 204 ? undefined : await response.json()) as T;
      }
      if (response?.status === 401 && attempt === 0 && (await this.tokens.refresh())) continue;
      const worthRepeating = (!response || response.status >= 500) && (method !== "POST" || key !== undefined);
      if (!worthRepeating || attempt + 1 >= ATTEMPTS) {
        throw new ApiError(response?.status ?? 0, response?.statusText ?? "no connection");
      }
      await this.wait(backoff(attempt));
    }
  }

  /** One try; undefined when no answer came at all. */
  private async once(method: string, path: string, body?: unknown, key?: string): Promise<Response | undefined> {
    const headers: Record<string, string> = { Authorization: `Bearer ${this.tokens.access}` };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (key) headers["Idempotency-Key"] = key;
    try {
      return await this.fetcher(this.base + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
    } catch {
      return undefined;
    }
  }
}
