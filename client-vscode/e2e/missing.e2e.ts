import assert from "node:assert/strict";
import { suite } from "./harness/suite";

/** An empty PATH, with VSCODE_CLI set so that the editor does not ask a login shell for another. */
const EMPTY_PATH = { PATH: "/var/empty", VSCODE_CLI: "1" };

suite(
  "no server and no Python",
  { sample: "webshop", settings: { "sightline.server.command": [] }, variables: EMPTY_PATH },
  {
    "a question reports the missing server, and set-up the missing Python": async (bench) => {
      await bench.command("Explain How...");
      await bench.enterText("How is an order placed?");
      const toast = bench.toast("server is not installed yet");
      await toast.waitFor();
      await bench.screenshot("missing-server");
      await toast.getByRole("button", { name: "Set Up" }).click();
      const dialog = bench.dialog("Set up Sightline's server?");
      await dialog.waitFor();
      assert.match(await dialog.innerText(), /PyPI/);
      await bench.screenshot("missing-consent");
      await dialog.getByRole("button", { name: "Set Up" }).click();
      const explanation = bench.toast(/Python 3\.\d+/);
      await explanation.waitFor();
      await bench.screenshot("missing-python");
      assert.ok((await explanation.getByRole("button").count()) > 0);
    },
  },
);
