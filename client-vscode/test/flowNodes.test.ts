import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Report } from "../src/reports/report";
import { flowNodes } from "../src/views/flowNodes";
import type { Node } from "../src/views/node";
import { hop, link, report } from "./reports";

function withDescendants(nodes: Node[]): Node[] {
  return nodes.flatMap((node) => [node, ...withDescendants(node.children)]);
}

function rowsOf(report: Report): Node[] {
  return flowNodes(report, undefined, true);
}

function hopLabels(report: Report): string[] {
  return withDescendants(rowsOf(report))
    .filter(({ context }) => context === "sightline.hop")
    .map(({ label, description }) => `${label}: ${description ?? ""}`);
}

describe("the rows of the Flow view", () => {
  it("are the links in order, each with its quote and its hop to the next", () => {
    const links = rowsOf(report()).filter(({ context }) => context === "sightline.link");
    assert.deepEqual(
      links.map(({ label, children }) => [label, children.map((child) => child.context)]),
      [
        ["1. f1 calls f2", ["sightline.quote", "sightline.hop"]],
        ["2. f2 calls f3", ["sightline.quote", "sightline.hop"]],
        ["3. f3 calls f4", ["sightline.quote"]],
      ],
    );
  });

  it("name the witness of a hop, or that it is not confirmed", () => {
    const links = [
      link(1, { hop: hop(1, { witness: "editor" }) }),
      link(2, { hop: hop(2, { witness: null }) }),
      link(3, { hop: null }),
      link(4, { hop: hop(4, { from: "c5", to: "c4", witness: "graph:name", via: ["g", "h"] }) }),
      link(5, { hop: hop(5, { relation: "feeds", witness: "graph:type" }) }),
      link(6),
    ];
    assert.deepEqual(hopLabels(report({ links })), [
      "calls step 2: confirmed by the editor",
      "calls step 3: not confirmed",
      "no known relation to step 4: ",
      "is called by step 5 via g, h: by name only",
      "sends to step 6: by type",
    ]);
  });

  it("show no missing hop to places beside the flow", () => {
    const unlinked = (number: number, role: string) => link(number, { role, hop: null });
    const links = [
      unlinked(1, "definition"),
      unlinked(2, "user"),
      unlinked(3, "also"),
      unlinked(4, "step"),
    ];
    assert.deepEqual(hopLabels(report({ links })), ["no known relation to step 4: "]);
  });

  it("start a quote with its file, with as many folders as make it unique", () => {
    const paths = ["a/b/index.py", "a/c/index.py", "c/index.py", "main.py", "x/main.py", "x/y.py"];
    const links = paths.map((path, index) => link(index + 1, { path }));
    const quotes = withDescendants(rowsOf(report({ links }))).filter(
      ({ context }) => context === "sightline.quote",
    );
    assert.deepEqual(
      quotes.map(({ label, description }) => `${label} ${description ?? ""}`),
      [
        "b/index.py:11 return f2()",
        "a/c/index.py:21 return f3()",
        "c/index.py:31 return f4()",
        "main.py:41 return f5()",
        "x/main.py:51 return f6()",
        "y.py:61 return f7()",
      ],
    );
  });

  it("warn about stale steps and a partial index; clicking them asks again", () => {
    const links = [link(1, { stale: true })];
    const rows = rowsOf(report({ links, coverage: { indexed: 5, total: 515 } }));
    assert.deepEqual(
      rows.slice(0, 3).map(({ label, command }) => [label, command]),
      [
        ["1 step is stale", "sightline.ui.refresh"],
        ["Based on 5 of 515 files", "sightline.ui.refresh"],
        ["High confidence", undefined],
      ],
    );
  });

  it("turn the note about a missing API key into the command that sets it", () => {
    const missing = "There is no key for https://example.org; set ANTHROPIC_API_KEY.";
    const notes = rowsOf(report({ notes: [missing, "slow"] })).at(-1)?.children;
    assert.deepEqual(
      notes?.map(({ label, command, tooltip }) => [label, command, tooltip]),
      [
        ["The model needs an API key", "sightline.ui.setApiKey", missing],
        ["slow", undefined, "slow"],
      ],
    );
  });

  it("open a link's lines, and highlight its quote unless it is stale", () => {
    const rows = rowsOf(report({ links: [link(1), link(2, { stale: true })] }));
    assert.deepEqual(
      rows.slice(0, 2).map(({ label }) => label),
      ["1 step is stale", "High confidence"],
    );
    const [fresh, stale] = rows.slice(3);
    assert.equal(fresh?.place?.location.range.start.line, 9);
    assert.equal(fresh?.place?.quote?.range.start.line, 10);
    assert.equal(stale?.place?.quote, undefined);
    assert.equal(stale?.context, "sightline.link.stale");
    assert.match(stale?.spoken ?? "", /stale/);
    assert.match(stale?.label ?? "", /^2\. Stale: /);
  });

  it("open nothing if the file is gone", () => {
    const [, , gone] = rowsOf(report({ links: [link(1, { location: null })] }));
    assert.equal(gone?.place, undefined);
    assert.deepEqual(gone?.gone, { path: "shop/step1.py", step: 0 });
  });

  it("start with confidence and action", () => {
    const [head, action] = rowsOf(report({ confidence: "low", action: "read_targets" }));
    assert.equal(head?.label, "Low confidence");
    assert.equal(head.description, "offline judge");
    assert.equal(action?.label, "Read the listed places first");
  });

  it("show progress and the partial flow while a question runs", () => {
    const running = { query: "q", message: "Searching", percentage: 40 };
    assert.deepEqual(
      flowNodes(undefined, running, true).map(({ label, description }) => [label, description]),
      [["Searching", "40%"]],
    );
    const partial = flowNodes(report({ missing: ["x"] }), running, true).map((row) => row.context);
    assert.deepEqual(partial, [
      "sightline.running",
      ...new Array<string>(3).fill("sightline.link"),
    ]);
  });

  it("show the scope of the question", () => {
    const nothing = report({ links: [], action: "skip_explore_result" });
    const running = { query: "q", message: "Searching", percentage: 40 };
    for (const [shown, asked, expected] of [
      [nothing, undefined, ["High confidence", "Nothing relevant found", "Only in shop"]],
      [undefined, running, ["Searching", "Only in shop"]],
      [undefined, undefined, []],
    ] as const) {
      const rows = flowNodes(shown, asked, true, "shop").map(({ label }) => label);
      assert.deepEqual(rows, expected);
    }
  });

  it("describe each step for a screen reader", () => {
    for (const [step, expected] of [
      [link(1), "Step 1 of 1. step. f1 calls f2. shop/step1.py, lines 10-15"],
      [link(1, { role: "" }), "Step 1 of 1. f1 calls f2. shop/step1.py, lines 10-15"],
      [link(1, { stale: true, role: "", fact: "" }), /^Step 1 of 1, stale: .* gone\. step1\.py:/],
    ] as const) {
      const spoken = rowsOf(report({ links: [step] })).find(({ context }) =>
        context.startsWith("sightline.link"),
      )?.spoken;
      if (typeof expected === "string") assert.equal(spoken, expected);
      else assert.match(spoken ?? "", expected);
    }
  });

  it("list what to read, what is missing and what to search for", () => {
    const rows = rowsOf(
      report({
        action: "read_targets",
        readTargets: [
          {
            id: "c1",
            path: "a/b.py",
            range: { start: 1, end: 2 },
            purpose: "edit `it`",
            required: true,
          },
        ],
        missing: ["who calls it"],
        searchTargets: [{ terms: ["place", "order"], scope: "shop/**" }],
        notes: ["slow"],
      }),
    );
    const groups = rows.filter(({ context }) => context.startsWith("sightline.group"));
    assert.deepEqual(
      groups.map(({ label, children }) => [label, children[0]?.label]),
      [
        ["Read before acting", "b.py:1-2"],
        ["Missing", "who calls it"],
        ["Search next", "place, order in shop/**"],
        ["Notes", "slow"],
      ],
    );
  });

  it("end with suggested keywords, if there are any", () => {
    const lastRow = (words: unknown) => {
      const answer = report({ suggestedKeywords: words as string[] });
      const { label, description, tooltip, command } = rowsOf(answer).at(-1) ?? {};
      return [label?.slice(0, 9), description, tooltip?.split("\n")[1], command];
    };
    const command = "sightline.ui.askWithKeywords";
    const hostile = "[a](command:x)";
    for (const [words, shortList, fullList] of [
      [["cart", "order", "stock"], "cart, order, stock", "cart, order, stock"],
      [["a", "b", "c", "d"], "a, b, c, …", "a, b, c, d"],
      [["cart", 7, "", "cart", hostile], `cart, ${hostile}`, `cart, ${hostile}`],
    ] as const) {
      assert.deepEqual(lastRow(words), ["Ask again", shortList, fullList, command]);
    }
    for (const suggestions of [[], undefined, null, "cart", [7]]) {
      assert.equal(lastRow(suggestions)[3], undefined);
    }
    const running = { query: "q", message: "Searching", percentage: 40 };
    const partial = flowNodes(report({ suggestedKeywords: ["cart"] }), running, true);
    assert.equal(partial.at(-1)?.context, "sightline.link");
  });

  it("show the places when there is no flow", () => {
    const primary = [{ id: "c1", path: "docs/a.md", range: null }];
    assert.deepEqual(
      rowsOf(report({ links: [], primary }))
        .map(({ label }) => label)
        .slice(2),
      ["a.md"],
    );
  });

  it("have unique ids and a text for screen readers", () => {
    const twice = report({ links: [link(1), link(1), link(2)] });
    const rows = withDescendants(rowsOf(twice));
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
    assert.ok(rows.every(({ spoken }) => spoken.trim() !== ""));
  });
});
