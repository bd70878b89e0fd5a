import assert from "node:assert/strict";
import { suite } from "./harness/suite";

/** An empty PATH, with VSCODE_CLI set so that the editor does not ask a login shell for another. */
const NOWHERE = { PATH: "/var/empty", VSCODE_CLI: "1" };

suite(
  "no server and no Python",
  { sample: "webshop", settings: { "sightline.server.command": [] }, variables: NOWHERE },
  {
    "a question says what is missing and offers to set it up": async (bench) => {
      await bench.command("Explain How...");
      await bench.answer("How is an order placed?");
      const toast = bench.toast("server is not installed yet");
      await toast.waitFor();
      await bench.picture("missing-server");
      await toast.getByRole("button", { name: "Set Up" }).click();
      const dialog = bench.dialog("Set up Sightline's server?");
      await dialog.waitFor();
      assert.match(await dialog.innerText(), /PyPI/);
      await bench.picture("missing-consent");
      await dialog.getByRole("button", { name: "Set Up" }).click();
      const explained = bench.toast(/Python 3\.\d+/);
      await explained.waitFor();
      await bench.picture("missing-python");
      assert.ok((await explained.getByRole("button").count()) > 0);
    },
  },
);
