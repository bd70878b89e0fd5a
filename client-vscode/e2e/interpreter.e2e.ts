import { dirname, join } from "node:path";
import { suite } from "./harness/suite";
import type { Workbench } from "./harness/workbench";

const QUESTION = "How is an order placed?";
/** An empty PATH, with VSCODE_CLI set so that the editor does not ask a login shell for another. */
const NOWHERE = { PATH: "/var/empty", VSCODE_CLI: "1" };
/** An interpreter whose environment has Sightline installed. */
const HAS_IT = join(dirname(process.env.E2E_SERVER ?? ""), "python");
const SETTINGS = { "sightline.server.command": [] };

/** Checks that the status says where the running server was found. */
async function from(bench: Workbench, origin: string): Promise<void> {
  await bench.command("Show Status");
  await bench.choices.filter({ hasText: origin }).waitFor();
  await bench.picture("status");
  await bench.page.keyboard.press("Escape");
}

suite(
  "the selected Python interpreter",
  { sample: "webshop", settings: SETTINGS, variables: { ...NOWHERE, E2E_INTERPRETER: HAS_IT } },
  {
    "brings the server": async (bench) => {
      await bench.ask(QUESTION);
      await from(bench, "from the selected Python interpreter");
    },
  },
);

suite(
  "another Python interpreter",
  {
    sample: "webshop",
    settings: SETTINGS,
    variables: { ...NOWHERE, E2E_INTERPRETER: "/var/empty/python" },
  },
  {
    "brings the server once it is selected": async (bench) => {
      await bench.command("Explain How...");
      await bench.answer(QUESTION);
      await bench.toast("server is not installed yet").waitFor();
      await bench.flow.running.waitFor({ state: "detached" });
      await bench.flow.pane.getByRole("button", { name: "Set Up the Server" }).waitFor();
      await bench.picture("missing-welcome");
      const select = { id: "sightline-test.selectInterpreter", args: [HAS_IT] };
      await bench.probe.ask("command", select);
      await bench.flow.pane.getByText("Ask a question about this code").waitFor();
      await bench.ask(QUESTION);
      await from(bench, "from the selected Python interpreter");
    },
  },
);

suite(
  "an interpreter of a folder nobody trusts",
  {
    sample: "webshop",
    settings: SETTINGS,
    askTrust: true,
    variables: { ...NOWHERE, E2E_INTERPRETER: HAS_IT },
  },
  {
    "is not used": async (bench) => {
      await bench.page.getByText("Restricted Mode", { exact: true }).waitFor();
      await bench.command("Explain How...");
      await bench.answer(QUESTION);
      await bench.toast("server is not installed yet").waitFor();
    },
  },
);
