// Every call that changes a file fails once, or somebody else changes something just before it: all of a patch or
// nothing.
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Outcome } from "../../../src/core/outcome.js";
import { asOrdinaryUser, failed, openWorkspace, result, type TestWorkspace } from "../../unit/tools/workspace.js";
import { installSteps, watchSteps, type OnStep } from "./steps.js";
import { AFTER, BEFORE, PATCH, treeOf, type Tree } from "./tree.js";

const START: Tree = { ...BEFORE, "gone/": "folder" };

beforeAll(() => installSteps());
afterEach(() => watchSteps(undefined));

/** The files of the patch: bytes as they are. */
const FILES = Object.fromEntries(Object.entries(BEFORE).map(([path, text]) => [path, Buffer.from(text, "latin1")]));

interface Step {
  call: string;
  path: string;
}

/** Applies the patch while every step below the workspace is told; the steps, too. */
async function patched(
  { call, folder }: TestWorkspace,
  onStep?: (step: number, made: Step) => void,
): Promise<{ outcome: Outcome; steps: Step[] }> {
  const steps: Step[] = [];
  const told: OnStep = (name, path) => {
    if (!name.startsWith("sqlite") && (path === "" || path.startsWith(folder))) {
      steps.push({ call: name, path });
      onStep?.(steps.length, { call: name, path });
    }
  };
  watchSteps(told);
  const outcome = await call("apply_patch", { patch: PATCH });
  watchSteps(undefined);
  return { outcome, steps };
}

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: made by the test`), { code });
}

async function steps(): Promise<Step[]> {
  const made = await patched(await openWorkspace(FILES));
  result(made.outcome);
  return made.steps;
}

const isTemporary = (path: string): boolean => path.includes(".toolhost-");
const withoutTemporaries = (tree: Tree): Tree =>
  Object.fromEntries(Object.entries(tree).filter(([path]) => !isTemporary(path)));

describe.each(["ENOSPC", "EACCES", "EIO"])("when a call fails with %s", (code) => {
  test("all of the patch is made or nothing, whichever call it is, and nothing is left lying about", async () => {
    const outcomes = new Set<string>();
    for (const [index, { call }] of (await steps()).entries()) {
      const workspace = await openWorkspace(FILES);
      const { outcome } = await patched(workspace, (step) => {
        if (step === index + 1) {
          throw systemError(code);
        }
      });
      const tree = await treeOf(workspace.folder);
      if (outcome.ok) {
        expect([call, withoutTemporaries(tree)]).toEqual([call, AFTER]);
        // A file could not be given away, which nobody is told, or a temporary one not be removed.
        expect(["chown", "rm", "link"]).toContain(call);
        expect(Object.keys(tree).filter(isTemporary).length).toBeLessThanOrEqual(call === "rm" ? 1 : 0);
      } else {
        expect([call, tree]).toEqual([call, START]);
        expect(outcome.error.type).toBe("io_error");
        // It names the file as the caller does.
        expect(
          [...Object.keys(BEFORE), ...Object.keys(AFTER)].some((path) => outcome.error.message.startsWith(`${path}: `)),
        ).toBe(true);
        expect(outcome.error.message).not.toContain(".toolhost-");
      }
      outcomes.add(`${call} ${outcome.ok ? "ok" : "failed"}`);
    }
    expect([...outcomes].filter((each) => each.endsWith("failed")).sort()).toEqual([
      "link failed",
      "mkdir failed",
      "open failed",
      "rename failed",
      "sync failed",
      "writeFile failed",
    ]);
  });
});

test("what cannot be taken back is named, each file, and the journal knows it", async () => {
  const all = await steps();
  let named = 0;
  for (const [index, { call }] of all.entries()) {
    if (!["rename", "link"].includes(call)) {
      continue;
    }
    const workspace = await openWorkspace(FILES);
    // From here on the disk lets no name be given nor taken: a file system that became read-only.
    const { outcome } = await patched(workspace, (step, made) => {
      if (step > index && ["rename", "link", "rm", "copyFile"].includes(made.call)) {
        throw systemError("EROFS");
      }
    });
    const tree = withoutTemporaries(await treeOf(workspace.folder));
    const changed = Object.keys({ ...START, ...tree }).filter(
      (path) => !path.endsWith("/") && tree[path] !== START[path],
    );
    if (outcome.ok) {
      expect([call, tree]).toEqual([call, AFTER]);
      continue;
    }
    for (const path of changed) {
      expect(outcome.error.message).toContain(path);
    }
    named += changed.length > 0 ? 1 : 0;
    if (changed.length > 0) {
      expect(outcome.error).toMatchObject({
        type: "io_error",
        hint: expect.stringContaining("undo journal") as string,
      });
    }
  }
  expect(named).toBeGreaterThan(5);
});

describe("when somebody changes something just before a step", () => {
  /** What somebody does, the paths it is about, and which of them may hold what is asked all the same. */
  const meddlings: {
    name: string;
    mine: string[];
    meddle: (workspace: TestWorkspace) => void;
    kept: (tree: Tree, workspace: TestWorkspace) => boolean;
  }[] = [
    {
      name: "a file becomes a link to one outside",
      mine: ["edited.txt"],
      meddle: ({ folder, outside }) => {
        rmSync(join(folder, "edited.txt"), { force: true });
        symlinkSync(join(outside, "edited.txt"), join(folder, "edited.txt"));
      },
      kept: (tree) => tree["edited.txt"]?.startsWith("-> ") === true,
    },
    {
      name: "a file that is moved becomes a link to one outside",
      mine: ["renamed.txt", "elsewhere/renamed.txt", "elsewhere/"],
      meddle: ({ folder, outside }) => {
        rmSync(join(folder, "renamed.txt"), { force: true });
        symlinkSync(join(outside, "renamed.txt"), join(folder, "renamed.txt"));
      },
      kept: (tree) => tree["renamed.txt"]?.startsWith("-> ") === true,
    },
    {
      name: "a person writes into a file",
      mine: ["edited.txt"],
      meddle: ({ folder }) => writeFileSync(join(folder, "edited.txt"), "mine\n"),
      kept: (tree) => tree["edited.txt"] === "mine\n",
    },
    {
      name: "a person writes into a file that is deleted",
      mine: ["gone/text.txt"],
      meddle: ({ folder }) => writeFileSync(join(folder, "gone/text.txt"), "mine\n"),
      kept: (tree) => tree["gone/text.txt"] === "mine\n",
    },
    {
      name: "an editor saves a file by a rename",
      mine: ["edited.txt"],
      meddle: ({ folder }) => {
        writeFileSync(join(folder, "edited.txt~"), "mine\n");
        renameSync(join(folder, "edited.txt~"), join(folder, "edited.txt"));
      },
      kept: (tree) => tree["edited.txt"] === "mine\n",
    },
    {
      name: "a file appears where one is made",
      mine: ["new/", "new/b.txt"],
      meddle: ({ folder }) => {
        mkdirSync(join(folder, "new"), { recursive: true });
        writeFileSync(join(folder, "new/b.txt"), "mine\n");
      },
      kept: (tree) => tree["new/b.txt"] === "mine\n",
    },
    {
      name: "a folder is moved away",
      mine: ["gone/", "gone/text.txt", "gone/bytes.bin", "away/", "away/text.txt", "away/bytes.bin"],
      meddle: ({ folder }) => renameSync(join(folder, "gone"), join(folder, "away")),
      kept: () => true,
    },
    {
      name: "a folder becomes a link to one outside",
      mine: ["gone", "gone/", "gone/text.txt", "gone/bytes.bin", "away/", "away/text.txt", "away/bytes.bin"],
      meddle: ({ folder, outside }) => {
        renameSync(join(folder, "gone"), join(folder, "away"));
        symlinkSync(join(outside, "gone"), join(folder, "gone"));
      },
      kept: () => true,
    },
    {
      name: "a folder that was made becomes a link to one outside",
      mine: ["new", ...Object.keys(AFTER).filter((path) => path.startsWith("new/"))].flatMap((path) => [
        path,
        path.replace(/^new/, "away"),
      ]),
      meddle: ({ folder, outside }) => {
        mkdirSync(join(folder, "new"), { recursive: true });
        renameSync(join(folder, "new"), join(folder, "away"));
        symlinkSync(join(outside, "new"), join(folder, "new"));
      },
      kept: () => true,
    },
  ];
  test.each(meddlings)(
    "$name: the rest is all made or not at all, and nothing outside changes",
    async ({ mine, meddle, kept }) => {
      const outside: Tree = {
        "edited.txt": "outside",
        "renamed.txt": "outside",
        "gone/text.txt": "going\n",
        "gone/bytes.bin": BEFORE["gone/bytes.bin"],
        "new/b.txt": "outside",
      };
      const rest = (tree: Tree): Tree =>
        Object.fromEntries(Object.entries(tree).filter(([path]) => !mine.includes(path) && !isTemporary(path)));
      const lost: string[] = [];
      const outcomes = new Set<boolean>();
      const all = await steps();
      for (const [index, { call, path }] of all.entries()) {
        const workspace = await openWorkspace(FILES, {
          outside: Object.fromEntries(
            Object.entries(outside).map(([name, text]) => [name, Buffer.from(text, "latin1")]),
          ),
        });
        const { outcome } = await patched(workspace, (step) => {
          if (step === index + 1) {
            meddle(workspace);
          }
        });
        const tree = await treeOf(workspace.folder);
        expect([call, path, rest(tree)]).toEqual([call, path, rest(outcome.ok ? AFTER : START)]);
        expect([call, path, withoutTemporaries(await treeOf(workspace.outside))]).toEqual([
          call,
          path,
          { ...outside, "gone/": "folder", "new/": "folder" },
        ]);
        if (!kept(tree, workspace)) {
          lost.push(call);
        }
        outcomes.add(outcome.ok);
        if (!outcome.ok) {
          expect(["stale", "conflict", "path_conflict", "not_found", "unsupported", "io_error"]).toContain(
            outcome.error.type,
          );
        }
      }
      // Made when it came too late, refused when not.
      expect([...outcomes].sort()).toEqual([false, true]);
      // Whatever it comes between: no text of somebody else's is renamed over.
      expect(lost).toEqual([]);
    },
  );
});

test("one read-only file among several: nothing is changed", async () => {
  const workspace = await openWorkspace(FILES);
  await chmod(join(workspace.folder, "edited.txt"), 0o444);
  for (const folder of [".", "gone"]) {
    await chmod(join(workspace.folder, folder), 0o777);
  }
  const error = failed(await asOrdinaryUser(() => workspace.call("apply_patch", { patch: PATCH })));
  expect(error).toMatchObject({ type: "io_error", message: "edited.txt: the system does not permit it." });
  expect(await treeOf(workspace.folder)).toEqual({
    ...START,
    "edited.txt": `${START["edited.txt"]} 444`,
    "gone/": "folder 777",
  });
});

test("a disk that knows no second names has whole files all the same, and nothing is overwritten", async () => {
  const workspace = await openWorkspace(FILES);
  const { outcome } = await patched(workspace, (_step, { call }) => {
    if (call?.startsWith("-> ") === true) {
      throw systemError("ENOTSUP");
    }
  });
  result(outcome);
  expect(await treeOf(workspace.folder)).toEqual(AFTER);
  const taken = await openWorkspace(FILES);
  const refused = await patched(taken, (_step, { call, path }) => {
    if (call?.startsWith("-> ") === true && path.endsWith("new/b.txt")) {
      writeFileSync(join(taken.folder, "new/b.txt"), "mine\n");
    }
    if (call?.startsWith("-> ") === true) {
      throw systemError("ENOTSUP");
    }
  });
  expect(failed(refused.outcome).type).toBe("path_conflict");
  expect(readFileSync(join(taken.folder, "new/b.txt"), "utf8")).toBe("mine\n");
});
