// `toolhost manifest` as a process.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serveRepository } from "../../harness/gitServer.js";
import { contentOf, tempFolder, type FileTree } from "../../unit/tools/workspace.js";
import { treeOf } from "../faults/tree.js";
import { missingSandbox } from "../hosts/processes/missingSandbox.js";
import { builtCli, finish, type Finished } from "./built.js";

const cli = builtCli();

const file = (content: string): object => ({ type: "file", content });

async function inFolder(entries: object, files: FileTree = {}) {
  const folder = await tempFolder(files);
  const setup = join(await tempFolder(), "setup.json");
  await writeFile(setup, JSON.stringify({ entries }));
  const run = (action: string, ...args: string[]): Promise<Finished> =>
    cli.run(["manifest", action, setup, ...args], { cwd: folder });
  return { folder, setup, run };
}

describe("toolhost manifest", { timeout: 60_000 }, () => {
  test("checks, compares, applies and undoes the example of the documentation", async () => {
    const page = await readFile(new URL("../../../docs/manifests.md", import.meta.url), "utf8");
    const [, example = ""] = /```jsonc\n([\s\S]*?)```/.exec(page) ?? [];
    const sources = { "templates/local.json": "{}\n", "templates/fixtures/a/b.txt": "b\n" };
    const { folder, setup, run } = await inFolder({}, sources);
    await writeFile(setup, example);
    const before = await treeOf(folder);
    expect(await run("check")).toMatchObject({ code: 0, out: "The manifest is valid: 5 entries.\n" });
    const compared = await run("diff");
    expect(compared).toMatchObject({ code: 0 });
    expect(compared.out).toContain("+Make the tests pass.");
    expect(await treeOf(folder)).toEqual(before);
    const applied = await run("apply");
    expect(applied).toMatchObject({ code: 0 });
    expect(applied.out).toContain("Applied the manifest: 7 created.");
    expect(applied.out).toContain("Its variables are not set: STAGE.");
    expect(await contentOf(folder, "fixtures/a/b.txt")).toBe("b\n");
    expect(await contentOf(folder, "config/local.json")).toBe("{}\n");
    expect((await run("apply")).out).toContain("Applied the manifest: 7 the same.");
    expect(await cli.run(["undo"], { cwd: folder })).toMatchObject({ code: 0 });
    expect(await treeOf(folder)).toEqual(before);
  });

  test("says what cannot be done, by its exit code too", async () => {
    const { run } = await inFolder({ "a.txt": file("a"), d: { type: "gcsMount", bucket: "b" } });
    const { code, out } = await run("check", "--json");
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      data: {
        unsupported: [
          {
            path: "d",
            type: "gcsMount",
            status: "unsupported",
            message: "gcsMount requires a provider-specific sandbox adapter.",
          },
        ],
      },
    });
    expect(await run("apply", "--json")).toMatchObject({ code: 0 });
    const wrong = await inFolder({ "/a": file("a") });
    for (const action of ["check", "diff", "apply"]) {
      const said = await wrong.run(action);
      expect(said.code).toBe(1);
      expect(said.err).toContain(
        'Error (invalid_input): workspace manifest: entries["/a"]: workspace manifest path must be',
      );
    }
    expect(await cli.run(["manifest", "check", "nope.json"], { cwd: wrong.folder })).toMatchObject({ code: 1 });
  });

  test("asks about protected files, secrets and clones, and without a terminal names what would allow them", async () => {
    const { url } = await serveRepository({ "a.txt": "a\n" });
    const repo = await inFolder({ r: { type: "gitRepo", url }, "b.txt": file("b") });
    const denied = await repo.run("apply");
    expect(denied).toMatchObject({ code: 1, out: "" });
    expect(denied.err).toContain("Error (denied): workspace_manifest needs the user's permission");
    expect(denied.err).toContain(`--allow 'workspace_manifest(command: git clone --depth 1 ${url} r)'`);
    expect(await readdir(repo.folder)).toEqual([]);
    const allowed = await repo.run("apply", "--allow", `workspace_manifest(command: git clone --depth 1 ${url} r)`);
    expect(allowed.err).toContain(`Cloning 1 of 1: ${url}`);
    expect(allowed.code).toBe(0);
    expect((await readdir(repo.folder)).toSorted()).toEqual(["b.txt", "r"]);

    const secret = await inFolder({ ".env": file("KEY=1") });
    expect((await secret.run("apply")).err).toContain("Error (denied)");
    expect(await readdir(secret.folder)).toEqual([]);
    expect(await secret.run("apply", "--allow-all")).toMatchObject({ code: 0 });
    const agents = await cli.run(["manifest", "apply", secret.setup, "--allow-all"], {
      cwd: secret.folder,
      env: { ...process.env, TOOLHOST_AGENT: "1" },
    });
    expect(agents.code).not.toBe(0);
    expect(agents.err).toContain("only a person may give it");
  });

  test("tells how far it is while it takes long, aside from its result", async () => {
    const many = Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`fix/${index}.txt`, `${index}\n`]));
    const { run } = await inFolder({ d: { type: "localDir", src: "fix" } }, many);
    const { code, out, err } = await run("apply", "--json");
    expect(code).toBe(0);
    expect(out.split("\n")).toHaveLength(2);
    expect(JSON.parse(out)).toMatchObject({ ok: true });
    const told = (what: string): string[] => [1_000, 2_000].map((count) => `toolhost: ${count} ${what}`);
    expect(err.trimEnd().split("\n")).toEqual([
      ...told("files read"),
      ...told("of 2002 files and folders compared"),
      "toolhost: Writing 2001 files",
      ...told("of 2001 files prepared"),
    ]);
  });

  test("reads nothing outside the workspace without a yes, not even with --allow-all", async () => {
    const other = await tempFolder({ "n.txt": "n" });
    const { run, folder } = await inFolder({ k: { type: "localFile", src: join(other, "n.txt") } });
    for (const args of [[], ["--allow-all"]]) {
      const { code, err } = await run("apply", ...args);
      expect([code, err]).toEqual([1, expect.stringContaining("outside")]);
    }
    expect(await readdir(folder)).toEqual([]);
  });

  test.skipIf(missingSandbox() !== undefined)("leaves nothing on a disk that is full at any entry", async () => {
    const large = "x".repeat(600_000);
    const bytes = randomBytes(600_000);
    const { url } = await serveRepository({ "bytes.bin": bytes.toString("latin1") });
    const part = file(large);
    const kinds: [what: string, entries: object, sizes: string[]][] = [
      ["files", { a: part, "d/b": part, "d/e/c": part, f: part }, ["300k", "900k", "1500k", "2100k"]],
      // What they copy is on the disk, too.
      [
        "copies",
        { one: { type: "localFile", src: "src/one" }, d: { type: "dir" }, all: { type: "localDir", src: "src" } },
        ["900k", "1500k"],
      ],
      ["a repository", { "a.txt": file("a"), "deep/r": { type: "gitRepo", url } }, ["100k", "700k", "1300k"]],
      [
        "a file after a repository",
        { "deep/r": { type: "gitRepo", url }, "deep/r/b": part, b: part },
        ["2000k", "2300k"],
      ],
    ];
    const MOUNTED = [
      'mount -t tmpfs -o "size=$1" tmpfs "$2" && cd "$2" && shift 2 && echo kept > old.txt && mkdir src',
      '{ [ -z "$ONE" ] || head -c 600000 /dev/zero > src/one; } && { "$@"; echo "code $?"; find . ! -path "./src*"; cat old.txt; }',
    ].join(" && ");
    for (const [what, entries, sizes] of kinds) {
      for (const size of sizes) {
        const folder = await tempFolder();
        const setup = join(await tempFolder({ "setup.json": JSON.stringify({ entries }) }), "setup.json");
        const state = join(await tempFolder(), "state");
        await mkdir(state);
        const apply = [process.execPath, cli.script, "manifest", "apply", setup, "--allow-all"];
        const child = spawn("unshare", ["-Urm", "sh", "-c", MOUNTED, "sh", size, folder, ...apply], {
          env: { ...process.env, TOOLHOST_STATE: state, ONE: what === "copies" ? "1" : "" },
          stdio: ["ignore", "pipe", "pipe"],
        });
        const { out, err } = await finish(child);
        expect([what, size, out]).toEqual([what, size, "code 1\n.\n./old.txt\nkept\n"]);
        expect([what, size, err]).toEqual([
          what,
          size,
          expect.stringMatching(/Error \(io_error\): [^]*(no space|full|unable to write)/i),
        ]);
      }
    }
  });
});

