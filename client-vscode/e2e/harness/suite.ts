import { after, before, describe, it } from "node:test";
import { Workbench } from "./workbench";
import type { Options } from "./workbench";

/** Tests that share one workbench and run in order. A failing test saves a picture and the extension's log. */
export function suite(
  name: string,
  options: Options,
  tests: Record<string, (bench: Workbench) => Promise<void>>,
): void {
  void describe(name, () => {
    let bench: Workbench | undefined;
    before(
      async () => {
        bench = await Workbench.open(options);
        await bench.ready();
      },
      { timeout: 120_000 },
    );
    after(() => bench?.close(), { timeout: 60_000 });
    for (const [what, run] of Object.entries(tests)) {
      void it(what, { timeout: 120_000 }, async () => {
        if (bench === undefined) throw new Error("The workbench did not open.");
        try {
          await run(bench);
        } catch (error) {
          const file = `failed ${name} ${what}`.replaceAll(/\W+/g, "-");
          bench.saveLog(file);
          await bench.screenshot(file);
          throw error;
        }
      });
    }
  });
}
