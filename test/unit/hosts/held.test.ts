import fs, { readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { NodeDisk } from "../../../src/hosts/node/disk/disk.js";
import { ioError } from "../../../src/hosts/node/disk/diskErrors.js";
import { whileHeld } from "../../../src/hosts/node/disk/held.js";
import { tempFolder } from "../tools/workspace.js";

const systemError = (code: string): Error => Object.assign(new Error(`${code}: rename 'f'`), { code });

/** Renames a file that others hold for some tries; says how often it was tried, and what was waited in all. */
async function rename(code: string, heldFor: number, windows = true) {
  const waited: number[] = [];
  let tries = 0;
  const outcome = await whileHeld(
    () => {
      if (++tries <= heldFor) {
        throw systemError(code);
      }
    },
    () => "renamed",
    { windows, wait: (ms) => waited.push(ms) },
  ).catch((error: unknown) => error);
  return { outcome, tries, waited: waited.reduce((sum, ms) => sum + ms, 0) };
}

test.each(["EBUSY", "EPERM", "EACCES"])("waits on Windows until a file is given up: %s", async (code) => {
  expect(await rename(code, 3)).toEqual({ outcome: "renamed", tries: 4, waited: 80 });
});

test("gives up in less than a second, with the system's own error", async () => {
  expect(await rename("EBUSY", Infinity)).toEqual({ outcome: systemError("EBUSY"), tries: 7, waited: 780 });
});

test("does not do again what follows, nor put a pause before it", async () => {
  const done: string[] = [];
  const outcome = whileHeld(
    () => void done.push("renamed"),
    () => {
      done.push("named");
      throw systemError("EBUSY");
    },
    { windows: true },
  );
  expect(done).toEqual(["renamed", "named"]);
  await expect(outcome).rejects.toThrow("EBUSY");
  expect(done).toHaveLength(2);
});

test.each([
  { what: "another error", code: "ENOENT", windows: true },
  { what: "a mount point of Linux", code: "EBUSY", windows: false },
  { what: "a folder that may not be written", code: "EACCES", windows: false },
])("does not wait for $what", async ({ code, windows }) => {
  expect(await rename(code, Infinity, windows)).toEqual({ outcome: systemError(code), tries: 1, waited: 0 });
});

test.each([
  {
    code: "EBUSY",
    windows: true,
    message: "f: another program has it open. The file is as it was.",
    hint: "Close it there (an editor, a running program, a sync client or a virus scanner may hold it), then try again.",
  },
  {
    code: "EPERM",
    windows: true,
    message: "f: the system does not permit it.",
    hint: "Check the permissions of the file and its folder. Another program may have it open, too: close it there, then try again.",
  },
  {
    code: "EBUSY",
    windows: false,
    message: "f: it is in use: a mount point, or locked by another program. The file is as it was.",
    hint: "Change it where it is mounted from, or end what uses it, then try again.",
  },
  {
    code: "EACCES",
    windows: false,
    message: "f: the system does not permit it.",
    hint: "Check the permissions of the file and its folder.",
  },
])("says of a held file who may hold it, and what to do: $code, Windows: $windows", ({ code, windows, ...told }) => {
  expect(ioError("f", systemError(code), windows)).toMatchObject({ type: "io_error", ...told });
});

/** Makes this a Windows on which another program holds every file for some renames. Returns how many were tried. */
function holdFiles(heldFor: number): () => number {
  const { renameSync } = fs;
  const platform = Object.getOwnPropertyDescriptor(process, "platform");
  let tries = 0;
  fs.renameSync = (from, to) => {
    if (++tries <= heldFor) {
      throw systemError("EPERM");
    }
    renameSync(from, to);
  };
  syncBuiltinESMExports();
  Object.defineProperty(process, "platform", { ...platform, value: "win32" });
  onTestFinished(() => {
    fs.renameSync = renameSync;
    syncBuiltinESMExports();
    Object.defineProperty(process, "platform", platform ?? {});
  });
  return () => tries;
}

test.each([
  { heldFor: 2, tries: 3, text: "new" },
  { heldFor: Infinity, tries: 7, text: "old" },
])(
  "changes and removes a file once it is given up, or leaves it: held for $heldFor",
  async ({ heldFor, tries, text }) => {
    const path = join(await tempFolder({ f: "old" }), "f");
    const disk = new NodeDisk();
    const step = await disk.stageReplace(path, Buffer.from("new"), () => Promise.resolve());
    const tried = holdFiles(heldFor);
    const outcome = await step.commit().catch((error: unknown) => error);
    expect([tried(), readFileSync(path, "utf8")]).toEqual([tries, text]);
    expect(outcome === undefined).toBe(text === "new");
    await step.release();
  },
);
