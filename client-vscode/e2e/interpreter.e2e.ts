import { dirname, join } from "node:path";
import { suite } from "./harness/suite";
import type { Workbench } from "./harness/workbench";

const QUESTION = "How is an order placed?";
/** An empty PATH, with VSCODE_CLI set so that the editor does not ask a login shell for another. */
const EMPTY_PATH = { PATH: "/var/empty", VSCODE_CLI: "1" };
/** An interpreter whose environment has Sightline installed. */
const INTERPRETER = join(dirname(process.env.E2E_SERVER ?? ""), "python");
const SETTINGS = { "sightline.server.command": [] };

/** Checks that the status says where the running server was found. */
async function expectServerOrigin(bench: Workbench, origin: string): Promise<void> {
  await bench.command("Show Status");
  await bench.quickPickRows.filter({ hasText: origin }).waitFor();
  await bench.screenshot("status");
  await bench.page.keyboard.press("Escape");
}

suite(
  "the selected Python interpreter",
  {
    sample: "webshop",
    settings: SETTINGS,
    variables: { ...EMPTY_PATH, E2E_INTERPRETER: INTERPRETER },
  },
  {
    "provides the server": async (bench) => {
      await bench.ask(QUESTION);
      await expectServerOrigin(bench, "from the selected Python interpreter");
    },
  },
);

suite(
  "another Python interpreter",
  {
    sample: "webshop",
    settings: SETTINGS,
    variables: { ...EMPTY_PATH, E2E_INTERPRETER: "/var/empty/python" },
  },
  {
    "provides the server once it is selected": async (bench) => {
      await bench.command("Explain How...");
      await bench.enterText(QUESTION);
      await bench.toast("server is not installed yet").waitFor();
      await bench.flow.running.waitFor({ state: "detached" });
      await bench.flow.pane.getByRole("button", { name: "Set Up the Server" }).waitFor();
      await bench.screenshot("missing-welcome");
      const selectInterpreter = { id: "sightline-test.selectInterpreter", args: [INTERPRETER] };
      await bench.probe.ask("command", selectInterpreter);
      await bench.flow.pane.getByText("Ask a question about this code").waitFor();
      await bench.ask(QUESTION);
      await expectServerOrigin(bench, "from the selected Python interpreter");
    },
  },
);

suite(
  "the interpreter of an untrusted folder",
  {
    sample: "webshop",
    settings: SETTINGS,
    askTrust: true,
    variables: { ...EMPTY_PATH, E2E_INTERPRETER: INTERPRETER },
  },
  {
    "is not used": async (bench) => {
      await bench.page.getByText("Restricted Mode", { exact: true }).waitFor();
      await bench.command("Explain How...");
      await bench.enterText(QUESTION);
      await bench.toast("server is not installed yet").waitFor();
    },
  },
);
