// Resources, prompts and completions of `toolhost mcp`, without a window and in one.
import type { Client } from "@modelcontextprotocol/client";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../unit/tools/workspace.js";
import { builtCli } from "./built.js";
import { connect, type Revision, type SdkClient } from "./mcpRig.js";
import { openWindow } from "./mcpWindowRig.js";

const cli = builtCli();
const SECRET = "sk-4f9c2b7d1e8a6035b9";
const LONG = "x".repeat(2_500);
const FILES = {
  ".env": `API_KEY=${SECRET}\n`,
  "src/one.ts": "",
  "src/other/two.ts": "",
  "many.txt": "line of text\n".repeat(9_000),
  ".toolhost/memory/build commands.md": "npm test\n",
  ".toolhost/memory/key.md": `The key is ${SECRET}.\n`,
  ".toolhost/context/notes/a b.md": "# Notes\n\none\n",
  ".toolhost/context/long.txt": `${"short\n".repeat(3_000)}${LONG}`,
  ".toolhost/context/.env": "KEY=value-1\n",
  ".github/prompts/review.prompt.md":
    "---\ndescription: Review a file\n---\nReview ${input:path:a file} as ${input:who}, ${input:who}. ${selection}",
  ".github/prompts/plain.prompt.md": "Do it.",
  ".github/prompts/broken.prompt.md": "---\ndescription: [\n---\nx",
};

/** A client without a window. */
async function openAlone(revision: Revision, args: string[] = []): Promise<SdkClient> {
  const folder = await tempFolder(FILES);
  await symlink("/etc/hostname", join(folder, ".toolhost/context/link.md"));
  return connect(cli, folder, args, revision);
}

/** A client in a window. */
async function openInWindow(revision: Revision, args: string[] = []): Promise<SdkClient> {
  const { folder } = await openWindow(FILES, { answer: () => "no" });
  await symlink("/etc/hostname", join(folder, ".toolhost/context/link.md"));
  const connected = await connect(cli, folder, args, revision);
  expect(connected.client.getInstructions()).toContain("in the window");
  return connected;
}

// The table of calls (mcpTable.test.ts) has both revisions in both places.
const CASES = [
  { where: "without a window", open: openAlone, revision: "2025-11-25" },
  { where: "in a window", open: openInWindow, revision: "2026-07-28" },
] as const;

async function textOf(client: Client, uri: string): Promise<string> {
  const [content] = (await client.readResource({ uri })).contents;
  return content !== undefined && "text" in content ? content.text : "";
}

