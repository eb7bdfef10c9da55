import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { ToolContext, Touch } from "../../../src/core/contract.js";
import { defineTool } from "../../../src/core/defineTool.js";
import { pinFiles } from "../../../src/core/paths/pinnedFiles.js";
import { NodeDisk } from "../../../src/hosts/node/disk/disk.js";
import { NodeFiles } from "../../../src/hosts/node/disk/files.js";
import type { CapabilityName } from "../../../src/ports/capabilities.js";
import {
  failed,
  hosts,
  openWorkspace,
  result,
  tempFolder,
  type CallOptions,
  type FileTree,
} from "../../unit/tools/workspace.js";

const WORD = "hunter2";
const FILES: FileTree = {
  "a.txt": `plain ${WORD}\n`,
  ".env": `PASS=${WORD}\n`,
  "deep/keys/server.pem": `${WORD}\n`,
  "deep/.aws/credentials": `${WORD}\n`,
  "deep/.aws/more/notes.txt": `${WORD}\n`,
  "certs/id_rsa": `${WORD}\n`,
};
const SECRETS = [
  ".env",
  "deep/keys/server.pem",
  "deep/.aws/credentials",
  "deep/.aws/more/notes.txt",
  "certs/id_rsa",
  "a-link.txt",
];

type Context = ToolContext<CapabilityName>;

/** Every way in which a tool can come by what is in a file. */
const WAYS: Record<string, (context: Context, path: string) => Promise<string>> = {
  readChunks: async ({ files, signal }, path) => {
    const chunks: string[] = [];
    for await (const chunk of files.readChunks(await files.resolve(path), signal)) {
      chunks.push(chunk);
    }
    return chunks.join("");
  },
  readBytes: async ({ files }, path) =>
    new TextDecoder().decode(await files.readBytes(await files.resolve(path), 1_000)),
  readSnapshot: async ({ files }, path) => (await files.readSnapshot(await files.resolve(path), 1_000)).text,
  "changes.before": async ({ files, changes }, path) => (await changes.before(await files.resolve(path), 1_000)).text,
  "changes.beforeWhole": async ({ files, changes }, path) =>
    JSON.stringify(await changes.beforeWhole(await files.resolve(path), 1_000)),
  "a search of it": (context, path) => searchAt(context, path),
  "a search of its folder": (context, path) =>
    searchAt(context, path.includes("/") ? path.replace(/\/[^/]*$/, "") : "."),
  "a search of the workspace": (context) => searchAt(context, "."),
  "a search that says it was permitted": (context, path) => searchAt(context, path, { permitted: [path] }),
};

async function searchAt(
  { files, search, signal }: Context,
  path: string,
  more: { permitted?: string[] } = {},
): Promise<string> {
  const request = {
    pattern: `.*${WORD}`,
    literal: false,
    ignoreCase: false,
    multiline: false,
    context: 0,
    include: [],
    exclude: [],
    includeIgnored: true,
    timeLimit: 10_000,
  };
  const { files: found } = await search.search({ ...request, ...more, at: await files.resolve(path) }, signal);
  return found
    .filter((file) => file.path !== "a.txt")
    .flatMap(({ lines }) => lines.map(({ text }) => text))
    .join("\n");
}

/** A tool whose author has never heard of secrets. */
function careless(touches: Touch[]): ReturnType<typeof defineTool> {
  return defineTool({
    name: "careless",
    group: "fs",
    title: "Careless",
    description: "Reads what it is told to.",
    input: () => z.object({ way: z.string().describe("A way."), path: z.string().describe("A path.") }),
    output: () => z.object({}),
    needs: ["files", "search", "changes", "reads"],
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    touches: () => touches,
    summary: () => "Read",
    execute: async ({ way, path }, context) => ({
      text: (await WAYS[way]?.(context as Context, path)) ?? "no such way",
      data: {},
    }),
  });
}

const MODEL: CallOptions = { as: "model", mode: "default" };

