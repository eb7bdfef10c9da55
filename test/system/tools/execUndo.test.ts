// Undo of commands, on real repositories: whatever a command destroyed comes back, and no edit of the user is lost.
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ThreadSnapshots } from "../../../src/hosts/node/effects/threadSnapshots.js";
import { gitIn } from "./realGit.js";
import { effectsFolder, PATIENT } from "../features/effects/worker.js";
import { put } from "./gitProject.js";
import { openWorkspace, plant, result, type FileTree, type TestWorkspace } from "../../unit/tools/workspace.js";

const snapshots = new ThreadSnapshots(effectsFolder, () => undefined, PATIENT);
const session = { as: "model", answer: true, session: "s", turn: "t" } as const;
const BINARY = Buffer.from([0, 1, 2, 255, 254, 0, 10, 13]);

/** A project: tracked files, one of them changed since, untracked and ignored ones. */
const FILES: FileTree = {
  ".gitignore": "dist/\n*.log\n.env\n",
  "package.json": "{}\n",
  "src/a.ts": "one\ntwo\nthree\nfour\nfive\n",
  "src/deep/b.ts": "b\n",
  "src/crlf.txt": "one\r\ntwo\r\n",
  "src/latin.txt": Buffer.from("caf\xe9\n", "latin1"),
  "bin/run.sh": "#!/bin/sh\necho run\n",
  "logo.png": BINARY,
};
const UNTRACKED: Record<string, string> = {
  "notes.md": "untracked\n",
  "new/deep/c.ts": "c\n",
  ".env": "KEY=value\n",
  "dist/out.js": "built\n",
  "debug.log": "log\n",
};

/** A project with its first commit, made once: Git takes seven processes for it. */
const committed = mkdtempSync(join(tmpdir(), "toolhost-undo-"));
beforeAll(async () => {
  await plant(committed, FILES);
  chmodSync(join(committed, "bin/run.sh"), 0o755);
  const git = gitIn(committed);
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "first");
});
afterAll(() => rmSync(committed, { recursive: true, force: true }));

async function project(): Promise<TestWorkspace & { git: ReturnType<typeof gitIn> }> {
  const workspace = await openWorkspace(FILES, { snapshots });
  const { folder } = workspace;
  const git = gitIn(folder);
  chmodSync(join(folder, "bin/run.sh"), 0o755);
  cpSync(join(committed, ".git"), join(folder, ".git"), { recursive: true });
  // The index is written later than the files, as after any real checkout: what is younger is copied instead.
  git("update-index", "--refresh");
  await plant(folder, UNTRACKED);
  writeFileSync(join(folder, "package.json"), '{ "dirty": true }\n');
  return { ...workspace, git };
}

/** All files but Git's own, with their modes. */
function filesOf(folder: string, below = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(folder, below))) {
    const path = below === "" ? name : `${below}/${name}`;
    const info = lstatSync(join(folder, path));
    if (info.isDirectory() && name !== ".git") {
      Object.assign(found, filesOf(folder, path));
    } else if (info.isFile()) {
      found[path] = `${(info.mode & 0o777).toString(8)} ${readFileSync(join(folder, path)).toString("hex")}`;
    }
  }
  return found;
}

/** Undoes each call of the turn, newest first: so what others may have made while a command ran is undone, too. */
async function undoCalls({ changes, files }: TestWorkspace): Promise<void> {
  const journal = await changes.journal();
  for (const { id } of journal.calls({ session: "s", turn: "t" }).toReversed()) {
    if (journal.standing(journal.changes([id])).length > 0) {
      const call = { session: "s", turn: `u${id}`, callId: `u${id}`, door: "api", summary: "Undo" } as const;
      await changes.undo(call, { calls: [id] }, files, new AbortController().signal);
    }
  }
}

function undo({ changes, files }: TestWorkspace, turn = "t", by = "u"): ReturnType<typeof changes.undo> {
  const call = { session: "s", turn: by, callId: by, door: "api", summary: "Undo" } as const;
  return changes.undo(call, { session: "s", turn }, files, new AbortController().signal);
}

