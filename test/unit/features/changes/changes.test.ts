import type { ChangeOrigin } from "../../../../src/core/pipeline/changeOrigin.js";
// The keeper of changes: what it does around the writer when there is no journal, when the state fails, and with
// problems.
import { beforeEach, describe, expect, test } from "vitest";
import { ChangeKeeper } from "../../../../src/features/changes/changes.js";
import { ToolError } from "../../../../src/core/errors.js";
import { Journal } from "../../../../src/features/changes/journal/journal.js";
import { lookAt } from "../../../../src/features/changes/journal/look.js";
import { JournalQueries } from "../../../../src/features/changes/journal/queries.js";
import { Ledger } from "../../../../src/features/changes/ledger.js";
import { MemoryDisk } from "../../../memory/disk.js";
import { MemoryFiles } from "../../../memory/files.js";
import { openMemoryStore } from "../../../../src/hosts/node/state/store.js";
import { textVersion } from "../../../../src/text/contentVersion.js";
import type { TextSnapshot } from "../../../../src/ports/files.js";
import type { ChangeOutcome, Changes, FileWriter } from "../../../../src/ports/changes.js";
import { callRemarks } from "../../../../src/tools/fs/changeRemarks.js";
import type { Problem, Problems, ProblemsByFile } from "../../../../src/ports/problems.js";
import type { Store } from "../../../../src/ports/store.js";

const never = new AbortController().signal;
const MAX = 20_000_000;

let disk: MemoryDisk;
let files: MemoryFiles;
let calls = 0;

beforeEach(async () => {
  disk = new MemoryDisk();
  files = new MemoryFiles(disk, [{ name: "ws", path: "/ws", scheme: "file" }]);
  disk.makeFolder("/ws");
  disk.write("/ws/a.ts", Buffer.from("one\ntwo\nthree\n"));
  disk.write("/ws/b.ts", Buffer.from("alpha\n"));
});

const origin = (): ChangeOrigin => ({
  session: "s",
  turn: "t",
  callId: `c${calls++}`,
  tool: "edit",
  door: "api",
  summary: "Editing",
  reads: "free",
});
const textOf = async (path: string): Promise<string> => Buffer.from(await disk.readAll(`/ws/${path}`, MAX)).toString();

/** A keeper with a journal in a store, which a test may make fail. */
function keeper(
  more: { writer?: FileWriter; problems?: Problems; tellsProblems?: boolean; store?: Store | undefined } = {},
): ChangeKeeper {
  const store = "store" in more ? more.store : openMemoryStore();
  const journal = store && {
    entries: new Journal({
      store,
      owner: { pid: process.pid, started: "test" },
      isAlive: () => true,
      look: (key, large) => lookAt(files, key, large),
      now: Date.now,
    }),
    queries: new JournalQueries(store),
  };
  const ledger = new Ledger();
  return new ChangeKeeper({
    writer: more.writer ?? files,
    state: () =>
      Promise.resolve({
        journal,
        ledger,
        reason: journal === undefined ? new ToolError("unavailable", "There is no SQLite here.") : undefined,
      }),
    tellsProblems: () => more.tellsProblems ?? true,
    ...(more.problems === undefined ? {} : { problems: more.problems }),
  });
}

/** Replaces all of a file by a text, as a call of its own. */
async function replace(changes: ChangeKeeper, path: string, text: string, signal = never): Promise<ChangeOutcome> {
  const call = changes.forCall(origin(), files).changes;
  const at = await files.resolve(path);
  return call.apply([{ kind: "replace", at, before: await call.before(at, MAX), text }], signal);
}

/** A store of which the n-th transaction, from one, and those behind it throw. */
function failingFrom(store: Store, first: number): Store {
  let count = 0;
  return {
    run: (sql, ...values) => store.run(sql, ...values),
    all: (sql, ...values) => store.all(sql, ...values),
    get: (sql, ...values) => store.get(sql, ...values),
    transaction: (work) => {
      if (++count >= first) {
        throw new ToolError("io_error", "The disk is full.");
      }
      return store.transaction(work);
    },
    close: () => store.close(),
  };
}

function memoryStore(): Store {
  const store = openMemoryStore();
  if (store === undefined) {
    throw new Error("this Node has no SQLite");
  }
  return store;
}

