import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { registerMcp } from "../src/agents/mcp";
import { configurationChanged, EventEmitter, foldersChanged, mcp, trustGranted } from "./vscode";

/** How often the definitions are re-announced while `trigger` runs. */
function countAnnouncements(trigger: (server: EventEmitter<string>) => void): number {
  const server = new EventEmitter<string>();
  const rejectUse = () => Promise.reject(new Error("Nobody asks."));
  const disposables = registerMcp(rejectUse, rejectUse, "/", {
    onDidChange: server.event,
  } as never);
  mcp.changes = 0;
  trigger(server);
  for (const each of disposables) each.dispose();
  return mcp.changes;
}

function changeSetting(settingName: string): () => void {
  return () => {
    configurationChanged.fire({ affectsConfiguration: (name) => name === settingName });
  };
}

describe("the MCP server definitions are announced", () => {
  for (const [when, trigger, expected] of [
    ["the server is turned on or off", changeSetting("sightline.mcp.enabled"), 1],
    ["the server's command changes", changeSetting("sightline.server.command"), 1],
    ["another setting changes", changeSetting("sightline.effort"), 0],
    [
      "the workspace folders change",
      () => {
        foldersChanged.fire();
      },
      1,
    ],
    [
      "the workspace becomes trusted",
      () => {
        trustGranted.fire();
      },
      1,
    ],
    [
      "the language server starts",
      (server: EventEmitter<string>) => {
        server.fire("running");
      },
      1,
    ],
    [
      "the language server fails",
      (server: EventEmitter<string>) => {
        server.fire("failed");
      },
      0,
    ],
  ] as const) {
    it(`${expected} times when ${when}`, () => {
      assert.equal(countAnnouncements(trigger), expected);
    });
  }
});
