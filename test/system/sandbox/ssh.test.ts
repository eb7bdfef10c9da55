import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { OpenAiServer } from "../../harness/openai-server.js";
import { calls, results } from "../cli/agentRig.js";
import { connect } from "../cli/mcpRig.js";
import { builtCli, type Finished } from "../cli/built.js";
import { plant, type FileTree } from "../../unit/tools/workspace.js";
import { sshServer } from "./sshServer.js";

const cli = builtCli();
const server = sshServer();
let model: OpenAiServer;
beforeAll(async () => {
  model = await OpenAiServer.start();
  return () => model.stop();
});

interface Place {
  folder: string;
  address: string;
  env: NodeJS.ProcessEnv;
  run: (...args: string[]) => Promise<Finished>;
  call: (tool: string, input: unknown) => Promise<Finished>;
  text: (path: string) => Promise<string>;
}

/** A folder that is only reached through the server. */
async function place(files: FileTree = {}): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), "toolhost-there-"));
  const state = await mkdtemp(join(tmpdir(), "ths-"));
  onTestFinished(async () => {
    await rm(folder, { recursive: true, force: true });
    await rm(state, { recursive: true, force: true });
  });
  await plant(folder, files);
  const address = `ssh://${server.host}${folder}`;
  const env = { ...server.env, TOOLHOST_STATE: state };
  const run = (...args: string[]): Promise<Finished> => cli.run(["--sandbox", address, ...args], { env, cwd: "/" });
  return {
    ...{ folder, address, env, run },
    call: (tool, input) => run("run", tool, "--input", JSON.stringify(input)),
    text: (path) => readFile(join(folder, path), "utf8"),
  };
}

describe("a folder on another machine", () => {
  test("is listed, searched and read like one here", async () => {
    const { run } = await place({
      "src/a b.ts": "export function hello() {\n  return 1;\n}\n",
      ".gitignore": "out/\n",
      "out/x.ts": "hello",
      "it's $(touch x) `y`.txt": "hello\n",
    });
    const [listed, found, matches, read] = [
      await run("ls", "."),
      await run("glob", "**/*.ts"),
      await run("grep", "hello"),
      await run("read", "src/a b.ts"),
    ];
    expect(listed.out).toContain("it's $(touch x) `y`.txt  (6 bytes)");
    expect(listed.out).toContain("src/");
    expect(found.out.trim().split("\n")[0]).toBe("src/a b.ts");
    expect(matches.out).toContain("export function hello()");
    expect(matches.out).not.toContain("out/x.ts");
    expect(read.out).toBe("1\texport function hello() {\n2\t  return 1;\n3\t}\n");
  });

  test("is changed by several files at once, or not at all, and undone", async () => {
    const { call, run, text, folder } = await place({ "a.txt": "one\n", "b.txt": "two\r\n", "c.txt": "three\n" });
    const patch = (last: string): string =>
      [
        "*** Begin Patch",
        "*** Update File: a.txt",
        "@@",
        "-one",
        "+ONE",
        "*** Update File: b.txt",
        "@@",
        "-two",
        "+TWO",
        "*** Add File: new/d.txt",
        "+four",
        `*** Delete File: ${last}`,
        "*** End Patch",
        "",
      ].join("\n");
    const refused = await call("apply_patch", { patch: patch("missing.txt") });
    expect(refused.code).toBe(1);
    expect(await text("a.txt")).toBe("one\n");
    const done = await call("apply_patch", { patch: patch("c.txt") });
    expect(done.err).toBe("");
    expect([await text("a.txt"), await text("b.txt"), await text("new/d.txt")]).toEqual(["ONE\n", "TWO\r\n", "four\n"]);
    const undone = await run("undo");
    expect(undone.code).toBe(0);
    expect((await readdir(folder)).sort()).toEqual(["a.txt", "b.txt", "c.txt"]);
    expect([await text("a.txt"), await text("b.txt"), await text("c.txt")]).toEqual(["one\n", "two\r\n", "three\n"]);
  });

  test("has lists of changes that say where they are, and undoes with words that lead there again", async () => {
    const { call, run, folder, address } = await place({ "a.txt": "one\n" });
    expect((await run("undo", "--list")).out).toBe(
      `In ssh:box:${folder}:\nToolhost's tools have changed no file in this workspace.\n`,
    );
    await call("edit", { path: "a.txt", old_text: "one", new_text: "two" });
    const { out } = await run("undo", "--list");
    expect(out).toMatch(new RegExp(`^In ssh:box:${folder}:\\n`));
    expect(out).toContain("1  edit  a.txt");
    expect(out).toContain(
      `Undo the last turn: toolhost --sandbox ${address} undo. Undo one call: toolhost --sandbox ${address} undo --id N`,
    );
    const undone = await run("undo");
    expect(undone.out).toMatch(new RegExp(`^In ssh:box:${folder}:\\n`));
    expect(undone.out).toContain(`Redo it with: toolhost --sandbox ${address} undo --id 2\n`);
  });

  test("keeps what somebody changed there since", async () => {
    const { call, run, text, folder } = await place({ "a.txt": "1\n2\n3\n4\n5\n6\n7\n" });
    await call("edit", { path: "a.txt", old_text: "2", new_text: "two" });
    await writeFile(join(folder, "a.txt"), "1\ntwo\n3\n4\n5\n6\nseven\n");
    expect((await run("undo")).code).toBe(0);
    expect(await text("a.txt")).toBe("1\n2\n3\n4\n5\n6\nseven\n");
  });

  test("keeps a file's mode", async () => {
    const { call, folder } = await place({ "a.sh": "echo a\n" });
    const { chmod, stat } = await import("node:fs/promises");
    await chmod(join(folder, "a.sh"), 0o751);
    await call("edit", { path: "a.sh", old_text: "a\n", new_text: "b\n" });
    expect((await stat(join(folder, "a.sh"))).mode & 0o777).toBe(0o751);
  });

  test("has large files and bytes of any kind whole", async () => {
    const { run, folder } = await place({});
    const bytes = Buffer.from(Array.from({ length: 1_200_000 }, (_, index) => index % 256));
    await writeFile(join(folder, "x.bin"), bytes);
    const filler = "0123456789\n".repeat(100_000);
    await writeFile(join(folder, "long.txt"), `${filler}needle\n${filler}`);
    const binary = await run("read", "x.bin");
    expect(binary.err).toContain("binary");
    const done = await run("edit", "long.txt", "--old-text", "needle", "--new-text", "thread");
    expect(done.err).toBe("");
    expect(await readFile(join(folder, "long.txt"), "utf8")).toBe(`${filler}thread\n${filler}`);
  });
});

