import { isOfChange } from "../../../../src/hosts/node/disk/temporaries.js";
import { buildSync } from "esbuild";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { snapshotPatience } from "../../../../src/compose/effects.js";
import { CommandEffects, type CommandEffectsHost } from "../../../../src/features/effects/effects.js";
import type { Snapshots } from "../../../../src/features/effects/snapshots.js";
import { ThreadSnapshots } from "../../../../src/hosts/node/effects/threadSnapshots.js";
import { compare } from "../../../../src/features/effects/compare.js";
import { takeSnapshot } from "../../../../src/hosts/node/effects/walk.js";
import type { Effect } from "../../../../src/ports/effects.js";
import { effectInWords } from "../../../../src/features/processes/effectInWords.js";
import { tempFolder } from "../../../unit/tools/workspace.js";
import { effectsFolder, PATIENT } from "./worker.js";

const snapshots = new ThreadSnapshots(effectsFolder, () => undefined, PATIENT);
const CALL = { session: "s", turn: "t", callId: "c", tool: "exec", door: "cli", summary: "Run it" };
/** Twelve files in a folder. */
const MANY = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`src/deep/f${at}.ts`, `${at}\n`]));

function watch(folder: string, host: Partial<CommandEffectsHost> = {}): CommandEffects {
  return new CommandEffects({
    snapshots,
    roots: () => [{ folder, prefix: "" }],
    hasChanged: () => Promise.resolve(false),
    unfinished: () => Promise.resolve([]),
    isOfChange,
    onLeft: () => undefined,
    record: () => Promise.resolve({ lines: new Map(), left: [], others: new Set() }),
    read: () => undefined,
    now: Date.now,
    ...host,
  });
}

