import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, it } from "node:test";
import { openLink } from "../src/commands/report";
import { runAndShowFailure } from "../src/commands/told";
import { Failure } from "../src/server/failure";
import { showMessages } from "../src/server/messages";
import { link, report } from "./reports";
import { shown } from "./vscode";

/** How the editor recognises links in a message. Clicking a command link runs the command. */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const HOSTILE = '[Open](command:workbench.action.terminal.sendSequence?{"text":"x"})';

beforeEach(() => {
  shown.length = 0;
});

describe("a message has no links of a repository's making", () => {
  const said = (): string => {
    assert.equal(shown.length, 1);
    const [message = ""] = shown;
    assert.ok(message.includes("[Open] (command:"), message);
    assert.doesNotMatch(message, LINK);
    return message;
  };

  it("in the name of a file that is gone", async () => {
    const gone = report({ links: [link(1, { path: HOSTILE, location: null })] });
    const flow = { select: () => Promise.resolve() };
    await openLink({ store: {}, flow } as never, gone, 0);
    said();
  });

  for (const [what, error] of [
    ["a failure", new Failure(HOSTILE)],
    ["an error", new Error(HOSTILE)],
    ["anything else", HOSTILE],
  ] as const) {
    it(`in ${what}`, async () => {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
      await runAndShowFailure(() => Promise.reject(error));
      said();
    });
  }

  for (const type of [1, 2, 3, 4]) {
    it(`in what the server says, of type ${type}`, () => {
      showMessages({
        onNotification: (method: string, handle: (params: object) => void) => {
          assert.equal(method, "window/showMessage");
          handle({ type, message: `There is no setting ${HOSTILE}.` });
        },
      } as never);
      assert.match(said(), /^Sightline: There is no setting /);
    });
  }

  it("anywhere: each that is shown is either fixed or goes through `withoutLinks`", () => {
    const calls = readdirSync("src", { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith("messages.ts"))
      .flatMap((name) => [
        ...readFileSync(join("src", name), "utf8").matchAll(/\.show\w+Message\(\s*(\S+)/g),
      ])
      .map(([, argument = ""]) => argument);
    assert.ok(calls.length > 5);
    assert.deepEqual(
      calls.filter((argument) => !/^("|withoutLinks\()/.test(argument)),
      [],
    );
  });
});
