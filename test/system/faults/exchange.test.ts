import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { NodeDisk } from "../../../src/hosts/node/disk/disk.js";
import { tempFolder } from "../../unit/tools/workspace.js";

test("a file that another process is putting a new one in place of is there for whoever reads it or looks at it", async () => {
  const folder = await tempFolder({ "f.txt": "text\n" });
  const script = join(await tempFolder(), "exchanger.cjs");
  await build({
    entryPoints: [fileURLToPath(new URL("exchanger.ts", import.meta.url))],
    outfile: script,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    mainFields: ["module", "main"],
  });
  const file = join(folder, "f.txt");
  const child = spawn(process.execPath, ["--no-warnings", script, file, "40"], {
    env: { ...process.env, FAULT_EXCHANGER: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  const ended = once(child, "exit");
  let isOver = false;
  void ended.then(() => (isOver = true));
  const disk = new NodeDisk();
  while (!isOver) {
    // It is another file by the time it is open, at times: that is said, and is true.
    const text = await disk.readAll(file, 1_000).then(String, (error: unknown) => (error as { type?: string }).type);
    expect(text).toMatch(/^text|^stale$/);
    expect((await disk.stat(file)).kind).toBe("file");
  }
  expect(await ended).toEqual([0, null]);
});

test("what is not there is not waited for", async () => {
  const folder = await tempFolder({});
  writeFileSync(join(folder, "other.txt"), "");
  await expect(new NodeDisk().stat(join(folder, "f.txt"))).rejects.toMatchObject({ type: "not_found" });
});
