import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { slug } from "../src/commands/export";
import { ExploreTool } from "../src/agents/tool";
import type { ToolInput } from "../src/agents/tool";
import { LiveReports } from "../src/reports/live";
import type { Report } from "../src/reports/report";
import { noStorage } from "../src/reports/shelf";
import { ReportStore } from "../src/reports/store";
import { verifyReport } from "../src/reports/verify";
import { ago, hop, judgedBy, place } from "../src/reports/words";
import { Failure } from "../src/server/failure";
import { relativizeLinks } from "../src/server/middleware";
import { reportItem } from "../src/views/reportsView";
import { CancellationTokenSource } from "./vscode";
import { hop as madeHop, link, report } from "./reports";

/** The numbered lines of a file, some replaced by `more`. */
function lines(count: number, more: Record<number, string> = {}): string[] {
  return Array.from({ length: count }, (_, at) => more[at + 1] ?? `line ${at + 1}`);
}

const QUOTE = "return f2()";

async function check(text: string[] | undefined) {
  const kept = report({ links: [link(1)] });
  const [found] = (await verifyReport(kept, () => Promise.resolve(text))).links;
  return [found?.stale, found?.quoteRange.start, found?.quoteLocation?.range.start.line];
}

it("a quote is looked for by the rule of the server", async () => {
  const cases = JSON.parse(readFileSync("../tests/lsp/quotes.json", "utf8")) as {
    quote: string;
    at: number;
    lines: string[];
    found: number | null;
  }[];
  for (const { quote, at, lines: text, found } of cases) {
    const kept = report({ links: [link(1, { quote, quoteRange: { start: at, end: at } })] });
    const [now] = (await verifyReport(kept, () => Promise.resolve(text))).links;
    assert.deepEqual(now?.stale === true ? null : now?.quoteRange.start, found, quote);
  }
});

describe("a kept report is compared with the files", () => {
  it("and stands where it stood", async () => {
    assert.deepEqual(await check(lines(20, { 11: `    ${QUOTE}  # why` })), [false, 11, 10]);
  });
  it("and follows a quote that moved", async () => {
    assert.deepEqual(await check(lines(30, { 17: `\t${QUOTE}` })), [false, 17, 16]);
  });
  it("and is stale where the quote is gone, or stands in several other places", async () => {
    assert.equal((await check(lines(20)))[0], true);
    assert.equal((await check(lines(20, { 3: QUOTE, 5: QUOTE })))[0], true);
    assert.equal((await check(undefined))[0], true);
  });
  it("and stays inside a file that shrank", async () => {
    const kept = report({ links: [link(2)] });
    const text = lines(2, { 1: "return f3()" });
    const [found] = (await verifyReport(kept, () => Promise.resolve(text))).links;
    assert.deepEqual(found?.range, { start: 1, end: 2 });
  });
});

describe("the words of the views", () => {
  it("name places, times and judges", () => {
    assert.equal(place("a/b.py", { start: 3, end: 3 }), "b.py:3");
    assert.equal(place("b.py", null), "b.py");
    const now = Date.parse("2026-11-21T10:00:00Z");
    const times = [
      "2026-11-21T09:59:40Z",
      "2026-11-21T09:30:00Z",
      "2026-11-21T07:00:00Z",
      "2026-11-20T01:00:00Z",
      "nonsense",
    ];
    assert.deepEqual(
      times.map((at) => ago(at, now)),
      ["now", "30 min ago", "3 h ago", "yesterday", ""],
    );
    const usage = {
      inputTokens: 12_400,
      cachedTokens: 0,
      outputTokens: 80,
      costUsd: null,
      steps: 1,
    };
    assert.equal(
      judgedBy(report({ judge: "packet", model: "m", usage })),
      "m (packet), 12k tokens in, 80 out",
    );
  });
  it("turn a hop that the flow runs against", () => {
    const against = madeHop(1, { from: "c2", to: "c1", relation: "contains" });
    assert.equal(hop([link(1, { hop: against }), link(2)], 0), "is contained in step 2");
  });
  it("make a file name of a question", () => {
    assert.equal(slug("How does `A.b` / C:\\d work?"), "how-does-a-b-c-d-work");
    assert.equal(slug("???"), "report");
  });
});

