// Work on the project in a view of the workspace: what it changes is made in the workspace, all or nothing, and undone.
import { execFileSync } from "node:child_process";
import { chmod, link, lstat, mkdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isChanged } from "../../../../src/hosts/node/processes/view/caches.js";
import { stateRoot } from "../../../../src/hosts/node/state/stateFolder.js";
import { poll } from "../../../harness/poll.js";
import { tempFolder } from "../../../unit/tools/workspace.js";
import { treeOf } from "../../faults/tree.js";
import { missingSandbox } from "../processes/missingSandbox.js";
import { openRig } from "./rig.js";

const FILES = { "a.txt": "one\ntwo\n", "d/b.txt": "b\n", "d/e/c.txt": "c\n", ".env": "KEY=value-of-the-secret\n" };

/** Wraps a script so that it is work on the project: a program in an interpreter's words. */
function work(script: string): string {
  return `python3 -c ${quoted(`import subprocess, sys; sys.exit(subprocess.call(["bash", "-c", ${JSON.stringify(script)}]))`)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

describe.skipIf(missingSandbox() !== undefined)("work on the project", () => {
  test("has a view on this machine", async () => {
    const { canOpen, missing } = await openRig(FILES);
    expect([await canOpen(), missing]).toEqual([true, []]);
  });

  test.each<[what: string, script: string, told: RegExp]>([
    ["a new file", "echo n > n.txt", /\[Changed: A n.txt \+1\]/],
    ["a new file in new folders", "mkdir -p x/y; echo n > x/y/n.txt", /A x\/y\/n.txt \+1/],
    ["a new empty folder", "mkdir -p x/y", /A x\/, A x\/y\//],
    ["a new program", "printf '#!/bin/sh\\n' > run; chmod 755 run", /A run \+1/],
    ["a change", "echo three >> a.txt", /M a.txt \+1/],
    ["a change by a new file", "sed -i s/one/1/ a.txt", /M a.txt \+1 −1/],
    ["a mode", "chmod 755 a.txt", /M a.txt/],
    ["a folder's mode", "chmod 700 d", /M d \(mode 755→700\)/],
    ["a deletion", "rm a.txt", /D a.txt −2/],
    ["a folder's deletion", "rm -r d", /D d\/b.txt −1/],
    ["a folder that is made anew", "rm -r d; mkdir d; echo n > d/n.txt", /A d\/n.txt \+1/],
    ["a folder that is made anew and empty", "rm -r d/e; mkdir d/e", /D d\/e\/c.txt −1/],
    ["a moved file", "mv a.txt z.txt", /A z.txt/],
    ["a moved folder", "mv d z", /A z\/e\/c.txt/],
    ["bytes", "printf '\\0\\1\\377' > bin; printf '\\0' > a.txt", /A bin/],
    ["odd names", `printf x > $'new\\nline'; printf y > ' "q$'`, /A /],
  ])("makes %s in the workspace, and undo takes it back", async (_, script, told) => {
    const { folder, told: exec, undo } = await openRig(FILES);
    const copy = await tempFolder(FILES);
    const before = await treeOf(folder);
    execFileSync("bash", ["-c", script], { cwd: copy });
    expect(await exec(work(script))).toMatch(told);
    expect(await treeOf(folder)).toEqual(await treeOf(copy));
    await undo();
    expect(await treeOf(folder)).toEqual(before);
  });

  test("changes nothing before it has ended, and nothing if it is ended", async () => {
    const { folder, exec } = await openRig(FILES, { times: { kill: 500 } });
    const before = await treeOf(folder);
    const stop = new AbortController();
    const running = exec(work("echo x > a.txt; rm -r d; echo ready > /dev/stderr; sleep 600"), {}, stop.signal).catch(
      (error: unknown) => error,
    );
    await poll("its view", () =>
      viewFolders().some((name) => existsSync(join(stateRoot(), "views", name, "0-changes/a.txt"))),
    );
    expect(await treeOf(folder)).toEqual(before);
    stop.abort();
    await running;
    expect(await treeOf(folder)).toEqual(before);
    await poll("the end of its view", () => viewFolders().length === 0);
  });

  test("ends with all that it started, before its changes are made", async () => {
    const { folder, told } = await openRig(FILES);
    const text = await told(work("(setsid bash -c 'while :; do echo x >> log.txt; done' &) ; sleep 0.2"));
    expect(text).toContain("A log.txt");
    const { size } = await stat(join(folder, "log.txt"));
    await told(work("true"));
    expect((await stat(join(folder, "log.txt"))).size).toBe(size);
  });

  test("says what it made in a cache of its own, and that its other changes were made, whatever it does there", async () => {
    const { folder, told } = await openRig({ "Cargo.toml": "[package]\n" });
    const APART = /\[Changed: target\/ in the sandbox alone/;
    expect(await told(work("echo x > target/x"))).toMatch(APART);
    expect(await told(work("echo y >> target/x"))).toMatch(APART);
    expect(await told(work("mkdir -p target/d; echo x > target/d/x"))).toMatch(APART);
    expect(await told(work("cat target/x target/d/x > a.txt; chmod 000 target/d"))).toMatch(/\[Changed: A a.txt \+3;/);
    expect(await treeOf(folder)).toEqual({ "Cargo.toml": "[package]\n", "a.txt": "x\ny\nx\n" });
    expect(await told(work("cat target/x"))).not.toContain("Changed:");
    expect(isChanged({ path: "target", kept: join(folder, "cannot-be-read") }, Date.now())).toBe(true);
  });

  test("keeps the times that files got", async () => {
    const { folder, told } = await openRig(FILES);
    await told(work("touch -d 2001-02-03T04:05:06Z a.txt; echo x > n; touch -d 2002-01-01T00:00:00Z n"));
    expect((await stat(join(folder, "a.txt"))).mtime.toISOString()).toBe("2001-02-03T04:05:06.000Z");
    expect((await stat(join(folder, "n"))).mtime.toISOString()).toBe("2002-01-01T00:00:00.000Z");
  });

  // Each leaves everything as it is.
  const OUT = "Nothing that it changed was kept";
  test.each<[what: string, script: string, why: RegExp]>([
    ["a link out of the workspace", "ln -s /etc out", /out \(a link\)/],
    ["a link to a protected folder", "mkdir -p .vscode; ln -s .vscode v", /a link/],
    ["a folder that becomes a link", "rm -r d; ln -s /tmp d", /d \(a link\)/],
    ["a file that becomes a folder", "rm a.txt; mkdir a.txt", /in the place of something else/],
    ["a folder that becomes a file", "rm -r d; echo x > d", /in the place of something else/],
    ["a second name", "ln a.txt b.txt", /several names/],
    ["a pipe", "mkfifo p", /neither a file nor a folder/],
    [
      "a socket",
      `node -e 'require("net").createServer().listen("s", () => process.exit())'; node -e 'const s = require("net").createServer().listen("s2"); s.on("listening", () => process.kill(process.pid, 9))'`,
      /neither a file nor a folder/,
    ],
    ["a set-user-id bit", "cp /bin/true t; chmod u+s t", /set-user-id/],
    ["a name that is not UTF-8", "printf x > $'\\377'", /not UTF-8/],
    [
      "a protected file",
      "mkdir -p .vscode; echo '{}' > .vscode/tasks.json; echo x > n",
      /\.vscode\/tasks\.json.*protected/,
    ],
    ["an agent's instructions", "echo x > AGENTS.md", /AGENTS\.md.*protected/],
    ["a file that may hold secrets", "echo x > id_rsa", /id_rsa/],
    ["a new repository", "git init -q .", /\.git/],
    ["a nested repository", "git init -q sub", /\.git/],
    ["a bare repository", "git init -q --bare bare", /HEAD/],
    [
      "files of a bare repository",
      "mkdir -p m/objects m/refs; echo x > m/config; echo 'ref: refs/heads/x' > m/head",
      /head \(Git may take/,
    ],
    ["a submodule's file", "echo 'gitdir: ../x' > d/.git", /protected/],
    ["a device", "mknod n c 1 3 || mkfifo n", /neither a file nor a folder/],
    ["a large file", "truncate -s 20M big", /big \(larger than 16 MB\)/],
    ["a huge file with a hole", "truncate -s 4T big", /larger than 16 MB/],
    ["many large files", "for i in 1 2 3 4 5 6; do head -c 15000000 /dev/zero > z$i; done", /more than 64 MB in all/],
    ["100,000 files", "mkdir m; cd m; seq 100000 | xargs touch", /more than 2000 changes/],
    ["deep folders", "for i in $(seq 300); do mkdir x && cd x; done; touch y", /folders deep|ENAMETOOLONG/],
    ["the mode of the workspace", "chmod 700 .", /\. \(the mode of the whole folder\)/],
  ])("keeps nothing if it made %s", async (_, script, why) => {
    const { folder, told } = await openRig(FILES);
    await chmod(folder, 0o755);
    const before = await treeOf(folder);
    const text = await told(work(`${script}; echo changed >> d/b.txt`));
    expect(text).toContain(OUT);
    expect(text).toMatch(why);
    expect(await treeOf(folder)).toEqual(before);
    expect(viewFolders()).toEqual([]);
  });

  test.each<[what: string, script: string]>([
    ["deletes and makes anew", 'rm -rf "$d"; mkdir "$d"; echo new > "$d/new.txt"'],
    ["moves away and makes anew", 'mv "$d" "$d.away"; mkdir "$d"; echo new > "$d/new.txt"'],
    ["puts a link in the place of", 'mv "$d" "$d.away" || rm -rf "$d"; ln -sfn /tmp "$d"'],
  ])(
    "stays where a command %s the workspace's own folder, and an undo brings back what was in it",
    async (_, script) => {
      const repository = { ".git/config": "[core]\n", ".git/HEAD": "ref: refs/heads/main\n" };
      const { folder, told, undo } = await openRig({ ...FILES, ...repository });
      const before = await treeOf(folder);
      const text = await told(work(`d=$PWD; cd ..; ${script}; echo over`));
      expect(text).toContain("over");
      expect([existsSync(`${folder}.away`), (await lstat(folder)).isDirectory()]).toEqual([false, true]);
      expect(await treeOf(folder)).toMatchObject(repository);
      if (text.includes("[Changed: ")) {
        await undo();
      }
      expect(await treeOf(folder)).toEqual(before);
    },
  );

  test("cannot forge the kernel's marks", async () => {
    const { folder, told } = await openRig(FILES);
    const before = await treeOf(folder);
    await told(
      work(
        "mknod d/e/c.txt c 0 0; mknod w c 0 0; setfattr -n user.overlay.opaque -v y d; setfattr -n user.overlay.opaque -v y d/e; setfattr -n user.x -v $'x\\n27 SCHILY.xattr.user.overlay.opaque=y\\n' d; setfattr -n trusted.overlay.opaque -v y d; setfattr -n user.overlay.whiteout -v y a.txt",
      ),
    );
    expect(await treeOf(folder)).toEqual(before);
  });

  test("reaches neither secrets, nor the state, nor what is outside", async () => {
    const outside = await tempFolder({ "x.txt": "mine\n" });
    const { folder, told } = await openRig({
      ...FILES,
      ".git/config": "[core]\n",
      ".git/HEAD": "ref: refs/heads/main\n",
    });
    const before = [await treeOf(folder), await treeOf(outside)];
    const text = await told(
      work(
        `cat .env; ls ${stateRoot()}; echo x > ${outside}/x.txt; rm -rf ${outside}; echo x > /etc/x-of-view; echo x >> .git/config; mv .git g; rm -rf .git; mount -o remount,rw / ; umount . ; umount -l . ; unshare -Urm sh -c 'umount . ; umount -l . ; mount --bind / /mnt; echo x > /mnt${folder}/a.txt; mount -o remount,bind,rw /; echo x > /etc/x-of-view'; ls /proc/1/root${stateRoot()}; (exec 3<>/dev/tcp/127.0.0.1/22) ; true`,
      ),
    );
    expect(text).not.toContain("value-of-the-secret");
    expect(text).not.toContain("views");
    expect([await treeOf(folder), await treeOf(outside)]).toEqual(before);
    expect(existsSync("/etc/x-of-view")).toBe(false);
  });

  describe("leaves what others did meanwhile", () => {
    /** Runs a command, and something else once it has made its changes. */
    async function meanwhile(script: string, others: (folder: string) => Promise<unknown>, files = FILES) {
      const rig = await openRig(files);
      const go = await tempFolder();
      await chmod(go, 0o777);
      // Nothing but its output leaves the sandbox, and nothing but its standard input and the time enters it.
      const running = rig.told(work(`${script}; echo made; sleep 1.5`));
      await poll("the changes", () => rig.processes.list().some((each) => each.output(0).text.includes("made")));
      await others(rig.folder);
      const after = await treeOf(rig.folder);
      const text = await running;
      return { ...rig, after, text };
    }

    test.each<[what: string, script: string, others: (folder: string) => Promise<unknown>]>([
      ["a save of the same file", "echo x >> a.txt", (at) => writeFile(join(at, "a.txt"), "the user's\n")],
      ["a save of a deleted file", "rm a.txt", (at) => writeFile(join(at, "a.txt"), "the user's\n")],
      ["a save in a deleted folder", "rm -r d", (at) => writeFile(join(at, "d/e/c.txt"), "the user's\n")],
      ["a new file in a deleted folder", "rm -r d", (at) => writeFile(join(at, "d/new"), "the user's\n")],
      ["a new file in a folder made anew", "rm -r d; mkdir d; echo n > d/n", (at) => writeFile(join(at, "d/new"), "x")],
      ["a file moved into a deleted folder", "rm -r d", (at) => rename(join(at, "a.txt"), join(at, "d/a.txt"))],
      ["a file of the same name", "echo x > n.txt", (at) => writeFile(join(at, "n.txt"), "the user's\n")],
      ["a folder of the same name", "echo x > n.txt", (at) => mkdir(join(at, "n.txt"))],
      ["a mode", "echo x >> a.txt", (at) => chmod(join(at, "a.txt"), 0o600)],
      ["a second name", "echo x >> a.txt", (at) => link(join(at, "a.txt"), join(at, "name"))],
      ["a deletion", "echo x >> a.txt", (at) => rm(join(at, "a.txt"))],
      ["a folder's deletion", "echo x > d/e/n", (at) => rm(join(at, "d"), { recursive: true })],
      [
        "another folder in the place of one, with older files",
        "echo x >> d/e/c.txt",
        async (at) => {
          await rename(join(at, "d"), join(at, "old"));
          await rename(join(at, "other"), join(at, "d"));
        },
      ],
      [
        "a link in the place of a folder",
        "echo x >> d/b.txt",
        async (at) => {
          await rename(join(at, "d"), join(at, "old"));
          await symlink("old", join(at, "d"));
        },
      ],
      [
        "a link out of the workspace in the place of a folder",
        "echo x > d/new",
        async (at) => {
          await rename(join(at, "d"), join(at, "old"));
          await symlink("/tmp", join(at, "d"));
        },
      ],
      [
        "another workspace in the place of this one",
        "echo x > n.txt",
        async (at) => {
          await rename(at, `${at}-old`);
          await mkdir(at);
        },
      ],
    ])("%s", async (_, script, others) => {
      const { folder, after, text } = await meanwhile(script, others, {
        ...FILES,
        "other/e/c.txt": "another\n",
        "other/b.txt": "another\n",
      } as typeof FILES);
      expect(text).toContain(OUT);
      expect(await treeOf(folder)).toEqual(after);
    });

    test("a save of another file, which is there as well as the command's", async () => {
      const { folder, text, undo } = await meanwhile("echo x >> d/b.txt; rm d/e/c.txt", (at) =>
        writeFile(join(at, "a.txt"), "the user's\n"),
      );
      expect(text).toContain("M d/b.txt");
      expect(text).not.toContain("a.txt");
      const both = await treeOf(folder);
      expect(both).toMatchObject({ "a.txt": "the user's\n", "d/b.txt": "b\nx\n" });
      await undo();
      expect(await treeOf(folder)).toEqual({ ...both, "d/b.txt": "b\n", "d/e/c.txt": "c\n" });
    });
  });

  test("of two commands at once, the second does not overwrite what the first made", async () => {
    const { folder, told } = await openRig(FILES);
    const both = await Promise.all([
      told(work("echo first >> a.txt; sleep 0.5")),
      told(work("echo second >> a.txt; sleep 0.5")),
    ]);
    expect(both.filter((text) => text.includes("M a.txt +1"))).toHaveLength(1);
    expect(both.filter((text) => text.includes(OUT))).toHaveLength(1);
    expect(await readFile(join(folder, "a.txt"), "utf8")).toMatch(/^one\ntwo\n(first|second)\n$/);
  });

  test("lines that change what they name run in it, too, and change nothing where others changed it since", async () => {
    const { folder, told } = await openRig(FILES);
    expect(await told("mkdir x && cp a.txt x/ && touch a.txt")).toContain("A x/a.txt +2");
    const before = await treeOf(folder);
    const late = told("sleep 1; mv x .github", {});
    await poll("its start", () => viewFolders().length > 0);
    await mkdir(join(folder, "x/workflows"));
    await writeFile(join(folder, "x/workflows/ci.yml"), "on: push\n");
    expect(await late).toContain(OUT);
    expect(await treeOf(folder)).toEqual({
      ...before,
      "x/workflows/": "folder",
      "x/workflows/ci.yml": "on: push\n",
    });
  });

  test("a rule of the user on files holds for what it makes", async () => {
    const rules = [{ tool: "*", params: { path: "d/**" }, decision: "ask" }];
    const { folder, told } = await openRig(FILES, { rules });
    const before = await treeOf(folder);
    expect(await told(work("echo x >> d/b.txt"))).toContain(OUT);
    expect(await treeOf(folder)).toEqual(before);
    expect(await told(work("echo x >> a.txt"))).toContain("M a.txt");
  });

  test("is asked about where a view would not be whole, or its changes not be kept", async () => {
    const colon = await tempFolder({ "a:b/x.txt": "" });
    for (const folder of [join(colon, "a:b"), join(stateRoot(), ".."), "/proc/self"]) {
      const { canOpen, told } = await openRig(folder);
      expect(await canOpen()).toBe(false);
      expect(await told(work("true"))).toContain("Error (denied)");
    }
  });

  test("hidden files stay, whatever is done to them", async () => {
    const { folder, told } = await openRig(FILES);
    const before = await treeOf(folder);
    expect(await told(work("rm -f .env; mv .env x; echo x > .env; rm -rf ./*"))).toMatch(/D a.txt|Nothing/);
    expect(await readFile(join(folder, ".env"), "utf8")).toBe(before[".env"]);
    expect((await lstat(join(folder, ".env"))).isFile()).toBe(true);
  });
});

function viewFolders(): string[] {
  const place = join(stateRoot(), "views");
  // Other tests may use the same state.
  return existsSync(place) ? readdirSync(place).filter((name) => name.startsWith(`${process.pid}-`)) : [];
}
