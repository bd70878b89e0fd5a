import { h } from "../lib/dom.ts";
import { changeDraft, submitMessage } from "../actions/actions.ts";
import { expandCommand } from "../plugins/plugins.ts";
import type { Dispatch } from "../store/store.ts";

interface Props {
  channelId: string;
  me: string;
  draft: string;
  typing: string[];
  dispatch: Dispatch;
}

export function Composer({ channelId, me, draft, typing, dispatch }: Props) {
  const submit = (event: Event) => {
    event.preventDefault();
    if (draft.trim()) dispatch(submitMessage(channelId, me, expandCommand(draft)));
  };
  return (
    <form onSubmit={submit}>
      <textarea
        value={draft}
        onInput={(event: Event) => dispatch(changeDraft(channelId, (event.target as HTMLTextAreaElement).value))}
      />
      <button>Send</button>
      {typing.length > 0 ? <em>{typing.join(", ")} typing…</em> : null}
    </form>
  );
}
