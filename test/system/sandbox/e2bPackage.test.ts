// The package `e2b` itself, against a stand-in of its service: what it sends and throws is what the client takes.
import { Sandbox } from "e2b";
import { beforeAll, describe, expect, expectTypeOf, onTestFinished, test, vi } from "vitest";
import { ToolError } from "../../../src/core/errors.js";
import { ClientDisk } from "../../../src/hosts/sandbox/clientDisk.js";
import { E2BSandboxClient, type E2BSandbox } from "../../../src/hosts/sandbox/e2bClient.js";
import { E2B_HOME, startE2B, type E2BServer } from "../../harness/e2bServer.js";

let server: E2BServer;
beforeAll(async () => {
  server = await startE2B();
  return () => server.stop();
});

async function create(): Promise<Sandbox> {
  for (const [name, value] of Object.entries(server.env)) {
    vi.stubEnv(name, value);
  }
  onTestFinished(() => void vi.unstubAllEnvs());
  return Sandbox.create();
}

test("its sandbox has the shape", () => {
  expectTypeOf<Sandbox>().toExtend<E2BSandbox>();
});

describe("a sandbox of the package", () => {
  test("runs commands in a folder, with both streams and the exit code of one that fails", async () => {
    const client = new E2BSandboxClient({ sandbox: await create() });
    await client.writeFile(`${E2B_HOME}/sub/a`, "");
    expect(await client.run("echo out; echo err >&2; ls; exit 7", { workingDirectory: `${E2B_HOME}/sub` })).toEqual({
      ...{ stdout: "out\na\n", stderr: "err\n", exitCode: 7 },
    });
    expect(await client.run("true", { timeoutMs: 86_400_000 })).toEqual({ stdout: "", stderr: "", exitCode: 0 });
    await expect(client.run("exec sleep 5", { timeoutMs: 200 })).rejects.toThrow(/timed out|timeout/i);
  });

  test("has any bytes whole, an empty file too, and names one that is not there", async () => {
    const client = new E2BSandboxClient({ sandbox: await create() });
    const bytes = Uint8Array.from({ length: 100_000 }, (_, at) => at % 256);
    await client.writeFile(`${E2B_HOME}/x.bin`, bytes.subarray(1));
    await client.writeFile(`${E2B_HOME}/empty`, new Uint8Array());
    expect(await client.readFile(`${E2B_HOME}/x.bin`)).toEqual(bytes.subarray(1));
    expect(await client.readFile(`${E2B_HOME}/empty`)).toEqual(new Uint8Array());
    await expect(client.readFile(`${E2B_HOME}/none`)).rejects.toThrow("not found");
  });

  test("returns to a snapshot in a sandbox that is made of it", async () => {
    const sandbox = await create();
    const client = new E2BSandboxClient({ sandbox, createSandboxFromSnapshot: (id) => Sandbox.create(id) });
    const text = async (): Promise<string> => Buffer.from(await client.readFile(`${E2B_HOME}/a`)).toString();
    await client.writeFile(`${E2B_HOME}/a`, "old");
    const id = await client.snapshot();
    await client.writeFile(`${E2B_HOME}/a`, "new");
    expect(await text()).toBe("new");
    await client.restore(id);
    expect(await text()).toBe("old");
    expect(server.asked.slice(-2)).toEqual([`POST /sandboxes/${sandbox.sandboxId}/snapshots`, "POST /v2/sandboxes"]);
  });

  test("that is connected by its id goes on where it was paused", async () => {
    const sandbox = await create();
    await new E2BSandboxClient({ sandbox }).writeFile(`${E2B_HOME}/a`, "kept");
    await sandbox.pause();
    const client = new E2BSandboxClient({ sandbox: await create(), connectSandbox: (id) => Sandbox.connect(id) });
    await client.restore(sandbox.sandboxId);
    expect(Buffer.from(await client.readFile(`${E2B_HOME}/a`)).toString()).toBe("kept");
  });

  test("that the service no longer has is named in the error of the tool", async () => {
    const sandbox = await create();
    const disk = new ClientDisk(new E2BSandboxClient({ sandbox }), "box");
    await server.stop();
    const error: unknown = await disk.readAll(`${E2B_HOME}/a`, 10).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ToolError);
    expect((error as ToolError).message).toMatch(/^\/home\/user\/a: box: /);
  });
});
