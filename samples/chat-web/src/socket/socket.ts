import { backoff } from "../lib/backoff.ts";
import type { Incoming, Outgoing } from "./protocol.ts";

export type Status = "offline" | "connecting" | "online";

/** A socket that comes back by itself. Nothing is queued: whoever sends while offline is ignored. */
export class ChatSocket {
  private socket: WebSocket | undefined;
  private attempt = 0;
  private closed = false;
  private heartbeat: ReturnType<typeof setInterval> | undefined;

  constructor(
    private url: () => string,
    private onFrame: (frame: Incoming) => void,
    private onStatus: (status: Status) => void,
    private make: (url: string) => WebSocket = (url) => new WebSocket(url),
  ) {}

  open(): void {
    this.closed = false;
    this.onStatus("connecting");
    const socket = this.make(this.url());
    this.socket = socket;
    socket.onopen = () => {
      this.attempt = 0;
      this.onStatus("online");
      this.heartbeat = setInterval(() => this.send({ kind: "ping" }), 25_000);
    };
    socket.onmessage = (event) => this.onFrame(JSON.parse(String(event.data)) as Incoming);
    socket.onclose = () => this.lost();
  }

  send(frame: Outgoing): void {
    if (this.socket?.readyState === 1) this.socket.send(JSON.stringify(frame));
  }

  close(): void {
    this.closed = true;
    this.socket?.close();
  }

  private lost(): void {
    clearInterval(this.heartbeat);
    this.onStatus("offline");
    if (!this.closed) setTimeout(() => this.open(), backoff(this.attempt++));
  }
}
