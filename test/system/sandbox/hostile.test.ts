// What a sandbox that hangs, dies or lies comes to: an error that says so, and nothing is taken for what it is not.
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ToolError } from "../../../src/core/errors.js";
import { NodeDisk } from "../../../src/hosts/node/disk/disk.js";
import { BridgeClient } from "../../../src/hosts/node/sandbox/bridgeClient.js";
import { BridgeShell } from "../../../src/hosts/node/sandbox/bridgeShell.js";
import { ClientDisk } from "../../../src/hosts/sandbox/clientDisk.js";
import type { SandboxClient, SandboxRunResult } from "../../../src/ports/sandbox.js";
import { poll } from "../../harness/poll.js";
import { tempFolder } from "../../unit/tools/workspace.js";

/** A client whose shell answers each script with these in turn, and then with the last. */
function answering(answers: readonly Partial<SandboxRunResult>[], file: string | Uint8Array = ""): SandboxClient {
  let next = 0;
  return {
    run: async () => ({ stdout: "", exitCode: 0, ...answers[Math.min(next++, answers.length - 1)] }),
    readFile: async () => file,
    writeFile: async () => undefined,
  };
}

const A_FILE = { stdout: "file 3 1700000000\n" };
const never = (): Promise<never> => new Promise(() => undefined);
const LIMIT = 50;

async function failure(work: Promise<unknown>): Promise<{ type: string; message: string }> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ToolError);
  const { type, message } = error as ToolError;
  return { type, message };
}

