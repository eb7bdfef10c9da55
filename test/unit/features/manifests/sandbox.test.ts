import { describe, expect, test } from "vitest";
import { applyToSandbox, type LocalSources } from "../../../../src/features/manifests/sandbox.js";

const NO_SOURCES: LocalSources = {
  readFile: () => Promise.reject(new Error("there are no local files")),
  readFolder: () => Promise.reject(new Error("there are no local folders")),
};

/** A sandbox that remembers what is done to it. */
function sandbox(exitCode = 0) {
  const files: Record<string, string | Uint8Array> = {};
  const commands: string[] = [];
  return {
    ...{ files, commands },
    run: async (command: string) => {
      commands.push(command);
      return { stdout: "out", stderr: "no such host", exitCode };
    },
    writeFile: async (path: string, content: string | Uint8Array) => {
      files[path] = content;
    },
  };
}

describe("applying a manifest in a sandbox", () => {
  test("writes files and makes folders, in order", async () => {
    const client = sandbox();
    const entries = { "task.md": { type: "file", content: "do it" }, output: { type: "dir" } };
    expect(await applyToSandbox(client, { entries }, { sources: NO_SOURCES })).toEqual({
      entries: [
        { path: "task.md", type: "file", status: "applied" },
        { path: "output", type: "dir", status: "applied" },
      ],
    });
    expect(client.files).toEqual({ "/workspace/task.md": "do it" });
    expect(client.commands).toEqual(["mkdir -p '/workspace/output'"]);
  });

  test("copies local files and folders, and makes the folders of a file", async () => {
    const client = sandbox();
    const sources: LocalSources = {
      readFile: async (src) => `file ${src}`,
      readFolder: async () => [
        { path: "a" },
        { path: "a/b.txt", content: "b" },
        { path: "c.bin", content: new Uint8Array([0]) },
      ],
    };
    const entries = { "x/y.txt": { type: "localFile", src: "z" }, data: { type: "localDir", src: "fixtures" } };
    await applyToSandbox(client, { entries }, { sources, targetRoot: "/srv/" });
    expect(client.files).toEqual({
      "/srv/x/y.txt": "file z",
      "/srv/data/a/b.txt": "b",
      "/srv/data/c.bin": new Uint8Array([0]),
    });
    expect(client.commands).toEqual(["mkdir -p '/srv/x'", "mkdir -p '/srv/data'", "mkdir -p '/srv/data/a'"]);
  });

  test("clones a repository by one command", async () => {
    const client = sandbox();
    const url = "https://github.com/example/repo.git";
    await applyToSandbox(client, { entries: { repo: { type: "gitRepo", url, ref: "main" } } }, { sources: NO_SOURCES });
    expect(client.commands).toEqual([
      "git clone --depth 1 --branch 'main' 'https://github.com/example/repo.git' '/workspace/repo'",
    ]);
  });

  test("clones all of it where it is not to be shallow, with quotes in names", async () => {
    const client = sandbox();
    const repo = { type: "gitRepo", url: "/srv/it's", shallow: false };
    await applyToSandbox(client, { entries: { "o'r": repo } }, { sources: NO_SOURCES, targetRoot: "/" });
    expect(client.commands).toEqual([`git clone '/srv/it'\\''s' '/o'\\''r'`]);
  });

  test.each([
    { type: "s3Mount", bucket: "b", region: "eu" },
    { type: "gcsMount", bucket: "b", prefix: "p" },
    { type: "r2Mount", bucket: "b", accountId: "a" },
    { type: "azureBlobMount", container: "c", account: "a", prefix: "p" },
  ])("says that $type needs another sandbox, and applies the rest", async (data) => {
    const client = sandbox();
    const entries = { "a.txt": { type: "file", content: "a" }, data };
    expect(await applyToSandbox(client, { entries }, { sources: NO_SOURCES })).toEqual({
      entries: [
        { path: "a.txt", type: "file", status: "applied" },
        {
          path: "data",
          type: data.type,
          status: "unsupported",
          message: `${data.type} requires a provider-specific sandbox adapter.`,
        },
      ],
    });
    expect(client.files).toEqual({ "/workspace/a.txt": "a" });
    expect(client.commands).toEqual([]);
  });

  test("says which command failed, and does nothing after it", async () => {
    const client = sandbox(128);
    const entries = { d: { type: "dir" }, "a.txt": { type: "file", content: "" } };
    await expect(applyToSandbox(client, { entries }, { sources: NO_SOURCES })).rejects.toThrow(
      new Error("workspace manifest command failed: mkdir -p '/workspace/d'\nno such host"),
    );
    expect(client.files).toEqual({});
  });

  test("does nothing for a manifest with a problem, and wants an absolute root", async () => {
    const client = sandbox();
    const entries = { a: { type: "dir" }, b: { type: "gitRepo", url: "ext::sh" } };
    await expect(applyToSandbox(client, { entries }, { sources: NO_SOURCES })).rejects.toThrow('entries["b"]: url:');
    await expect(applyToSandbox(client, { entries: {} }, { sources: NO_SOURCES, targetRoot: "srv" })).rejects.toThrow(
      new Error("workspace manifest targetRoot must be an absolute sandbox path"),
    );
    expect(client.commands).toEqual([]);
  });

  test("leaves it to a sandbox that applies manifests itself", async () => {
    const own = { entries: [] };
    const client = { ...sandbox(), applyManifest: async () => own };
    expect(await applyToSandbox(client, { entries: { a: { type: "dir" } } }, { sources: NO_SOURCES })).toBe(own);
    expect(client.commands).toEqual([]);
  });
});
