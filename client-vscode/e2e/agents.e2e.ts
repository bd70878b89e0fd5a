import assert from "node:assert/strict";
import { markedProcesses } from "./harness/processes";
import { suite } from "./harness/suite";
import { until } from "./harness/wait";
import type { Workbench } from "./harness/workbench";

const TOOL = "mcp_sightline_explore_code";

function mcpServers(bench: Workbench): string[] {
  return markedProcesses(bench.mark)
    .map(({ command }) => command)
    .filter((command) => command.includes("sightline mcp"));
}

suite(
  "the MCP server",
  { sample: "webshop" },
  {
    "is not listed before it is enabled": async (bench) => {
      await bench.ask("How is an order placed?");
      await bench.palette("MCP: List Servers");
      await bench.quickPickRows.first().waitFor();
      await bench.screenshot("mcp-off");
      assert.equal(await bench.quickPickRows.filter({ hasText: "Sightline" }).count(), 0);
      await bench.page.keyboard.press("Escape");
    },
    "is started by the editor, and its tool answers": async (bench) => {
      await bench.probe.ask("configure", { name: "sightline.mcp.enabled", value: true });
      assert.deepEqual(mcpServers(bench), []);
      await until("Sightline among the editor's MCP servers", async () => {
        await bench.page.keyboard.press("Escape");
        await bench.palette("MCP: List Servers");
        await bench.quickPickRows
          .filter({ hasText: "Sightline" })
          .first()
          .waitFor({ timeout: 2000 });
        return true;
      });
      await bench.screenshot("mcp-list");
      await bench.chooseRow("Sightline");
      await bench.screenshot("mcp-server");
      await bench.chooseRow("Start Server");
      await until("the MCP server", () => mcpServers(bench).length === 1);
      await until(
        "its tools",
        () => bench.probe.ask<string[]>("tools"),
        (names) => names.includes(TOOL),
      );
      const input = { query: "How is an order placed?" };
      let answer: string | undefined;
      const invocation = bench.probe
        .ask<string>("invokeTool", { name: TOOL, input })
        .then((text) => {
          answer = text;
        });
      const allowButton = bench.page
        .locator(".monaco-dialog-box")
        .getByRole("button", { name: "Yes" });
      await until("the tool's answer", async () => {
        if (await allowButton.isVisible()) await allowButton.click();
        return answer !== undefined;
      });
      await invocation;
      assert.match(answer ?? "", /checkout\.py/);
    },
    "ends when it is disabled": async (bench) => {
      await bench.probe.ask("configure", { name: "sightline.mcp.enabled", value: false });
      await until("the end of the MCP server", () => mcpServers(bench).length === 0);
    },
  },
);
