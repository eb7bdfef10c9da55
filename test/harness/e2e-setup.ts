// Around every end-to-end test: evidence of a failure, and nothing left running.
import { afterAll, afterEach, type TestContext } from "vitest";
import { saveEvidence } from "./evidence";
import { stopServers } from "./server";
import { openWindows } from "./workbench";

afterEach(async ({ task }: TestContext) => {
  if (task.result?.state !== "fail") return;
  for (const [index, window] of openWindows().entries()) {
    const name = [
      task.file.name.replace(/^.*\//, "").replace(".e2e.test.ts", ""),
      task.name,
      ...(index > 0 ? [String(index)] : []),
    ].join(" ");
    console.error(`Evidence of the failure: ${await saveEvidence(window, name)}`);
  }
});

afterAll(async () => {
  for (const window of openWindows()) await window.close();
  // The browser stays for the next file of this process, and ends with it.
  await stopServers();
});
