import { expect, test } from "vitest";
import { InMemorySandboxClient } from "../../../../src/hosts/sandbox/memoryClient.js";

test("a command ends with exit code 0 and no output, unless a handler runs it", async () => {
  expect(await new InMemorySandboxClient().run("npm test")).toEqual({ stdout: "", exitCode: 0 });
  const seen: unknown[] = [];
  const client = new InMemorySandboxClient({
    files: { "/workspace/a": "1" },
    runHandler: (command, options, files) => {
      seen.push([command, options, [...files.keys()]]);
      return { stdout: "out", stderr: "err", exitCode: 7 };
    },
  });
  const options = { timeoutMs: 1_234, workingDirectory: "/workspace" };
  expect(await client.run("npm test", options)).toEqual({ stdout: "out", stderr: "err", exitCode: 7 });
  expect(seen).toEqual([["npm test", options, ["/workspace/a"]]]);
});

test("a file that is not there is named", async () => {
  const client = new InMemorySandboxClient();
  await expect(client.readFile("/workspace/a")).rejects.toThrow("Sandbox file not found: /workspace/a");
  await expect(client.remove("/workspace/a")).rejects.toThrow("Sandbox file not found: /workspace/a");
});

test("a snapshot has a number, and what was there is there again", async () => {
  const client = new InMemorySandboxClient({ files: { "/workspace/a": "old" } });
  expect([await client.snapshot(), await client.snapshot()]).toEqual(["snapshot-1", "snapshot-2"]);
  await client.writeFile("/workspace/a", "new");
  await client.writeFile("/workspace/b", "new");
  await client.restore("snapshot-1");
  expect([client.getFile("/workspace/a"), client.getFile("/workspace/b")]).toEqual(["old", undefined]);
  await client.writeFile("/workspace/a", "newer");
  await client.restore("snapshot-2");
  expect(await client.readFile("/workspace/a")).toBe("old");
  await expect(client.restore("snapshot-9")).rejects.toThrow("Sandbox snapshot not found: snapshot-9");
});

test("folders are listed with their files, empty ones only where they were given", async () => {
  const client = new InMemorySandboxClient({ files: { "/w/a": "ä", "/w/b/c/d": "", "/w/e/": "" } });
  const names = async (path: string): Promise<string[]> =>
    (await client.list(path)).map(({ name, kind, size }) => `${name} ${kind} ${size ?? "-"}`);
  expect(await names("/")).toEqual(["w directory -"]);
  expect(await names("/w")).toEqual(["a file 2", "b directory -", "e directory -"]);
  expect(await names("/w/e")).toEqual([]);
});
