import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openTaskCopies, type TaskCopiesHost } from "../../../src/compose/cli/taskCopies.js";
import { asOrdinaryUser, tempFolder } from "../../unit/tools/workspace.js";

const { signal } = new AbortController();

/** What a copy needs of a command line, of which nothing is merged here. */
function hostOf(folder: string, state: string): TaskCopiesHost {
  const opened = { processes: { closeAll: async () => undefined }, close: async () => undefined };
  return {
    workspace: {
      files: { roots: () => [{ name: "ws", path: folder, scheme: "file" }] },
      state: { folder: () => state, secretFiles: async () => [] },
    },
    open: () => ({ agents: {}, callTool: () => expect.unreachable(), workspace: opened }),
  } as unknown as TaskCopiesHost;
}

test.skipIf(process.platform === "win32")(
  "a copy stays where a file of it cannot be read, beside what else is kept of a task that failed",
  async () => {
    const folder = await tempFolder({ "a.txt": "a" });
    const home = await tempFolder();
    chmodSync(home, 0o777);
    const before = process.env["TOOLHOST_STATE"];
    process.env["TOOLHOST_STATE"] = join(home, "state");
    onTestFinished(() => void (process.env["TOOLHOST_STATE"] = before));
    await asOrdinaryUser(async () => {
      const copies = await openTaskCopies(hostOf(folder, join(home, "state")));
      for (const isShut of [false, true]) {
        const copy = await copies.open({ kind: "task", name: "t", session: "s", turn: "u" }, signal);
        const at = / made for this task: (\S+)\. /.exec(copy.instructions)?.[1] ?? expect.unreachable();
        writeFileSync(join(at, "open.txt"), "open");
        if (isShut) {
          writeFileSync(join(at, "shut.txt"), "shut", { mode: 0o200 });
        }
        const told = await copy.close();
        expect(existsSync(at)).toBe(false);
        const [, kept = "", rest = ""] =
          /^Nothing was merged\. The task's changes are kept for 30 days in (\S+)\.(.*)$/.exec(told) ?? [];
        expect(readFileSync(join(kept, "files/open.txt"), "utf8")).toBe("open");
        const [, left] =
          /^ Files that cannot be read are only in its copy, which is kept when it ends\. The copy is kept for 30 days: (\S+)\.$/.exec(
            rest,
          ) ?? [];
        expect([isShut, left === undefined]).toEqual([isShut, !isShut]);
        if (left !== undefined) {
          chmodSync(join(left, "shut.txt"), 0o600);
          expect(readFileSync(join(left, "shut.txt"), "utf8")).toBe("shut");
          expect(dirname(left)).toMatch(/\/kept-[^/]+$/);
        }
      }
    });
  },
);
