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

/** The numbered lines of a file, some replaced by `replaced`. */
function lines(count: number, replaced: Record<number, string> = {}): string[] {
  return Array.from({ length: count }, (_, index) => replaced[index + 1] ?? `line ${index + 1}`);
}

const QUOTE = "return f2()";

async function verifyQuoteOf(text: string[] | undefined) {
  const storedReport = report({ links: [link(1)] });
  const [updated] = (await verifyReport(storedReport, () => Promise.resolve(text))).links;
  return [updated?.stale, updated?.quoteRange.start, updated?.quoteLocation?.range.start.line];
}

it("a quote is found by the same rule as on the server", async () => {
  const cases = JSON.parse(readFileSync("../tests/lsp/quotes.json", "utf8")) as {
    quote: string;
    at: number;
    lines: string[];
    found: number | null;
  }[];
  for (const { quote, at: start, lines: text, found: expectedLine } of cases) {
    const storedReport = report({
      links: [link(1, { quote, quoteRange: { start, end: start } })],
    });
    const [updated] = (await verifyReport(storedReport, () => Promise.resolve(text))).links;
    assert.deepEqual(
      updated?.stale === true ? null : updated?.quoteRange.start,
      expectedLine,
      quote,
    );
  }
});

describe("a stored report compared with the files", () => {
  it("keeps a quote that has not moved", async () => {
    assert.deepEqual(await verifyQuoteOf(lines(20, { 11: `    ${QUOTE}  # why` })), [
      false,
      11,
      10,
    ]);
  });
  it("follows a quote that moved", async () => {
    assert.deepEqual(await verifyQuoteOf(lines(30, { 17: `\t${QUOTE}` })), [false, 17, 16]);
  });
  it("is stale if the quote is gone or occurs in several other places", async () => {
    assert.equal((await verifyQuoteOf(lines(20)))[0], true);
    assert.equal((await verifyQuoteOf(lines(20, { 3: QUOTE, 5: QUOTE })))[0], true);
    assert.equal((await verifyQuoteOf(undefined))[0], true);
  });
  it("clamps ranges to a file that shrank", async () => {
    const storedReport = report({ links: [link(2)] });
    const text = lines(2, { 1: "return f3()" });
    const [updated] = (await verifyReport(storedReport, () => Promise.resolve(text))).links;
    assert.deepEqual(updated?.range, { start: 1, end: 2 });
  });
});