describe("the journal", () => {
  test("keeps a change, which can be taken back, and the undo, too", async () => {
    const changes = keeper();
    expect(await changes.undoable()).toBe(true);
    expect(await replace(changes, "a.ts", "new\n")).toMatchObject({ files: [{ saved: true, text: "new\n" }] });
    await changes.undo({ ...origin(), turn: "u" }, { session: "s", turn: "t" }, files, never);
    expect(await textOf("a.ts")).toBe("one\ntwo\nthree\n");
    await changes.undo({ ...origin(), turn: "v" }, { session: "s", turn: "u" }, files, never);
    expect(await textOf("a.ts")).toBe("new\n");
  });

  test("may be missing: nothing is changed then, which is said with the reason, as an undo does; reading goes on", async () => {
    const changes = keeper({ store: undefined });
    expect(await changes.undoable()).toBe(false);
    await expect(replace(changes, "a.ts", "new\n")).rejects.toMatchObject({
      type: "unavailable",
      message:
        "Nothing was changed: files are only changed if the undo journal can record it. There is no SQLite here.",
    });
    expect(await textOf("a.ts")).toBe("one\ntwo\nthree\n");
    await expect(changes.planUndo({ calls: [1] }, files)).rejects.toThrow("There is no SQLite here.");
    await expect(changes.journal()).rejects.toMatchObject({ type: "unavailable" });
  });

  test("that cannot be written before a change stops it: nothing is changed that could not be undone", async () => {
    const changes = keeper({ store: failingFrom(memoryStore(), 1) });
    await expect(replace(changes, "a.ts", "new\n")).rejects.toMatchObject({
      type: "io_error",
      message: "The disk is full.",
    });
    expect(await textOf("a.ts")).toBe("one\ntwo\nthree\n");
  });

  test("that cannot be written after a change has it taken back", async () => {
    const changes = keeper({ store: failingFrom(memoryStore(), 2) });
    await expect(replace(changes, "a.ts", "new\n")).rejects.toMatchObject({
      type: "io_error",
      message: "The disk is full.",
    });
    expect(await textOf("a.ts")).toBe("one\ntwo\nthree\n");
  });

  test("has nothing of a change that failed, and lets go of its files", async () => {
    let isFull = true;
    const writer: FileWriter = {
      missingFolders: (at) => files.missingFolders(at),
      decode: (at, bytes) => files.decode(at, bytes),
      apply: (asked, signal) =>
        isFull ? Promise.reject(new ToolError("io_error", "a.ts: the disk is full.")) : files.apply(asked, signal),
    };
    const changes = keeper({ writer });
    await expect(replace(changes, "a.ts", "new\n")).rejects.toMatchObject({
      type: "io_error",
      message: "a.ts: the disk is full.",
    });
    await expect(changes.planUndo({ session: "s", turn: "t" }, files)).rejects.toMatchObject({ type: "not_found" });
    isFull = false;
    expect(await replace(changes, "a.ts", "new\n")).toMatchObject({ files: [{ text: "new\n" }] });
    expect((await changes.planUndo({ session: "s", turn: "t" }, files)).files).toEqual([
      { path: "a.ts", outcome: "restored" },
    ]);
  });

  test("has nothing of a new file that somebody else made with the same text", async () => {
    const changes = keeper();
    const at = await files.resolve("n.txt");
    disk.write("/ws/n.txt", "same\n");
    const call = changes.forCall(origin(), files).changes;
    await expect(call.apply([{ kind: "create", at, content: { text: "same\n" } }], never)).rejects.toMatchObject({
      type: "path_conflict",
    });
    expect((await changes.journal()).turns(10)).toEqual([]);
    await expect(
      changes.undo({ ...origin(), turn: "u" }, { session: "s", turn: "t" }, files, never),
    ).rejects.toMatchObject({ type: "not_found" });
    expect(await textOf("n.txt")).toBe("same\n");
  });

  test("has nothing of a change that the writer refused as stale", async () => {
    const changes = keeper();
    await replace(changes, "a.ts", "new\n");
    const call = changes.forCall({ ...origin(), turn: "later" }, files).changes;
    const at = await files.resolve("b.ts");
    const before = await call.before(at, MAX);
    disk.write("/ws/b.ts", Buffer.from("user\n"));
    await expect(call.apply([{ kind: "replace", at, before, text: "new\n" }], never)).rejects.toMatchObject({
      type: "stale",
    });
    expect((await changes.journal()).lastTurn()).toEqual({ session: "s", turn: "t" });
  });

  test.each([
    { name: "added a mark", bytes: "one\n", text: "\uFEFFone\n", written: "\uFEFFone\n" },
    { name: "added a mark and changed the text", bytes: "one\n", text: "\uFEFFtwo\n", written: "\uFEFFtwo\n" },
  ])("takes back a change that $name, byte by byte", async ({ bytes, text, written }) => {
    const changes = keeper();
    disk.write("/ws/a.ts", bytes);
    await replace(changes, "a.ts", text);
    expect(await textOf("a.ts")).toBe(written);
    expect((await changes.undo({ ...origin(), turn: "u" }, { session: "s", turn: "t" }, files, never)).files).toEqual([
      { path: "a.ts", outcome: "restored" },
    ]);
    expect(await textOf("a.ts")).toBe(bytes);
  });

  test("takes back another encoding alone, beside what a person wrote since, and leaves the one a person chose", async () => {
    const changes = keeper();
    disk.write("/ws/a.ts", "\uFEFFone\n");
    const at = await files.resolve("a.ts");
    const call = changes.forCall(origin(), files).changes;
    await call.apply([{ kind: "delete", at, before: await call.before(at, MAX) }], never);
    await call.apply([{ kind: "create", at, content: { text: "one\n", encoding: "utf8" } }], never);
    disk.write("/ws/a.ts", "one\nuser\n");
    await changes.undo({ ...origin(), turn: "u" }, { session: "s", turn: "t" }, files, never);
    expect(await textOf("a.ts")).toBe("\uFEFFone\nuser\n");
  });

  test("has the folders a call made go with the last file in them, also when they are taken back one by one", async () => {
    const changes = keeper();
    const call = changes.forCall(origin(), files).changes;
    const made = await Promise.all(
      ["n/deep/x.txt", "n/y.txt"].map(async (path) => ({
        kind: "create" as const,
        at: await files.resolve(path),
        content: { text: path },
      })),
    );
    await call.apply(made, never);
    for (const path of ["n/deep/x.txt", "n/y.txt"]) {
      await changes.undo({ ...origin(), turn: "u" }, { session: "s", turn: "t", files: [path] }, files, never);
    }
    expect((await disk.list("/ws")).map(({ name }) => name)).toEqual(["a.ts", "b.ts"]);
  });

  test("is not begun for a call that was cancelled while it waited for its file", async () => {
    const changes = keeper();
    const cancelled = AbortSignal.abort(new ToolError("cancelled", "edit: was cancelled."));
    await expect(replace(changes, "a.ts", "new\n", cancelled)).rejects.toMatchObject({ type: "cancelled" });
    expect(await textOf("a.ts")).toBe("one\ntwo\nthree\n");
    expect((await changes.journal()).turns(10)).toEqual([]);
  });
});