describe.skipIf(process.platform === "win32")("a command is undone like an edit", () => {
  it.each([
    "rm -rf src",
    "rm -rf ./*",
    "rm -rf src bin new notes.md logo.png package.json .env dist debug.log",
    "git clean -fdxq",
    "git clean -fdq",
    "git checkout -q .",
    "git reset -q --hard",
    "git stash -q -u",
    "git restore .",
    "git rm -rq src",
    "find . -name '*.ts' -delete",
    "find . -type f -not -path './.git/*' -exec rm {} +",
    "truncate -s 0 src/a.ts logo.png",
    ": > src/a.ts",
    "echo more >> src/a.ts; echo x > notes.md",
    "sed -i 's/one/1/' src/a.ts src/crlf.txt",
    "mv src lib",
    "mv src/a.ts src/deep/b.ts",
    "mv notes.md .env new/",
    "cp package.json src/a.ts",
    "mv src/a.ts t; mv src/deep/b.ts src/a.ts; mv t src/deep/b.ts",
    "printf xy | dd of=logo.png status=none",
    "python3 -c \"open('src/a.ts','w').write('x')\"",
    "rm -r src; mkdir src; echo new > src/a.ts",
    "printf '\\000\\001' > src/a.ts",
    "printf 'text\\n' > logo.png",
    "tar czf all.tgz src && rm -r src",
    "rsync() { rm -rf src/*; }; rsync",
    "bash -c 'rm -rf dist .env'",
    "xargs rm < <(git ls-files)",
    "perl -pi -e 's/b/B/' src/deep/b.ts",
    "git mv src/a.ts src/z.ts",
    "git checkout -q -b other && git rm -q src/a.ts && git commit -qm gone",
    "chmod 600 bin/run.sh && rm bin/run.sh",
    'for f in src/*.ts; do mv "$f" "${f%.ts}.js"; done',
    "cat package.json > notes.md && rm package.json",
    "rm -rf src && git checkout -q src && echo x > src/a.ts",
  ])("%s", async (command) => {
    const workspace = await project();
    const { folder, call } = workspace;
    const before = filesOf(folder);
    const { text } = result(await call("exec", { command }, session));
    expect(text).toMatch(/Exit code 0/);
    expect(text).not.toContain("undo does not cover");
    expect(filesOf(folder)).not.toEqual(before);
    await undo(workspace);
    expect(filesOf(folder)).toEqual(before);
  });

  it("with the edits of the same turn, in one step", async () => {
    const workspace = await project();
    const { folder, call } = workspace;
    const before = filesOf(folder);
    result(await call("edit", { path: "src/a.ts", old_text: "two", new_text: "2" }, session));
    result(await call("exec", { command: "rm -rf src" }, session));
    result(await call("write", { path: "src/new.ts", content: "new\n" }, session));
    await undo(workspace);
    expect(filesOf(folder)).toEqual(before);
    expect(existsSync(join(folder, "src/new.ts"))).toBe(false);
    // And an undo is undone.
    await undo(workspace, "u", "v");
    expect(Object.keys(filesOf(folder)).filter((path) => path.startsWith("src/"))).toEqual(["src/new.ts"]);
  });

  it("keeps what the user wrote since, in other lines", async () => {
    const workspace = await project();
    const { folder, call } = workspace;
    result(await call("exec", { command: "sed -i s/one/1/ src/a.ts" }, session));
    const file = join(folder, "src/a.ts");
    writeFileSync(file, `${readFileSync(file, "utf8")}mine\n`);
    await undo(workspace);
    expect(readFileSync(file, "utf8")).toBe("one\ntwo\nthree\nfour\nfive\nmine\n");
  });

  it.each([
    ["a file that the command created", "echo x > made", "made", "mine\n"],
    ["the same lines", "sed -i s/one/1/ src/a.ts", "src/a.ts", "uno\ntwo\nthree\nfour\nfive\n"],
    ["a file that it deleted", "rm src/a.ts", "src/a.ts", "mine\n"],
    ["a binary file", "echo x > logo.png", "logo.png", "mine\n"],
  ])("refuses, whole, where the user wrote %s since", async (_where, command, path, text) => {
    const workspace = await project();
    const { folder, call } = workspace;
    result(await call("exec", { command: `${command}; rm notes.md` }, session));
    writeFileSync(join(folder, path), text);
    await expect(undo(workspace)).rejects.toMatchObject({
      type: "conflict",
      message: expect.stringContaining(path) as string,
    });
    expect(readFileSync(join(folder, path), "utf8")).toBe(text);
    expect(existsSync(join(folder, "notes.md"))).toBe(false);
  });

  it("tells lines, and lists the call with its files", async () => {
    const { call, changes } = await project();
    const { text, data } = result(await call("exec", { command: "sed -i s/one/1/ src/a.ts; rm notes.md" }, session));
    expect(text).toContain("[Changed: M src/a.ts +1 −1, D notes.md −1]");
    expect(data).toMatchObject({ changed: { files: [{ lines: { added: 1, removed: 1 } }, {}], not_undone: [] } });
    const [turn] = (await changes.journal()).turns(1);
    expect(turn).toMatchObject({ calls: [{ tool: "exec", summary: "Run sed -i s/one/1/ src/a.ts; rm notes.md" }] });
    expect(turn?.files.map(({ path, kind }) => [path, kind])).toEqual([
      ["src/a.ts", "replace"],
      ["notes.md", "delete"],
    ]);
  });

  it("says that what Git keeps is gone with Git's own folder, and brings back the rest", async () => {
    const workspace = await project();
    const { folder, call } = workspace;
    const before = filesOf(folder);
    const { text } = result(await call("exec", { command: "rm -rf .git src package.json" }, session));
    expect(text).toContain("undo does not cover: src/a.ts (its earlier contents were not kept)");
    await undo(workspace);
    expect(filesOf(folder)).toEqual(
      Object.fromEntries(Object.entries(before).filter(([path]) => !path.startsWith("src/"))),
    );
  });

  it("keeps ignored files at the top, however many there are below", async () => {
    const workspace = await project();
    const { folder, call } = workspace;
    put(folder, ".gitignore", "cache\n.env.local\n");
    for (let count = 0; count < 2_100; count++) {
      put(folder, `cache/many/f${count}`, "x");
    }
    result(await call("exec", { command: "echo x >> notes.md" }, session));
    put(folder, ".env.local", "SETTING=of the user's own\n");
    const { text } = result(await call("exec", { command: "rm .env.local", outside: true }, session));
    expect(text).not.toContain("undo does not cover");
    await undo(workspace);
    expect(readFileSync(join(folder, ".env.local"), "utf8")).toBe("SETTING=of the user's own\n");
  });

  it("does not list files that were written again with the same contents", async () => {
    const { folder, call } = await project();
    put(folder, "same/a.txt", "same\n");
    put(folder, "same/b.txt", "other\n");
    const { text } = result(await call("exec", { command: "sleep 0.02; sed -i s/other/changed/ same/*.txt" }, session));
    expect(text).toContain("[Changed: M same/b.txt +1 −1]");
  });

  it("counts each kind of change where not all are listed, and lists what was deleted first", async () => {
    const { folder, call } = await project();
    for (let count = 0; count < 30; count++) {
      put(folder, `many/f${count}.txt`, "x\n");
    }
    const { text } = result(
      await call(
        "exec",
        { command: "cd many; rm f1?.txt; for f in f2?.txt; do echo y >> $f; done; echo z > new.txt" },
        session,
      ),
    );
    expect(text).toMatch(/\[Changed: 10 deleted, 1 added, 10 changed: D many\/f10\.txt/);
  });

  it("leaves new ignored files, and says what it cannot take back", async () => {
    const workspace = await project();
    const { folder, call } = workspace;
    const { text } = result(
      await call("exec", { command: "touch dist/more.js; mkfifo pipe; truncate -s 20M big; rm notes.md" }, session),
    );
    expect(text).toContain("undo does not cover: big (too large), pipe (not a regular file, link or folder)");
    await undo(workspace);
    expect(["dist/more.js", "pipe", "big", "notes.md"].filter((path) => existsSync(join(folder, path)))).toEqual([
      "dist/more.js",
      "pipe",
      "big",
      "notes.md",
    ]);
  });

  it("runs nothing of the repository, and takes nothing from Git that the file may not have had", async () => {
    const workspace = await project();
    const { folder, call, git } = workspace;
    git("config", "filter.evil.clean", `touch ${folder}/pwned; cat`);
    git("config", "filter.evil.smudge", `touch ${folder}/pwned; cat`);
    git("config", "core.fsmonitor", `touch ${folder}/pwned; true`);
    writeFileSync(join(folder, ".gitattributes"), "*.ts filter=evil\n");
    const before = filesOf(folder);
    result(await call("exec", { command: "rm -rf src" }, session));
    await undo(workspace);
    expect(filesOf(folder)).toEqual(before);
    expect(existsSync(join(folder, "pwned"))).toBe(false);
  });

  it("brings back CRLF that Git keeps as LF", async () => {
    const workspace = await project();
    const { folder, call, git } = workspace;
    writeFileSync(join(folder, ".gitattributes"), "*.txt text eol=crlf\n");
    git("add", "--renormalize", ".");
    git("commit", "-qm", "crlf");
    rmSync(join(folder, "src/crlf.txt"));
    git("checkout", "-q", "src/crlf.txt");
    const before = filesOf(folder);
    expect(git("cat-file", "-p", "HEAD:src/crlf.txt")).toBe("one\ntwo\n");
    result(await call("exec", { command: "rm -rf src" }, session));
    await undo(workspace);
    expect(filesOf(folder)).toEqual(before);
  });

  it("of a folder without Git", async () => {
    const workspace = await openWorkspace({ "a.txt": "a\n", "d/b.bin": BINARY }, { snapshots });
    const before = filesOf(workspace.folder);
    result(await workspace.call("exec", { command: "rm -rf a.txt d" }, session));
    await undo(workspace);
    expect(filesOf(workspace.folder)).toEqual(before);
    expect(statSync(join(workspace.folder, "d")).isDirectory()).toBe(true);
  });

  it("that ran in the background, once it has ended", async () => {
    const workspace = await project();
    const { folder, call } = workspace;
    const before = filesOf(folder);
    const started = result(await call("exec", { command: "read; rm -rf src", background: true }, session));
    const id = (started.data as { process_id: string }).process_id;
    result(await call("process", { action: "input", process_id: id, input: "\n", wait_for: "exit" }, session));
    await undoCalls(workspace);
    expect(filesOf(folder)).toEqual(before);
  });

  it("that runs in the background, step by step, with the user's edits in between", async () => {
    const workspace = await project();
    const { folder, call } = workspace;
    const before = filesOf(folder);
    const command =
      "rm -r src; echo one; read; sed -i s/dirty/clean/ package.json; rm notes.md; echo two; read; rm logo.png";
    const started = result(await call("exec", { command, background: true }, session));
    const process_id = (started.data as { process_id: string }).process_id;
    const input = { process_id, action: "input", input: "\n" };
    result(await call("process", { process_id, action: "poll", wait_for: "one" }, session));
    writeFileSync(join(folder, "mine.txt"), "mine\n");
    workspace.saved("mine.txt");
    result(await call("process", { ...input, wait_for: "two" }, session));
    // The first step alone: what came after it stays.
    const first = { session: "s", turn: "first", callId: "first", door: "api", summary: "Undo" } as const;
    await workspace.changes.undo(first, { calls: [1] }, workspace.files, new AbortController().signal);
    expect(filesOf(folder)["src/a.ts"]).toBe(before["src/a.ts"]);
    expect(existsSync(join(folder, "notes.md"))).toBe(false);
    result(await call("process", { ...input, wait_for: "exit" }, session));
    await undoCalls(workspace);
    expect(filesOf(folder)).toEqual({ ...before, "mine.txt": filesOf(folder)["mine.txt"] });
    expect(readFileSync(join(folder, "mine.txt"), "utf8")).toBe("mine\n");
  });

  it("two at once: each change belongs to one of them", async () => {
    const workspace = await project();
    const { folder, call } = workspace;
    const before = filesOf(folder);
    const first = call("exec", { command: "rm notes.md; while [ ! -e go ]; do sleep 0.05; done; rm go" }, session);
    const second = call(
      "exec",
      { command: "while [ -e notes.md ]; do sleep 0.05; done; rm -r src; touch go" },
      session,
    );
    result(await second);
    result(await first);
    await undo(workspace);
    expect(filesOf(folder)).toEqual(before);
  });
});
