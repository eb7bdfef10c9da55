// A command tool and three operations of a real server, approved once, called by the command line and over MCP.
import { describe, expect, it, test } from "vitest";
import { fixture, startHttp, type TestServer } from "../../unit/features/openapi/rig.js";
import { tempFolder } from "../../unit/tools/workspace.js";
import { builtCli } from "./built.js";
import { connect } from "./mcpRig.js";

const cli = builtCli();
const SECRET = { TOOLHOST_SECRET_PETS: "s3cr3t-value" };
const CALLS: [name: string, input: Record<string, unknown>][] = [
  ["count_lines", { path: "a.txt" }],
  ["get_pet", { petId: "a b" }],
  ["create_pet", { body: { name: "Rex", kind: "dog" } }],
  ["list_pets", { limit: 2 }],
];
const ANSWERS = [expect.stringContaining("2 a.txt"), ...CALLS.slice(1).map(() => '200 OK\n{"ok":true}')] as string[];

async function approvedFolder(server: TestServer): Promise<string> {
  const path = { type: "string", description: "The file." };
  const command = {
    ...{ name: "count_lines", description: "Count the lines of a file.", command: "wc", readOnly: true },
    ...{ args: ["-l", "--", "{path}"], parameters: { properties: { path }, required: ["path"] } },
  };
  const pets = {
    ...{ spec: "./pets.json", operations: ["getPet", "createPet", "listPets"], server: server.origin },
    auth: { type: "apiKey", secret: "PETS" },
  };
  const folder = await tempFolder({
    ".toolhost/tools.json": JSON.stringify({ tools: [command], openapi: [pets] }),
    "pets.json": fixture("petstore-3.0.json"),
    "a.txt": "1\n2\n",
  });
  expect(await cli.run(["tools", "approve", "--yes"], { cwd: folder, detached: true })).toMatchObject({ code: 0 });
  return folder;
}

/** What the server was asked for the three operations. */
function expectAsked({ asked }: TestServer): void {
  expect(asked.map(({ method, url, headers, body }) => [method, url, headers["x-api-key"], body])).toEqual([
    ["GET", "/pets/a%20b", "s3cr3t-value", ""],
    ["POST", "/pets", "s3cr3t-value", '{"name":"Rex","kind":"dog"}'],
    ["GET", "/pets?limit=2", "s3cr3t-value", ""],
  ]);
}

describe("the user's own tools", () => {
  it("are called by the command line", async () => {
    const server = await startHttp();
    const folder = await approvedFolder(server);
    const told: string[] = [];
    for (const [name, input] of CALLS) {
      const args = ["tools", "call", name, "--input", JSON.stringify(input)];
      const { out } = await cli.run(args, { cwd: folder, detached: true, env: { ...process.env, ...SECRET } });
      told.push(out.trimEnd());
    }
    expect(told).toEqual(ANSWERS);
    expectAsked(server);
  });

  it("are listed and called over MCP, those that ask by the rules of --allow alone", async () => {
    const server = await startHttp();
    const folder = await approvedFolder(server);
    const allow = CALLS.slice(1).flatMap(([name]) => ["--allow", `${name}(url: ${server.origin})`]);
    const { client, text } = await connect(cli, folder, allow, "2025-11-25", SECRET);
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === "create_pet")).toMatchObject({
      inputSchema: { required: ["body"] },
      annotations: { readOnlyHint: false, openWorldHint: true },
    });
    const told: string[] = [];
    for (const [name, input] of CALLS) {
      told.push(await text(name, input));
    }
    expect(told).toEqual(ANSWERS);
    expectAsked(server);
    const unattended = await connect(cli, folder, [], "2025-11-25", SECRET);
    expect(await unattended.text("list_pets", {})).toMatch(/^Error \(denied\)[^]*--allow 'list_pets\(url: /);
    expect(server.asked).toHaveLength(3);
  });

  it("tell a client that does not ask itself, since Toolhost does", async () => {
    const server = await startHttp();
    const { client, text } = await connect(cli, await approvedFolder(server), ["--asks-alone", "--tools", "own"]);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(CALLS.map(([name]) => name).sort());
    for (const { annotations } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false });
    }
    expect(await text("create_pet", { body: { name: "Rex", kind: "dog" } })).toContain("Error (denied)");
    expect(server.asked).toEqual([]);
  });

  test.each([["--allow-all"], ["--allow", "write"]])(
    "do not tell a client so where %s allows calls in advance",
    async (...flags) => {
      expect(await cli.run(["mcp", "--asks-alone", ...flags])).toMatchObject({
        code: 2,
        err: expect.stringContaining("cannot be used with option '--allow") as string,
      });
    },
  );
});