describe("a session has not seen", () => {
  const change = async (changes: ChangeKeeper, path: string, text: string): Promise<ChangeOutcome> => {
    const call = changes.forCall({ ...origin(), reads: "must" }, files).changes;
    const at = await files.resolve(path);
    return call.apply([{ kind: "replace", at, before: await call.before(at, MAX), text }], never);
  };
  const read = async (changes: ChangeKeeper, path: string): Promise<void> => {
    const at = await files.resolve(path);
    await changes.forCall(origin(), files).reads.note(at, await files.readSnapshot(at, MAX));
  };

  test("what a person wrote into a file that its undo merged", async () => {
    const changes = keeper();
    await read(changes, "a.ts");
    await change(changes, "a.ts", "1\ntwo\nthree\n");
    disk.write("/ws/a.ts", "1\ntwo\nthree\nuser\n");
    await changes.undo({ ...origin(), turn: "u" }, { session: "s", turn: "t" }, files, never);
    expect(await textOf("a.ts")).toBe("one\ntwo\nthree\nuser\n");
    await expect(change(changes, "a.ts", "all\n")).rejects.toMatchObject({ type: "must_read" });
  });

  test("but has seen what its undo brought back", async () => {
    const changes = keeper();
    await read(changes, "a.ts");
    await change(changes, "a.ts", "1\n");
    await changes.undo({ ...origin(), turn: "u" }, { session: "s", turn: "t" }, files, never);
    expect(await change(changes, "a.ts", "all\n")).toMatchObject({ files: [{ text: "all\n" }] });
  });

  test.each([
    { name: "told: the next change is made on it", lines: 10, next: "made" },
    { name: "not told: the next change is stale, with the difference", lines: 300, next: "stale" },
  ])("what saving changed further, unless it is $name", async ({ lines, next }) => {
    const formatted = Array.from({ length: lines }, (_, index) => `formatted ${index}\n`).join("");
    const writer: FileWriter = {
      missingFolders: (at) => files.missingFolders(at),
      decode: (at, bytes) => files.decode(at, bytes),
      apply: async (asked, signal) => {
        const reports = await files.apply(asked, signal);
        disk.write("/ws/a.ts", formatted);
        return reports.map((report) => ({ ...report, text: formatted }));
      },
    };
    const changes = keeper({ writer });
    await read(changes, "a.ts");
    await change(changes, "a.ts", "asked\n");
    const again = await change(changes, "a.ts", "again\n").then(
      () => "made",
      (error: unknown) => error,
    );
    expect(again).toEqual(
      next === "made"
        ? "made"
        : expect.objectContaining({ type: "stale", message: expect.stringContaining("+formatted 299") as string }),
    );
  });
});