describe.each(hosts)("a tool that forgets secrets, on the %s host", (host) => {
  test.each(Object.keys(WAYS))("reads none by %s", async (way) => {
    const { call, link } = await openWorkspace(FILES, {
      host,
      moreTools: [careless([{ kind: "read", path: ".", deep: true }])],
    });
    await link("a-link.txt", ".env");
    for (const as of ["model", "owner"] as const) {
      for (const path of SECRETS) {
        const outcome = await call("careless", { way, path }, { as, mode: "default" });
        expect(JSON.stringify(outcome), `${as}: ${path}`).not.toContain(WORD);
        // What a search of a folder leaves out does not make it fail.
        expect(outcome.ok || outcome.error.type === "denied").toBe(true);
        expect(outcome.ok).toBe(outcome.ok && /folder|workspace/.test(way));
      }
    }
  });

  test("says how the file can be read", async () => {
    const { call } = await openWorkspace(FILES, { host, moreTools: [careless([])] });
    expect(failed(await call("careless", { way: "readBytes", path: ".env" }, MODEL))).toMatchObject({
      type: "denied",
      message: ".env: it may hold passwords or keys, and this call was not permitted to read it.",
      hint: "Read it by its own path, which asks the user.",
    });
  });

  test.each(Object.keys(WAYS).filter((way) => !/folder|workspace|permitted/.test(way)))(
    "reads the file that it named and the user allowed, by %s",
    async (way) => {
      const { call, asked } = await openWorkspace(FILES, {
        host,
        moreTools: [careless([{ kind: "read", path: ".env" }])],
      });
      expect(failed(await call("careless", { way, path: ".env" }, { ...MODEL, answer: false })).type).toBe("denied");
      expect(result(await call("careless", { way, path: ".env" }, { ...MODEL, answer: true })).text).toContain(WORD);
      expect(result(await call("careless", { way, path: "a.txt" }, { ...MODEL, answer: true })).text).toContain(
        way.startsWith("a search") ? "" : WORD,
      );
      expect(failed(await call("careless", { way, path: "certs/id_rsa" }, { ...MODEL, answer: true })).type).toBe(
        "denied",
      );
      expect(asked).toHaveLength(4);
    },
  );

  test("reads ordinary files by every way", async () => {
    const { call } = await openWorkspace(
      { ...FILES, "b.txt": WORD },
      { host, moreTools: [careless([{ kind: "read", path: ".", deep: true }])] },
    );
    for (const way of Object.keys(WAYS)) {
      expect(result(await call("careless", { way, path: "b.txt" }, MODEL)).text, way).toContain(WORD);
    }
  });
});

test("a workspace in a folder of secrets can be worked in by a call that was permitted there", async () => {
  const folder = join(await tempFolder({ ".aws/ws/a.txt": "text", ".aws/ws/.env": WORD }), ".aws/ws");
  const files = new NodeFiles(new NodeDisk(), [{ name: "ws", path: folder, scheme: "file" }]);
  const [plain, secret] = await Promise.all([files.resolve("a.txt"), files.resolve(".env")]);
  const permitted = pinFiles(files, new Map([[".", await files.resolve(".")]]));
  await expect(permitted.readSnapshot(plain, 1_000)).resolves.toMatchObject({ text: "text" });
  await expect(permitted.readSnapshot(secret, 1_000)).rejects.toMatchObject({ type: "denied" });
  await expect(pinFiles(files, new Map()).readSnapshot(plain, 1_000)).rejects.toMatchObject({ type: "denied" });
});

test("no tool is handed what leads out of the workspace, whether it names files or not", async () => {
  const reach = {
    ...careless([]),
    execute: async (_input: unknown, { files }: Context) => ({ text: String("outside" in files), data: {} }),
  };
  const { call } = await openWorkspace(FILES, { moreTools: [reach] });
  expect(result(await call("careless", { way: "", path: "" }, MODEL)).text).toBe("false");
});