describe("a report of an earlier session", () => {
  const shown = async (
    answer: (argument: { kept?: Report }) => unknown,
    prepare: (store: ReportStore) => void = () => undefined,
  ) => {
    const asked: { kept?: Report; show?: boolean }[] = [];
    const server = {
      state: "running",
      onDidChange: () => ({ dispose: () => undefined }),
      run: async (_: string, argument: { kept?: Report; show?: boolean }) => {
        asked.push(argument);
        return await answer(argument);
      },
    };
    const kept = report({ links: [link(1)] });
    const store = new ReportStore(noStorage, () => 50);
    store.add(kept);
    store.show(kept.id);
    prepare(store);
    const live = new LiveReports(server as never, store);
    await live.check(kept.id, true);
    live.dispose();
    return { asked, kept, now: store.get(kept.id) };
  };
  const unknown = Promise.reject.bind(Promise, new Error("There is no report r1."));

  it("is given back to a server that does not know it", async () => {
    const answered = report({ links: [link(1, { fact: "as the server has it" })] });
    const { asked, kept, now } = await shown(({ kept: given }) =>
      given === undefined ? unknown() : { ...answered, id: given.id },
    );
    assert.deepEqual(asked, [
      { reportId: kept.id, show: true },
      { reportId: kept.id, kept, show: true },
    ]);
    assert.equal(now?.links[0]?.fact, "as the server has it");
  });
  it("is not drawn any more where another is shown by then", async () => {
    let other = (): void => undefined;
    const { asked } = await shown(
      ({ kept: given }) => {
        if (given !== undefined) return report();
        other();
        return unknown();
      },
      (store) => {
        other = () => {
          store.add(report({ id: "other" }));
          store.show("other");
        };
      },
    );
    assert.deepEqual(
      asked.filter(({ kept: given }) => given !== undefined).map(({ show }) => show),
      [false],
    );
  });
  it("is compared with the files where the server refuses it", async () => {
    const { asked, now } = await shown(() => unknown());
    assert.equal(asked.length, 2);
    assert.equal(now?.links[0]?.stale, true);
  });
});

describe("a row of the Reports view", () => {
  it("says what it is without its colours", () => {
    const item = reportItem(report({ links: [link(1, { stale: true })] }), true, true, "shop");
    assert.match(item.tooltip as string, /^Only in shop$/m);
    assert.equal(item.contextValue, "sightline.report.pinned");
    assert.match(
      String(item.accessibilityInformation?.label),
      /^Pinned\. Shown\. .*1 step, 1 stale/,
    );
  });
});

describe("a report as a document", () => {
  it("links from the root of the folder, and leaves other text alone", () => {
    assert.equal(
      relativizeLinks("[`a`](<file:///repo/a b.py#L1>) <file:///repo/x>"),
      "[`a`](</a b.py#L1>) <file:///repo/x>",
    );
    assert.equal(relativizeLinks("[x](<file:///other/a.py#L1>)"), "[x](<file:///other/a.py#L1>)");
  });
  it("reaches the other folders of a workspace from the first", () => {
    const uris = ["file:///c%3A/work/shop", "file:///c%3A/work/web", "file:///c%3A/work/shop/sub"];
    const linked = (path: string) => relativizeLinks(`[x](<file:///c%3A/work/${path}#L1>)`, uris);
    assert.equal(linked("shop/a.py"), "[x](</a.py#L1>)");
    assert.equal(linked("web/a.py"), "[x](</../web/a.py#L1>)");
    assert.equal(linked("shop/sub/a.py"), "[x](</sub/a.py#L1>)");
    assert.equal(linked("shopping/a.py"), "[x](<file:///c%3A/work/shopping/a.py#L1>)");
  });
});