describe("a place that a session quotes", () => {
  /** An editor that holds a.ts, with what a person typed and did not save; saving may format it. */
  const open = (
    format: (text: string) => string,
  ): { editor: { text: string }; call: () => Changes; read: () => Promise<void> } => {
    const editor = { text: Array.from({ length: 12 }, (_, index) => `line ${index + 1}\n`).join("") };
    const changes = keeper({
      writer: {
        apply: async (changed) =>
          changed.map((change) => {
            editor.text = change.kind === "replace" ? format(change.text) : editor.text;
            return { saved: false, text: editor.text, foldersMade: 0 };
          }),
        missingFolders: async () => 0,
        decode: (at, bytes) => files.decode(at, bytes),
      },
    });
    const view = Object.assign(Object.create(files) as MemoryFiles, {
      readSnapshot: async (): Promise<TextSnapshot> => ({
        text: editor.text,
        encoding: "utf8",
        unsaved: true,
        version: await textVersion(editor.text),
      }),
    });
    const call = (): ReturnType<ChangeKeeper["forCall"]> => changes.forCall({ ...origin(), reads: "must" }, view);
    return {
      editor,
      call: () => call().changes,
      read: async () => {
        const at = await files.resolve("a.ts");
        await call().reads.note(at, await view.readSnapshot(at, MAX));
      },
    };
  };
  const edit = async (changes: Changes, old: string, text: string): Promise<string | undefined> => {
    const at = await files.resolve("a.ts");
    const parts = await changes.beforeParts(at, MAX);
    const line = parts.before.text.slice(0, parts.before.text.indexOf(old)).split("\n").length;
    const { before } = parts;
    const remark = parts.check([{ startLine: line, endLine: line, quoted: true }]);
    await changes.apply([{ kind: "replace", at, before, text: before.text.replace(old, text), parts: true }], never);
    return remark;
  };
  const overwrite = async (changes: Changes, text: string): Promise<void> => {
    const at = await files.resolve("a.ts");
    await changes.apply([{ kind: "replace", at, before: await changes.before(at, MAX), text }], never);
  };

  test("is changed in an unsaved editor in which a person goes on typing elsewhere, and each change is told", async () => {
    const { editor, call } = open((text) => text);
    await expect(overwrite(call(), "mine\n")).rejects.toMatchObject({ type: "must_read" });
    expect(await edit(call(), "line 2\n", "2\n")).toBeUndefined();
    // It has seen a part only.
    await expect(overwrite(call(), "mine\n")).rejects.toMatchObject({ type: "must_read" });
    editor.text = editor.text.replace("line 12", "what a person types");
    expect(await edit(call(), "line 3\n", "3\n")).toBeUndefined();
    expect(editor.text).toBe(
      "line 1\n2\n3\nline 4\nline 5\nline 6\nline 7\nline 8\nline 9\nline 10\nline 11\nwhat a person types\n",
    );
  });

  test("is changed after a formatter changed another place, which is told; not after it changed that place", async () => {
    const { editor, call, read } = open((text) => text.replace("line 12", "LINE 12").replace("line 4\n", "LINE 4\n"));
    await read();
    expect(await edit(call(), "line 1\n", "1\n")).toBeUndefined();
    expect(editor.text).toContain("LINE 12");
    // What saving changed is in that call's answer, if it is short; a formatter that runs later is not.
    expect(await edit(call(), "line 6\n", "6\n")).toBeUndefined();
    editor.text = editor.text.replace("line 2\n", "  line 2\n");
    expect(await edit(call(), "line 8\n", "8\n")).toContain("+  line 2");
    editor.text = editor.text.replace("line 10\n", "a person's 10\n");
    await expect(edit(call(), "line 9\n", "9\n")).rejects.toMatchObject({
      type: "stale",
      message: expect.stringContaining("+a person's 10") as string,
    });
  });
});

