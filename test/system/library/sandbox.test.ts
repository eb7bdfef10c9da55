// Tools of the library in a sandbox that a program chooses.
import { mkdtemp, readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type {
  CreateInMemorySandbox,
  CreateToolhost,
  Outcome,
  Question,
  SandboxClient,
  SandboxUse,
  Toolhost,
  ToolhostOptions,
} from "../../../src/doors/library/types.js";
import { packedFolder } from "./packed.js";

let createToolhost: CreateToolhost;
let inMemorySandbox: CreateInMemorySandbox;

beforeAll(async () => {
  const installed = await packedFolder();
  ({ createToolhost, inMemorySandbox } = createRequire(join(installed, "x.js"))("toolhost") as {
    createToolhost: CreateToolhost;
    inMemorySandbox: CreateInMemorySandbox;
  });
});

type Memory = ReturnType<CreateInMemorySandbox>;

interface Rig {
  toolhost: Toolhost;
  folder: string;
  box: Memory;
  use: SandboxUse;
  notices: string[];
  call: (tool: string, input: object) => Promise<string>;
}

async function rig(
  files: Record<string, string>,
  options: Partial<ToolhostOptions> = {},
  given: (box: Memory) => SandboxClient = (box) => box,
  runHandler?: Parameters<CreateInMemorySandbox>[0] & object extends infer O ? O["runHandler" & keyof O] : never,
): Promise<Rig> {
  const folder = await mkdtemp(join(tmpdir(), "library-"));
  const notices: string[] = [];
  const toolhost = await createToolhost({ folder, onNotice: (notice) => notices.push(notice), ...options });
  onTestFinished(() => toolhost.dispose());
  const there = Object.fromEntries(Object.entries(files).map(([path, text]) => [`/app/${path}`, text]));
  const box = inMemorySandbox({ files: there, ...(runHandler !== undefined && { runHandler }) });
  const use = toolhost.useSandbox(given(box), { folder: "/app", name: "box" });
  return {
    ...{ toolhost, folder, box, use, notices },
    call: async (tool, input) => textOf(await toolhost.invoke(tool, input)),
  };
}

function textOf(outcome: Outcome): string {
  return outcome.ok ? outcome.text : `${outcome.error.type}: ${outcome.error.message}`;
}

/** Something that is waited for until it comes. */
function moment(): { here: Promise<void>; come: () => void } {
  let come = (): void => undefined;
  const here = new Promise<void>((resolve) => {
    come = resolve;
  });
  return { here, come };
}

describe("a sandbox in memory", () => {
  test("has its files listed, found, searched, read and changed, and nothing of the folder", async () => {
    const { call, box, folder } = await rig(
      { "a.txt": "one\n", "src/b.ts": "let x = 1;\n" },
      { rules: [{ tool: "apply_patch", params: { sandbox: "box" }, decision: "allow" }] },
    );
    expect(await call("ls", { path: "." })).toContain("src/");
    expect(await call("glob", { pattern: "**/*.ts" })).toContain("src/b.ts");
    expect(await call("grep", { pattern: "let" })).toContain("let x = 1;");
    expect(await call("read", { path: "src/b.ts" })).toContain("let x = 1;");
    expect(await call("edit", { path: "a.txt", old_text: "one", new_text: "two" })).toContain("a.txt");
    await call("write", { path: "new/deep/c.txt", content: "ä\n" });
    const patched = await call("apply_patch", {
      patch:
        "*** Begin Patch\n*** Update File: src/b.ts\n*** Move to: src/c.ts\n@@\n-let x = 1;\n+let x = 2;\n*** Delete File: a.txt\n*** End Patch\n",
    });
    expect(patched).toContain("src/c.ts");
    expect([box.getFile("/app/a.txt"), box.getFile("/app/src/b.ts")]).toEqual([undefined, undefined]);
    expect(Buffer.from(box.getFile("/app/src/c.ts") ?? "").toString()).toBe("let x = 2;\n");
    expect(Buffer.from(box.getFile("/app/new/deep/c.txt") ?? "").toString()).toBe("ä\n");
    expect(await call("read", { path: "gone.txt" })).toMatch(/^not_found: /);
    expect(await call("read", { path: "../etc/passwd" })).toMatch(/^(denied|outside_workspace): /);
    expect(await readdir(folder)).toEqual([]);
  });

  test("is named in its list of changes", async () => {
    const { call, use } = await rig({ "a.txt": "one\n", "b.txt": "two\n" });
    await call("edit", { path: "a.txt", old_text: "one", new_text: "1" });
    await call("apply_patch", {
      patch: "*** Begin Patch\n*** Update File: b.txt\n*** Move to: c.txt\n@@\n-two\n+2\n*** End Patch\n",
    });
    const listed = textOf(await use.undo({ list: true }));
    expect(listed).toContain("box: a.txt");
    expect(listed).toContain("box: c.txt");
    expect(listed).not.toMatch(/(?<!box: )\b[abc]\.txt  /);
  });

  test("is where tools work whose paths and commands name /workspace", async () => {
    const ran: unknown[] = [];
    const toolhost = await createToolhost({
      ...{ folder: await mkdtemp(join(tmpdir(), "library-")), mode: "bypass", onNotice: () => undefined },
    });
    onTestFinished(() => toolhost.dispose());
    const box = inMemorySandbox({
      files: { "/workspace/value.ts": "const value = 1;\n" },
      runHandler: (command, options) => {
        ran.push([command, options?.workingDirectory]);
        return { stdout: "some output", stderr: "some error", exitCode: 7 };
      },
    });
    const use = toolhost.useSandbox(box, { folder: "/workspace", name: "box" });
    const call = async (tool: string, input: object): Promise<string> => textOf(await toolhost.invoke(tool, input));
    const text = (path: string): string => Buffer.from(box.getFile(path) ?? "").toString();
    expect(await call("read", { path: "/workspace/value.ts" })).toContain("1\tconst value = 1;");
    await call("edit", { path: "value.ts", old_text: "1", new_text: "2" });
    await call("write", { path: "/workspace/made/here.txt", content: "new" });
    expect([text("/workspace/value.ts"), text("/workspace/made/here.txt")]).toEqual(["const value = 2;\n", "new"]);
    const told = await toolhost.invoke("exec", { command: "npm test" });
    expect(told).toMatchObject({ ok: true, data: { exit_code: 7 } });
    expect(textOf(told)).toMatch(/some output[^]*some error/);
    // The command as it is written.
    expect(ran).toEqual([["npm test", "/workspace"]]);
    const id = await box.snapshot();
    await box.writeFile("/workspace/value.ts", "lost");
    await box.restore(id);
    expect(await call("read", { path: "value.ts" })).toContain("1\tconst value = 2;");
    use.dispose();
  });

  test("is left when its use is disposed", async () => {
    const { call, use, toolhost } = await rig({ "a.txt": "one\n" });
    use.dispose();
    expect(await call("read", { path: "a.txt" })).toMatch(/^not_found: /);
    expect(() => toolhost.useSandbox("ssh:box")).toThrow(/^Toolhost useSandbox: client: .* is not the address/);
  });

  test("is left when what is being written there is written, and its last snapshot has it", async () => {
    const [running, stopped, writing, released] = [moment(), moment(), moment(), moment()];
    const done: string[] = [];
    const { call, use, toolhost } = await rig({ "a.txt": "one\n" }, { mode: "bypass" }, (memory) => ({
      ...over(memory),
      run: (_, options) => {
        options?.signal?.addEventListener("abort", stopped.come);
        running.come();
        return new Promise(() => undefined);
      },
      writeFile: async (...given) => {
        writing.come();
        await released.here;
        await memory.writeFile(...given);
        done.push("written");
      },
      snapshot: () => {
        done.push("snapshot");
        return memory.snapshot();
      },
    }));
    const command = call("exec", { command: "x" });
    const edit = call("edit", { path: "a.txt", old_text: "one", new_text: "two" });
    await Promise.all([running.here, writing.here]);
    use.dispose();
    // Commands are ended at once. A call in the folder takes longer than a snapshot.
    await Promise.all([stopped.here, command]);
    expect(await call("read", { path: "a.txt" })).toMatch(/^not_found: /);
    released.come();
    expect(await edit).toMatch(/^Edited a\.txt/);
    await toolhost.dispose();
    expect(done.slice(-2)).toEqual(["written", "snapshot"]);
  });

  test.each<[string, unknown, unknown, RegExp]>([
    ["no client", 7, {}, /client: expected a sandbox's client or an address, got number 7/],
    ["half a client", { run: () => undefined }, {}, /client: it has no method readFile/],
    ["no folder", "box", { name: "x" }, /folder: expected an absolute path in the sandbox/],
    ["a folder that leads up", "box", { folder: "/a/../b", name: "x" }, /folder: expected an absolute path/],
    ["a name with a space", "box", { folder: "/a", name: "x y" }, /name: expected 1 to 60 letters/],
    ["another option", "box", { folder: "/a", name: "x", root: "/" }, /"root": there is no such option/],
  ])("refuses %s", async (_, client, options, message) => {
    const { toolhost, box } = await rig({});
    const use = toolhost.useSandbox as (client: unknown, options: unknown) => SandboxUse;
    expect(() => use(client === "box" ? box : client, options)).toThrow(message);
  });
});

describe("a command in a sandbox", () => {
  test("asks, with the sandbox's name, and is run there with its folder and variables", async () => {
    const asked: Question[] = [];
    const ran: unknown[] = [];
    const { call } = await rig(
      {},
      { confirm: (question) => (asked.push(question), "once") },
      undefined,
      (command, options) => {
        ran.push([command, options?.workingDirectory]);
        return { stdout: "out\n", stderr: "err\n", exitCode: 7 };
      },
    );
    const text = await call("exec", { command: "ls", env: { A: "it's" } });
    expect(asked.map(({ title }) => title.split(":")[0])).toEqual(["box"]);
    expect(ran).toEqual([["export A='it'\\''s'\nls", "/app"]]);
    expect(text).toContain("out\nerr");
    expect(text).toContain("7");
  });

  test("is allowed by a rule that names the sandbox, and by no other", async () => {
    const rules = (params: Record<string, string>): ToolhostOptions["rules"] => [
      { tool: "exec", params: { command: "npm test", ...params }, decision: "allow" },
    ];
    const run = async (given: ToolhostOptions["rules"] & object): Promise<string> =>
      (await rig({}, { rules: given })).call("exec", { command: "npm test" });
    expect(await run(rules({}) ?? [])).toMatch(/^denied: /);
    expect(await run(rules({ sandbox: "other" }) ?? [])).toMatch(/^denied: /);
    expect(await run(rules({ sandbox: "b*" }) ?? [])).not.toMatch(/^denied: /);
    const denied: NonNullable<ToolhostOptions["rules"]> = [{ tool: "read", decision: "deny" }];
    expect(await (await rig({ a: "1" }, { rules: denied })).call("read", { path: "a" })).toMatch(/^denied: /);
  });

  test.each<[string, () => unknown, RegExp]>([
    ["dies", () => Promise.reject(new Error("socket hang up")), /box: socket hang up/],
    [
      "throws",
      () => {
        throw new Error("bang");
      },
      /box: bang/,
    ],
    ["has no exit code", () => ({ stdout: "" }), /box answered without an exit code or output/],
    ["answers nothing", () => undefined, /box answered without an exit code or output/],
  ])("that %s says so", async (_, handler, message) => {
    const { call } = await rig({}, { mode: "bypass" }, undefined, handler as never);
    expect(await call("exec", { command: "x" })).toMatch(message);
  });

  test("that would leave the sandbox asks, and so does every tool that works on this machine", async () => {
    const asked: Question[] = [];
    const allowed: ToolhostOptions["rules"] = [
      { tool: "*", decision: "allow" },
      { tool: "read", params: { path: "/etc/**" }, decision: "allow" },
    ];
    const { call } = await rig(
      { "a.txt": "one\n" },
      { rules: allowed, confirm: (question) => (asked.push(question), "no") },
    );
    expect(await call("read", { path: "a.txt" })).toContain("one");
    expect(asked).toEqual([]);
    // These rules allow it in the open folders, and name no sandbox.
    for (const [tool, input] of [
      ["read", { path: "/etc/hosts" }],
      ["exec", { command: "ls", workdir: "/etc" }],
      ["exec", { command: "ls" }],
      ["web_fetch", { url: "https://example.com/" }],
    ] as const) {
      const before = asked.length;
      expect([tool, await call(tool, input)]).toEqual([tool, expect.stringMatching(/^(denied|outside_workspace): /)]);
      expect([tool, input, asked.length - before]).toEqual([tool, input, 1]);
      expect(asked.at(-1)?.title).toMatch(/^box: /);
    }
  });

  test("that hangs ends with its time", async () => {
    let signal: AbortSignal | undefined;
    const { call } = await rig({}, { mode: "bypass" }, (box) => ({
      ...over(box),
      run: (_, options) => {
        signal = options?.signal;
        return new Promise(() => undefined);
      },
    }));
    expect(await call("exec", { command: "x", timeout: 0.2 })).toMatch(/time|ended|stopped/i);
    expect(signal?.aborted).toBe(true);
  });

  test("that prints without end has its beginning kept, and ends", async () => {
    const { call } = await rig({}, { mode: "bypass" }, undefined, () => ({
      stdout: "x".repeat(70_000_000),
      exitCode: 0,
    }));
    const text = await call("exec", { command: "x" });
    expect(text.length).toBeLessThan(200_000);
    expect(text).toContain("The sandbox gave 70000000 characters.");
  });
});

/** A client's methods, as a program that wraps one has them. */
function over(box: Memory): Required<SandboxClient> {
  return {
    run: (...given) => box.run(...given),
    readFile: (...given) => box.readFile(...given),
    writeFile: (...given) => box.writeFile(...given),
    list: (...given) => box.list(...given),
    remove: (...given) => box.remove(...given),
    snapshot: () => box.snapshot(),
    restore: (id) => box.restore(id),
  };
}

describe("undo in a sandbox", () => {
  const changes = (
    command: string,
    _: unknown,
    files: Map<string, string | Uint8Array>,
  ): { stdout: string; exitCode: number } => {
    files.set(`/app/${command}`, "made by a command\n");
    return { stdout: "", exitCode: 0 };
  };

  test("takes back what commands changed, turn by turn, and does it again", async () => {
    const { call, use, box } = await rig({ "a.txt": "one\n" }, { mode: "bypass" }, undefined, changes);
    await call("exec", { command: "x" });
    await call("edit", { path: "a.txt", old_text: "one", new_text: "two" });
    await call("exec", { command: "y" });
    const there = (): boolean[] => ["x", "y"].map((name) => box.getFile(`/app/${name}`) !== undefined);
    const text = (): string => Buffer.from(box.getFile("/app/a.txt") ?? "").toString();
    expect(textOf(await use.undo({ list: true }))).toContain("[the whole sandbox]");
    await use.undo();
    expect([...there(), text()]).toEqual([true, false, "two\n"]);
    const again = textOf(await use.undo());
    expect([again, ...there(), text()]).toEqual([expect.stringContaining("a.txt"), true, false, "one\n"]);
    await use.undo();
    expect([...there(), text()]).toEqual([false, false, "one\n"]);
  });

  test("leaves what others did there between two turns, if the second is undone", async () => {
    const { call, use, box } = await rig({ "a.txt": "one\n" }, { mode: "bypass" }, undefined, changes);
    await call("exec", { command: "x" });
    await use.undo({ list: true });
    await box.writeFile("/app/others", "theirs");
    await call("exec", { command: "y" });
    await use.undo();
    expect(["x", "y", "others"].map((name) => box.getFile(`/app/${name}`) !== undefined)).toEqual([true, false, true]);
    // After an undo, too.
    await box.writeFile("/app/more", "theirs");
    await call("exec", { command: "y" });
    await use.undo();
    expect(["x", "y", "more"].map((name) => box.getFile(`/app/${name}`) !== undefined)).toEqual([true, false, true]);
  });

  test("returns to no earlier state once snapshots have failed", async () => {
    let isFull = false;
    const { call, use, box, notices } = await rig(
      { "a.txt": "one\n" },
      { mode: "bypass" },
      (memory) => ({
        ...over(memory),
        snapshot: () => (isFull ? Promise.reject(new Error("no space")) : memory.snapshot()),
      }),
      changes,
    );
    await call("exec", { command: "x" });
    await use.undo({ list: true });
    isFull = true;
    await call("exec", { command: "y" });
    await use.undo();
    expect(["x", "y"].map((name) => box.getFile(`/app/${name}`) !== undefined)).toEqual([true, true]);
    expect(notices.join("\n")).toContain("no space");
  });

  test("keeps the name of the whole sandbox from tools", async () => {
    const { call } = await rig({ "a.txt": "one\n" }, { mode: "bypass" }, undefined, changes);
    await call("exec", { command: "x" });
    expect(await call("write", { path: "[the whole sandbox]", content: "snapshot-1" })).toContain(
      "represents the whole",
    );
  });

  test("says that a snapshot is lost, and changes nothing", async () => {
    const { call, use, box } = await rig(
      { "a.txt": "one\n" },
      { mode: "bypass" },
      (memory) => ({ ...over(memory), restore: (id) => memory.restore(`${id}0`) }),
      changes,
    );
    await call("exec", { command: "x" });
    const undone = textOf(await use.undo());
    expect(undone).toMatch(/box did not return to its snapshot snapshot-1: .*Sandbox snapshot not found: snapshot-10/);
    expect(box.getFile("/app/x")).toBeDefined();
  });

  test.each<[string, Partial<SandboxClient>]>([
    ["takes none", { snapshot: () => Promise.reject(new Error("no space")) }],
    ["gives them no id", { snapshot: async () => "" }],
    ["gives all of them one id", { snapshot: async () => "sandbox_1" }],
  ])("covers the files alone where the client %s, which is said", async (_, odd) => {
    const { call, use, box, notices } = await rig(
      { "a.txt": "one\n" },
      { mode: "bypass" },
      (memory) => ({ ...over(memory), ...odd }),
      changes,
    );
    await call("edit", { path: "a.txt", old_text: "one", new_text: "two" });
    await use.undo();
    expect(Buffer.from(box.getFile("/app/a.txt") ?? "").toString()).toBe("one\n");
    expect(notices).toEqual([expect.stringMatching(/^Undo does not cover what commands change in the sandbox: /)]);
  });
});
