import { networkEffects } from "./actions/effects.ts";
import { ApiClient } from "./api/client.ts";
import { TokenStore } from "./api/tokens.ts";
import { patch, type VNode } from "./lib/dom.ts";
import "./plugins/builtin.ts";
import { Router, titleEffect } from "./router/router.ts";
import { receive } from "./socket/protocol.ts";
import { ChatSocket } from "./socket/socket.ts";
import { persistDrafts, restoreDrafts } from "./store/drafts.ts";
import { initialState, reduce } from "./store/reducers.ts";
import { Store } from "./store/store.ts";
import { App } from "./views/index.tsx";

async function start(root: HTMLElement): Promise<void> {
  const store = new Store(reduce, { ...initialState, drafts: restoreDrafts(localStorage) });
  const tokens = new TokenStore("/api/token", () => window.location.assign("/sign-in"));
  const api = new ApiClient("/api", tokens);
  const socket = new ChatSocket(
    () => `/socket?token=${tokens.access}`,
    (frame) => receive(frame, store.dispatch),
    (connection) => store.dispatch({ type: "connection/changed", connection }),
  );
  store.use(networkEffects(api, socket)).use(titleEffect).use(persistDrafts(localStorage));

  const router = new Router(store.dispatch, window);
  let shown: VNode | undefined;
  let scheduled = false;
  store.subscribe(() => {
    if (scheduled) return;
    scheduled = true; // several actions in one frame are drawn once
    requestAnimationFrame(() => {
      scheduled = false;
      const next = App({ state: store.getState(), dispatch: store.dispatch, navigate: router.navigate });
      patch(root, shown, next);
      shown = next;
    });
  });

  await tokens.refresh();
  store.dispatch({ type: "session/started", ...(await api.session()) });
  router.start();
  socket.open();
}

void start(document.getElementById("app")!);
