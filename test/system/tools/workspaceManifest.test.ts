// Repositories of workspace manifests, cloned by a real Git from a real server.
import { existsSync } from "node:fs";
import { readlink, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { manifestTool } from "../../../src/tools/manifests/workspaceManifest.js";
import { git, serveRepository } from "../../harness/gitServer.js";
import { poll } from "../../harness/poll.js";
import {
  failed,
  openWorkspace,
  result,
  tempFolder,
  type FileTree,
  type TestWorkspace,
} from "../../unit/tools/workspace.js";

const open = (files: FileTree = {}): Promise<TestWorkspace> =>
  openWorkspace(files, { moreTools: [manifestTool()], outside: {} });

const apply = (ws: TestWorkspace, entries: object, signal = new AbortController().signal) =>
  ws.call("workspace_manifest", { action: "apply", manifest: { entries } }, { signal });

const file = (content: string): object => ({ type: "file", content });

describe("a repository of a manifest", { timeout: 60_000 }, () => {
  test("is cloned into a new folder, only its last commit, with files of the manifest in it", async () => {
    const { url } = await serveRepository({ "a.txt": "a\n", "b.txt": "b\n" });
    const ws = await open();
    const { text } = result(
      await apply(ws, {
        "deep/r/b.txt": file("other\n"),
        "deep/r/new.txt": file("n\n"),
        "deep/r": { type: "gitRepo", url, ref: "main" },
      }),
    );
    expect(text).toContain("Applied the manifest: 1 cloned, 1 created, 1 changed.");
    expect(text).toContain("Undo does not cover what was cloned: deep/r.");
    expect(String(await ws.bytes("deep/r/a.txt"))).toBe("a\n");
    expect(String(await ws.bytes("deep/r/b.txt"))).toBe("other\n");
    expect(git(join(ws.folder, "deep/r"), "rev-list", "--count", "HEAD").trim()).toBe("1");
    expect(git(join(ws.folder, "deep/r"), "config", "remote.origin.url").trim()).toBe(url);
    // Nothing is cloned over it, and nothing else is done then.
    const error = failed(await apply(ws, { "x.txt": file(""), "deep/r": { type: "gitRepo", url } }));
    expect(error).toMatchObject({ type: "path_conflict" });
    expect(await ws.names()).toEqual(["deep"]);
  });

  test("is cloned into a folder that the manifest names, too", async () => {
    const { url } = await serveRepository({ "a.txt": "a\n" });
    const ws = await open();
    result(await apply(ws, { out: { type: "dir" }, "out/r": { type: "gitRepo", url }, "out/b.txt": file("b") }));
    result(await apply(ws, { lib: { type: "dir" }, "lib/r": { type: "gitRepo", url } }));
    expect((await ws.names("out")).toSorted()).toEqual(["b.txt", "r"]);
    expect(await ws.names("lib")).toEqual(["r"]);
  });

  test("goes again if a later one cannot be cloned, with what was made for it, and nothing is written", async () => {
    const { url } = await serveRepository({ "a.txt": "a\n" });
    const ws = await open({ "old.txt": "old" });
    const error = failed(
      await apply(ws, {
        "old.txt": file("new"),
        "p/q/one": { type: "gitRepo", url },
        two: { type: "gitRepo", url: url.replace("x.git", "nope.git") },
      }),
    );
    expect(error.message).toContain(
      `workspace manifest command failed: git clone --depth 1 ${url.replace("x.git", "nope.git")} two\n`,
    );
    expect(await ws.names()).toEqual(["old.txt"]);
    expect(String(await ws.bytes("old.txt"))).toBe("old");
  });

  test("goes again if a file of the manifest cannot be written in it", async () => {
    const { url } = await serveRepository({ "d/a.txt": "a\n" });
    const ws = await open();
    const error = failed(await apply(ws, { r: { type: "gitRepo", url }, "r/d": file("x"), "b.txt": file("b") }));
    expect(error).toMatchObject({ type: "path_conflict" });
    expect(await ws.names()).toEqual([]);
  });

  test("leads no file of the manifest elsewhere by its links", async () => {
    const target = await open({ authorized_keys: "mine\n", "mine/a.txt": "mine\n" });
    const { url } = await serveRepository(
      { "a.txt": "a\n" },
      { out: target.folder, inside: "../mine", key: join(target.folder, "authorized_keys") },
    );
    const ws = await open({ "mine/a.txt": "mine\n" });
    for (const path of ["r/out/authorized_keys", "r/out/new", "r/inside/a.txt", "r/key"]) {
      const error = failed(await apply(ws, { r: { type: "gitRepo", url }, [path]: file("theirs\n") }));
      expect(`${path}: ${error.type}`).toMatch(/: (outside_workspace|stale)$/);
      expect(await ws.names()).toEqual(["mine"]);
    }
    expect(String(await ws.bytes("mine/a.txt"))).toBe("mine\n");
    expect(String(await target.bytes("authorized_keys"))).toBe("mine\n");
    expect((await target.names()).toSorted()).toEqual(["authorized_keys", "mine"]);
    const repo = { type: "gitRepo", url };
    for (const path of ["r/out/deep", "r/out/deep/er", "r/inside/deep"]) {
      const error = failed(await apply(ws, { r: repo, [path]: repo }));
      expect(`${path}: ${error.type}`).toMatch(/: (outside_workspace|stale)$/);
      expect(await ws.names()).toEqual(["mine"]);
    }
    expect(await ws.names("mine")).toEqual(["a.txt"]);
    expect((await target.names()).toSorted()).toEqual(["authorized_keys", "mine"]);
    // The links themselves are what a clone makes.
    result(await apply(ws, { r: { type: "gitRepo", url } }));
    expect(await readlink(join(ws.folder, "r/out"))).toBe(target.folder);
  });

  test("is not asked for if the manifest has a problem elsewhere", async () => {
    const server = await serveRepository({ "a.txt": "a\n" });
    const ws = await open({ d: undefined });
    const repo = { type: "gitRepo", url: server.url };
    failed(await apply(ws, { r: repo, d: file("x") }));
    failed(await apply(ws, { r: repo, "../x": file("x") }));
    expect(server.connections()).toBe(0);
  });

  test("goes if the call is stopped while the server keeps silent", async () => {
    const ws = await open({ d: undefined });
    const stop = new AbortController();
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      stop.abort();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const repo = { type: "gitRepo", url: `git://127.0.0.1:${port}/x.git` };
    await expect(apply(ws, { "p/r": repo, "a.txt": file("") }, stop.signal)).rejects.toThrow("cancelled");
    expect(await ws.names()).toEqual(["d"]);
  });

  test("leaves no folder if the call is stopped while that is being made", async () => {
    const ws = await open({ d: undefined });
    const stop = new AbortController();
    const programs = await tempFolder();
    await writeFile(
      join(programs, "mkdir"),
      `#!/bin/sh\n/bin/mkdir "$@"\ncase "$*" in */p/r) /usr/bin/touch ${programs}/made; exec /bin/sleep 600;; esac\n`,
      { mode: 0o755 },
    );
    vi.stubEnv("PATH", `${programs}:${process.env["PATH"]}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const repo = { type: "gitRepo", url: "git://127.0.0.1:1/x.git" };
    const applied = expect(apply(ws, { "p/r": repo }, stop.signal)).rejects.toThrow("cancelled");
    await poll("the folder", () => existsSync(join(programs, "made")));
    expect(await ws.names("p")).toEqual(["r"]);
    stop.abort();
    await applied;
    await poll("the folders' end", async () => (await ws.names()).length === 1);
    expect(await ws.names()).toEqual(["d"]);
  });
});
