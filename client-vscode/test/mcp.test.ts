import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { registerMcp } from "../src/agents/mcp";
import { configurationChanged, EventEmitter, foldersChanged, mcp, trustGranted } from "./vscode";

/** How often the definitions are re-announced while `happens` runs. */
function announced(happens: (server: EventEmitter<string>) => void): number {
  const server = new EventEmitter<string>();
  const unused = () => Promise.reject(new Error("Nobody asks."));
  const registered = registerMcp(unused, unused, "/", { onDidChange: server.event } as never);
  mcp.changes = 0;
  happens(server);
  for (const each of registered) each.dispose();
  return mcp.changes;
}

function set(changed: string): () => void {
  return () => {
    configurationChanged.fire({ affectsConfiguration: (name) => name === changed });
  };
}

describe("the MCP server is offered anew", () => {
  for (const [when, happens, expected] of [
    ["turned on or off", set("sightline.mcp.enabled"), 1],
    ["given another command", set("sightline.server.command"), 1],
    ["another setting changed", set("sightline.effort"), 0],
    [
      "the folders changed",
      () => {
        foldersChanged.fire();
      },
      1,
    ],
    [
      "the folder is trusted",
      () => {
        trustGranted.fire();
      },
      1,
    ],
    [
      "a server was found",
      (server: EventEmitter<string>) => {
        server.fire("running");
      },
      1,
    ],
    [
      "a server ended",
      (server: EventEmitter<string>) => {
        server.fire("failed");
      },
      0,
    ],
  ] as const) {
    it(`${expected} times when ${when}`, () => {
      assert.equal(announced(happens), expected);
    });
  }
});
