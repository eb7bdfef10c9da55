// Two windows on one folder: each has its own keeper, journal and files, and knows nothing of the other's calls.
import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ChangeKeeper } from "../../../src/features/changes/changes.js";
import { ToolError } from "../../../src/core/errors.js";
import { lookAt } from "../../../src/features/changes/journal/look.js";
import { NodeDisk } from "../../../src/hosts/node/disk/disk.js";
import { NodeFiles } from "../../../src/hosts/node/disk/files.js";
import { WorkspaceStates } from "../../../src/hosts/node/state/workspaceState.js";
import { storeText, type OnConflict, type StoreContext } from "../../../src/tools/context/storeText.js";
import { tempFolder } from "./workspace.js";

function openWindow(folder: string): StoreContext {
  const files = new NodeFiles(new NodeDisk(), [{ name: "ws", path: folder, scheme: "file" }]);
  const states = new WorkspaceStates({
    folders: () => [folder],
    look: (key) => lookAt(files, key),
    foldCase: false,
    onNotice: () => undefined,
    onRecovered: () => undefined,
  });
  onTestFinished(() => states.close());
  const keeper = new ChangeKeeper({
    writer: files,
    state: (again) => states.current(again),
    tellsProblems: () => false,
  });
  const origin = {
    session: randomUUID(),
    turn: "t",
    callId: randomUUID(),
    tool: "context_write",
    door: "api" as const,
    summary: "",
    reads: "must" as const,
  };
  return { files, signal: new AbortController().signal, changes: keeper.forCall(origin, files).changes };
}

/** `written`, or the type of the error. */
async function write(window: StoreContext, logical: string, content: string, onConflict: OnConflict): Promise<string> {
  try {
    await storeText(window, { logical, content, onConflict });
    return "written";
  } catch (error) {
    return error instanceof ToolError ? error.type : String(error);
  }
}

test("two windows make files in a store that is not there yet: all are kept", async () => {
  const folder = await tempFolder();
  const windows = [openWindow(folder), openWindow(folder)];
  const outcomes = await Promise.all(
    windows.flatMap((window, number) =>
      [0, 1, 2, 3].map((name) => write(window, `w${number}/${name}`, `${number}${name}`, "error")),
    ),
  );
  expect(outcomes).toEqual(Array(8).fill("written"));
  expect((await readdir(join(folder, ".toolhost/context"))).sort()).toEqual([".gitignore", "w0", "w1"]);
  expect(await readFile(join(folder, ".toolhost/context/w1/3"), "utf8")).toBe("13");
});

test("two windows make the same file: one text stands there, and the other window is told", async () => {
  const folder = await tempFolder();
  for (const round of Array(10).keys()) {
    const outcomes = await Promise.all(
      ["left", "right"].map((text) => write(openWindow(folder), `same-${round}`, text, "error")),
    );
    expect(outcomes.sort()).toEqual(["path_conflict", "written"]);
    expect(["left", "right"]).toContain(await readFile(join(folder, `.toolhost/context/same-${round}`), "utf8"));
  }
});

test("two windows overwrite the same file again and again: a whole text stands there, and who gave up was told", async () => {
  const folder = await tempFolder({ ".toolhost/context/same": "old" });
  const windows = [openWindow(folder), openWindow(folder)];
  const texts = ["a", "b"].map((letter) => letter.repeat(200_000));
  const rounds = await Promise.all(
    windows.map(async (window, number) => {
      const outcomes: string[] = [];
      for (const _ of Array(10).keys()) {
        outcomes.push(await write(window, "same", texts[number] ?? "", "overwrite"));
      }
      return outcomes;
    }),
  );
  expect(rounds.flat().filter((outcome) => outcome !== "written" && outcome !== "stale")).toEqual([]);
  expect(rounds.flat()).toContain("written");
  expect(texts).toContain(await readFile(join(folder, ".toolhost/context/same"), "utf8"));
  expect((await readdir(join(folder, ".toolhost/context"))).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});