describe("the wording of the views", () => {
  it("names places, ages and judges", () => {
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
      times.map((time) => ago(time, now)),
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
  it("reverses a relation that points against the flow", () => {
    const against = madeHop(1, { from: "c2", to: "c1", relation: "contains" });
    assert.equal(hop([link(1, { hop: against }), link(2)], 0), "is contained in step 2");
  });
  it("makes a file name from a question", () => {
    assert.equal(slug("How does `A.b` / C:\\d work?"), "how-does-a-b-c-d-work");
    assert.equal(slug("???"), "report");
  });
});

describe("a report from an earlier session", () => {
  const checkShownReport = async (
    answer: (argument: { kept?: Report }) => unknown,
    prepare: (store: ReportStore) => void = () => undefined,
  ) => {
    const requests: { kept?: Report; show?: boolean }[] = [];
    const server = {
      state: "running",
      onDidChange: () => ({ dispose: () => undefined }),
      run: async (_: string, argument: { kept?: Report; show?: boolean }) => {
        requests.push(argument);
        return await answer(argument);
      },
    };
    const storedReport = report({ links: [link(1)] });
    const store = new ReportStore(noStorage, () => 50);
    store.add(storedReport);
    store.show(storedReport.id);
    prepare(store);
    const live = new LiveReports(server as never, store);
    await live.check(storedReport.id, true);
    live.dispose();
    return { requests, storedReport, updated: store.get(storedReport.id) };
  };
  const rejectUnknown = Promise.reject.bind(Promise, new Error("There is no report r1."));

  it("is restored on a server that does not know it", async () => {
    const serverReport = report({ links: [link(1, { fact: "as the server has it" })] });
    const { requests, storedReport, updated } = await checkShownReport(({ kept: knownReport }) =>
      knownReport === undefined ? rejectUnknown() : { ...serverReport, id: knownReport.id },
    );
    assert.deepEqual(requests, [
      { reportId: storedReport.id, show: true },
      { reportId: storedReport.id, kept: storedReport, show: true },
    ]);
    assert.equal(updated?.links[0]?.fact, "as the server has it");
  });
  it("gets no decorations if another report is shown meanwhile", async () => {
    let showOther = (): void => undefined;
    const { requests } = await checkShownReport(
      ({ kept: knownReport }) => {
        if (knownReport !== undefined) return report();
        showOther();
        return rejectUnknown();
      },
      (store) => {
        showOther = () => {
          store.add(report({ id: "other" }));
          store.show("other");
        };
      },
    );
    assert.deepEqual(
      requests.filter(({ kept: knownReport }) => knownReport !== undefined).map(({ show }) => show),
      [false],
    );
  });
  it("is compared with the files if the server refuses it", async () => {
    const { requests, updated } = await checkShownReport(() => rejectUnknown());
    assert.equal(requests.length, 2);
    assert.equal(updated?.links[0]?.stale, true);
  });
});

describe("a row of the Reports view", () => {
  it("states scope, pin and staleness in text", () => {
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
  it("has links relative to the folder, and other text unchanged", () => {
    assert.equal(
      relativizeLinks("[`a`](<file:///repo/a b.py#L1>) <file:///repo/x>"),
      "[`a`](</a b.py#L1>) <file:///repo/x>",
    );
    assert.equal(relativizeLinks("[x](<file:///other/a.py#L1>)"), "[x](<file:///other/a.py#L1>)");
  });
  it("links to other workspace folders relative to the first", () => {
    const uris = ["file:///c%3A/work/shop", "file:///c%3A/work/web", "file:///c%3A/work/shop/sub"];
    const linkTo = (path: string) => relativizeLinks(`[x](<file:///c%3A/work/${path}#L1>)`, uris);
    assert.equal(linkTo("shop/a.py"), "[x](</a.py#L1>)");
    assert.equal(linkTo("web/a.py"), "[x](</../web/a.py#L1>)");
    assert.equal(linkTo("shop/sub/a.py"), "[x](</sub/a.py#L1>)");
    assert.equal(linkTo("shopping/a.py"), "[x](<file:///c%3A/work/shopping/a.py#L1>)");
  });
});

describe("the tool for agents", () => {
  const { token } = new CancellationTokenSource();
  const tool = (answer: (command: string, argument: unknown) => unknown) => {
    const added: string[] = [];
    const server = {
      run: async (command: string, argument: unknown) => await answer(command, argument),
    };
    const storedReport = report({ id: "kept" });
    const exploreTool = new ExploreTool(server as never, {
      add: ({ id }) => added.push(id),
      get: (id) => (id === storedReport.id ? storedReport : undefined),
    });
    return {
      added,
      invoke: (input: Partial<ToolInput>) => exploreTool.invoke({ input } as never, token),
      exploreTool,
    };
  };

  it("returns the report's text and stores the report", async () => {
    const requests: unknown[] = [];
    const { added, invoke } = tool((command, argument) => {
      requests.push([command, argument]);
      return command === "sightline.explore" ? report({ id: "r7" }) : { content: "## report\n" };
    });
    const { content } = await invoke({
      query: "q",
      keywords: ["k"],
      intent: "edit",
      followUp: "r1",
    });
    assert.deepEqual(requests, [
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

  it("advises keywords for an uncertain answer without any", async () => {
    const advisesKeywords = async (input: Partial<ToolInput>, confidence: "high" | "medium") => {
      const { invoke } = tool((command) =>
        command === "sightline.explore" ? report({ confidence }) : { content: "" },
      );
      const { content } = await invoke({ query: "q", ...input });
      return JSON.stringify(content).includes("No keywords were given.");
    };
    assert.equal(await advisesKeywords({}, "medium"), true);
    assert.equal(await advisesKeywords({ keywords: [] }, "medium"), true);
    assert.equal(await advisesKeywords({}, "high"), false);
    assert.equal(await advisesKeywords({ keywords: ["k"] }, "medium"), false);
    assert.equal(await advisesKeywords({ followUp: "r1" }, "medium"), false);
  });

  it("passes no unknown fields to the server", async () => {
    const requests: unknown[] = [];
    const { invoke } = tool((command, argument) => {
      requests.push(argument);
      return command === "sightline.explore" ? report() : { content: "" };
    });
    const extraFields = { judge: "conversation", show: true, replaces: "r1", intent: undefined };
    await invoke({ query: "q", scope: ["a/**"], ...extraFields } as never);
    assert.deepEqual(requests[0], { query: "q", scope: ["a/**"] });
  });

  it("restores the followed-up report on the server first", async () => {
    const requests: string[] = [];
    const { invoke } = tool((command) => {
      requests.push(command);
      return command === "sightline.explore" ? report() : { content: "" };
    });
    await invoke({ query: "q", followUp: "kept" });
    assert.deepEqual(requests.slice(0, 2), ["sightline.report", "sightline.explore"]);
  });

  it("tells the model what to do about an error", async () => {
    await assert.rejects(tool(() => ({})).invoke({ query: " " }), /ask one question in words/);
    const withoutServer = tool(() => Promise.reject(new Failure("There is no server.")));
    await assert.rejects(withoutServer.invoke({ query: "q" }), /no server\. Tell the user/);
    const withRejection = tool(() => Promise.reject(new Error("There is no report r9.")));
    await assert.rejects(
      withRejection.invoke({ query: "q" }),
      /no report r9\. Correct the arguments/,
    );
  });

  it("asks for confirmation with the question as plain text", () => {
    const { confirmationMessages } = tool(() => undefined).exploreTool.prepareInvocation({
      input: { query: "why\n[x](command:y)" },
    });
    assert.match((confirmationMessages?.message as { value: string }).value, /why \[x\]/);
  });

  it("rejects a query that is no string only on invocation", async () => {
    const { invoke, exploreTool } = tool(() => undefined);
    for (const input of [{}, { query: 7 }, { query: ["q"] }]) {
      assert.equal(
        exploreTool.prepareInvocation({ input } as never).invocationMessage,
        "Exploring the code: ",
      );
      await assert.rejects(invoke(input as never), /ask one question in words/);
    }
  });
});
