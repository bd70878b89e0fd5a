import { execFileSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { suite } from "./harness/suite";
import { until } from "./harness/wait";
import type { Workbench } from "./harness/workbench";

const NEWER = "0.1.1";
const INSTALL_MS = 100_000;

/** Python: rewrites the wheel under a newer version. argv: wheel, target folder, old version, new version. */
const AS_VERSION = `
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
function carryNewer(bench: Workbench): void {
  const name = readdirSync(bench.extensions).find((each) =>
    each.startsWith("sightline.sightline-"),
  );
  const folder = join(bench.extensions, name ?? "", "server");
  const [wheel = ""] = readdirSync(folder);
  const version = wheel.split("-")[1] ?? "";
  execFileSync("python3", ["-c", AS_VERSION, join(folder, wheel), folder, version, NEWER]);
  rmSync(join(folder, wheel));
}

async function confirm(bench: Workbench, picture: string): Promise<void> {
  const dialog = bench.dialog("Set up Sightline's server?");
  await dialog.waitFor();
  await bench.picture(`${picture}-consent`);
  await dialog.getByRole("button", { name: "Set Up" }).click();
  const progress = bench.toast("Setting up Sightline's server");
  await progress.waitFor();
  await bench.picture(`${picture}-progress`);
}

async function installed(bench: Workbench): Promise<void> {
  const progress = bench.toast("Setting up Sightline's server");
  await progress.waitFor({ state: "detached", timeout: INSTALL_MS });
}

async function version(bench: Workbench, wanted: string): Promise<void> {
  await until("the server's version", async () => {
    await bench.page.keyboard.press("Escape");
    await bench.command("Show Status");
    await bench.choices.filter({ hasText: `Server: ${wanted}` }).waitFor({ timeout: 5000 });
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
    "is made from the wheel the extension carries, and answers what was asked before": async (
      bench,
    ) => {
      await bench.command("Explain How...");
      await bench.answer("How is an order placed?");
      const offer = bench.toast("Sightline's server is not installed yet");
      await offer.waitFor();
      await offer.getByRole("button", { name: "Set Up" }).click();
      await confirm(bench, "setup");
      await installed(bench);
      await bench.flow.answered("How is an order placed?");
      await bench.flow.step(3).waitFor();
    },
    "is offered an update that came with the extension, and stays if that is cancelled": async (
      bench,
    ) => {
      carryNewer(bench);
      await bench.command("Restart Server");
      const offer = bench.toast(`The extension bundles version ${NEWER}`);
      await offer.waitFor();
      await bench.picture("update-offer");
      await offer.getByRole("button", { name: "Update" }).click();
      await confirm(bench, "update");
      const progress = bench.toast("Setting up Sightline's server");
      await progress.hover();
      await progress.getByRole("button", { name: "Cancel" }).click();
      await bench.toast("The setup was cancelled").waitFor();
      await version(bench, "0.1.0");
    },
    "is updated": async (bench) => {
      await bench.command("Set Up the Server...");
      await confirm(bench, "again");
      await installed(bench);
      await version(bench, NEWER);
      await bench.ask("How does checkout charge the customer?");
    },
  },
);
