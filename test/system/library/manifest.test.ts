// Workspace manifests for programs and extensions, whose part of the API is one.
import { readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { CreateToolhost, Toolhost, ToolhostOptions, WorkspaceManifest } from "../../../src/doors/library/types.js";
import { packedFolder } from "./packed.js";
import { contentOf, tempFolder, type FileTree } from "../../unit/tools/workspace.js";

let createToolhost: CreateToolhost;

beforeAll(async () => {
  ({ createToolhost } = createRequire(join(await packedFolder(), "x.js"))("toolhost") as {
    createToolhost: CreateToolhost;
  });
});

async function open(
  files: FileTree,
  options: Partial<ToolhostOptions> = {},
): Promise<{ toolhost: Toolhost; folder: string }> {
  const folder = await tempFolder(files);
  const toolhost = await createToolhost({ folder, onNotice: () => undefined, ...options });
  onTestFinished(() => toolhost.dispose());
  return { toolhost, folder };
}

/** A sandbox that remembers what is done to it. */
function sandbox() {
  const [files, commands]: [Record<string, unknown>, string[]] = [{}, []];
  return {
    ...{ files, commands },
    run: async (command: string) => {
      commands.push(command);
      return { stdout: "", exitCode: 0 };
    },
    writeFile: async (path: string, content: string | Uint8Array) => void (files[path] = content),
  };
}

describe("applyWorkspaceManifest", { timeout: 60_000 }, () => {
  test("makes the workspace what the manifest says", async () => {
    const { toolhost, folder } = await open({ "fix/a.txt": "a" });
    const steps: string[] = [];
    const result = await toolhost.applyWorkspaceManifest(
      "workspace",
      { entries: { d: { type: "localDir", src: "fix" }, s: { type: "gcsMount", bucket: "b" } } },
      { onProgress: (step) => steps.push(step) },
    );
    expect(result.entries.map(({ path, status }) => `${path} ${status}`)).toEqual(["d applied", "s unsupported"]);
    expect(await contentOf(folder, "d/a.txt")).toBe("a");
    expect(steps).toEqual([]);
  });

  test("tells a program how far it is while it takes long, and is stopped by its signal with nothing done", async () => {
    const { toolhost, folder } = await open({});
    const entries = Object.fromEntries(
      Array.from({ length: 1_001 }, (_, index) => [`${index}.txt`, { type: "file", content: "x" } as const]),
    );
    const stop = new AbortController();
    const stopped = toolhost.applyWorkspaceManifest(
      "workspace",
      { entries },
      { signal: stop.signal, onProgress: (step) => step === "1000 of 1001 files prepared" && stop.abort() },
    );
    await expect(stopped).rejects.toThrow();
    expect(await readdir(folder)).toEqual([]);
    const steps: string[] = [];
    const onProgress = (step: string): void => void steps.push(step);
    await toolhost.applyWorkspaceManifest("workspace", { entries }, { onProgress });
    expect(steps).toEqual([
      "1000 of 1001 files and folders compared",
      "Writing 1001 files",
      "1000 of 1001 files prepared",
    ]);
    expect(await readdir(folder)).toHaveLength(1_001);
  });

  test("rejects with what is wrong, and asks what a call would ask", async () => {
    const asked: string[] = [];
    const { toolhost, folder } = await open({}, { confirm: ({ reasons }) => (asked.push(...reasons), "no") });
    const apply = (entries: object, ...more: never[]): Promise<unknown> =>
      toolhost.applyWorkspaceManifest("workspace", { entries } as WorkspaceManifest, ...more);
    await expect(apply({ "/x": { type: "dir" } })).rejects.toMatchObject({
      type: "invalid_input",
      message: expect.stringContaining('entries["/x"]: workspace manifest path must be workspace-relative') as string,
    });
    await expect(apply({ ".env": { type: "file", content: "K=1" } })).rejects.toMatchObject({ type: "denied" });
    expect(asked.join(" ")).toContain(".env");
    await expect(apply({}, { root: "/" } as never)).rejects.toThrow(TypeError);
    await expect(toolhost.applyWorkspaceManifest({} as never, { entries: {} })).rejects.toThrow(
      'expected "workspace" or',
    );
    expect(await readdir(folder)).toEqual([]);
  });

  test("applies it in a sandbox of the program's, with sources of the workspace alone", async () => {
    const { toolhost } = await open({ "fix/a/b.txt": "b", "fix/.env": "KEY=1", "one.txt": "1" });
    const client = sandbox();
    const url = "https://github.com/example/repo.git";
    const result = await toolhost.applyWorkspaceManifest(client, {
      entries: {
        "task.md": { type: "file", content: "x" },
        "one.txt": { type: "localFile", src: "one.txt" },
        data: { type: "localDir", src: "fix/a" },
        repo: { type: "gitRepo", url, ref: "main" },
      },
    });
    expect(result.entries.map(({ status }) => status)).toEqual(["applied", "applied", "applied", "applied"]);
    expect(client.files).toEqual({
      "/workspace/task.md": "x",
      "/workspace/one.txt": "1",
      "/workspace/data/b.txt": "b",
    });
    expect(client.commands).toEqual([
      "mkdir -p '/workspace/data'",
      "git clone --depth 1 --branch 'main' 'https://github.com/example/repo.git' '/workspace/repo'",
    ]);
    const other = await tempFolder({ "n.txt": "n" });
    for (const [src, hostRoot] of [
      ["fix", undefined],
      ["n.txt", other],
      [join(other, "n.txt"), undefined],
    ] as const) {
      const again = sandbox();
      const type = src === "fix" ? "localDir" : "localFile";
      const applied = toolhost.applyWorkspaceManifest(
        again,
        { entries: { a: { type: "file", content: "" }, x: { type, src } } },
        { ...(hostRoot !== undefined && { hostRoot }) },
      );
      await expect(applied).rejects.toMatchObject({ type: "denied" });
      expect(again.files).toEqual({});
    }
  });

  test("keeps the session's later calls to its permissions, in mode bypass too", async () => {
    const { toolhost, folder } = await open(
      { "src/a.ts": "one\n", "secret/b.ts": "b\n", "c.ts": "c\n" },
      { mode: "bypass" },
    );
    await toolhost.applyWorkspaceManifest(
      "workspace",
      { entries: {}, permissions: { read: ["src/**", "c.ts"], write: ["src/**"] } },
      { session: "kept" },
    );
    const kept = { session: "kept" };
    const typeOf = async (tool: string, input: object, options: object = kept): Promise<string> => {
      const outcome = await toolhost.invoke(tool, input, options);
      return outcome.ok ? "ok" : outcome.error.type;
    };
    expect(await typeOf("read", { path: "src/a.ts" })).toBe("ok");
    expect(await typeOf("read", { path: "c.ts" })).toBe("ok");
    expect(await typeOf("write", { path: "src/new/b.ts", content: "x" })).toBe("ok");
    expect(await typeOf("grep", { pattern: "o", path: "src" })).toBe("ok");
    expect(await typeOf("exec", { command: "cat src/a.ts 2>/dev/null" })).toBe("ok");
    for (const [tool, input] of [
      ["read", { path: "secret/b.ts" }],
      ["read", { path: "src/../secret/b.ts" }],
      ["read", { path: "SRC/../secret/b.ts" }],
      ["grep", { pattern: "b", path: "." }],
      ["write", { path: "c.ts", content: "x" }],
      ["edit", { path: "c.ts", old_text: "c", new_text: "d" }],
      ["apply_patch", { patch: "*** Begin Patch\n*** Delete File: c.ts\n*** End Patch" }],
      ["exec", { command: "cat secret/b.ts" }],
      ["exec", { command: "echo x > c.ts" }],
      // What these do is not known: they ask, and nobody answers.
      ["exec", { command: 'node -e \'require("fs").writeFileSync("c.ts", "")\'' }],
      ["exec", { command: "make" }],
    ] as const) {
      expect([tool, input, await typeOf(tool, input)]).toEqual([tool, input, "denied"]);
    }
    expect(await contentOf(folder, "c.ts")).toBe("c\n");
    // Another session is not concerned.
    expect(await typeOf("read", { path: "secret/b.ts" }, { session: "other" })).toBe("ok");
  });

  test("allows nothing by its permissions that the user denies", async () => {
    const rules = [{ tool: "*", params: { path: "src/**" }, decision: "deny" }] as const;
    const { toolhost } = await open({ "src/a.ts": "" }, { rules });
    await toolhost.applyWorkspaceManifest("workspace", {
      entries: {},
      permissions: { read: ["**"], write: ["**", ".env"] },
    });
    expect(await toolhost.invoke("write", { path: "src/a.ts", content: "x" })).toMatchObject({
      error: { type: "denied" },
    });
    expect(await toolhost.invoke("write", { path: ".env", content: "x" })).toMatchObject({ error: { type: "denied" } });
  });
});
