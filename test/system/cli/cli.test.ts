import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, open, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { tools } from "../../../src/tools/index.js";
import { contentOf, NO_MATCH, openWorkspace, tempFolder, type FileTree } from "../../unit/tools/workspace.js";
import { builtCli, finish, memoryProbe } from "./built.js";

const cli = builtCli();
/** Milliseconds for a call on hundreds of megabytes. */
const PATIENCE = 60_000;
const tree: FileTree = { "src/a.ts": "one\nneedle two\n", "b.txt": "needle\n" };

interface Answer {
  ok: boolean;
  text?: string;
  data?: unknown;
  media?: unknown;
  error?: { type: string; message: string; hint?: string };
}

describe("a call", () => {
  const cases: { name: string; args: string[]; code?: number; out?: string | RegExp; err?: string | RegExp }[] = [
    { name: "with positionals", args: ["read", "src/a.ts"], out: "1\tone\n2\tneedle two\n" },
    {
      name: "with flags",
      args: ["read", "--path", "src/a.ts", "--offset", "2", "--limit=1"],
      out: "2\tneedle two\n[Lines 2-2 of 2: the end.]\n".replace("Lines 2-2", "Line 2"),
    },
    {
      name: "with both",
      args: ["grep", "needle", "src", "--output", "files"],
      out: "src/a.ts\n[1 match in 1 file.]\n",
    },
    {
      name: "flags before positionals",
      args: ["grep", "--output=count", "--ignore-case", "NEEDLE", "b.txt"],
      out: "b.txt: 1\n[1 match in 1 file.]\n",
    },
    { name: "a positional that begins with -", args: ["grep", "--", "--version"], out: `${NO_MATCH}\n` },
    { name: "ls of the workspace", args: ["ls"], out: "b.txt  (7 bytes)\nsrc/\n" },
    {
      name: "--json",
      args: ["ls", "src", "--json"],
      out: /^\{"ok":true,"text":"a\.ts {2}\(15 bytes\)","data":\{.*\}\}\n$/,
    },
    { name: "run with JSON", args: ["run", "read", "--input", '{"path":"b.txt"}'], out: "1\tneedle\n" },
    {
      name: "run with another system's names of fields",
      args: ["run", "read", "--input", '{"filePath":"b.txt"}'],
      out: "1\tneedle\n",
    },
    { name: "run without input", args: ["run", "ls"], out: "b.txt  (7 bytes)\nsrc/\n" },
    {
      name: "an error of the tool",
      args: ["read", "c.txt"],
      code: 1,
      err: "Error (not_found): c.txt: there is no such file or folder.\nHint: Did you mean b.txt?\n",
    },
    {
      name: "an error of the tool as JSON",
      args: ["read", "c.txt", "--json"],
      code: 1,
      out: '{"ok":false,"error":{"type":"not_found","message":"c.txt: there is no such file or folder.","hint":"Did you mean b.txt?"}}\n',
    },
    { name: "no match is no error", args: ["grep", "nothing"], out: `${NO_MATCH}\n` },
    {
      name: "outside the workspace",
      args: ["read", "/etc/hostname"],
      code: 1,
      err: /^Error \(outside_workspace\): .*\nHint: .*--root <dir>/,
    },
    {
      name: "--root lets in another folder",
      args: ["--root", "/dev", "read", "/dev/null"],
      code: 1,
      err: /^Error \(unsupported\): \/dev\/null is /,
    },
    {
      name: "--root where the root does not help",
      args: ["--root", "/usr", "read", "/etc/hostname"],
      code: 1,
      err: /^Error \(outside_workspace\)/,
    },
    {
      name: "an unknown tool of run, as JSON",
      args: ["run", "raed", "--json"],
      code: 1,
      out: '{"ok":false,"error":{"type":"unknown_tool","message":"raed: there is no such tool.","hint":"Did you mean read?"}}\n',
    },
    {
      name: "an unknown tool of run",
      args: ["run", "raed"],
      code: 1,
      err: "Error (unknown_tool): raed: there is no such tool.\nHint: Did you mean read?\n",
    },
    ...[
      [
        "process",
        "here.",
        "process looks after what an agent left running, and nothing runs on after a single command. exec waits for its command and returns its output; toolhost agent and VS Code have process.",
      ],
      [
        "BashOutput",
        "",
        "process looks after what an agent left running, and nothing runs on after a single command. exec waits for its command and returns its output; toolhost agent and VS Code have process.",
      ],
      [
        "complete_task",
        "here.",
        "complete_task ends the task that an agent works on: toolhost work and VS Code run tasks.",
      ],
      [
        "run_task",
        "here.",
        "run_task needs VS Code's window, which knows the tasks. exec runs the command line of one.",
      ],
      ["message", "here.", "message needs channels: the environment variable TOOLHOST_MESSAGE_CHANNELS has them."],
      ["get_errors", "", "No tool here asks a language server. Run the project's compiler or linter with exec."],
      ["no_tool_is_like_this", "", "toolhost --help lists the tools, and toolhost tools list your own."],
    ].map(([tool = "", here, hint = ""]) => ({
      name: `run ${tool}, which no single command has`,
      args: ["run", tool],
      code: 1,
      err: `Error (unknown_tool): ${tool}: there is no such tool${here === "" ? "." : " here."}\nHint: ${hint}\n`,
    })),
    {
      name: "a tool that is no command",
      args: ["todo"],
      code: 2,
      err: "error: unknown command 'todo'\ntodo is the plan of an agent's session, and a single command has none: toolhost agent and VS Code have todo.\n",
    },
    {
      name: "input that is no JSON",
      args: ["run", "read", "--input", "{path:1}", "--json"],
      code: 2,
      err: /^toolhost: --input is not JSON: /,
    },
    {
      name: "a command that fails has its own exit code",
      args: ["exec", "echo no; exit 7"],
      code: 7,
      out: /^\[Exit code 7 after .*\]\nno\n$/,
    },
    {
      name: "one that a signal ends has the shell's",
      args: ["exec", "kill -9 $$"],
      code: 137,
      out: /^\[Ended by SIGKILL after /,
    },
    {
      name: "one whose program a signal ends says so in words",
      args: ["exec", "sh -c 'kill -9 $$'; exit $?"],
      code: 137,
      out: /^\[Exit code 137 \(as a shell reports it: the program was ended by SIGKILL\) after /,
    },
    {
      name: "one that fails as JSON",
      args: ["run", "exec", "--input", '{"command":"exit 3"}', "--json"],
      code: 3,
      out: /^\{"ok":true,"text":"\[Exit code 3 after .*"data":\{"status":"exited","exit_code":3,/,
    },
    {
      name: "one of two streams as JSON",
      args: ["run", "exec", "--input", '{"command":"echo 1; echo 2 >&2"}', "--json"],
      out: /"data":\{"status":"exited","exit_code":0,.*"stdout":"1\\n","stderr":"2\\n"/,
    },
    {
      name: "one of two streams as text",
      args: ["exec", "echo 1; echo 2 >&2; echo 3"],
      out: /^\[Exit code 0 after .*\]\n1\n2\n3\n$/,
    },
    {
      name: "one that leaves a process running, which ends with the command line",
      args: ["exec", "sleep 1000 & echo started"],
      out: /^This command line now ends what the command left running, except .*\n\[Exit code 0 after [\d.]+ s\.\]\nstarted\n$/,
    },
    { name: "one that works", args: ["exec", "true"], out: /^\[Exit code 0 after / },
    {
      name: "one that cannot be started",
      args: ["exec", "true", "--workdir", "nope"],
      code: 1,
      err: /^Error \(not_found\): nope: /,
    },
    {
      name: "an @file that is not there",
      args: ["run", "read", "--input", "@nope.json"],
      code: 2,
      err: /^toolhost: --input @nope\.json cannot be read: ENOENT/,
    },
    {
      name: "an unknown command",
      args: ["raed", "x"],
      code: 2,
      err: /^error: unknown command 'raed'\n\(Did you mean read\?\)\n/,
    },
    {
      name: "an unknown flag",
      args: ["read", "b.txt", "--ofset", "1"],
      code: 2,
      err: /^error: unknown option '--ofset'\n\(Did you mean --offset\?\)\n/,
    },
    {
      name: "ripgrep's flags are not ours",
      args: ["grep", "--pre=id", "x"],
      code: 2,
      err: /^error: unknown option '--pre=id'/,
    },
    { name: "too many arguments", args: ["read", "a", "b"], code: 2, err: /too many arguments/ },
    { name: "a flag without its value", args: ["read", "b.txt", "--offset"], code: 2, err: /argument missing/ },
    {
      name: "a missing field",
      args: ["read"],
      code: 2,
      err: /^Error \(invalid_input\): read: path: required \(string\), got nothing\.\nHint: Fields of read: /,
    },
    {
      name: "a word where a number should be",
      args: ["read", "b.txt", "--offset", "two"],
      code: 2,
      err: /offset: expected .*got string "two"/,
    },
    {
      name: "a word that is no choice",
      args: ["grep", "x", "--output", "lines"],
      code: 2,
      err: /output: must be one of content, files, count; got string "lines"/,
    },
    {
      name: "a field given twice",
      args: ["read", "b.txt", "--path", "b.txt"],
      code: 2,
      err: "toolhost: path is given twice, as an argument and as --path.\n",
    },
    { name: "nothing", args: [], code: 2, err: /^Usage: toolhost / },
    {
      name: "--help",
      args: ["--help"],
      out: /^Usage: toolhost [^]*\n {2}read \[options\] \[path\] +Read a\s+workspace\s+file\s+as\s+numbered\s+lines\s+\(number,\s+tab,\s+text\),\s+unsaved\s+editor\s+text\s+included\.\n {2}write /,
    },
    {
      name: "help of a tool",
      args: ["grep", "--help"],
      out: /^Usage: toolhost grep \[options\] \[pattern\] \[path\][^]*--output <content\|files\|count>[^]*--max-results <n>/,
    },
    { name: "--version", args: ["--version"], out: "1.2.3\n" },
    {
      name: "a workspace that is not there",
      args: ["--workspace", "/nonexistent", "ls"],
      code: 2,
      err: "toolhost: /nonexistent: there is no such folder. Name an existing one with --workspace or --root.\n",
    },
    {
      name: "a root that is not there",
      args: ["--root", "/nonexistent", "ls"],
      code: 2,
      err: /^toolhost: \/nonexistent: /,
    },
  ];
  test.each(cases)("$name", async ({ args, code = 0, out = "", err = "" }) => {
    const folder = await tempFolder(tree);
    const done = await cli.run(args, { cwd: folder });
    expect(done.err).toMatch(typeof err === "string" ? exactly(err) : err);
    expect(done.out).toMatch(typeof out === "string" ? exactly(out) : out);
    expect(done.code).toBe(code);
  });

  test("--workspace names the folder, whatever the current one is", async () => {
    const folder = await tempFolder(tree);
    expect((await cli.run(["--workspace", folder, "read", "b.txt"], { cwd: "/" })).out).toBe("1\tneedle\n");
    expect((await cli.run(["--workspace", "src", "ls"], { cwd: folder })).out).toBe("a.ts  (15 bytes)\n");
  });

  test("--root twice", async () => {
    const [folder, first, second] = [await tempFolder(), await tempFolder({ f: "1" }), await tempFolder({ f: "2" })];
    for (const [root, text] of [
      [first, "1"],
      [second, "2"],
    ] as const) {
      expect((await cli.run(["--root", first, "--root", second, "read", join(root, "f")], { cwd: folder })).out).toBe(
        `1\t${text}\n`,
      );
    }
  });

  test("a person's own edit is not asked about", async () => {
    const folder = await tempFolder({ "package.json": "a\n" });
    const done = await cli.run(["edit", "package.json", "--old-text", "a", "--new-text=-b"], { cwd: folder });
    expect(done).toMatchObject({ code: 0, out: "Edited package.json: 1 replacement at line 1.\n", err: "" });
    expect(await contentOf(folder, "package.json")).toBe("-b\n");
  });

  test.skipIf(process.platform === "win32")("a person's own command is undone, too", async () => {
    const folder = await tempFolder({ "a.txt": "a\n", "d/b.txt": "b\n" });
    const done = await cli.run(["exec", "rm -r d; echo c > a.txt"], { cwd: folder });
    expect(done.out).toContain("[Changed: M a.txt +1 −1, D d/b.txt −1]");
    expect((await cli.run(["undo", "--list"], { cwd: folder })).out).toContain("exec  a.txt  +1 −1");
    expect((await cli.run(["undo"], { cwd: folder })).out).toContain("Undid 2 changes in 2 files.");
    expect(await contentOf(folder, "a.txt")).toBe("a\n");
    expect(await contentOf(folder, "d/b.txt")).toBe("b\n");
  });

  test("a picture goes into JSON whole", async () => {
    const png = Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      Buffer.alloc(100_000, 7),
    ]);
    const folder = await tempFolder({ "a.png": png });
    const answer = JSON.parse((await cli.run(["read", "a.png", "--json"], { cwd: folder })).out) as {
      media: { mimeType: string; base64: string }[];
    };
    expect(answer.media.map(({ mimeType, base64 }) => [mimeType, Buffer.from(base64, "base64").equals(png)])).toEqual([
      ["image/png", true],
    ]);
  });
});

describe("input", () => {
  test("10 MB from standard input", async () => {
    const folder = await tempFolder({ "f.txt": "a" });
    const text = "x".repeat(10_000_000);
    const done = await cli.run(["run", "edit", "--input", "-", "--json"], {
      cwd: folder,
      input: JSON.stringify({ path: "f.txt", old_text: "a", new_text: text }),
    });
    expect(done.code).toBe(0);
    expect((await contentOf(folder, "f.txt")) === text).toBe(true);
  });

  test("a text from standard input", async () => {
    const folder = await tempFolder({ "f.txt": "a\nb\n" });
    const patch = "*** Begin Patch\n*** Update File: f.txt\n-a\n+é\n b\n*** End Patch\n";
    expect((await cli.run(["apply_patch"], { cwd: folder, input: patch })).code).toBe(0);
    expect(await contentOf(folder, "f.txt")).toBe("é\nb\n");
    expect((await cli.run(["write", "g.txt", "--content", "-"], { cwd: folder, input: "x\n\n" })).code).toBe(0);
    expect(await contentOf(folder, "g.txt")).toBe("x\n\n");
    expect(await cli.run(["write", "g.txt"], { cwd: folder, input: Buffer.from([0x61, 0xe9]) })).toMatchObject({
      code: 2,
      err: "toolhost: content cannot be read from standard input: it is not UTF-8 text\n",
    });
    expect((await cli.run(["write", "g.txt"], { cwd: folder, input: "" })).code).toBe(2);
    expect(await contentOf(folder, "g.txt")).toBe("x\n\n");
  });

  test("from a file, with a byte order mark or without", async () => {
    const folder = await tempFolder({ ...tree, "in.json": '{"path":"b.txt"}', "bom.json": '\uFEFF{"path":"b.txt"}' });
    for (const file of ["@in.json", "@bom.json"]) {
      expect((await cli.run(["run", "read", "--input", file], { cwd: folder })).out).toBe("1\tneedle\n");
    }
  });

  test("a wrong one has the same words at every door", async () => {
    const { folder, call } = await openWorkspace(tree);
    const inputs: [string, unknown][] = [
      ["read", {}],
      ["read", null],
      ["read", []],
      ["read", { path: 1, ofset: 2 }],
      ["read", { path: "nope.txt" }],
      ["read", { path: "../x" }],
      ["read", { path: "a\0b" }],
      ["read", { path: "x".repeat(10_000) }],
      ["grep", { pattern: "(a|b" }],
      ["grep", { pattern: "x", max_results: 0, output: "lines" }],
      ["edit", { path: "b.txt", old_text: "nothing", new_text: "" }],
      ["ls", { depth: "two" }],
      ["raed", {}],
    ];
    for (const [tool, input] of inputs) {
      const door = JSON.parse(
        (await cli.run(["run", tool, "--input", JSON.stringify(input), "--json"], { cwd: folder })).out,
      ) as Answer;
      const { ok, error } = (await call(tool, input)) as Answer;
      expect(door).toEqual({ ok, error });
    }
  });
});

describe("describe", () => {
  const describeAs = async (...format: string[]): Promise<unknown> =>
    JSON.parse((await cli.run(["describe", ...format])).out);
  // What only a window has, and messages, to which no channel is set here.
  const absent = ["process", "run_task", "message"];
  // Nor what is for an agent's session.
  absent.push("todo", "ask_user", "sessions_spawn");
  // Nor what ends a task: that is for the session of one.
  const names = tools.filter(({ name, terminal }) => !terminal && !absent.includes(name)).map(({ name }) => name);
  const schema = { type: "object", properties: expect.any(Object) as object };

  test("prints the manifest", async () => {
    expect(await describeAs()).toEqual({
      schemaVersion: "v1",
      name: "toolhost",
      version: "1.2.3",
      tools: tools
        .filter(({ name }) => names.includes(name))
        .map(({ name, group, outputSchema, annotations }) => ({
          name,
          group,
          description: expect.any(String) as string,
          inputSchema: expect.objectContaining(schema) as object,
          ...(outputSchema && { outputSchema: expect.any(Object) as object }),
          annotations,
        })),
    });
  });

  test.each([
    [
      "anthropic",
      (name: string) => ({
        name,
        description: expect.any(String) as string,
        input_schema: expect.objectContaining(schema) as object,
      }),
    ],
    [
      "openai",
      (name: string) => ({
        type: "function",
        function: {
          name,
          description: expect.any(String) as string,
          parameters: expect.objectContaining(schema) as object,
        },
      }),
    ],
    [
      "mcp",
      (name: string) =>
        expect.objectContaining({
          name,
          inputSchema: expect.objectContaining(schema) as object,
          annotations: expect.objectContaining({
            readOnlyHint: tools.find((tool) => tool.name === name)?.annotations.readOnly,
          }) as object,
        }) as object,
    ],
  ])("--format %s", async (format, shape) => {
    expect(await describeAs("--format", format)).toEqual(names.map((name) => shape(name)));
  });

  test("an unknown format is wrong usage", async () => {
    expect(await cli.run(["describe", "--format", "xml"])).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("anthropic, openai, mcp") as string,
    });
  });
});

describe("the world around it", () => {
  test("a reader that leaves early is no error", async () => {
    const folder = await tempFolder({ "f.txt": `needle ${"x".repeat(300)}\n`.repeat(1000) });
    const child = cli.start(["grep", "needle", "--max-results", "1000"], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout?.destroy();
    expect(await finish(child)).toMatchObject({ code: 0, signal: null, err: "" });
  });

  test("a listener for errors that leaves early is no crash", async () => {
    const folder = await tempFolder();
    const child = cli.start(["read", "nope"], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    child.stderr?.destroy();
    expect(await finish(child)).toMatchObject({ code: 1, signal: null });
  });

  test.skipIf(process.platform !== "linux")("output that cannot be written is an error", async () => {
    const folder = await tempFolder(tree);
    const full = await open("/dev/full", "w");
    const done = await cli.run(["ls"], { cwd: folder, stdio: ["ignore", full.fd, "pipe"] });
    await full.close();
    expect(done).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^toolhost: the output could not be written: ENOSPC/) as string,
    });
  });

  test(
    "an interrupt ends a search, and its ripgrep",
    async () => {
      const folder = await tempFolder({ "w/f.txt": "x" });
      // As the package next to the script, which is looked for first: any above the folder of temporary files would be
      // found before one on the PATH.
      const bin = join(
        dirname(cli.alone),
        "node_modules",
        "@vscode",
        `ripgrep-${process.platform}-${process.arch}`,
        "bin",
      );
      await mkdir(bin, { recursive: true });
      await writeFile(join(bin, "rg"), `#!/bin/sh\necho $$ > "$STARTED"\nexec sleep 600\n`, { mode: 0o755 });
      const started = join(folder, "started");
      const child = cli.start(["grep", "x"], {
        script: cli.alone,
        cwd: join(folder, "w"),
        stdio: ["ignore", "pipe", "pipe"],
        env: { ...process.env, STARTED: started },
      });
      const finished = finish(child);
      await expect.poll(() => readFile(started, "utf8").catch(() => ""), { timeout: PATIENCE }).toMatch(/^\d+\n$/);
      child.kill("SIGINT");
      expect(await finished).toMatchObject({
        code: 1,
        signal: null,
        out: "",
        err: "Error (cancelled): grep: cancelled.\n",
      });
      const ripgrep = Number(await readFile(started, "utf8"));
      await expect.poll(() => isRunning(ripgrep), { timeout: PATIENCE }).toBe(false);
    },
    PATIENCE,
  );

  test(
    "an interrupt ends a command with all it started; what it had written is told",
    async () => {
      const folder = await tempFolder();
      const child = cli.start(["exec", "trap 'exit 0' TERM; sleep 1000 & echo before; echo $! > pid; wait"], {
        cwd: folder,
        stdio: ["ignore", "pipe", "pipe"],
      });
      const finished = finish(child);
      await expect
        .poll(() => readFile(join(folder, "pid"), "utf8").catch(() => ""), { timeout: PATIENCE })
        .toMatch(/^\d+\n$/);
      child.kill("SIGINT");
      expect(await finished).toMatchObject({
        code: 130,
        signal: null,
        out: expect.stringMatching(/^\[Stopped after .*\]\nbefore\n\[Changed: A pid \+1\]\n$/) as string,
      });
      expect(isRunning(Number(await readFile(join(folder, "pid"), "utf8")))).toBe(false);
    },
    PATIENCE,
  );

  test("an interrupt ends waiting for standard input", async () => {
    const folder = await tempFolder({ f: "x" });
    const child = cli.start(["run", "read", "--input", "-"], { cwd: folder, stdio: ["pipe", "pipe", "pipe"] });
    const finished = finish(child);
    // More than a pipe holds: it is taken only once standard input is being read.
    await new Promise<void>((resolve) => child.stdin?.write(" ".repeat(1_000_000), () => resolve()));
    child.kill("SIGINT");
    expect(await finished).toMatchObject({
      code: 2,
      signal: null,
      out: "",
      err: "toolhost: --input - cannot be read: The operation was aborted\n",
    });
  });

  test.skipIf(process.platform === "win32")(
    "a disk without room for the undo journal leaves the file as it was",
    async () => {
      const folder = await tempFolder({ "f.txt": "a" });
      const input = JSON.stringify({ path: "f.txt", old_text: "a", new_text: "x".repeat(1_000_000) });
      const child = spawn(
        "sh",
        [
          "-c",
          `trap "" XFSZ; ulimit -f 64; exec "$0" "$@"`,
          process.execPath,
          cli.script,
          "run",
          "edit",
          "--input",
          "-",
        ],
        { cwd: folder },
      );
      child.stdin.end(input);
      expect(await finish(child)).toMatchObject({
        code: 1,
        err: expect.stringMatching(/^Error \(unavailable\): Nothing was changed: /) as string,
      });
      expect(await contentOf(folder, "f.txt")).toBe("a");
      expect(await readdir(folder)).toEqual(["f.txt"]);
    },
  );
});

