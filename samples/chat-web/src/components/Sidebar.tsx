import { h } from "../lib/dom.ts";
import { currentChannelId, sortedChannels, unreadCounts } from "../selectors/selectors.ts";
import type { ViewProps } from "../views/index.tsx";

export function Sidebar({ state, navigate }: ViewProps) {
  const unread = unreadCounts(state);
  return (
    <nav class="sidebar">
      <ul>
        {sortedChannels(state).map((channel) => (
          <li class={channel.id === currentChannelId(state) ? "current" : ""}>
            <button onClick={() => navigate(`/channels/${channel.id}`)}>
              #{channel.name} {unread[channel.id] ? <b>{unread[channel.id]}</b> : null}
            </button>
          </li>
        ))}
      </ul>
      <ConnectionBadge connection={state.connection} />
    </nav>
  );
}

export function ConnectionBadge({ connection }: { connection: string }) {
  return <span class={`badge ${connection}`}>{connection}</span>;
}
