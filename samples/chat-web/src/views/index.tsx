import { Fragment, h, type VNode } from "../lib/dom.ts";
import { Composer } from "../components/Composer.tsx";
import { MessageList } from "../components/MessageList.tsx";
import { Sidebar } from "../components/Sidebar.tsx";
import { messagesOf, typingNames } from "../selectors/selectors.ts";
import type { Dispatch } from "../store/store.ts";
import type { State } from "../store/types.ts";

export interface ViewProps {
  state: State;
  dispatch: Dispatch;
  navigate: (path: string) => void;
}

/** What is shown for each view the router knows. */
const views: Record<string, (props: ViewProps) => VNode> = {
  home: HomeView,
  channel: ChannelView,
  profile: ProfileView,
};

export function App(props: ViewProps): VNode {
  const View = views[props.state.route.view] ?? NotFound;
  return (
    <Fragment>
      <Sidebar {...props} />
      <main>{View(props)}</main>
    </Fragment>
  );
}

function HomeView({ state }: ViewProps): VNode {
  return <p>Welcome back, {state.users[state.me ?? ""]?.name}. Pick a channel.</p>;
}

function ChannelView({ state, dispatch }: ViewProps): VNode {
  const channelId = state.route.params["channelId"]!;
  return (
    <section>
      <MessageList messages={messagesOf(state, channelId)} users={state.users} dispatch={dispatch} />
      <Composer
        channelId={channelId}
        me={state.me ?? ""}
        draft={state.drafts[channelId] ?? ""}
        typing={typingNames(state, channelId)}
        dispatch={dispatch}
      />
    </section>
  );
}

function ProfileView({ state }: ViewProps): VNode {
  const user = state.users[state.route.params["userId"]!];
  return user ? <p>{user.name} is {user.online ? "online" : "away"}.</p> : NotFound();
}

function NotFound(): VNode {
  return <p>There is nothing here.</p>;
}