describe("the tool for agents", () => {
  const { token } = new CancellationTokenSource();
  const tool = (answer: (command: string, argument: unknown) => unknown) => {
    const added: string[] = [];
    const server = {
      run: async (command: string, argument: unknown) => await answer(command, argument),
    };
    const kept = report({ id: "kept" });
    const made = new ExploreTool(server as never, {
      add: ({ id }) => added.push(id),
      get: (id) => (id === kept.id ? kept : undefined),
    });
    return {
      added,
      invoke: (input: Partial<ToolInput>) => made.invoke({ input } as never, token),
      made,
    };
  };

  it("answers with the report's text and keeps the report", async () => {
    const asked: unknown[] = [];
    const { added, invoke } = tool((command, argument) => {
      asked.push([command, argument]);
      return command === "sightline.explore" ? report({ id: "r7" }) : { content: "## report\n" };
    });
    const { content } = await invoke({
      query: "q",
      keywords: ["k"],
      intent: "edit",
      followUp: "r1",
    });
    assert.deepEqual(asked, [
      [
        "sightline.explore",
        { query: "q", keywords: ["k"], intent: "edit", followUp: { reportId: "r1" } },
      ],
      ["sightline.export", { reportId: "r7", format: "text" }],
      ["sightline.dismissReport", { reportId: "r7" }],
    ]);
    assert.match(JSON.stringify(content), /## report.*Report id, for followUp: r7/);
    assert.deepEqual(added, ["r7"]);
  });

  it("asks for keywords where an uncertain answer had none", async () => {
    const said = async (input: Partial<ToolInput>, confidence: "high" | "medium") => {
      const { invoke } = tool((command) =>
        command === "sightline.explore" ? report({ confidence }) : { content: "" },
      );
      const { content } = await invoke({ query: "q", ...input });
      return JSON.stringify(content).includes("No keywords were given.");
    };
    assert.equal(await said({}, "medium"), true);
    assert.equal(await said({ keywords: [] }, "medium"), true);
    assert.equal(await said({}, "high"), false);
    assert.equal(await said({ keywords: ["k"] }, "medium"), false);
    assert.equal(await said({ followUp: "r1" }, "medium"), false);
  });

  it("hands the server nothing that a model adds", async () => {
    const asked: unknown[] = [];
    const { invoke } = tool((command, argument) => {
      asked.push(argument);
      return command === "sightline.explore" ? report() : { content: "" };
    });
    const added = { judge: "conversation", show: true, replaces: "r1", intent: undefined };
    await invoke({ query: "q", scope: ["a/**"], ...added } as never);
    assert.deepEqual(asked[0], { query: "q", scope: ["a/**"] });
  });

  it("gives the server the report it follows, which may be older", async () => {
    const asked: string[] = [];
    const { invoke } = tool((command) => {
      asked.push(command);
      return command === "sightline.explore" ? report() : { content: "" };
    });
    await invoke({ query: "q", followUp: "kept" });
    assert.deepEqual(asked.slice(0, 2), ["sightline.report", "sightline.explore"]);
  });

  it("tells the model what to do about an error", async () => {
    await assert.rejects(tool(() => ({})).invoke({ query: " " }), /ask one question in words/);
    const broken = tool(() => Promise.reject(new Failure("There is no server.")));
    await assert.rejects(broken.invoke({ query: "q" }), /no server\. Tell the user/);
    const refused = tool(() => Promise.reject(new Error("There is no report r9.")));
    await assert.rejects(refused.invoke({ query: "q" }), /no report r9\. Correct the arguments/);
  });

  it("asks for confirmation with the question as plain text", () => {
    const { confirmationMessages } = tool(() => undefined).made.prepareInvocation({
      input: { query: "why\n[x](command:y)" },
    });
    assert.match((confirmationMessages?.message as { value: string }).value, /why \[x\]/);
  });

  it("leaves it to the invocation to refuse a question that is no text", async () => {
    const { invoke, made } = tool(() => undefined);
    for (const input of [{}, { query: 7 }, { query: ["q"] }]) {
      assert.equal(
        made.prepareInvocation({ input } as never).invocationMessage,
        "Exploring the code: ",
      );
      await assert.rejects(invoke(input as never), /ask one question in words/);
    }
  });
});
