import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, it } from "node:test";
import { openLink } from "../src/commands/report";
import { runAndShowFailure } from "../src/commands/told";
import { Failure } from "../src/server/failure";
import { showMessages } from "../src/server/messages";
import { link, report } from "./reports";
import { shownMessages } from "./vscode";

/** How the editor recognises links in a message. Clicking a command link runs the command. */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const HOSTILE = '[Open](command:workbench.action.terminal.sendSequence?{"text":"x"})';

beforeEach(() => {
  shownMessages.length = 0;
});

describe("messages contain no links from the repository", () => {
  const shownWithoutLinks = (): string => {
    assert.equal(shownMessages.length, 1);
    const [message = ""] = shownMessages;
    assert.ok(message.includes("[Open] (command:"), message);
    assert.doesNotMatch(message, LINK);
    return message;
  };

  it("in the path of a missing file", async () => {
    const reportWithMissingFile = report({ links: [link(1, { path: HOSTILE, location: null })] });
    const flow = { select: () => Promise.resolve() };
    await openLink({ store: {}, flow } as never, reportWithMissingFile, 0);
    shownWithoutLinks();
  });

  for (const [what, error] of [
    ["a failure", new Failure(HOSTILE)],
    ["an error", new Error(HOSTILE)],
    ["anything else", HOSTILE],
  ] as const) {
    it(`in ${what}`, async () => {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
      await runAndShowFailure(() => Promise.reject(error));
      shownWithoutLinks();
    });
  }

  for (const type of [1, 2, 3, 4]) {
    it(`in a server message of type ${type}`, () => {
      showMessages({
        onNotification: (method: string, handler: (params: object) => void) => {
          assert.equal(method, "window/showMessage");
          handler({ type, message: `There is no setting ${HOSTILE}.` });
        },
      } as never);
      assert.match(shownWithoutLinks(), /^Sightline: There is no setting /);
    });
  }

  it("anywhere: each is either a literal or passed through `withoutLinks`", () => {
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
