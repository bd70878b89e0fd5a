import { ApiClient, ApiError } from "../api/client.ts";
import { markRead, type ActionOf, type ActionType } from "./actions.ts";
import type { Effect, EffectContext } from "../store/store.ts";
import type { ChatSocket } from "../socket/socket.ts";

type EffectTable = {
  [T in ActionType]?: (action: ActionOf<T>, context: EffectContext) => void | Promise<void>;
};

/** Sends what the user wrote, and keeps the server informed of what they read and type. */
export function networkEffects(api: ApiClient, socket: ChatSocket): Effect {
  const send = async (
    { message }: ActionOf<"message/submitted"> | ActionOf<"message/retried">,
    { dispatch }: EffectContext,
  ) => {
    const localId = message.id;
    try {
      const stored = await api.postMessage(message.channelId, message.text, localId);
      dispatch({ type: "message/confirmed", localId, message: stored });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      dispatch({ type: "message/rejected", localId, channelId: message.channelId });
    }
  };

  let lastTyping = 0;
  const table: EffectTable = {
    "message/submitted": send,
    "message/retried": send,
    "draft/changed": ({ channelId, text }) => {
      if (text && Date.now() - lastTyping > 3_000) {
        lastTyping = Date.now();
        socket.send({ kind: "typing", channelId });
      }
    },
    "channel/read": ({ channelId, at }) => api.markRead(channelId, at),
    "route/changed": async ({ view, params }, { dispatch, getState }) => {
      const channelId = params["channelId"];
      if (view !== "channel" || !channelId) return;
      const oldest = getState().messages[channelId]?.[0];
      const messages = await api.history(channelId, oldest?.id);
      dispatch({ type: "history/loaded", channelId, messages });
      dispatch(markRead(channelId));
    },
    "connection/changed": async ({ connection }, { dispatch, getState }) => {
      if (connection !== "online") return;
      // Whatever was said while we were away did not come through the socket.
      for (const channelId of Object.keys(getState().messages)) {
        dispatch({ type: "history/loaded", channelId, messages: await api.history(channelId) });
      }
    },
  };

  return (action, context) => {
    const effect = table[action.type] as Effect | undefined;
    return effect?.(action, context);
  };
}
