import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { tempFolder } from "../../unit/tools/workspace.js";
import { builtCli, finish } from "./built.js";

const cli = builtCli();

/**
 * The most memory that a process has had so far, in bytes; 0 where nothing tells. It grows while Node.js ends, too, so
 * the process cannot tell itself.
 */
function peakOf(pid: number | undefined): number {
  try {
    return Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid ?? 0}/status`, "latin1"))?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}

test("deciding on a command takes no memory for compiling the grammar a second time", async () => {
  const folder = await tempFolder({ "a.txt": "x\n" });
  const child = cli.start(["--workspace", folder, "exec", "cat a.txt && grep -n x a.txt | head -20 && ls"], {
    env: { ...process.env, TOOLHOST_AGENT: "1" },
  });
  let peak = 0;
  const watching = setInterval(() => (peak = Math.max(peak, peakOf(child.pid))), 10);
  const { out, code } = await finish(child).finally(() => clearInterval(watching));
  expect(out).toContain("a.txt");
  expect(code).toBe(0);
  // Without the flags it has 570 MB.
  expect(peak).toBeLessThan(250_000_000);
});