describe("a client that", () => {
  test.each<[string, SandboxClient, string, RegExp]>([
    ["hangs", { ...answering([A_FILE]), run: never }, "timeout", /^\/w\/f: box did not answer within 0\.05 s\.$/],
    ["hangs over a file", { ...answering([A_FILE]), readFile: never }, "timeout", /^\/w\/f: box did not answer/],
    [
      "dies in the middle",
      { ...answering([A_FILE]), readFile: () => Promise.reject(new Error("socket hang up")) },
      "io_error",
      /^\/w\/f: box: socket hang up$/,
    ],
    ["answers half a file", answering([A_FILE], "ab"), "io_error", /gave 2 bytes of a file that has 3\.$/],
    ["answers more than a file", answering([A_FILE], "abcd"), "io_error", /gave 4 bytes of a file that has 3\.$/],
    ["answers with no bytes at all", answering([A_FILE], 7 as unknown as string), "io_error", /gave no bytes/],
    ["lies that a script succeeded", answering([{ stdout: "" }]), "io_error", /cannot be read: ""\.$/],
    ["prints its profile", answering([{ stdout: "Welcome!\nfile 3 1\n" }]), "io_error", /cannot be read: "Welcome!/],
    [
      "has no exit code",
      answering([{ exitCode: undefined as never }]),
      "io_error",
      /without an exit code or output\.$/,
    ],
    ["answers nothing", { ...answering([]), run: async () => undefined as never }, "io_error", /without an exit code/],
    ["fails with a reason", answering([{ exitCode: 1, stderr: "disk on fire" }]), "io_error", /: box: disk on fire$/],
    ["says that a file is huge", answering([{ stdout: "file 99999999999999 1\n" }]), "too_large", /bytes; at most/],
  ])("%s", async (_, client, type, message) => {
    const disk = new ClientDisk(client, "box", LIMIT);
    const told = await failure(disk.readAll("/w/f", 1_000_000));
    expect(told.type).toBe(type);
    expect(told.message).toMatch(message);
  });

  test.each([
    ["leads up", "d d 0 1 ../f f 0 1 a/", ["a"]],
    ["is one of ours", "f f 0 1 .toolhost-x.tmp/f f 0 1 a/", ["a"]],
    ["has lines", "f f 0 1 a\nb/", ["a\nb"]],
  ])("lists a name that %s", async (_, stdout, names) => {
    const listed = await new ClientDisk(answering([{ stdout }]), "box").list("/w");
    expect(listed.map(({ name }) => name)).toEqual(names);
  });

  test.each([
    ["no name", "f f 0 1 /"],
    ["no size", "f f x 1 a/"],
    ["half an entry", "f f 0 1 a/f f 0"],
  ])("lists %s has not listed the folder", async (_, stdout) => {
    const listing = new ClientDisk(answering([{ stdout }]), "box").list("/w");
    expect((await failure(listing)).message).toMatch(/^\/w: the sandbox gave an answer that cannot be read: /);
  });

  test("keeps half of a new file leaves none", async () => {
    // Nothing is there; the temporary file is too short, which its script reports.
    const client = answering([
      { exitCode: 63 },
      { exitCode: 63 },
      { stdout: "directory 0 1\n" },
      { exitCode: 1, stderr: "it kept 2 of 3 bytes" },
    ]);
    const step = await new ClientDisk(client, "box").stageCreate("/w/f", new TextEncoder().encode("abc"));
    expect((await failure(step.commit())).message).toBe("/w/f: box: it kept 2 of 3 bytes");
  });
});

describe("a bridge that", () => {
  const through = (program: string): BridgeClient =>
    new BridgeClient({
      name: "box",
      call: () => ({ file: "sh", args: ["-c", program] }),
      failure: (exitCode, stderr) =>
        exitCode === 9 ? new ToolError("unavailable", `box is not reached: ${stderr.trim()}`) : undefined,
    });

  test.each([
    ["is not reached", "echo no route >&2; exit 9", "unavailable", /^box is not reached: no route$/],
    ["ends at once", "exit 0", "unavailable", /^box has ended: no reason$/],
    ["dies with half an answer", "echo half; kill -9 $$", "unavailable", /^box has ended/],
    ["never ends its answer", "yes", "too_large", /^box gave more than 128000000 bytes\.$/],
    ["never ends its errors", "yes >&2", "too_large", /^box gave more than 128000000 bytes\.$/],
  ])("%s", async (_, program, type, message) => {
    const told = await failure(through(program).readFile("/w/f"));
    expect(told.type).toBe(type);
    expect(told.message).toMatch(message);
  });

  test.each<[what: string, program: string, ask: (client: BridgeClient) => Promise<unknown>]>([
    ["a script's output", "yes", (client) => client.readFile("/w/f")],
    ["a script's errors", "yes >&2", (client) => client.readFile("/w/f")],
    ["a command's output", "yes", (client) => client.run("x")],
    ["a command in time", "yes >&2", (client) => client.run("x", { timeoutMs: 5_000 })],
  ])("never ends %s leaves nothing that goes on writing", async (_, program, ask) => {
    const folder = await tempFolder();
    // Only the outermost shell is ended: what it started notices that nobody reads any more.
    await failure(ask(through(`(${program}; touch ${folder}/ended) & wait`)));
    await poll("the end of what wrote", () => existsSync(`${folder}/ended`));
  });

  test("is asked for the entries of a file says that there is no such folder, as the disk does", async () => {
    const folder = await tempFolder({ "a.ts": "" });
    const local = new BridgeClient({
      name: "box",
      call: (script) => ({ file: "sh", args: ["-c", script] }),
      failure: () => undefined,
    });
    for (const disk of [new NodeDisk(), new ClientDisk(local, "box")]) {
      expect(await failure(disk.list(`${folder}/a.ts`))).toEqual({
        type: "not_found",
        message: `${folder}/a.ts: there is no such file or folder.`,
      });
    }
  });

  test("hangs is ended, and the next script gets a shell of its own", async () => {
    const shell = new BridgeShell({
      name: "box",
      call: () => ({ file: "sh", args: [] }),
      failure: () => undefined,
    });
    expect((await failure(shell.run("sleep 1000", LIMIT))).type).toBe("timeout");
    expect((await shell.run("printf hello", 60_000)).stdout.toString()).toBe("hello");
  });

  test("gives its answer in single bytes gives it whole, whatever it has", async () => {
    const shell = new BridgeShell({
      name: "box",
      call: () => ({ file: "sh", args: ["-c", "sh | stdbuf -o0 dd bs=1 status=none"] }),
      failure: () => undefined,
    });
    const { stdout, exitCode } = await shell.run(String.raw`printf 'a\000b\377\n\ntoolhost-x 0\n'; exit 7`, 60_000);
    expect(stdout).toEqual(Buffer.from("a\0b\u00ff\n\ntoolhost-x 0\n", "latin1"));
    expect(exitCode).toBe(7);
  });
});