function bash(folder: string, command: string): void {
  execFileSync("bash", ["-c", command], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
}

/** Returns what a command is reported to have changed. */
async function changed(folder: string, command: string): Promise<string | undefined> {
  const watched = await watch(folder).start(CALL);
  bash(folder, command);
  return effectInWords(await watched.end());
}

describe.skipIf(process.platform === "win32")("what a command changed", () => {
  const git = "git -c user.name=a -c user.email=a@b";

  it.each<[what: string, files: Record<string, string>, before: string, command: string, told: string | undefined]>([
    ["nothing", { "a.txt": "a" }, "", "cat a.txt", undefined],
    ["a new file", { "a.txt": "a" }, "", "echo b > b.txt", "Changed: A b.txt"],
    ["an edit in place", { "a.txt": "a" }, "", "echo b >> a.txt", "Changed: M a.txt"],
    ["an edit by a new file", { "a.txt": "a" }, "", "sed -i s/a/b/ a.txt", "Changed: M a.txt"],
    [
      "an edit of the same length whose time is set back",
      { "a.txt": "a" },
      "",
      "touch -r a.txt /tmp/toolhost-effects-$$; echo -n b > a.txt; touch -r /tmp/toolhost-effects-$$ a.txt; rm /tmp/toolhost-effects-$$",
      "Changed: M a.txt",
    ],
    ["a deletion", { "a.txt": "a", "b.txt": "b" }, "", "rm a.txt", "Changed: D a.txt"],
    ["a rename", { "a.txt": "a" }, "", "mv a.txt b.txt", "Changed: R a.txt → b.txt"],
    ["a folder that is moved", MANY, "", "mv src lib", "Changed: R src/ → lib/ (12 files)"],
    [
      "a folder that is moved and changed",
      MANY,
      "",
      "mv src lib; echo x > lib/new.ts; rm lib/deep/f1.ts",
      "Changed: R src/ → lib/ (11 files), A lib/new.ts, D src/deep/f1.ts",
    ],
    ["a mode", { "a.sh": "a" }, "chmod 644 a.sh", "chmod 755 a.sh", "Changed: M a.sh (mode 644→755)"],
    ["a folder's mode", { "d/a": "a" }, "chmod 755 d", "chmod 700 d", "Changed: M d/ (mode 755→700)"],
    ["a link", { "a.txt": "a" }, "", "ln -s a.txt b; ln a.txt c", "Changed: A b, A c"],
    ["a link that leads elsewhere", { "a.txt": "a" }, "ln -s a.txt l", "ln -sfn other l", "Changed: M l"],
    ["an empty folder", { "a.txt": "a" }, "", "mkdir e", "Changed: A e/"],
    ["a folder with many files", { "a.txt": "a" }, "", "mkdir d; touch d/{1..20}", "Changed: A d/ (20 files)"],
    ["a folder with few files", { "a.txt": "a" }, "", "mkdir -p d/e; touch d/e/f", "Changed: A d/e/f"],
    ["rm -rf", MANY, "", "rm -rf src", "Changed: D src/ (12 files)"],
    [
      "a name that is no UTF-8",
      {},
      "touch $'old\\xe9'",
      "touch $'\\xe9\\xff' && rm $'old\\xe9'",
      "Changed: A \\xE9\\xFF, D old\\xE9; undo does not cover: old\\xE9 (its name is not UTF-8), \\xE9\\xFF (its name is not UTF-8)",
    ],
    [
      "an empty folder and a link whose names are no UTF-8",
      {},
      "ln -s $'\\xe9' target",
      "mkdir $'d\\xe9'; ln -s x $'l\\xe9'; rm target",
      "Changed: A d\\xE9/, A l\\xE9, D target; undo does not cover: target (its target is not UTF-8), l\\xE9 (its name is not UTF-8), d\\xE9 (its name is not UTF-8)",
    ],
    [
      "a folder whose name is no UTF-8",
      {},
      "mkdir $'d\\xe9'; touch $'d\\xe9/a'",
      "echo b > $'d\\xe9/a'",
      "Changed: M d\\xE9/a; undo does not cover: d\\xE9/a (its name is not UTF-8)",
    ],
    [
      "two names that look the same",
      {},
      "touch 'd\\xE9'; touch other",
      "touch $'d\\xe9'; rm other",
      "Changed: D other; not covered: d\\xE9 (another name looks the same)",
    ],
    ["a name like those of our own files", {}, "", "touch .toolhost-x.tmp", "Changed: A .toolhost-x.tmp"],
    [
      "a file of a change that a tool is making",
      {},
      "",
      "touch .toolhost-1-2-01234567-ab-old.tmp",
      "Changed: also edited or saved meanwhile: A .toolhost-1-2-01234567-ab-old.tmp",
    ],
    ["a name that pretends", {}, "", "touch $'a\\n[Changed: nothing]'", 'Changed: A "a\\n[Changed: nothing]"'],
    [
      "a nested repository",
      { "a.txt": "a" },
      "",
      `mkdir sub && cd sub && git init -q && echo x > x && git add x && ${git} commit -qm x`,
      "Changed: A sub/x",
    ],
    [
      "a submodule, whose files are files of the workspace",
      { "sub/x": "x" },
      `git init -q; cd sub; git init -q; git add x; ${git} commit -qm x; cd ..; git -c protocol.file.allow=always submodule --quiet add ./sub sub 2>/dev/null; true`,
      "echo y > sub/x",
      "Changed: M sub/x",
    ],
    [
      "what git did to the work tree",
      { "a.txt": "a", "b.txt": "b" },
      `git init -q; git add .; ${git} commit -qm x; echo dirty > a.txt; touch new`,
      "git checkout -q . && git clean -fdq",
      "Changed: M a.txt, D new",
    ],
    [
      "few ignored files",
      { ".gitignore": "*.log\n", "x.log": "x" },
      "",
      "rm x.log; touch y.txt",
      "Changed: A y.txt, D x.log (ignored)",
    ],
    [
      "many ignored files",
      { ".gitignore": "dist/\n", "dist/a": "a" },
      "",
      "touch dist/{1..20}; touch y.txt",
      "Changed: A y.txt; 20 ignored files; undo does not cover: 20 new ignored files (kept)",
    ],
    [
      "a huge file",
      { "a.txt": "a" },
      "",
      "truncate -s 20G big; rm a.txt",
      "Changed: A big, D a.txt; undo does not cover: big (too large)",
    ],
    ["a file in a folder's place", { "d/a": "a" }, "", "rm -r d; echo x > d", "Changed: A d, D d/a"],
    ["a folder in a file's place", { d: "a" }, "", "rm d; mkdir d; echo x > d/a", "Changed: A d/a, D d"],
    [
      "a pipe and a socket's kind",
      { "a.txt": "a" },
      "",
      "mkfifo p",
      "Changed: A p; undo does not cover: p (not a regular file, link or folder)",
    ],
    ["Git's own files", { "a.txt": "a" }, "git init -q", "git config a.b c; git add a.txt", undefined],
    [
      "more than is told",
      {},
      "",
      "touch {a..z}",
      `Changed: ${[..."abcdefghijklmno"].map((name) => `A ${name}`).join(", ")} and 11 more`,
    ],
  ])("%s", async (_what, files, before, command, told) => {
    const folder = await tempFolder(files);
    bash(folder, before);
    expect(await changed(folder, command)).toBe(told);
  });

  it("is told of a command that was killed", async () => {
    const folder = await tempFolder({ "a.txt": "a" });
    const watched = await watch(folder).start(CALL);
    const child = spawn("bash", ["-c", "echo b > b.txt; echo ready; exec sleep 1000"], { cwd: folder });
    await once(child.stdout, "data");
    child.kill("SIGKILL");
    await once(child, "close");
    expect(effectInWords(await watched.end())).toBe("Changed: A b.txt");
  });

  it("is told apart from edits and saves, and said to be shared by commands that run at once", async () => {
    const folder = await tempFolder({ "a.txt": "a", "b.txt": "b", "c.txt": "c" });
    const effects = watch(folder, {
      record: async (_call, _files, { saved }) => ({
        ...{ lines: new Map(), left: [] },
        others: new Set([...(saved.has(join(folder, "b.txt")) ? ["b.txt"] : []), "a.txt"]),
      }),
    });
    const first = await effects.start(CALL);
    bash(folder, "for f in a b c; do echo x > $f.txt; done");
    effects.saved(join(folder, "b.txt"));
    const second = await effects.start(CALL);
    bash(folder, "echo d > d.txt");
    expect(effectInWords(await first.end())).toBe(
      "Changed while other commands ran too: M c.txt, A d.txt; also edited or saved meanwhile: M a.txt, M b.txt",
    );
    expect(effectInWords(await second.end())).toBe("Changed while other commands ran too: A d.txt");
  });

  it("does not count a save before the command", async () => {
    const folder = await tempFolder({ "a.txt": "a" });
    let ago = 1_000;
    const effects = watch(folder, { now: () => Date.now() - ago });
    effects.saved(join(folder, "a.txt"));
    ago = 0;
    const watched = await effects.start(CALL);
    bash(folder, "echo b > a.txt");
    expect(effectInWords(await watched.end())).toBe("Changed: M a.txt");
  });

  it("runs nothing of a hostile repository", async () => {
    const folder = await tempFolder({ "a.txt": "a", ".gitattributes": "* filter=evil\n" });
    const evil = `touch ${folder}/PWNED; cat`;
    bash(
      folder,
      `git init -q; git config core.fsmonitor '${evil}'; git config filter.evil.clean '${evil}'; git config filter.evil.process '${evil}'; git config core.hooksPath hooks; mkdir hooks; for h in post-index-change fsmonitor-watchman; do echo '${evil}' > hooks/$h; chmod +x hooks/$h; done; mkfifo .ignore; ln -s /dev/zero .rgignore`,
    );
    expect(await changed(folder, "echo b > a.txt")).toBe("Changed: M a.txt");
  });

  it("names the root's deletion, and what cannot be read", async () => {
    const folder = await tempFolder(MANY);
    expect(await changed(folder, `rm -rf ${folder}`)).toBe("Changed: D src/ (12 files)");
  });
});

describe.skipIf(process.platform === "win32")("what cannot be known", () => {
  const ON_MESSAGE =
    'const { parentPort } = require("node:worker_threads"); parentPort.on("message", ({ kind, id }) => ';
  it.each([
    ["the snapshot never comes", `${ON_MESSAGE} {});`, { waitToTake: 50 }, "the snapshot before it took too long"],
    [
      "the comparison never comes",
      `${ON_MESSAGE} kind === "take" && parentPort.postMessage({ id }));`,
      { waitToCompare: 50 },
      "the comparison after it took too long",
    ],
    ["the thread hangs", `${ON_MESSAGE} { for (;;); });`, { silent: 50 }, "the program that looks at the folder ended"],
    ["the thread ends", `${ON_MESSAGE} process.exit(3));`, {}, "the program that looks at the folder ended"],
    ["there is no program", undefined, {}, "the program that looks at the folder ended"],
  ])("is never none where %s", async (_what, program, limits, reason) => {
    const folder = await tempFolder({ "a.txt": "a" });
    const programs = await tempFolder(program === undefined ? {} : { "effects-worker.js": program });
    const broken = new ThreadSnapshots(programs, () => undefined, { ...PATIENT, ...limits });
    const watched = await watch(folder, { snapshots: broken }).start(CALL);
    bash(folder, "date > a.txt");
    expect(effectInWords(await watched.end())).toBe(`Which files it changed is unknown: ${reason}.`);
  });

  it("is a folder that is missing", async () => {
    const folder = await tempFolder();
    const watched = await watch(join(folder, "none")).start(CALL);
    expect(effectInWords(await watched.end())).toMatch(/^Which files it changed is unknown: ENOENT/);
  });

  it("is said where a step could not keep what the command may still change", async () => {
    const folder = await tempFolder({ "a.txt": "a" });
    const kept: (readonly string[] | undefined)[] = [];
    const full: Snapshots = {
      take: async (note, keeps) => {
        kept.push(keeps);
        const taken = await snapshots.take(note, keeps);
        return kept.length === 3 ? { ...taken, unkept: "the disk is full" } : taken;
      },
      compare: (...of) => snapshots.compare(...of),
      contents: (of) => snapshots.contents(of),
      done: (of) => snapshots.done(of),
      left: () => Promise.resolve([]),
    };
    const watched = await watch(folder, { snapshots: full }).start(CALL, [join(folder, "a.txt")]);
    const told: (string | undefined)[] = [];
    for (const text of ["b", "c", "d"]) {
      bash(folder, `echo ${text} >> a.txt`);
      told.push(effectInWords((await watched.step?.()) ?? expect.unreachable()));
    }
    expect(told).toEqual([
      "Changed: M a.txt",
      "Which files it changed is unknown: what it may still change could not be kept: the disk is full.",
      "Changed: M a.txt",
    ]);
    expect(effectInWords(await watched.end())).toBeUndefined();
    expect(kept).toEqual(Array.from({ length: 4 }, () => [join(folder, "a.txt")]));
  });

  it("is said where only a part was looked at", async () => {
    const folder = await tempFolder({ "a/b/c.txt": "c" });
    const none = new ThreadSnapshots(effectsFolder, () => undefined, { ...PATIENT, take: -1 });
    const watched = await watch(folder, { snapshots: none }).start(CALL);
    bash(folder, "echo d > a/b/c.txt");
    expect(effectInWords(await watched.end())).toBe("Changed: nothing seen; not covered: . (too many files)");
  });

  it("is said where commands in the background keep too many files in mind, until they end", async () => {
    const folder = await tempFolder();
    bash(folder, "mkdir d; touch d/{1..600}");
    const few = new ThreadSnapshots(effectsFolder, () => undefined, { ...PATIENT, entries: 1_000 });
    const effects = watch(folder, { snapshots: few });
    const background = await effects.start(CALL);
    const second = await effects.start(CALL);
    bash(folder, "touch d/new");
    expect(effectInWords(await second.end())).toBe("Changed: nothing seen; not covered: d (too many files)");
    expect(effectInWords(await background.end())).toBe("Changed while other commands ran too: A d/new");
    const third = await effects.start(CALL);
    bash(folder, "touch d/newer");
    expect(effectInWords(await third.end())).toBe("Changed: A d/newer");
  });

  it("is the command's in the very millisecond in which it ended, and somebody else's in the next", async () => {
    const folder = await tempFolder({ "a.txt": "a" });
    const before = takeSnapshot(folder, Infinity, Infinity);
    bash(folder, "echo b > a.txt");
    const after = takeSnapshot(folder, Infinity, Infinity, before);
    const entry = after.folders.get("")?.entries.get("a.txt");
    // Clocks of files have parts of milliseconds, and those of programs have none.
    const late = [1_000.9, 1_001].map((changed) => {
      after.folders.get("")?.entries.set("a.txt", { ...(entry ?? expect.unreachable()), changed });
      return compare(before, after, { ended: 1_000, seen: 2_000 }).changes.map(({ meanwhile }) => meanwhile);
    });
    expect(late).toEqual([[undefined], [true]]);
  });

  it("is what is in a folder that was not looked at and is moved", async () => {
    const folder = await tempFolder({ "a.txt": "a", ".gitignore": "big/\n", "big/x": "x", "big/deep/y": "y" });
    const before = takeSnapshot(folder, Infinity, Infinity);
    before.folders.delete("big");
    before.folders.delete("big/deep");
    before.uncovered.set("big", { path: "big", why: "too many files", isIgnored: true });
    bash(folder, "mv big other");
    const { changes, uncovered } = compare(before, takeSnapshot(folder, Infinity, Infinity, before));
    expect(changes).toEqual([{ kind: "moved", path: "other/", from: "big/", files: 0 }]);
    expect(uncovered.map(({ path }) => path)).toEqual(["big"]);
  });
});

it("waits as many times longer for a snapshot as it is told to", async () => {
  const folder = await tempFolder({ "a.txt": "a" });
  // A thread takes longer than a millisecond to start.
  const taken = (patience: number): ReturnType<Snapshots["take"]> =>
    new ThreadSnapshots(effectsFolder, () => undefined, { ...PATIENT, silent: 60_000, waitToTake: 1, patience }).take({
      ...{ call: CALL, started: Date.now(), roots: [{ folder, prefix: "" }] },
    });
  expect(await taken(1)).toEqual({ unknown: "the snapshot before it took too long" });
  expect(await taken(30_000)).toEqual({ id: 1 });
});

it.each([
  [undefined, 1],
  ["", 1],
  ["slow", 1],
  ["0", 1],
  ["-3", 1],
  ["Infinity", 1],
  ["101", 1],
  ["2.5", 2.5],
  ["100", 100],
])("takes %j for a patience of %d", (wish, times) => {
  expect(snapshotPatience(wish)).toBe(times);
});

it("keeps what a killed process left until it is recorded", async () => {
  const note = { call: CALL, started: 1, roots: [{ folder: "/w", prefix: "" }] };
  const done: number[] = [];
  const others: Omit<Snapshots, "left"> = {
    take: () => Promise.reject(new Error("not asked for")),
    compare: () => Promise.resolve([{ real: "/w", changes: [], ignored: 0, uncovered: [], git: [], late: [] }]),
    contents: () => Promise.resolve([{ files: [{ path: "a", foldersMade: 0 }], left: [], same: [], newIgnored: 0 }]),
    done: (id) => void done.push(id),
  };
  /** What is left for the next process, which takes it over once. */
  const left = (): Snapshots => {
    const untaken = [{ ...note, id: 7, seen: 2 }];
    return { ...others, left: () => Promise.resolve(untaken.splice(0)) };
  };
  const told: string[] = [];
  const onLeft = (message: string): void => void told.push(message);
  const record = (): Promise<never> => Promise.reject(new Error("The disk is full."));
  await watch("/w", { snapshots: left(), record, onLeft }).recover();
  expect(done).toEqual([]);
  const recorded = { lines: new Map(), left: [], others: new Set<string>(), made: 1 };
  await watch("/w", { snapshots: left(), record: () => Promise.resolve(recorded), onLeft }).recover();
  expect(done).toEqual([7]);
  expect(told).toEqual([
    "Toolhost was killed while a command ran (Run it). What it had changed cannot be recorded now: The disk is full.",
    "Toolhost was killed while a command ran (Run it). What it had changed is in the list of changes, and can be undone.",
  ]);
});

it("names paths of several roots as people write them", async () => {
  const folder = await tempFolder({ "one/a.txt": "a", "two/b.txt": "b" });
  const roots = ["one", "two"].map((name) => ({ folder: join(folder, name), prefix: `${name}/` }));
  const watched = await watch(folder, { roots: () => roots }).start(CALL);
  writeFileSync(join(folder, "one/a.txt"), "changed");
  mkdirSync(join(folder, "two/d"));
  const effect = (await watched.end()) as Effect;
  expect(effect.changes.map(({ path }) => path)).toEqual(["one/a.txt", "two/d/"]);
});

it("does not keep a program alive that has nothing else to do", async () => {
  const folder = await tempFolder();
  const module = fileURLToPath(new URL("../../../../src/hosts/node/effects/threadSnapshots.ts", import.meta.url));
  const contents = `import { ThreadSnapshots } from ${JSON.stringify(module)};
    void new ThreadSnapshots(${JSON.stringify(effectsFolder)}, () => undefined, ${JSON.stringify(PATIENT)}).take(${JSON.stringify({ call: CALL, started: 0, roots: [{ folder, prefix: "" }] })}).then(({ id }) => console.log(id));`;
  buildSync({
    ...{ stdin: { contents, resolveDir: folder }, outfile: join(folder, "take.js") },
    ...{ bundle: true, platform: "node", format: "cjs", logLevel: "error" },
  });
  expect(execFileSync(process.execPath, [join(folder, "take.js")], { encoding: "utf8" })).toBe("1\n");
});