describe("toolhost manifest on another machine", { timeout: 60_000 }, () => {
  test("copies this machine's files there, and says what it needs", async () => {
    const bin = await tempFolder();
    // Stands in for ssh: its last argument is the script.
    await writeFile(join(bin, "ssh"), '#!/bin/sh\nfor last; do :; done\nexec sh -c "$last"\n', { mode: 0o755 });
    const there = await tempFolder({ "old.txt": "old\n" });
    const { folder, setup } = await inFolder(
      { "old.txt": file("new\n"), d: { type: "localDir", src: "fix" }, e: { type: "dir" } },
      { "fix/a/b.txt": "b\n" },
    );
    const env = { ...process.env, PATH: `${bin}:${process.env["PATH"] ?? ""}` };
    const at = `ssh://there${there}`;
    const { code, out, err } = await cli.run(["--sandbox", at, "manifest", "apply", setup], { cwd: folder, env });
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("Applied the manifest: 4 created, 1 changed.");
    expect(await contentOf(there, "d/a/b.txt")).toBe("b\n");
    expect(await contentOf(there, "old.txt")).toBe("new\n");
    expect(await readdir(folder)).toEqual(["fix"]);
    expect((await cli.run(["--sandbox", at, "undo"], { cwd: folder, env })).code).toBe(0);
    expect(await treeOf(there)).toEqual({ "old.txt": "old\n" });
  });
});