describe("a command on another machine", () => {
  test("runs in its folder there, with its output and exit code", async () => {
    const { run, folder } = await place({ "sub/x": "" });
    const { out, code } = await run("exec", "pwd; echo out; echo err >&2; exit 3", "--workdir", "sub");
    expect(out).toContain(`${folder}/sub\n`);
    expect(out).toContain("out\n");
    expect(out).toContain("err");
    expect(code).toBe(3);
  });

  test.each(["SIGTERM", "SIGKILL"] as const)("ends there if this one is ended by %s", async (signal) => {
    const { address, env, folder } = await place({});
    const started = `echo $$ > ${join(folder, "pid")}; exec sleep 1000`;
    const child = cli.start(["--sandbox", address, "exec", started], { env, cwd: "/", stdio: "ignore" });
    await expect.poll(() => readFile(join(folder, "pid"), "utf8").catch(() => "")).toMatch(/^\d+\n$/);
    const running = Number(await readFile(join(folder, "pid"), "utf8"));
    child.kill(signal);
    await expect.poll(() => isAlive(running)).toBe(false);
  });
});

describe("a command that leaves something running on another machine", () => {
  test.each([
    ["in the background", "sleep 1000 & echo $! > pid; echo up; exit 3"],
    ["with its output elsewhere", "sleep 1000 >/dev/null 2>&1 & echo $! > pid; echo up; exit 3"],
  ])("%s ends with its shell, and the rest ends with the session", async (_, command) => {
    const { address, env, text } = await place({});
    const { text: textOf, client } = await connect(
      cli,
      "/",
      ["--allow-all"],
      "2025-11-25",
      env as Record<string, string>,
      {
        before: ["--sandbox", address],
      },
    );
    expect(await textOf("exec", { command })).toMatch(
      /Exit code 3 after .* Processes it started still run\..*\]\nup$/s,
    );
    const pid = Number(await text("pid"));
    expect(isAlive(pid)).toBe(true);
    await client.close();
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  test("in a session of its own that holds the output ends with its shell, too", async () => {
    const { run, text } = await place({});
    const { out, code } = await run(
      "exec",
      "setsid sleep 1000 & while ! pgrep -s $! >/dev/null; do :; done; echo $! > pid; echo up; exit 3",
    );
    process.kill(Number(await text("pid")), "SIGKILL");
    expect(out).toContain("up\n");
    expect(code).toBe(3);
  });
});

describe("a model that works on another machine", () => {
  test("reads and changes its files; commands ask, since nothing is known of its programs", async () => {
    const { address, env, folder, text } = await place({ "a.txt": "one\n" });
    model.script(
      calls(
        ["edit", { path: "a.txt", old_text: "one", new_text: "two" }],
        ["exec", { command: "cat a.txt" }],
        ["exec", { command: "pwd" }],
      ),
      { text: "Done." },
    );
    const { out, err } = await cli.run(["--sandbox", address, "agent", "do it", "--allow", "exec(command: pwd)"], {
      env: { ...env, OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: "", OPENAI_MODEL: "test-model" },
      cwd: "/",
    });
    expect(out).toBe("Done.\n");
    expect(err).toContain(` Undo its changes: toolhost --sandbox ${address} undo\n`);
    expect(err).toContain(`Continue with: toolhost --sandbox ${address} agent --session `);
    expect(await text("a.txt")).toBe("two\n");
    const [edited, asked, allowed] = results(model.chats().at(-1)?.body);
    expect(edited).toContain("Edited a.txt: 1 replacement at line 1.");
    expect(asked).toMatch(/denied.*`cat` cannot be looked up in PATH/s);
    expect(allowed).toMatch(new RegExp(`^\\[Exit code 0 after .*\\]\\n${folder}$`));
    expect(JSON.stringify(model.chats()[0]?.body?.messages[0]?.content)).toContain(
      `The workspace is the folder ${folder};`,
    );
  });

  test("is that of an MCP client, too", async () => {
    const { address, env, text } = await place({ "a.txt": "one\n" });
    const { text: textOf } = await connect(cli, "/", [], "2025-11-25", env as Record<string, string>, {
      before: ["--sandbox", address],
    });
    expect(await textOf("read", { path: "a.txt" })).toBe("1\tone");
    expect(await textOf("edit", { path: "a.txt", old_text: "one", new_text: "two" })).toContain("Edited a.txt");
    expect(await text("a.txt")).toBe("two\n");
    expect(await textOf("exec", { command: "ls" })).toContain("`ls` cannot be looked up in PATH");
  });
});

describe("what is only of this machine", () => {
  test.each([
    [["--workspace", "/tmp", "read", "x"], "--sandbox names the folder to work in: leave --workspace and --root out."],
    [["--root", "/tmp", "read", "x"], "--sandbox names the folder to work in: leave --workspace and --root out."],
    [["work"], "This command works in a folder of this machine alone: leave --sandbox out."],
    [["tools", "list"], "This command works in a folder of this machine alone: leave --sandbox out."],
    [["exec", "true", "--env", '{"A-B":"x"}'], '"A-B" cannot be the name of a variable in ssh:box.'],
  ])("%j is refused", async (words, message) => {
    const { run } = await place();
    const { err, code } = await run(...words);
    expect(err).toContain(message);
    expect(code).not.toBe(0);
  });
});

describe("a machine that is not there", () => {
  test.each([
    ["ssh://nowhere.invalid/tmp", "ssh does not reach nowhere.invalid: "],
    ["ssh://box", '"ssh://box" is not the address of a sandbox.'],
    ["ssh://-oProxyCommand=touch%20x/tmp", "is not the name of a machine for ssh."],
    ["docker://no-such-engine-here/tmp", "docker"],
    ["ftp://box/tmp", "is not the address of a sandbox."],
    ["ssh://box/tmp/../etc", "is not the address of a sandbox."],
  ])("%s is one clear sentence", async (address, message) => {
    const { env } = await place();
    const { err, code } = await cli.run(["--sandbox", address, "read", "x"], { env, cwd: "/" });
    expect(err).toContain(message);
    expect(code).not.toBe(0);
  });

  test("loses nothing if it goes away, and says so", async () => {
    const { run, text } = await place({ "a.txt": "one\n" });
    expect((await run("read", "a.txt")).out).toBe("1\tone\n");
    await server.stop();
    const { err, code } = await run("edit", "a.txt", "--old-text", "one", "--new-text", "two");
    expect(err).toContain("ssh does not reach box");
    expect(code).toBe(1);
    expect(await text("a.txt")).toBe("one\n");
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