describe.each(CASES)("a client of revision $revision $where", ({ open, revision, where }) => {
  test("lists and reads notes, context files and results", async () => {
    const { client } = await open(revision);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri, name }) => [uri, name])).toEqual(
      expect.arrayContaining([
        ["toolhost://memory/build%20commands", "build commands"],
        ["toolhost://context/notes/a%20b.md", "notes/a b.md"],
        ["toolhost://context/long.txt", "long.txt"],
      ]),
    );
    expect(await textOf(client, "toolhost://memory/build%20commands")).toBe("npm test\n");
    expect(await textOf(client, "toolhost://context/notes/a%20b.md")).toBe("# Notes\n\none");
    // Pages are joined, and a line that is shown in part says so.
    const long = (await textOf(client, "toolhost://context/long.txt")).split("\n");
    expect(long).toHaveLength(3_001);
    expect(long.slice(0, 3_000)).toEqual(Array(3_000).fill("short"));
    expect(long[3_000]).toMatch(/^x{2000}\[… characters 1-2000 of 2500; continue with column=2001\]$/);
    expect((await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "toolhost://memory/{key}",
      "toolhost://context/{+path}",
      "toolhost://result/{id}",
    ]);
  });

  test("sees nothing that tools refuse or mask", async () => {
    const { client, text } = await open(revision, ["--tools", "all"]);
    const note = await textOf(client, "toolhost://memory/key");
    expect(note).toMatch(/^The key is .+\.\n$/);
    expect(await text("memory_read", { key: "key" })).toContain(`\n${note.trimEnd()}`);
    // The test's window masks nothing.
    expect(note.includes(SECRET)).toBe(where === "in a window");
    for (const uri of [
      "toolhost://context/.env",
      "toolhost://context/link.md",
      "toolhost://context/../../.env",
      "toolhost://context/%2e%2e/%2e%2e/.env",
      "toolhost://context//etc/hostname",
      "toolhost://memory/..%2f..%2f.env",
      "toolhost://memory/nope",
      "toolhost://result/..%2f..%2f.env",
      "toolhost://result/r0",
      "toolhost://context/%zz",
      "toolhost://other/x",
      "file:///etc/hostname",
    ]) {
      await expect(client.readResource({ uri }), uri).rejects.toThrow(/Error \(\w+\): /);
    }
  });

  test("lists prompts with their arguments, and gets one filled in", async () => {
    const { client } = await open(revision);
    const { prompts } = await client.listPrompts();
    expect(prompts).toEqual([
      { name: "plain" },
      {
        name: "review",
        description: "Review a file",
        arguments: [
          { name: "path", required: true, description: "a file" },
          { name: "who", required: true },
        ],
      },
    ]);
    const { messages } = await client.getPrompt({ name: "review", arguments: { path: "${input:who}", who: "$& me" } });
    expect(messages).toEqual([
      { role: "user", content: { type: "text", text: "Review ${input:who} as $& me, $& me. ${selection}" } },
    ]);
    await expect(client.getPrompt({ name: "review", arguments: { who: "x" } })).rejects.toThrow("needs path");
    await expect(client.getPrompt({ name: "broken" })).rejects.toThrow("malformed");
    await expect(client.getPrompt({ name: "nope" })).rejects.toThrow("Error (not_found)");
  });

  test("completes keys, paths of the store, and arguments that are paths", async () => {
    const { client } = await open(revision);
    const complete = async (ref: object, name: string, value: string): Promise<string[]> =>
      (await client.complete({ ref: ref as never, argument: { name, value } })).completion.values;
    const template = (uri: string) => ({ type: "ref/resource", uri });
    const prompt = { type: "ref/prompt", name: "review" };
    expect(await complete(template("toolhost://memory/{key}"), "key", "bu")).toEqual(["build commands"]);
    expect(await complete(template("toolhost://context/{+path}"), "path", "notes/")).toEqual(["notes/a b.md"]);
    expect(await complete(template("toolhost://result/{id}"), "id", "r")).toEqual([]);
    expect(await complete(prompt, "path", "s")).toEqual(["src/"]);
    expect(await complete(prompt, "path", "src/o")).toEqual(["src/other/", "src/one.ts"].sort());
    expect(await complete(prompt, "path", "/etc/host")).toEqual([]);
    expect(await complete(prompt, "who", "s")).toEqual([]);
  });
});

test("files of large folders are listed, too, and a list that lacks some says so", async () => {
  const many = (count: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`.toolhost/context/deep/er/f${at}.md`, ""]));
  const list = async (files: Record<string, string>) =>
    (await connect(cli, await tempFolder(files))).client.listResources();
  const some = await list(many(60));
  expect([some.resources.length, some._meta]).toEqual([60, undefined]);
  const cut = await list(many(600));
  expect([cut.resources.length, cut._meta?.["toolhost/incomplete"]]).toEqual([500, true]);
});

test("a stored result is a resource as a whole", async () => {
  const { client, text } = await openAlone("2025-11-25", ["--allow-all"]);
  const answer = await text("exec", { command: "cat many.txt" });
  const [, id = ""] = /\b(r[0-9a-f]{6,})\b/.exec(answer) ?? [];
  const whole = await textOf(client, `toolhost://result/${id}`);
  expect(whole).toContain("line of text\n".repeat(8_999));
});

test("a tool that only resources need is not one of the client's tools", async () => {
  const { client, text } = await openAlone("2025-11-25", ["--tools", "grep"]);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["grep", "read_result"]);
  expect(await text("memory_list", {})).toContain("Error (unknown_tool)");
  expect(await textOf(client, "toolhost://memory/build%20commands")).toBe("npm test\n");
});
