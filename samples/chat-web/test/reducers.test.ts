import assert from "node:assert/strict";
import { test } from "node:test";
import { initialState, reduce } from "../src/store/reducers.ts";
import type { Message } from "../src/store/types.ts";

const local: Message = { id: "local-1", channelId: "c", authorId: "ada", text: "hi", sentAt: 1, delivery: "sending" };
const stored: Message = { id: "m1", channelId: "c", authorId: "ada", text: "hi", sentAt: 2 };

test("a confirmed message takes the place of the one shown at once", () => {
  const sent = reduce(initialState, { type: "message/submitted", message: local });
  const done = reduce(sent, { type: "message/confirmed", localId: "local-1", message: stored });
  assert.deepEqual(done.messages["c"], [stored]);
});

test("our own message arriving through the socket first is not doubled", () => {
  let state = reduce(initialState, { type: "message/submitted", message: local });
  state = reduce(state, { type: "message/received", message: stored });
  state = reduce(state, { type: "message/confirmed", localId: "local-1", message: stored });
  assert.deepEqual(state.messages["c"], [stored]);
});

test("a rejected message stays, marked", () => {
  const sent = reduce(initialState, { type: "message/submitted", message: local });
  const failed = reduce(sent, { type: "message/rejected", localId: "local-1", channelId: "c" });
  assert.equal(failed.messages["c"]![0]!.delivery, "failed");
});
