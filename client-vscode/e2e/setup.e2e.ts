import { execFileSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { suite } from "./harness/suite";
import { until } from "./harness/wait";
import type { Workbench } from "./harness/workbench";

const NEWER_VERSION = "0.1.1";
const INSTALL_MS = 100_000;

/** Python: rewrites the wheel under a newer version. argv: wheel, target folder, old version, new version. */
const REVERSION_WHEEL = `
import sys, zipfile
wheel, folder, old, new = sys.argv[1:]
with zipfile.ZipFile(wheel) as known, zipfile.ZipFile(f"{folder}/sightline_lsp-{new}-py3-none-any.whl", "w") as made:
    for name in known.namelist():
        text = known.read(name)
        if name.endswith(("explorer_core/__init__.py", "METADATA", "RECORD")):
            text = text.replace(old.encode(), new.encode())
        made.writestr(name.replace(f"-{old}.dist-info", f"-{new}.dist-info"), text)
`;

/** Simulates an update of the extension: the installed one now bundles a newer server. */
function bundleNewerServer(bench: Workbench): void {
  const name = readdirSync(bench.extensions).find((each) =>
    each.startsWith("sightline.sightline-"),
  );
  const folder = join(bench.extensions, name ?? "", "server");
  const [wheel = ""] = readdirSync(folder);
  const version = wheel.split("-")[1] ?? "";
  execFileSync("python3", [
    "-c",
    REVERSION_WHEEL,
    join(folder, wheel),
    folder,
    version,
    NEWER_VERSION,
  ]);
  rmSync(join(folder, wheel));
}

async function confirmSetUp(bench: Workbench, picture: string): Promise<void> {
  const dialog = bench.dialog("Set up Sightline's server?");
  await dialog.waitFor();
  await bench.screenshot(`${picture}-consent`);
  await dialog.getByRole("button", { name: "Set Up" }).click();
  const progress = bench.toast("Setting up Sightline's server");
  await progress.waitFor();
  await bench.screenshot(`${picture}-progress`);
}

async function waitForSetUp(bench: Workbench): Promise<void> {
  const progress = bench.toast("Setting up Sightline's server");
  await progress.waitFor({ state: "detached", timeout: INSTALL_MS });
}

async function waitForVersion(bench: Workbench, expected: string): Promise<void> {
  await until("the server's version", async () => {
    await bench.page.keyboard.press("Escape");
    await bench.command("Show Status");
    await bench.quickPickRows.filter({ hasText: `Server: ${expected}` }).waitFor({ timeout: 5000 });
    return true;
  });
  await bench.page.keyboard.press("Escape");
}

suite(
  "the private server",
  {
    sample: "webshop",
    settings: { "sightline.server.command": [] },
    ownExtensions: true,
  },
  {
    "is installed from the bundled wheel, and answers the pending question": async (bench) => {
      await bench.command("Explain How...");
      await bench.enterText("How is an order placed?");
      const offerToast = bench.toast("Sightline's server is not installed yet");
      await offerToast.waitFor();
      await offerToast.getByRole("button", { name: "Set Up" }).click();
      await confirmSetUp(bench, "setup");
      await waitForSetUp(bench);
      await bench.flow.waitForAnswerTo("How is an order placed?");
      await bench.flow.step(3).waitFor();
    },
    "is offered the extension's update, and stays if the update is cancelled": async (bench) => {
      bundleNewerServer(bench);
      await bench.command("Restart Server");
      const offerToast = bench.toast(`The extension bundles version ${NEWER_VERSION}`);
      await offerToast.waitFor();
      await bench.screenshot("update-offer");
      await offerToast.getByRole("button", { name: "Update" }).click();
      await confirmSetUp(bench, "update");
      const progress = bench.toast("Setting up Sightline's server");
      await progress.hover();
      await progress.getByRole("button", { name: "Cancel" }).click();
      await bench.toast("The setup was cancelled").waitFor();
      await waitForVersion(bench, "0.1.0");
    },
    "is updated by command": async (bench) => {
      await bench.command("Set Up the Server...");
      await confirmSetUp(bench, "again");
      await waitForSetUp(bench);
      await waitForVersion(bench, NEWER_VERSION);
      await bench.ask("How does checkout charge the customer?");
    },
  },
);
