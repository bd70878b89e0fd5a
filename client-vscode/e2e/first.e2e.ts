import { test } from "node:test";
import { Workbench } from "./harness/workbench";

test("first", async () => {
  const bench = await Workbench.open({ sample: "webshop" });
  try {
    await bench.ready();
    await bench.ask("How is an order placed?");
    console.log(await bench.flow.texts());
    await bench.picture("first");
  } catch (error) {
    await bench.picture("first-failed");
    throw error;
  } finally {
    await bench.close();
  }
});
