import assert from "node:assert/strict";
import { marked } from "./harness/processes";
import { suite } from "./harness/suite";
import { until } from "./harness/wait";
import type { Workbench } from "./harness/workbench";

const TOOL = "mcp_sightline_explore_code";

function running(bench: Workbench): string[] {
  return marked(bench.mark)
    .map(({ command }) => command)
    .filter((command) => command.includes("sightline mcp"));
}

suite(
  "the MCP server",
  { sample: "webshop" },
  {
    "is offered only to those who turn it on": async (bench) => {
      await bench.ask("How is an order placed?");
      await bench.palette("MCP: List Servers");
      await bench.choices.first().waitFor();
      await bench.picture("mcp-off");
      assert.equal(await bench.choices.filter({ hasText: "Sightline" }).count(), 0);
      await bench.page.keyboard.press("Escape");
    },
    "is started by the editor, and its tools answer": async (bench) => {
      await bench.probe.ask("configure", { name: "sightline.mcp.enabled", value: true });
      assert.deepEqual(running(bench), []);
      await until("Sightline among the editor's MCP servers", async () => {
        await bench.page.keyboard.press("Escape");
        await bench.palette("MCP: List Servers");
        await bench.choices.filter({ hasText: "Sightline" }).first().waitFor({ timeout: 2000 });
        return true;
      });
      await bench.picture("mcp-list");
      await bench.pick("Sightline");
      await bench.picture("mcp-server");
      await bench.pick("Start Server");
      await until("the MCP server", () => running(bench).length === 1);
      await until(
        "its tools",
        () => bench.probe.ask<string[]>("tools"),
        (names) => names.includes(TOOL),
      );
      const input = { query: "How is an order placed?" };
      let answer: string | undefined;
      const asked = bench.probe.ask<string>("invokeTool", { name: TOOL, input }).then((text) => {
        answer = text;
      });
      const allow = bench.page.locator(".monaco-dialog-box").getByRole("button", { name: "Yes" });
      await until("the tool's answer", async () => {
        if (await allow.isVisible()) await allow.click();
        return answer !== undefined;
      });
      await asked;
      assert.match(answer ?? "", /checkout\.py/);
    },
    "ends when it is turned off": async (bench) => {
      await bench.probe.ask("configure", { name: "sightline.mcp.enabled", value: false });
      await until("the end of the MCP server", () => running(bench).length === 0);
    },
  },
);