test("of calls that change one file at once one makes its change, and the others are stale", async () => {
  const changes = keeper();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, (_, index) => replace(changes, "a.ts", `by ${index}\n`)),
  );
  const made = outcomes.flatMap((outcome, index) => (outcome.status === "fulfilled" ? [index] : []));
  expect(made).toHaveLength(1);
  expect(await textOf("a.ts")).toBe(`by ${made[0]}\n`);
  expect(
    outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [(outcome.reason as ToolError).type] : [])),
  ).toEqual(Array.from({ length: 7 }, () => "stale"));
});

describe("new problems", () => {
  const problem = (line: number, message: string): Problem => ({
    line,
    column: 1,
    severity: "error",
    message,
    source: "ts",
    code: undefined,
  });
  const by = (problems: Record<string, Problem[]>): ProblemsByFile => new Map(Object.entries(problems));

  /** Language servers that say one thing before and another after; what they were asked to look at. */
  function servers(
    before: Record<string, Problem[]>,
    after: Record<string, Problem[]>,
  ): Problems & { looked: string[] } {
    const looked: string[] = [];
    return {
      looked,
      now: () => Promise.resolve(by(before)),
      settled: (changed) => {
        looked.push(...changed.map(({ path }) => path));
        return Promise.resolve(by(after));
      },
    };
  }

  test("are told of every file, what stood there before is not, on whatever line it stands now", async () => {
    const problems = servers(
      { "a.ts": [problem(3, "old")], "b.ts": [problem(1, "known")] },
      { "a.ts": [problem(1, "new"), problem(4, "old")], "b.ts": [problem(1, "known"), problem(1, "broken by it")] },
    );
    const outcome = await replace(keeper({ problems }), "a.ts", "zero\none\ntwo\nthree\n");
    expect(outcome.problems).toEqual([
      { path: "a.ts", problem: problem(1, "new") },
      { path: "b.ts", problem: problem(1, "broken by it") },
    ]);
    expect(problems.looked).toEqual(["a.ts"]);
  });

  test("of a moved file are compared with those under its old name", async () => {
    const problems = servers({ "a.ts": [problem(2, "old")] }, { "d/c.ts": [problem(3, "old"), problem(1, "new")] });
    const call = keeper({ problems }).forCall(origin(), files).changes;
    const [at, to] = [await files.resolve("a.ts"), await files.resolve("d/c.ts")];
    const outcome = await call.apply(
      [{ kind: "move", at, to, before: await call.before(at, MAX), text: "zero\none\ntwo\nthree\n" }],
      never,
    );
    expect(outcome.problems).toEqual([{ path: "d/c.ts", problem: problem(1, "new") }]);
    expect(problems.looked).toEqual(["d/c.ts"]);
  });

  test("are told up to twenty", async () => {
    const many = Array.from({ length: 50 }, (_, index) => problem(1, `new ${index}`));
    expect((await replace(keeper({ problems: servers({}, { "a.ts": many }) }), "a.ts", "x\n")).problems).toHaveLength(
      20,
    );
  });

  test("are those of a server that is asked, in files that nobody changed, too; what others report stands beside them", async () => {
    const lint = { ...problem(1, "style"), source: "lint" };
    const asked: string[][] = [];
    const problems: Problems = {
      ...servers({ "b.ts": [problem(1, "not asked for")] }, { "b.ts": [problem(1, "not asked for"), lint] }),
      check: (changing) => {
        asked.push(changing.map(({ path }) => path));
        return Promise.resolve({
          before: by({ "a.ts": [], "b.ts": [problem(1, "old")] }),
          after: (changed) => {
            asked.push(changed.map(({ path }) => path));
            return Promise.resolve({
              problems: by({ "a.ts": [], "b.ts": [problem(1, "old"), problem(2, "broken by it")] }),
              asked: { isAnswered: true, changed: ["a.ts"], importers: 1, allImporters: 1, isWhole: true },
            });
          },
        });
      },
    };
    const changes = keeper({ problems });
    const outcome = await replace(changes, "a.ts", "one\n");
    expect(outcome.problems).toEqual([
      { path: "b.ts", problem: problem(2, "broken by it") },
      { path: "b.ts", problem: lint },
    ]);
    expect(outcome.asked).toMatchObject({ isAnswered: true, importers: 1 });
    expect(asked).toEqual([["a.ts"], ["a.ts"]]);
    // Nobody who takes it back waits for the server.
    await changes.undo({ ...origin(), turn: "u" }, { session: "s", turn: "t" }, files, never);
    expect(await textOf("a.ts")).not.toBe("one\n");
    expect(asked).toHaveLength(2);
  });

  test("of a server that did not answer are not said to be none", async () => {
    const why = "Problems were not checked: it is late.";
    const problems: Problems = {
      ...servers({}, {}),
      check: () =>
        Promise.resolve({
          before: by({ "a.ts": [problem(1, "old")] }),
          after: () => Promise.resolve({ problems: by({}), asked: { isAnswered: false, why } }),
        }),
    };
    const outcome = await replace(keeper({ problems }), "a.ts", "one\n");
    expect(outcome.problems).toEqual([]);
    expect(callRemarks(outcome)).toEqual([why]);
  });

  test.each([
    [
      { changed: ["a"], importers: 0, allImporters: 0, isWhole: true },
      ["TypeScript reports no new problem in this file."],
    ],
    [
      { changed: ["a"], importers: 1, allImporters: 1, isWhole: true },
      ["TypeScript reports no new problem in this file and 1 file that imports it."],
    ],
    [
      { changed: ["a", "b"], importers: 10, allImporters: 30, isWhole: true },
      ["TypeScript reports no new problem in these 2 files and 10 of the 30 files that import them."],
    ],
    [
      { changed: ["a"], importers: 2, allImporters: 2, isWhole: false },
      [
        "TypeScript reports no new problem in this file and 2 files that import it.",
        "There may be more files that import it, which were not checked.",
      ],
    ],
    [
      { changed: ["a"], importers: 0, allImporters: 3, isWhole: true },
      ["TypeScript reports no new problem in this file.", "3 files that import it were not checked."],
    ],
    [
      { changed: ["a"], importers: 0, allImporters: 0, isWhole: false },
      ["TypeScript reports no new problem in this file.", "There may be files that import it, which were not checked."],
    ],
  ])("are said to be none of exactly the files that were asked about: %j", (asked, remarks) => {
    expect(callRemarks({ files: [], problems: [], asked: { isAnswered: true, ...asked } })).toEqual(remarks);
  });

  test("are said of the files by name where a server could be asked about some of them only", () => {
    const report = { saved: true, text: "", foldersMade: 0 };
    const asked = { changed: ["a.ts"], importers: 0, allImporters: 0, isWhole: true };
    expect(callRemarks({ files: [report, report], problems: [], asked: { isAnswered: true, ...asked } })).toEqual([
      "TypeScript reports no new problem in a.ts.",
    ]);
  });

  test("are not waited for when the user does not want them", async () => {
    const problems = servers({}, { "a.ts": [problem(1, "new")] });
    expect((await replace(keeper({ problems, tellsProblems: false }), "a.ts", "x\n")).problems).toEqual([]);
    expect(problems.looked).toEqual([]);
  });
});
