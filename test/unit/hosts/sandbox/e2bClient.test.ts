import { expect, expectTypeOf, test } from "vitest";
import { E2BSandboxClient, type E2BSandbox } from "../../../../src/hosts/sandbox/e2bClient.js";

/** A sandbox of the shape that E2B's package has, with files in memory. */
function stub(files: Record<string, string> = {}, more: Partial<E2BSandbox> = {}): E2BSandbox & { calls: unknown[] } {
  const calls: unknown[] = [];
  return {
    calls,
    commands: {
      run: async (command, { cwd, timeoutMs }) => {
        calls.push({ command, cwd, timeoutMs });
        return { stdout: "ok", stderr: "", exitCode: 0 };
      },
    },
    files: {
      read: async (path) => files[path] ?? "",
      write: async (path, content) => {
        files[path] = typeof content === "string" ? content : Buffer.from(content).toString();
      },
    },
    ...more,
  };
}

test("a command gets its folder and its time, and a paused sandbox is its own snapshot", async () => {
  const paused: string[] = [];
  const sandbox = stub(
    {},
    {
      sandboxId: "sandbox_1",
      pause: async () => paused.push("pause"),
      connect: async () => paused.push("connect"),
    },
  );
  const client = new E2BSandboxClient({ sandbox });
  const result = await client.run("npm test", { timeoutMs: 5_000, workingDirectory: "/workspace" });
  expect(result).toEqual({ stdout: "ok", stderr: "", exitCode: 0 });
  expect(sandbox.calls).toEqual([{ command: "npm test", cwd: "/workspace", timeoutMs: 5_000 }]);
  expect(await client.snapshot()).toBe("sandbox_1");
  await client.restore("sandbox_1");
  expect(paused).toEqual(["pause", "connect"]);
  await expect(client.restore("sandbox_2")).rejects.toThrow(/^E2B sandbox restore requires/);
});

test("a snapshot is made by createSnapshot, and later reads come from the sandbox made of it", async () => {
  const client = new E2BSandboxClient({
    sandbox: stub({ "/workspace/a": "old" }, { createSnapshot: async () => ({ snapshotId: "snap_1" }) }),
    createSandboxFromSnapshot: async (id) => stub({ "/workspace/a": `from ${id}` }),
  });
  expect(await client.readFile("/workspace/a")).toBe("old");
  const id = await client.snapshot();
  expect(id).toBe("snap_1");
  await client.restore(id);
  expect(await client.readFile("/workspace/a")).toBe("from snap_1");
});

test("a sandbox that is connected by its id takes the place of the old one", async () => {
  const client = new E2BSandboxClient({ sandbox: stub(), connectSandbox: async (id) => stub({ "/a": id }) });
  await client.restore("sandbox_7");
  expect(await client.readFile("/a")).toBe("sandbox_7");
});

test("what a sandbox cannot keep is said", async () => {
  const none = new E2BSandboxClient({ sandbox: stub({}, { createSnapshot: async () => ({}) }) });
  await expect(none.snapshot()).rejects.toThrow("E2B createSnapshot() did not return a snapshot id.");
  await expect(new E2BSandboxClient({ sandbox: stub() }).snapshot()).rejects.toThrow(/^E2B sandbox snapshots require/);
});

test("the exit code comes by either name, also with the error that E2B throws", async () => {
  const ending = (run: E2BSandbox["commands"]["run"]): Promise<unknown> =>
    new E2BSandboxClient({ sandbox: stub({}, { commands: { run } }) }).run("x");
  expect(await ending(async () => ({ stdout: "a", exit_code: 3 }))).toEqual({ stdout: "a", stderr: "", exitCode: 3 });
  const thrown = Object.assign(new Error("exit status 2"), { stdout: "a", stderr: "b", exitCode: 2 });
  expect(await ending(() => Promise.reject(thrown))).toEqual({ stdout: "a", stderr: "b", exitCode: 2 });
  await expect(ending(() => Promise.reject(new Error("not found: sandbox is gone")))).rejects.toThrow("is gone");
});

test("bytes are written as bytes", async () => {
  const written: unknown[] = [];
  const sandbox = stub({}, { files: { read: async () => "", write: async (_, content) => written.push(content) } });
  await new E2BSandboxClient({ sandbox }).writeFile("/a", Uint8Array.of(0, 255).subarray(1));
  expect(new Uint8Array(written[0] as ArrayBuffer)).toEqual(Uint8Array.of(255));
});

/** What of the class `Sandbox` of the package `e2b` 2 matters here, with its own types' width. */
interface PackagesSandbox {
  readonly sandboxId: string;
  commands: {
    run(
      cmd: string,
      opts?: { background?: false; cwd?: string; timeoutMs?: number; user?: string },
    ): Promise<{
      exitCode: number;
      error?: string;
      stdout: string;
      stderr: string;
    }>;
  };
  files: {
    read(path: string, opts?: { format?: "text" }): Promise<string>;
    read(path: string, opts?: { format: "bytes" }): Promise<Uint8Array>;
    write(path: string, data: string | ArrayBuffer | Blob | ReadableStream): Promise<{ name: string; path: string }>;
  };
  pause(opts?: { requestTimeoutMs?: number }): Promise<boolean>;
  connect(opts?: { timeoutMs?: number }): Promise<PackagesSandbox>;
  createSnapshot(opts?: { name?: string }): Promise<{ snapshotId: string }>;
}

test("the package's sandbox has the shape", () => {
  expectTypeOf<PackagesSandbox>().toExtend<E2BSandbox>();
});
