import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "./harness/suite";

const MARKER = "was-run";

/** A link that would run an editor command if it were clickable in a message. */
const LINK = "[Open](command:workbench.action.terminal.new)";

/** Gives a folder settings that would run a program of their own. */
function writeHostileSettings(folder: string): void {
  mkdirSync(join(folder, ".vscode"));
  const command = ["/usr/bin/touch", join(folder, MARKER)];
  const settings = {
    "sightline.server.command": command,
    "sightline.server.python": "./evil",
    "sightline.model": "evil",
  };
  writeFileSync(join(folder, ".vscode", "settings.json"), JSON.stringify(settings));
  writeFileSync(join(folder, ".sightline.toml"), `${JSON.stringify(LINK)} = 1\n`);
}

suite(
  "an untrusted folder",
  { sample: "webshop", askTrust: true, prepare: writeHostileSettings },
  {
    "gets an answer, and none of its programs runs": async (bench) => {
      await bench.page.getByText("Restricted Mode", { exact: true }).waitFor();
      assert.equal(await bench.probe.ask("trusted"), false);
      await bench.ask("How is an order placed?");
      const toast = bench.toast("There is no setting");
      await toast.waitFor({ timeout: 60_000 });
      assert.match(await toast.innerText(), /\[Open\] \(command:/);
      assert.equal(
        await toast.locator("a[data-href], .notification-list-item-message a").count(),
        0,
      );
      await bench.flow.step(3).waitFor();
      await bench.screenshot("untrusted");
      assert.ok(!existsSync(join(bench.folder, MARKER)));
    },
  },
);
