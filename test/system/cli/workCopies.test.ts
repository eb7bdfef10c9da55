import { describe, expect, test } from "vitest";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { poll } from "../../harness/poll.js";
import { agentRig, calls, results } from "./agentRig.js";
import { finish } from "./built.js";

const rig = agentRig();
const COPIES = `${process.env["TOOLHOST_STATE"] ?? ""}-copies`;
const TASKS = Array.from({ length: 8 }, (_, index) => `t${index}`);
const env = (): NodeJS.ProcessEnv => ({
  ...process.env,
  OPENAI_BASE_URL: rig.server().baseUrl,
  OPENAI_API_KEY: "",
  OPENAI_MODEL: "test-model",
});
const task = (title: string): string => `---\ntitle: ${title}\n---\nDo it.\n`;
const read = (folder: string, path: string): string => readFileSync(join(folder, path), "utf8");
const statusOf = (folder: string, name: string): string =>
  /^status: (\w+)/m.exec(read(folder, `.toolhost/tasks/${name}.md`))?.[1] ?? "pending";

/** A file with a line for each task, and others in between. */
const lines = (of: (name: string) => string): string => TASKS.map((name) => `${of(name)}\n-\n-\n`).join("");

/** Types into a file, a line at a time, until it is stopped: returns what was typed. */
function typeInto(file: string, every: number): { stop: () => Promise<string> } {
  let isOver = false;
  let typed = "";
  const typing = (async () => {
    for (let line = 0; !isOver; line++) {
      await appendFile(file, `typed ${line}\n`);
      typed += `typed ${line}\n`;
      await delay(every);
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await typing;
      return typed;
    },
  };
}

describe("toolhost work --sandbox worktree", () => {
  test("does eight tasks at once in eight copies while the user types, and loses nothing", async () => {
    const { folder, run } = await rig.inFolder({
      ...Object.fromEntries(TASKS.map((name) => [`.toolhost/tasks/${name}.md`, task(name)])),
      "shared.txt": lines((name) => `${name} to do`),
    });
    let hasTyped = (): void => undefined;
    const until = new Promise<void>((resolve) => (hasTyped = resolve));
    rig.server().script(
      ...TASKS.flatMap((name) => [
        {
          ...calls(
            ["write", { path: `made/${name}.txt`, content: `${name}\n` }],
            ["edit", { path: "shared.txt", old_text: `${name} to do`, new_text: `${name} done` }],
          ),
          when: `Task ${name}:`,
          untilChats: TASKS.length,
        },
        {
          ...calls(["complete_task", { summary: `Did ${name}.` }]),
          when: `Task ${name}:`,
          until,
        },
      ]),
    );
    // One file that the tasks change as well, until they are merged: nothing can be appended to a file in the moment in
    // which it is replaced. Another one all the time.
    const shared = typeInto(join(folder, "shared.txt"), 250);
    const own = typeInto(join(folder, "typed.txt"), 2);
    const working = run("work", "--once", "--sandbox", "worktree", "--parallel", "8");
    await poll("the edits to be made", () => rig.server().chats().length === 2 * TASKS.length);
    const typedShared = await shared.stop();
    hasTyped();
    const { code, out, err } = await working;
    const typed = await own.stop();
    expect(code).toBe(0);
    expect(out.match(/^task t\d: complete: Did t\d\.$/gm)).toHaveLength(TASKS.length);
    expect(err).toContain("[task t3] • Edit shared.txt");
    expect(read(folder, "shared.txt")).toBe(lines((name) => `${name} done`) + typedShared);
    expect(read(folder, "typed.txt")).toBe(typed);
    expect(readdirSync(join(folder, "made"))).toEqual(TASKS.map((name) => `${name}.txt`));
    expect(existsSync(COPIES)).toBe(false);
    expect(TASKS.map((name) => statusOf(folder, name))).toEqual(TASKS.map(() => "complete"));
    // One list, in which each task is one change that is taken back alone.
    const list = (await run("undo", "--list")).out;
    const merges = [...list.matchAll(/^ +(\d+) {2}merge_task.*\n +made\/(t\d)\.txt/gm)];
    expect(merges.map(([, , name]) => name).sort()).toEqual(TASKS);
    const [first, ...others] = merges.map(([, id = "", name = ""]) => ({ id, name }));
    expect(await run("undo", "--id", first?.id ?? "")).toMatchObject({ code: 0 });
    const undone = new Set([first?.name]);
    const shown = (): string => lines((name) => `${name} ${undone.has(name) ? "to do" : "done"}`) + typedShared;
    expect(read(folder, "shared.txt")).toBe(shown());
    expect(existsSync(join(folder, `made/${first?.name}.txt`))).toBe(false);
    for (const { id, name } of others) {
      expect(await run("undo", "--id", id)).toMatchObject({ code: 0 });
      undone.add(name);
    }
    expect(read(folder, "shared.txt")).toBe(shown());
    expect(existsSync(join(folder, "made"))).toBe(false);
  });

  const oneTask = { ".toolhost/tasks/a.md": task("A") };
  const inCopy = ["work", "--once", "--sandbox", "worktree"] as const;

  test("leaves a file as the user has it in which both changed the same, merges the others, and waits", async () => {
    const { folder, run } = await rig.inFolder({ ...oneTask, "same.txt": "one\ntwo\n", "other.txt": "a\nb\nc\n" });
    let hasTyped = (): void => undefined;
    const typed = new Promise<void>((resolve) => (hasTyped = resolve));
    rig
      .server()
      .script(
        calls(
          ["edit", { path: "same.txt", old_text: "two", new_text: "task's" }],
          ["edit", { path: "other.txt", old_text: "c", new_text: "task's" }],
        ),
        { ...calls(["complete_task", { summary: "Done." }]), until: typed },
      );
    const working = run(...inCopy);
    await poll("the edits to be made", () => rig.server().chats().length === 2);
    writeFileSync(join(folder, "same.txt"), "one\nuser's\n");
    writeFileSync(join(folder, "other.txt"), "user's\nb\nc\n");
    hasTyped();
    const { code, out } = await working;
    expect(code).toBe(0);
    expect(out).toContain("task a: waiting: Not merged: same.txt (line 2 was changed meanwhile in another way).");
    expect(out).toContain("Merged: other.txt");
    expect(read(folder, "same.txt")).toBe("one\nuser's\n");
    expect(read(folder, "other.txt")).toBe("user's\nb\ntask's\n");
    const kept = /kept for 30 days in (\S+?)\.( |$)/m.exec(out)?.[1] ?? "";
    expect(read(kept, "files/same.txt")).toBe("one\ntask's\n");
    expect(read(kept, "task.patch")).toContain("-two\n+task's\n");
    expect(read(folder, ".toolhost/tasks/a.md")).toContain("same.txt");
    // It goes on in a new copy, which has what the user wrote.
    const session = /toolhost sessions send ([\da-f-]{36})/.exec(out)?.[1] ?? "";
    await run("sessions", "send", session, "Try again.");
    rig
      .server()
      .script(
        calls(["edit", { path: "same.txt", old_text: "user's", new_text: "user's and task's" }]),
        calls(["complete_task", { summary: "Merged." }]),
      );
    expect((await run(...inCopy)).out).toContain("task a: complete: Merged.");
    expect(read(folder, "same.txt")).toBe("one\nuser's and task's\n");
  });

  test("brings back what commands did, and not ignored files or commits; nothing of the repository runs", async () => {
    const { folder, run } = await rig.inFolder({
      ...oneTask,
      ".gitignore": "build/\n.env\n",
      ".env": "KEY=secret\n",
      "gone.txt": "x\n",
      "run.sh": "echo\n",
      "bytes.bin": "\0one",
    });
    const git = (...words: string[]): string =>
      execFileSync("git", ["-C", folder, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", ...words], {
        encoding: "utf8",
      });
    git("init", "-q", "-b", "main");
    git("add", ".");
    git("-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "first");
    chmodSync(join(folder, ".env"), 0o600);
    writeFileSync(join(folder, "new.txt"), "not committed\n");
    const evil = `touch ${folder}/../evil-$$`;
    for (const [name, value] of [
      ["core.fsmonitor", evil],
      ["filter.x.clean", evil],
      ["filter.x.smudge", evil],
      ["core.sshCommand", evil],
    ] as const) {
      git("config", name, value);
    }
    writeFileSync(join(folder, ".git/info/attributes"), "* filter=x\n");
    writeFileSync(join(folder, ".git/hooks/post-commit"), `#!/bin/sh\n${evil}\n`, { mode: 0o755 });
    const repository = (): string[] => readdirSync(join(folder, ".git"), { recursive: true, encoding: "utf8" }).sort();
    const before = repository();
    const command = [
      "set -e",
      "git log --format=%s; git status --short; stat -c %a .env",
      "git -c user.name=a -c user.email=a@a commit -qam second",
      "rm gone.txt; chmod +x run.sh; printf '\\0two' > bytes.bin; mkdir -p build deep/er; echo b > build/out; echo d > deep/er/file",
      "ln -s new.txt link; ln -s ../../outside out",
    ].join("\n");
    rig.server().script(calls(["exec", { command }]), calls(["complete_task", { summary: "Done." }]));
    const { code, out } = await run(...inCopy, "--allow-all");
    const said = results(rig.server().chats()[1]?.body)[0] ?? "";
    expect(said).toContain("first\n");
    expect(said).toContain("?? new.txt\n");
    expect(said).toContain("\n600\n");
    expect([code, out]).toEqual([0, expect.stringContaining("task a: complete: Done.") as string]);
    expect(out).toContain("Stayed in the copy, which is gone: build/ (it is ignored).");
    expect(out).toContain("Commits of the copy are not in the folder's repository.");
    expect(existsSync(join(folder, "gone.txt"))).toBe(false);
    expect(existsSync(join(folder, "build"))).toBe(false);
    expect(statSync(join(folder, "run.sh")).mode & 0o111).toBe(0o111);
    expect(read(folder, "bytes.bin")).toBe("\0two");
    expect(read(folder, "deep/er/file")).toBe("d\n");
    expect(readlinkSync(join(folder, "link"))).toBe("new.txt");
    expect(repository()).toEqual(before);
    expect(git("log", "--format=%s")).toBe("first\n");
    expect(readdirSync(join(folder, "..")).filter((name) => name.startsWith("evil"))).toEqual([]);
  });

  test("has a repository in which Git only looks unasked", async () => {
    const { folder, run } = await rig.inFolder({ ...oneTask, "a.txt": "a\n" });
    const git = (...words: string[]): void => void execFileSync("git", ["-C", folder, ...words]);
    git("init", "-q", "-b", "main");
    git("add", "a.txt");
    git("-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "first");
    writeFileSync(join(folder, "a.txt"), "b\n");
    rig
      .server()
      .script(
        calls(["exec", { command: "git log --format=%s && git diff" }]),
        calls(["complete_task", { summary: "Done." }]),
      );
    expect((await run(...inCopy)).code).toBe(0);
    const [said] = results(rig.server().chats()[1]?.body);
    expect(said).toContain("first\n");
    expect(said).toContain("-a\n+b");
  });

  test("asks for files that steer programs, and merges the rest where nobody can be asked", async () => {
    const make = `const { mkdirSync, writeFileSync } = require("fs");
mkdirSync(".vscode"); writeFileSync(".vscode/settings.json", "{}"); writeFileSync("plain.txt", "x\\n");`;
    const { folder, run } = await rig.inFolder({ ...oneTask, "make.cjs": make });
    rig.server().script(calls(["exec", { command: "node make.cjs" }]), calls(["complete_task", { summary: "Done." }]));
    const { out } = await run(...inCopy, "--allow", "exec(command: node make.cjs)");
    expect(out).toContain("task a: waiting: Not merged: .vscode/settings.json (not allowed: ");
    expect(read(folder, "plain.txt")).toBe("x\n");
    expect(existsSync(join(folder, ".vscode/settings.json"))).toBe(false);
  });

  test("merges nothing of a task that failed, and keeps it", async () => {
    const { folder, run } = await rig.inFolder(oneTask);
    rig
      .server()
      .script(calls(["write", { path: "half.txt", content: "half\n" }]), calls(["fail_task", { reason: "Cannot." }]));
    const { code, out } = await run(...inCopy);
    expect(code).toBe(1);
    expect(existsSync(join(folder, "half.txt"))).toBe(false);
    expect(read(/Nothing was merged\. .* in (\S+?)\.$/m.exec(out)?.[1] ?? "", "files/half.txt")).toBe("half\n");
  });

  test("merges what an agent changed after it could not end its task, too, each as a change of its own", async () => {
    const { folder, run } = await rig.inFolder(oneTask);
    let [hasSpoilt, hasMended] = [(): void => undefined, (): void => undefined];
    const spoilt = new Promise<void>((resolve) => (hasSpoilt = resolve));
    const mended = new Promise<void>((resolve) => (hasMended = resolve));
    rig
      .server()
      .script(
        calls(["write", { path: "first.txt", content: "first\n" }]),
        { ...calls(["complete_task", { summary: "Done." }]), until: spoilt },
        { ...calls(["write", { path: "second.txt", content: "second\n" }]), until: mended },
        calls(["complete_task", { summary: "Done now." }]),
      );
    const file = join(folder, ".toolhost/tasks/a.md");
    const working = run(...inCopy);
    await poll("the first file to be written", () => rig.server().chats().length === 2);
    const own = readFileSync(file, "utf8");
    writeFileSync(file, "no task\n");
    hasSpoilt();
    await poll("the task not to be ended", () => rig.server().chats().length === 3);
    expect(read(folder, "first.txt")).toBe("first\n");
    writeFileSync(file, own);
    hasMended();
    const { code, out } = await working;
    expect([code, out]).toEqual([
      0,
      "task a: complete: Done now.\n  Merged: first.txt and second.txt (toolhost undo --list has it).\n",
    ]);
    expect(read(folder, "second.txt")).toBe("second\n");
    expect((await run("undo", "--list")).out.match(/merge_task/g)).toHaveLength(2);
  });

  test.each(["SIGINT", "SIGKILL"] as const)("a %s in the middle leaves nothing in the folder", async (signal) => {
    const { folder, run } = await rig.inFolder(oneTask);
    rig.server().script(calls(["write", { path: "half.txt", content: "half\n" }]), { hang: true });
    const worker = rig.cli.start([...inCopy], { cwd: folder, env: env(), stdio: ["ignore", "pipe", "pipe"] });
    const ended = finish(worker);
    await poll("the file to be written", () => rig.server().chats().length === 2);
    expect(readdirSync(COPIES)).toHaveLength(1);
    worker.kill(signal);
    const { code } = await ended;
    expect(existsSync(join(folder, "half.txt"))).toBe(false);
    if (signal === "SIGINT") {
      expect(code).toBe(130);
      expect(statusOf(folder, "a")).toBe("pending");
      expect(existsSync(COPIES)).toBe(false);
    }
    rig.server().script(calls(["complete_task", { summary: "Again." }]));
    expect((await run(...inCopy)).out).toContain("task a: complete: Again.");
    expect(existsSync(join(folder, "half.txt"))).toBe(false);
    expect(existsSync(COPIES)).toBe(false);
  });

  test("a task's file asks for a copy; other tasks work in the folder", async () => {
    const { folder, run } = await rig.inFolder({
      ".toolhost/tasks/a.md": "---\ntitle: A\nsandbox: worktree\n---\nDo it.\n",
      ".toolhost/tasks/b.md": task("B"),
      ".toolhost/tasks/c.md": "---\ntitle: C\nsandbox: ssh://there/folder\n---\nDo it.\n",
    });
    const script = (name: string): void =>
      rig
        .server()
        .script(
          calls(["write", { path: `${name}.txt`, content: name }]),
          calls(["complete_task", { summary: "Done." }]),
        );
    script("a");
    expect((await run("work", "--once")).out).toBe(
      "task a: complete: Done.\n  Merged: a.txt (toolhost undo --list has it).\n",
    );
    script("b");
    expect((await run("work", "--once")).out).toBe("task b: complete: Done.\n");
    expect([read(folder, "a.txt"), read(folder, "b.txt")]).toEqual(["a", "b"]);
    const { err } = await run("work", "--once");
    expect(err).toContain('tasks/c.md: sandbox: must be one of worktree; got string "ssh://there/folder".');
  });

  test("says what is wrong with its flags", async () => {
    const { run } = await rig.inFolder();
    const wrong: [string[], string][] = [
      [["--parallel", "2"], "Give each a copy of the folder: --sandbox worktree."],
      [["--sandbox", "worktree", "--parallel", "17"], "expected a number from 1 to 16"],
      [["--sandbox", "worktree", "--parallel", "0"], "expected a number from 1 to 16"],
      [["--sandbox", "docker"], "worktree"],
    ];
    for (const [words, message] of wrong) {
      expect(await run("work", ...words)).toMatchObject({
        code: 2,
        err: expect.stringContaining(message) as string,
      });
    }
  });
});

describe("sessions_spawn with sandbox: worktree", () => {
  const spawn = calls(["sessions_spawn", { prompt: "Write b.txt.", sandbox: "worktree" }]);
  const child = (content: string) => ({
    ...calls(["exec", { command: "pwd" }], ["write", { path: "b.txt", content }]),
    when: "Write b.txt.",
  });

  test("brings back what the subagent changed in its copy, and says so", async () => {
    const { folder, agent, run } = await rig.inFolder({ "a.txt": "a\n" });
    const { code, out } = await agent([spawn, child("b\n"), { text: "Written." }, { text: "All done." }], ["Go."]);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("All done.") as string });
    const bodies = rig.server().chats();
    expect(results(bodies[2]?.body)[0]).toContain(COPIES);
    expect(results(bodies[3]?.body)[0]).toBe(
      "Subagent completed task. Result:\nWritten.\n[Merged: b.txt (toolhost undo --list has it).]",
    );
    expect(read(folder, "b.txt")).toBe("b\n");
    expect(existsSync(COPIES)).toBe(false);
    expect((await run("undo")).code).toBe(0);
    expect(existsSync(join(folder, "b.txt"))).toBe(false);
  });

  test("keeps the changes of a subagent that failed, and merges none", async () => {
    const { folder, agent } = await rig.inFolder({ "a.txt": "a\n" });
    await agent([spawn, child("b\n"), { status: 400, body: "No." }, { text: "It failed." }], ["Go."]);
    expect(results(rig.server().chats()[3]?.body)[0]).toMatch(
      /^.*Subagent error: .*Nothing was merged\. The subagent's changes are kept for 30 days in \S+\./,
    );
    expect(existsSync(join(folder, "b.txt"))).toBe(false);
    expect(existsSync(COPIES)).toBe(false);
  });

  test("tells the model which files of two subagents were not merged, and what to do", async () => {
    const { folder, agent } = await rig.inFolder({ "a.txt": "one\ntwo\nthree\n" });
    const change = (line: string) => ({
      ...calls(
        ["edit", { path: "a.txt", old_text: "two", new_text: line }],
        ["write", { path: `${line}.txt`, content: line }],
      ),
      when: `Write ${line}.`,
    });
    const look = (line: string) => ({ ...calls(["read", { path: "a.txt" }]), when: `Write ${line}.` });
    await agent(
      [
        calls(
          ["sessions_spawn", { prompt: "Write first.", sandbox: "worktree" }],
          ["sessions_spawn", { prompt: "Write second.", sandbox: "worktree" }],
        ),
        ...[look("first"), look("second"), change("first"), change("second")],
        ...[{ text: "Written.", when: "Write first." }, { text: "Written.", when: "Write second." }, { text: "Done." }],
      ],
      ["Go."],
    );
    const told = results(rig.server().chats().at(-1)?.body).join("\n");
    expect(told).toMatch(
      /Not merged: a\.txt \(.+?\)\. Make these changes in the folder yourself, or tell the user where they are\. The subagent's changes are kept for 30 days in \S+\.\]/,
    );
    // One of them has the line, and neither loses its other file.
    expect(read(folder, "a.txt")).toMatch(/^one\n(first|second)\nthree\n$/);
    expect([read(folder, "first.txt"), read(folder, "second.txt")]).toEqual(["first", "second"]);
  });

  test.each<[string, string[], RegExp]>([
    ["only plans", ["--plan"], /^Error \(denied\): write: refused: the permission mode is plan/],
    [
      "may change and read a part",
      ["--manifest", "manifest.json"],
      /^Error \(denied\): write: .*deny write anything but src\/\*\*/,
    ],
  ])("gives a subagent no more than its parent has, which %s", async (_, words, denied) => {
    const { folder, agent } = await rig.inFolder({
      "a.txt": "not for models\n",
      "manifest.json": '{"entries": {}, "permissions": {"read": ["src/**"], "write": ["src/**"]}}',
    });
    const script = [spawn, child("b\n"), { ...calls(["read", { path: "a.txt" }]), when: "Write b.txt." }];
    await agent([...script, { text: "Written." }, { text: "All done." }], [...words, "Go."]);
    const bodies = rig.server().chats();
    expect(results(bodies[2]?.body).at(-1)).toMatch(denied);
    expect(results(bodies[3]?.body).at(-1)?.includes("not for models")).toBe(words.includes("--plan"));
    expect(results(bodies[4]?.body)[0]).toContain("[No file was merged.]");
    expect(existsSync(join(folder, "b.txt"))).toBe(false);
  });

  test("in a copy has none of its own", async () => {
    const { folder, run } = await rig.inFolder({ ".toolhost/tasks/a.md": task("A") });
    rig
      .server()
      .script({ ...spawn, when: "Task a:" }, { ...calls(["complete_task", { summary: "Alone." }]), when: "Task a:" });
    expect((await run("work", "--once", "--sandbox", "worktree")).out).toContain("task a: complete: Alone.");
    expect(results(rig.server().chats()[1]?.body)[0]).toContain(
      "sessions_spawn: sandbox: no copy of the folder can be made here.",
    );
    expect(existsSync(join(folder, "b.txt"))).toBe(false);
  });
});
