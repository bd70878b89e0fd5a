import { h } from "../lib/dom.ts";
import { ago, tokenize } from "../lib/format.ts";
import { transformed } from "../plugins/plugins.ts";
import { retryMessage } from "../actions/actions.ts";
import type { Dispatch } from "../store/store.ts";
import type { Message, User } from "../store/types.ts";

interface Props {
  messages: Message[];
  users: Record<string, User>;
  dispatch: Dispatch;
}

export function MessageList({ messages, users, dispatch }: Props) {
  return (
    <ol class="messages">
      {messages.map((message) => (
        <MessageItem message={transformed(message)} author={users[message.authorId]} dispatch={dispatch} />
      ))}
    </ol>
  );
}

function MessageItem({ message, author, dispatch }: { message: Message; author: User | undefined; dispatch: Dispatch }) {
  return (
    <li class={message.delivery ?? "stored"}>
      <strong>{author?.name ?? "Somebody"}</strong> <time>{ago(message.sentAt, Date.now())}</time>
      <p>
        {tokenize(message.text).map(({ kind, value }) =>
          kind === "link" ? <a href={value} rel="noopener">{value}</a> : <span class={kind}>{value}</span>,
        )}
      </p>
      {message.delivery === "failed" ? (
        <button onClick={() => dispatch(retryMessage(message))}>Try again</button>
      ) : null}
    </li>
  );
}
