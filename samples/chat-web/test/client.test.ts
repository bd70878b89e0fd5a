import assert from "node:assert/strict";
import { test } from "node:test";
import { tokenize } from "../src/lib/format.ts";
import { matchPath } from "../src/router/router.ts";
import { expandCommand } from "../src/plugins/plugins.ts";
import "../src/plugins/builtin.ts";

test("paths and their parameters", () => {
  assert.deepEqual(matchPath("/channels/g%20o"), { view: "channel", params: { channelId: "g o" } });
  assert.equal(matchPath("/nowhere").view, "notFound");
});

test("a slash command is expanded, an unknown one is sent as it is", () => {
  assert.equal(expandCommand("/me waves"), "_waves_");
  assert.equal(expandCommand("/unknown x"), "/unknown x");
});

test("links and mentions are found", () => {
  assert.deepEqual(tokenize("see https://x.example @bob").map((part) => part.kind), ["text", "link", "text", "mention"]);
});
