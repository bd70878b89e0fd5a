import { suite } from "./harness/suite";

suite(
  "the private server",
  { sample: "webshop", settings: { "sightline.server.command": [] } },
  {
    "is made from the wheel the extension carries, and answers": async (bench) => {
      await bench.command("Set Up the Server...");
      const dialog = bench.dialog("Set up Sightline's server?");
      await dialog.waitFor();
      await bench.picture("setup-consent");
      await dialog.getByRole("button", { name: "Set Up" }).click();
      await bench.toast("Setting up Sightline's server").waitFor();
      await bench.picture("setup-progress");
      await bench
        .toast("Setting up Sightline's server")
        .waitFor({ state: "detached", timeout: 100_000 });
      await bench.ask("How is an order placed?");
      await bench.flow.step(3).waitFor();
    },
  },
);
