import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Report } from "../src/reports/report";
import { flowNodes } from "../src/views/flowNodes";
import type { Node } from "../src/views/node";
import { hop, link, report } from "./reports";

function all(nodes: Node[]): Node[] {
  return nodes.flatMap((node) => [node, ...all(node.children)]);
}

function rows(of: Report): Node[] {
  return flowNodes(of, undefined, true);
}

function hops(of: Report): string[] {
  return all(rows(of))
    .filter(({ context }) => context === "sightline.hop")
    .map(({ label, description }) => `${label}: ${description ?? ""}`);
}

describe("the rows of the Flow view", () => {
  it("are the links in order, each with its quote and the way to the next", () => {
    const links = rows(report()).filter(({ context }) => context === "sightline.link");
    assert.deepEqual(
      links.map(({ label, children }) => [label, children.map((child) => child.context)]),
      [
        ["1. f1 calls f2", ["sightline.quote", "sightline.hop"]],
        ["2. f2 calls f3", ["sightline.quote", "sightline.hop"]],
        ["3. f3 calls f4", ["sightline.quote"]],
      ],
    );
  });

  it("say who vouches for a hop, and when nobody does", () => {
    const links = [
      link(1, { hop: hop(1, { witness: "editor" }) }),
      link(2, { hop: hop(2, { witness: null }) }),
      link(3, { hop: null }),
      link(4, { hop: hop(4, { from: "c5", to: "c4", witness: "graph:name", via: ["g", "h"] }) }),
      link(5, { hop: hop(5, { relation: "feeds", witness: "graph:type" }) }),
      link(6),
    ];
    assert.deepEqual(hops(report({ links })), [
      "calls step 2: confirmed by the editor",
      "calls step 3: not confirmed",
      "no known relation to step 4: ",
      "is called by step 5 via g, h: by name only",
      "sends to step 6: by type",
    ]);
  });

  it("say nothing of a way to what is told beside the flow", () => {
    const loose = (number: number, role: string) => link(number, { role, hop: null });
    const links = [loose(1, "definition"), loose(2, "user"), loose(3, "also"), loose(4, "step")];
    assert.deepEqual(hops(report({ links })), ["no known relation to step 4: "]);
  });

  it("begin a quote with its file, with as much of the path as tells it from others", () => {
    const paths = ["a/b/index.py", "a/c/index.py", "c/index.py", "main.py", "x/main.py", "x/y.py"];
    const links = paths.map((path, at) => link(at + 1, { path }));
    const quotes = all(rows(report({ links }))).filter(
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

  it("say that an answer is from a part of the index, and ask again where they are clicked", () => {
    const links = [link(1, { stale: true })];
    const found = rows(report({ links, coverage: { indexed: 5, total: 515 } }));
    assert.deepEqual(
      found.slice(0, 3).map(({ label, command }) => [label, command]),
      [
        ["1 step is stale", "sightline.ui.refresh"],
        ["Based on 5 of 515 files", "sightline.ui.refresh"],
        ["High confidence", undefined],
      ],
    );
  });

  it("lead from the note that there is no key to where it is set", () => {
    const missing = "There is no key for https://example.org; set ANTHROPIC_API_KEY.";
    const notes = rows(report({ notes: [missing, "slow"] })).at(-1)?.children;
    assert.deepEqual(
      notes?.map(({ label, command, tooltip }) => [label, command, tooltip]),
      [
        ["The model needs an API key", "sightline.ui.setApiKey", missing],
        ["slow", undefined, "slow"],
      ],
    );
  });

  it("lead to the lines, and to the quote in them unless it is gone", () => {
    const found = rows(report({ links: [link(1), link(2, { stale: true })] }));
    assert.deepEqual(
      found.slice(0, 2).map(({ label }) => label),
      ["1 step is stale", "High confidence"],
    );
    const [fresh, stale] = found.slice(3);
    assert.equal(fresh?.place?.location.range.start.line, 9);
    assert.equal(fresh?.place?.quote?.range.start.line, 10);
    assert.equal(stale?.place?.quote, undefined);
    assert.equal(stale?.context, "sightline.link.stale");
    assert.match(stale?.spoken ?? "", /stale/);
    assert.match(stale?.label ?? "", /^2\. Stale: /);
  });

  it("lead nowhere for a file that is gone", () => {
    const [, , gone] = rows(report({ links: [link(1, { location: null })] }));
    assert.equal(gone?.place, undefined);
    assert.deepEqual(gone?.gone, { path: "shop/step1.py", step: 0 });
  });

  it("have confidence and action at their head", () => {
    const [head, action] = rows(report({ confidence: "low", action: "read_targets" }));
    assert.equal(head?.label, "Low confidence");
    assert.equal(head.description, "offline judge");
    assert.equal(action?.label, "Read the listed places first");
  });

  it("show progress and the flow so far while a question runs", () => {
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

  it("say what the question was limited to", () => {
    const nothing = report({ links: [], action: "skip_explore_result" });
    const running = { query: "q", message: "Searching", percentage: 40 };
    for (const [shown, asked, expected] of [
      [nothing, undefined, ["High confidence", "Nothing relevant found", "Only in shop"]],
      [undefined, running, ["Searching", "Only in shop"]],
      [undefined, undefined, []],
    ] as const) {
      const found = flowNodes(shown, asked, true, "shop").map(({ label }) => label);
      assert.deepEqual(found, expected);
    }
  });

  it("say each step to a screen reader", () => {
    for (const [step, expected] of [
      [link(1), "Step 1 of 1. step. f1 calls f2. shop/step1.py, lines 10-15"],
      [link(1, { role: "" }), "Step 1 of 1. f1 calls f2. shop/step1.py, lines 10-15"],
      [link(1, { stale: true, role: "", fact: "" }), /^Step 1 of 1, stale: .* gone\. step1\.py:/],
    ] as const) {
      const spoken = rows(report({ links: [step] })).find(({ context }) =>
        context.startsWith("sightline.link"),
      )?.spoken;
      if (typeof expected === "string") assert.equal(spoken, expected);
      else assert.match(spoken ?? "", expected);
    }
  });

  it("list what to read, what is missing and what to search for", () => {
    const found = rows(
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
    const groups = found.filter(({ context }) => context.startsWith("sightline.group"));
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

  it("end with words from the code to ask again with, where the answer is not sure", () => {
    const last = (words: unknown) => {
      const answer = report({ suggestedKeywords: words as string[] });
      const { label, description, tooltip, command } = rows(answer).at(-1) ?? {};
      return [label?.slice(0, 9), description, tooltip?.split("\n")[1], command];
    };
    const command = "sightline.ui.askWithKeywords";
    const hostile = "[a](command:x)";
    for (const [words, few, whole] of [
      [["cart", "order", "stock"], "cart, order, stock", "cart, order, stock"],
      [["a", "b", "c", "d"], "a, b, c, …", "a, b, c, d"],
      [["cart", 7, "", "cart", hostile], `cart, ${hostile}`, `cart, ${hostile}`],
    ] as const) {
      assert.deepEqual(last(words), ["Ask again", few, whole, command]);
    }
    for (const none of [[], undefined, null, "cart", [7]]) {
      assert.equal(last(none)[3], undefined);
    }
    const running = { query: "q", message: "Searching", percentage: 40 };
    const partial = flowNodes(report({ suggestedKeywords: ["cart"] }), running, true);
    assert.equal(partial.at(-1)?.context, "sightline.link");
  });

  it("show the places when there is no flow", () => {
    const primary = [{ id: "c1", path: "docs/a.md", range: null }];
    assert.deepEqual(
      rows(report({ links: [], primary }))
        .map(({ label }) => label)
        .slice(2),
      ["a.md"],
    );
  });

  it("have ids of their own and something to say to a screen reader", () => {
    const twice = report({ links: [link(1), link(1), link(2)] });
    const found = all(rows(twice));
    assert.equal(new Set(found.map(({ id }) => id)).size, found.length);
    assert.ok(found.every(({ spoken }) => spoken.trim() !== ""));
  });
});
