// `toolhost mcp` in a folder that a window has open: the window's server in this process, its client as a process.
import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { connect as connectSocket, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { PROTOCOL } from "../../../src/doors/mcp/window/protocol.js";
import { findWindow, noteName } from "../../../src/doors/mcp/window/windowNotes.js";
import { WindowTools } from "../../../src/doors/mcp/window/windowTools.js";
import { livenessOf, thisProcess } from "../../../src/hosts/node/state/owner.js";
import { makeWindowNotes } from "../../../src/hosts/node/state/stateFolder.js";
import { poll } from "../../harness/poll.js";
import { contentOf, openWorkspace, tempFolder } from "../../unit/tools/workspace.js";
import { builtCli } from "./built.js";
import { connect, isGone } from "./mcpRig.js";
import { doors, openWindow, serveWindow } from "./mcpWindowRig.js";

const cli = builtCli();

/** Waits for the end of a process. */
const ended = (pid: number): Promise<unknown> => poll("the process's end", () => isGone(pid));

test("flags choose tools and forbid changes in the window, but allow nothing there", async () => {
  const window = await openWindow();
  const plan = await connect(cli, window.folder, ["--plan", "--allow-all", "--tools", "edit"]);
  expect((await plan.client.listTools()).tools.map(({ name }) => name)).toEqual(["edit", "read_result"]);
  expect(await plan.text("read", { path: "a.txt" })).toContain(
    "Error (unknown_tool): read: there is no such tool here.\nHint: read is not served here: ",
  );
  const piping = await connect(cli, window.folder, ["--tools", "pipe"]);
  const piped = { tool_name: "read", tool_input: { path: "a.txt" }, path: "a.json" };
  expect(await piping.text("pipe", piped)).toContain("read: there is no such tool here.");
  expect(await plan.text("edit", { path: "a.txt", old_text: "one", new_text: "1" })).toContain("Error (denied)");
  const all = await connect(cli, window.folder, ["--allow-all"]);
  await all.text("exec", { command: "install /dev/null made" });
  expect(window.titles).toHaveLength(1);
});

test("a window that opens later is used from then on, and one that closes is not missed", async () => {
  const window = await openWorkspace({ "a.txt": "one\n" });
  const { client, text } = await connect(cli, window.folder, ["--allow-all"]);
  let changes = 0;
  client.setNotificationHandler("notifications/tools/list_changed", () => void changes++);
  expect(await text("read", { path: "a.txt" })).toBe("1\tone");
  expect(doors(window)).toEqual([]);
  const server = await serveWindow(window);
  expect(await text("read", { path: "a.txt" })).toBe("1\tone");
  expect(doors(window)).toEqual(["mcp:Test Client read"]);
  await poll("the changed list", () => changes > 0);
  const lost = text("exec", { command: "echo $$ > pid; exec sleep 1000", timeout: 900 });
  const pid = await poll("the command", async () => Number((await contentOf(window.folder, "pid")).trim()));
  server.dispose();
  expect(await lost).toContain("VS Code's window was closed during the call, so it is not known whether it was done.");
  await ended(pid);
  expect(await text("read", { path: "a.txt" })).toBe("1\tone");
  expect(doors(window).filter((each) => each.endsWith("read"))).toHaveLength(1);
});

test("what a client has read, and its turn, go along when a window opens and closes", async () => {
  const window = await openWorkspace({ "a.txt": "one\n", "b.txt": "b\n" }, { sharesState: true });
  const { text } = await connect(cli, window.folder);
  const write = (content: string): Promise<string> => text("write", { path: "a.txt", content });
  await text("read", { path: "a.txt" });
  await text("edit", { path: "b.txt", old_text: "b", new_text: "B" });
  const server = await serveWindow(window);
  expect(await write("in the window\n")).toMatch(/^Wrote|^Overwrote|a\.txt/);
  expect(doors(window)).toEqual(["mcp:Test Client write"]);
  server.dispose();
  await poll("the end of the window", async () => {
    await text("read", { path: "b.txt" });
    return doors(window).length === 1;
  });
  // The version that the window wrote is what this process knows, too.
  expect(await write("without it\n")).not.toContain("Error");
  expect(await contentOf(window.folder, "a.txt")).toBe("without it\n");
  // All of it is one turn.
  await cli.run(["undo"], { cwd: window.folder });
  expect([await contentOf(window.folder, "a.txt"), await contentOf(window.folder, "b.txt")]).toEqual(["one\n", "b\n"]);
});

test("a command that a client started before the window opened goes on, and the answer says where", async () => {
  const window = await openWorkspace({ "a.txt": "one\n" });
  const { client, text } = await connect(cli, window.folder, ["--allow-all"]);
  expect(client.getInstructions()).toContain("serving the folder without a window of VS Code.");
  expect(await text("exec", { command: "echo early; exec sleep 1000", background: true })).toContain("m1");
  await serveWindow(window);
  expect(await text("exec", { command: "exec sleep 1000", background: true })).toContain("p1");
  const listed = await text("process", { action: "list" });
  expect(listed).toMatch(/^p1.*\nOf this server, started without the window:\nm1 /s);
  expect(await text("process", { action: "poll", process_id: "m1" })).toMatch(
    /^\[It runs in this server, not in the window\.\]\nm1 .*early/s,
  );
  expect(await text("process", { action: "kill", session_id: "p1" })).toMatch(/^Sent SIGTERM to p1/);
  expect(await text("process", { action: "kill", session_id: "m1" })).toContain("Sent SIGTERM to m1");
});

test("a yes for the session counts for that client, and for no other", async () => {
  const window = await openWindow({ a: "", b: "", c: "" }, { answer: () => "session" });
  const { client, text } = await connect(cli, window.folder);
  expect(client.getInstructions()).toContain("serving the folder in the window of VS Code that has it open.");
  for (const command of ["chmod +x a", "chmod +x b"]) {
    expect(await text("exec", { command })).toContain("Exit code 0");
  }
  expect(window.titles).toEqual(["Test Client: Run chmod +x a"]);
  const other = await connect(cli, window.folder);
  await other.text("exec", { command: "chmod +x c" });
  expect(window.titles).toHaveLength(2);
});

test("a server that one window offers serves that window alone, and says so when it is gone", async () => {
  const folder = await tempFolder({ "a.txt": "disk\n" });
  // Three windows that say the same folder, each with a text of its own.
  const windows = await Promise.all(
    [0, 1, 2].map(async (index) => {
      return serveWindow({ ...(await openWorkspace({ "a.txt": `window ${index}\n` })), folder });
    }),
  );
  const clients = await Promise.all(
    windows.map(async ({ id }) => connect(cli, folder, ["--asks-alone", "--window", id])),
  );
  const read = async (): Promise<string[]> =>
    Promise.all(clients.map(async ({ text }) => text("read", { path: "a.txt" })));
  expect(await read()).toEqual(["1\twindow 0", "1\twindow 1", "1\twindow 2"]);
  windows[0]?.dispose();
  await poll("the end of the connection", async () => (await read())[0] !== "1\twindow 0");
  expect(await read()).toEqual([
    expect.stringContaining("Error (io_error): The window of VS Code that this server belongs to does not answer."),
    "1\twindow 1",
    "1\twindow 2",
  ]);
});

test("a client that goes takes its commands in the window along", async () => {
  const window = await openWindow();
  const { client } = await connect(cli, window.folder);
  const call = client.callTool({
    name: "exec",
    arguments: { command: "echo $$ > pid; exec sleep 1000", timeout: 900 },
  });
  call.catch(() => undefined);
  const pid = await poll("the command", async () => Number((await contentOf(window.folder, "pid")).trim()));
  await client.close();
  await ended(pid);
});

test("another folder, below or beside the window's, is not served by the window", async () => {
  const window = await openWindow({ "below/b.txt": "b\n" });
  const beside = await tempFolder({ "a.txt": "beside\n" });
  for (const [folder, path, shown] of [
    [join(window.folder, "below"), "b.txt", "1\tb"],
    [beside, "a.txt", "1\tbeside"],
  ] as const) {
    const { text } = await connect(cli, folder);
    expect(await text("read", { path })).toBe(shown);
  }
  expect(doors(window)).toEqual([]);
});

test.each(["inside", "beside"])(
  "a client in a Git worktree %s the window's folder gets that worktree's files",
  async (where) => {
    const window = await openWindow({ "a.txt": "main\n", ".gitignore": "trees\n" });
    const git = (...args: string[]): string => execFileSync("git", args, { cwd: window.folder, encoding: "utf8" });
    git("init", "-q");
    git("add", ".");
    git("-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "-qm", "first");
    const tree = where === "inside" ? join(window.folder, "trees", "w") : join(await tempFolder(), "w");
    git("worktree", "add", "-q", tree);
    const { text } = await connect(cli, tree);
    expect(await text("edit", { path: "a.txt", old_text: "main", new_text: "worktree" })).toContain("1 replacement");
    expect([await contentOf(tree, "a.txt"), await contentOf(window.folder, "a.txt")]).toEqual(["worktree\n", "main\n"]);
    // The window's own files, by whatever path: refused with the folder that is served.
    for (const path of [join(window.folder, "a.txt"), relative(tree, join(window.folder, "a.txt"))]) {
      for (const [tool, input] of [
        ["edit", { path, old_text: "main", new_text: "lost" }],
        ["read", { path }],
        ["exec", { command: `cat ${path}` }],
      ] as const) {
        const answer = await text(tool, input);
        expect(answer).toMatch(/^Error \(denied\)/);
        expect(answer).toContain(join(window.folder, "a.txt"));
        expect(answer).toContain(`This server serves ${tree}, and paths are relative to it.`);
      }
    }
    expect(await text("read", { path: "trees/a.txt" })).toContain(`This server serves ${tree},`);
    expect(await contentOf(window.folder, "a.txt")).toBe("main\n");
    expect(doors(window)).toEqual([]);
  },
);

test("nobody gets in without the token of the note, which only this user can read", async () => {
  const window = await openWindow();
  const note = findWindow(makeWindowNotes(), window.folder, livenessOf);
  if (note === undefined) {
    expect.unreachable();
  }
  expect(note.token).toMatch(/^[\da-f]{64}$/);
  const file = join(makeWindowNotes(), noteName(process.pid, window.server.id));
  const modes = await Promise.all(
    [makeWindowNotes(), file, join(note.socket, ".."), note.socket].map(
      async (path) => (await stat(path)).mode & 0o077,
    ),
  );
  expect(modes).toEqual([0, 0, 0, 0]);
  if (process.getuid?.() === 0) {
    // Only root can be somebody else for a moment.
    const code = `const told = (error) => console.log(error.code);
      require("fs").readdir(${JSON.stringify(makeWindowNotes())}, told);
      require("net").connect(${JSON.stringify(note.socket)}).on("error", told);`;
    const stranger = { uid: 65_534, gid: 65_534, encoding: "utf8", cwd: "/" } as const;
    expect(spawnSync(process.execPath, ["-e", code], stranger).stdout).toBe("EACCES\nEACCES\n");
  }
  const client = { planOnly: false, sendsData: false, served: ["read"], key: "k", folder: window.folder };
  const open = (with_: object, more = {}): Promise<WindowTools | undefined> =>
    WindowTools.open({ ...note, ...with_ }, { ...client, ...more }, () => undefined);
  expect(await open({ token: "0".repeat(64) })).toBeUndefined();
  expect(await open({ token: "" })).toBeUndefined();
  expect(await open({ token: note.token.slice(1) })).toBeUndefined();
  expect(await open({ folders: ["/"] }, { folder: "/" })).toBeUndefined();
  expect(await open({})).toBeInstanceOf(WindowTools);
  for (const line of [
    "garbage",
    '{"type":"call","id":1,"name":"read","input":{"path":"a.txt"},"client":"x"}',
    "[]",
    "7",
    "x".repeat(25_000_000),
  ]) {
    const said = await new Promise<string>((resolve) => {
      let text = "";
      const socket = connectSocket(note.socket, () => void socket.end(`${line}\n`));
      socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      socket.on("error", () => undefined).on("close", () => resolve(text));
    });
    expect(said).toBe("");
  }
  expect(doors(window)).toEqual([]);
  window.server.dispose();
  expect([file, join(note.socket, "..")].filter((path) => existsSync(path))).toEqual([]);
});

/** Starts a server that listens at a path. */
async function listen(path: string): Promise<{ server: Server; connections: () => number }> {
  let connections = 0;
  const server = createServer(() => void connections++).listen(path);
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return { server, connections: () => connections };
}

/** A note of a window that has gone. */
const GONE = { protocol: PROTOCOL, pid: 2_000_000_000, started: "", token: "x" };

test("what a killed window left is removed, and no note misleads", async () => {
  const folder = await tempFolder({ "a.txt": "one\n" });
  const place = await mkdtemp(join(tmpdir(), "toolhost-"));
  const socket = join(place, "s");
  // A socket stays when its process is killed.
  const code = `require("net").createServer().listen(${JSON.stringify(socket)}, () => process.kill(process.pid, "SIGKILL"))`;
  expect(spawnSync(process.execPath, ["-e", code]).signal).toBe("SIGKILL");
  expect((await stat(socket)).isSocket()).toBe(true);
  const notes = makeWindowNotes();
  const left = join(notes, "1-left.json");
  await writeFile(left, JSON.stringify({ ...GONE, folders: [folder], socket }));
  // As an earlier version wrote it.
  await writeFile(join(notes, "1-old.json"), JSON.stringify({ ...GONE, protocol: 3, folder, socket }));
  for (const [name, content] of Object.entries({ "broken.json": "{", "empty.json": "{}", "odd.json": '{"pid":"1"}' })) {
    await writeFile(join(notes, name), content);
  }
  await mkdir(join(notes, "folder.json"), { recursive: true });
  const { text } = await connect(cli, folder);
  expect(await text("read", { path: "a.txt" })).toBe("1\tone");
  const remaining = await readdir(notes);
  expect(["1-left.json", "1-old.json"].filter((name) => remaining.includes(name))).toEqual([]);
  await expect(stat(place)).rejects.toThrow("ENOENT");
  // A living process that does not listen: the client works without it.
  await writeFile(left, JSON.stringify({ ...GONE, ...thisProcess(), folders: [folder], socket: join(folder, "none") }));
  const other = await connect(cli, folder);
  expect(await other.text("read", { path: "a.txt" })).toBe("1\tone");
});

test("a note removes nothing but a window's own socket, and nothing else is connected to", async () => {
  const folder = await tempFolder({
    "a.txt": "one\n",
    "toolhost-file/s": "kept",
    "toolhost-open/x": "",
    "other/x": "",
  });
  await chmod(join(folder, "toolhost-file"), 0o700);
  await chmod(join(folder, "toolhost-open"), 0o755);
  await chmod(join(folder, "other"), 0o700);
  const places = [
    join(folder, "toolhost-open", "s"),
    join(folder, "other", "s"),
    join(folder, "s"),
    join(folder, "a.txt"),
  ];
  const listening = await Promise.all(places.slice(0, 3).map(listen));
  const notes = makeWindowNotes();
  for (const socket of [...places, join(folder, "toolhost-file", "s")]) {
    for (const owner of [{ pid: GONE.pid, started: "" }, thisProcess()]) {
      await writeFile(join(notes, "1-odd.json"), JSON.stringify({ ...GONE, ...owner, folders: [folder], socket }));
      const { text } = await connect(cli, folder);
      expect(await text("read", { path: "a.txt" })).toBe("1\tone");
      expect((await stat(socket)).ino).toBeGreaterThan(0);
    }
  }
  expect(listening.map(({ connections }) => connections())).toEqual([0, 0, 0]);
});

test("notes that others can write are not followed, and pipes, links and long ones are not read", async () => {
  const folder = await tempFolder({ "a.txt": "one\n" });
  const place = await mkdtemp(join(tmpdir(), "toolhost-"));
  onTestFinished(() => rm(place, { recursive: true }));
  const socket = join(place, "s");
  const { connections } = await listen(socket);
  const note = JSON.stringify({ ...GONE, ...thisProcess(), folders: [folder], socket });
  const state = await tempFolder({});
  const notes = join(state, "windows");
  await mkdir(notes, { mode: 0o700 });
  const env = { TOOLHOST_STATE: state };
  const read = async (): Promise<string> => {
    const { text, stderr } = await connect(cli, folder, [], "2025-11-25", env);
    expect(await text("read", { path: "a.txt" })).toBe("1\tone");
    return stderr();
  };
  execFileSync("mkfifo", [join(notes, "pipe.json")]);
  await writeFile(join(state, "note"), note);
  await symlink(join(state, "note"), join(notes, "link.json"));
  await writeFile(join(notes, "long.json"), `${note}${" ".repeat(1_000_001)}`);
  await writeFile(join(notes, "open.json"), note);
  await chmod(join(notes, "open.json"), 0o666);
  expect(await read()).toContain("serving the folder without a window of VS Code.");
  expect(connections()).toBe(0);
  await writeFile(join(notes, "right.json"), note, { mode: 0o600 });
  await chmod(notes, 0o777);
  expect(await read()).toContain(`without a window of VS Code: ${notes} is not a folder that only you can open`);
  expect(connections()).toBe(0);
  // So that the test shows what it should: in a folder of one's own this note is followed.
  await chmod(notes, 0o700);
  expect(await read()).toContain("without a window of VS Code: the one that has it open does not answer.");
  // Once as it starts, and once for the call.
  expect(connections()).toBe(2);
});

const WISHES = { planOnly: false, sendsData: false };

test("20 clients work in one window at once", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `f${index}.txt`);
  const window = await openWindow(Object.fromEntries(names.map((name) => [name, "old\n"])));
  const note = findWindow(makeWindowNotes(), window.folder, livenessOf);
  const signal = new AbortController().signal;
  const work = async (path: string, index: number): Promise<boolean> => {
    const opened =
      note &&
      (await WindowTools.open(
        note,
        { ...WISHES, served: ["edit"], key: `k${index}`, folder: window.folder },
        () => undefined,
      ));
    const options = { client: `c${index}`, signal, report: () => undefined, turn: 1, answerSize: 7_800 };
    const answer = await opened?.call("edit", { path, old_text: "old", new_text: "new" }, options);
    opened?.close();
    return answer?.ok === true;
  };
  const answers = await Promise.all(names.map(work));
  expect(answers).toEqual(names.map(() => true));
});