describe("memory", () => {
  /** What a call may take beyond what the smallest one takes: a fraction of each file. */
  const bound = 50_000_000;
  const run = async (folder: string, args: string[]): Promise<{ answer: Answer; memory: number }> => {
    const probe = await memoryProbe(await tempFolder());
    const { out } = await cli.run([...args, "--json"], {
      cwd: folder,
      env: { ...process.env, NODE_OPTIONS: `--require ${probe.preload}` },
    });
    return { answer: JSON.parse(out) as Answer, memory: Number(await readFile(probe.file, "utf8")) };
  };

  test(
    "a file of 300 MB is paged in bounds, at its start and at its end",
    async () => {
      const folder = await tempFolder({ "f.log": "line of text\n".repeat(1000) });
      await truncate(join(folder, "f.log"), 300_000_000);
      const end = await open(join(folder, "f.log"), "a");
      await end.write("\nlast line\n");
      await end.close();
      const start = await run(folder, ["read", "f.log", "--limit", "1"]);
      expect(start.answer.text).toMatch(/^1\tline of text\n\[Line 1 of .*Continue with offset=2\.\]$/);
      const last = await run(folder, ["read", "f.log", "--offset", "1002"]);
      expect(last.answer.text).toBe("1002\tlast line\n[Line 1002 of 1002: the end.]");
      const least = await run(folder, ["ls"]);
      expect(Math.max(start.memory, last.memory) - least.memory).toBeLessThan(bound);
    },
    PATIENCE,
  );

  test(
    "a file of 10 million lines is paged in bounds wherever the page is",
    async () => {
      const folder = await tempFolder();
      const file = await open(join(folder, "f.log"), "w");
      for (let written = 0; written < 100; written++) {
        await file.write("0123456\r\n".repeat(50_000) + "012345678\n".repeat(50_000));
      }
      await file.close();
      const middle = await run(folder, ["read", "f.log", "--offset", "5000001", "--limit", "1"]);
      expect(middle.answer.text).toMatch(/^5000001\t0123456\n\[Line 5000001 of .*Continue with offset=5000002\.\]$/);
      const last = await run(folder, ["read", "f.log", "--offset", "10000000"]);
      expect(last.answer.text).toBe("10000000\t012345678\n[Line 10000000 of 10000000: the end.]");
      const least = await run(folder, ["ls"]);
      expect(Math.max(middle.memory, last.memory) - least.memory).toBeLessThan(bound);
    },
    PATIENCE,
  );

  test(
    // Not longer: ripgrep takes seconds for each 100 MB of it, and a search has 20.
    "a line of 80 MB is read and searched in bounds",
    async () => {
      const folder = await tempFolder();
      const file = await open(join(folder, "f.json"), "w");
      for (let written = 0; written < 80; written++) {
        await file.write(written === 40 ? "y".repeat(1_000_000) : "x".repeat(1_000_000));
      }
      await file.close();
      const first = await run(folder, ["read", "f.json", "--column", "40000001"]);
      expect(first.answer.text).toBe(
        `1\t${"y".repeat(2000)}[… characters 40000001-40002000 of 80000000; continue with column=40002001]`,
      );
      const found = await run(folder, ["grep", "xy"]);
      expect(found.answer.data).toMatchObject({ matches: [{ path: "f.json", line: 1, column: 40_000_000 }] });
      const least = await run(folder, ["ls"]);
      expect(Math.max(first.memory, found.memory) - least.memory).toBeLessThan(bound);
    },
    PATIENCE,
  );
});

function exactly(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")}$`);
}

/** A process that ended and that nobody waited for is not running. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
