// Operations of a real local server at the command line: approved, listed, described and called.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { fixture, startHttp } from "../../unit/features/openapi/rig.js";
import { tempFolder } from "../../unit/tools/workspace.js";
import { builtCli } from "./built.js";
import { startHttps } from "./httpsServer.js";
import { connect } from "./mcpRig.js";
import { openToolsFolder, type ToolsFolder } from "./toolsFolder.js";

const cli = builtCli();
const FILE = ".toolhost/tools.json";
const SECRET = { TOOLHOST_SECRET_PETS: "s3cr3t-value" };

const open = (entry: object, files: Record<string, string> = {}): Promise<ToolsFolder> =>
  openToolsFolder(cli, { [FILE]: JSON.stringify({ openapi: [entry] }), ...files });

const petsAt = (server: string): object => ({
  spec: "./pets.json",
  operations: ["getPet", "createPet", "listPets"],
  server,
  auth: { type: "apiKey", secret: "PETS" },
});

describe("toolhost tools with an OpenAPI description", () => {
  it("calls operations with path, body and secret, once file and description are approved", async () => {
    const server = await startHttp();
    const { tools } = await open(petsAt(server.origin), { "pets.json": fixture("petstore-3.0.json") });
    expect(await tools(["validate"])).toMatchObject({
      code: 0,
      out: `PASS openapi (${FILE}:1:13) ./pets.json: 3 tools\n`,
    });
    expect((await tools(["list"])).out).toContain("pets.json is not approved.");
    expect((await tools(["call", "get_pet", "--input", '{"petId": "7"}'], SECRET)).code).not.toBe(0);
    const approved = await tools(["approve", "--yes"]);
    expect(approved).toMatchObject({ code: 0, err: "" });
    expect(approved.out).toContain("  get_pet  Get a pet. (GET /pets/{petId})\n");
    expect(approved.out).toContain(`Calls go to ${server.origin}, on this machine or a private network.\n`);
    expect(approved.out).toContain("Calls authenticate with PETS.\npets.json is approved: exactly this text.\n");
    expect((await tools(["list"])).out).toContain("  create_pet  Create a pet. (POST /pets)\n");
    expect(JSON.parse((await tools(["describe", "get_pet"])).out)).toMatchObject({
      inputSchema: { required: ["petId"] },
      annotations: { readOnly: true },
      outputSchema: { properties: { status: {} } },
    });
    expect(await tools(["call", "get_pet", "--input", '{"petId": "7"}'])).toMatchObject({
      code: 1,
      err: expect.stringContaining("Set the variable TOOLHOST_SECRET_PETS.") as string,
    });
    expect(await tools(["call", "get_pet", "--input", '{"petId": "a b"}'], SECRET)).toMatchObject({
      code: 0,
      out: '200 OK\n{"ok":true}\n',
    });
    const body = JSON.stringify({ body: { name: "Rex", kind: "dog" } });
    const created = await tools(["call", "create_pet", "--json", "--input", body], SECRET);
    expect(JSON.parse(created.out)).toMatchObject({ ok: true, data: { status: 200, body: { ok: true } } });
    expect(
      server.asked.map(({ method, url, headers, body: sent }) => [method, url, headers["x-api-key"], sent]),
    ).toEqual([
      ["GET", "/pets/a%20b", "s3cr3t-value", ""],
      ["POST", "/pets", "s3cr3t-value", '{"name":"Rex","kind":"dog"}'],
    ]);
  });

  it("calls an operation of a description of 10 MB", async () => {
    const server = await startHttp();
    const pets = JSON.parse(fixture("petstore-3.0.json")) as { components?: { schemas?: object } };
    const unused = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, at) => [`Unused${at}`, { type: "object", description: "x".repeat(1_000) }]),
    );
    pets.components = { ...pets.components, schemas: { ...pets.components?.schemas, ...unused } };
    const text = JSON.stringify(pets);
    expect(text.length).toBeGreaterThan(10_000_000);
    const { tools } = await open(petsAt(server.origin), { "pets.json": text });
    expect(await tools(["approve", "--yes"])).toMatchObject({ code: 0, err: "" });
    expect(await tools(["call", "get_pet", "--input", '{"petId": "7"}'], SECRET)).toMatchObject({
      code: 0,
      out: '200 OK\n{"ok":true}\n',
    });
  });

  it("asks about an agent's call, even one that only reads, and lets no agent approve", async () => {
    const server = await startHttp();
    const { tools, folder } = await open(petsAt(server.origin), { "pets.json": fixture("petstore-3.0.json") });
    const agent = { ...SECRET, TOOLHOST_AGENT: "1" };
    await tools(["approve", "--yes"]);
    expect(await tools(["call", "list_pets"], agent)).toMatchObject({
      code: 1,
      err: expect.stringContaining(`Reaches ${server.origin}/pets`) as string,
    });
    await writeFile(join(folder, "pets.json"), fixture("petstore-3.0.json").replace("List pets", "List all pets"));
    expect(await tools(["approve", "--yes"], agent)).toMatchObject({
      code: 1,
      err: expect.stringContaining("only the user can approve") as string,
    });
    expect(server.asked).toEqual([]);
  });

  it("has no tools of a description that changed, until the change is approved", async () => {
    const server = await startHttp();
    const { tools, folder } = await open(petsAt(server.origin), { "pets.json": fixture("petstore-3.0.json") });
    await tools(["approve", "--yes"]);
    await writeFile(join(folder, "pets.json"), fixture("petstore-3.0.json").replace("List pets", "List all pets"));
    expect((await tools(["list"])).out).toContain(
      `${FILE}:1:13: openapi: pets.json has changed since it was approved.`,
    );
    expect((await tools(["call", "list_pets"], SECRET)).code).not.toBe(0);
    const { out } = await tools(["approve", "--yes"]);
    expect(out).toContain(`${FILE} is approved already.`);
    expect(out).toContain('-        "summary": "List pets",\n+        "summary": "List all pets",');
    expect(await tools(["call", "list_pets"], SECRET)).toMatchObject({ code: 0 });
    expect(server.asked).toHaveLength(1);
  });

  it("fetches a description from its address when it is approved, and uses it as it was then", async () => {
    const server = await startHttp();
    let text = fixture("petstore-3.0.json");
    let fetches = 0;
    const { spec, cert } = await startHttps((response) => {
      fetches++;
      response.end(text);
    });
    const env = { ...SECRET, NODE_EXTRA_CA_CERTS: cert };
    const refused = await open({ ...petsAt(server.origin), spec });
    expect(await refused.tools(["approve", "--yes"], env)).toMatchObject({
      code: 1,
      out: expect.stringContaining("leads to an address of a private network, so nothing was sent.") as string,
    });
    const { tools } = await open({ ...petsAt(server.origin), spec, allowPrivate: true });
    expect((await tools(["list"], env)).out).toContain(
      `${spec} has not been fetched: that happens when you approve it`,
    );
    expect(fetches).toBe(0);
    expect(await tools(["approve", "--yes"], env)).toMatchObject({
      code: 0,
      out: expect.stringContaining(`another origin than the description's, ${new URL(spec).origin}.`) as string,
    });
    text = text.replace("List pets", "List all pets");
    expect((await tools(["list"], env)).out).toContain("list_pets  List pets. (GET /pets)");
    expect(await tools(["call", "list_pets"], env)).toMatchObject({ code: 0 });
    expect(fetches).toBe(1);
    expect((await tools(["approve", "--yes"], env)).out).toContain('+        "summary": "List all pets",');
    expect((await tools(["list"], env)).out).toContain("list_pets  List all pets. (GET /pets)");
  });

  it("says that it fetches a description, and stops when it is interrupted", async () => {
    const { spec, cert } = await startHttps((response) => response.writeHead(200).write('{"openapi":'));
    const folder = await tempFolder({ [FILE]: JSON.stringify({ openapi: [{ spec, allowPrivate: true }] }) });
    const state = await tempFolder();
    const child = cli.start(["tools", "approve", "--yes"], {
      cwd: folder,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, TOOLHOST_STATE: state, NODE_EXTRA_CA_CERTS: cert },
    });
    let err = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      err += text;
      child.kill("SIGINT");
    });
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect([code, err]).toEqual([130, `Fetching the description of ${spec}\n`]);
  });

  it("serves as many tools over MCP as the user wants, and finds and calls the others by searching", async () => {
    const server = await startHttp();
    const folder = await tempFolder({
      [FILE]: JSON.stringify({ openapi: [petsAt(server.origin)] }),
      "pets.json": fixture("petstore-3.0.json"),
    });
    vi.stubEnv("TOOLHOST_STATE", await tempFolder());
    vi.stubEnv("TOOLHOST_SECRET_PETS", SECRET.TOOLHOST_SECRET_PETS);
    vi.stubEnv("TOOLHOST_OPENAPI_MAX_TOOLS", "1");
    onTestFinished(() => void vi.unstubAllEnvs());
    await cli.run(["tools", "approve", "--yes"], { cwd: folder, detached: true });
    const { client, text } = await connect(cli, folder, ["--tools", "own", "--allow-all"]);
    const { tools: listed } = await client.listTools();
    expect(listed.map(({ name }) => name)).toEqual(["list_pets", "find_tool"]);
    expect(listed[1]?.description).toContain("2 more that query finds, such as create_pet and get_pet");
    expect(await text("find_tool", { query: "get a pet" })).toContain(
      "get_pet: Get a pet. (GET /pets/{petId})\nInput: ",
    );
    expect(await text("find_tool", { tool: "get_pet", input: { petId: "7" } })).toBe('200 OK\n{"ok":true}');
    expect(await text("find_tool", { tool: "get_pet", input: [7] })).toBe(
      "Error (invalid_input): input is not a JSON object.",
    );
    expect(server.asked.map(({ url }) => url)).toEqual(["/pets/7"]);
    vi.stubEnv("TOOLHOST_OPENAPI_MAX_TOOLS", "many");
    expect((await cli.run(["tools", "list"], { cwd: folder, detached: true })).out).toContain(
      "openapi: TOOLHOST_OPENAPI_MAX_TOOLS must be a whole number from 0 to 2000.",
    );
  });

  it("lets --allow with a tool's name cover its calls, which go to the server that was approved", async () => {
    const server = await startHttp();
    const folder = await tempFolder({
      [FILE]: JSON.stringify({ openapi: [petsAt(server.origin)] }),
      "pets.json": fixture("petstore-3.0.json"),
    });
    vi.stubEnv("TOOLHOST_STATE", await tempFolder());
    vi.stubEnv("TOOLHOST_SECRET_PETS", SECRET.TOOLHOST_SECRET_PETS);
    onTestFinished(() => void vi.unstubAllEnvs());
    await cli.run(["tools", "approve", "--yes"], { cwd: folder, detached: true });
    const rules = ["--allow", "get_pet", "--allow", '{"tool": "list_*"}'];
    const { text } = await connect(cli, folder, ["--tools", "own", ...rules]);
    expect(await text("get_pet", { petId: "7" })).toBe('200 OK\n{"ok":true}');
    expect(await text("list_pets", {})).toContain("does not cover it: one for list_pets must name it, without *.");
    expect(await text("create_pet", { body: { name: "Rex", kind: "dog" } })).toContain(`Reaches ${server.origin}/pets`);
    expect(server.asked.map(({ url }) => url)).toEqual(["/pets/7"]);
  });

  it("says what is wrong with a description, and the other entries work", async () => {
    const entries = [
      { spec: "broken.json" },
      { spec: "http://example.com/a.json" },
      { spec: "../../outside.json" },
      { spec: "missing.json" },
      { spec: "some.json", operations: ["good", "gone"] },
      { spec: "some.json", auth: { type: "bearer", secret: "not a name" } },
    ];
    const some = {
      openapi: "3.1.0",
      servers: [{ url: "https://a.example" }],
      paths: { "/a": { get: { operationId: "good" } } },
    };
    const { tools, folder } = await open(
      {},
      { "broken.json": '{\n"openapi": oops', "some.json": JSON.stringify(some) },
    );
    await writeFile(join(folder, FILE), JSON.stringify({ openapi: entries }, undefined, 1));
    const { code, out } = await tools(["validate"]);
    expect(code).toBe(1);
    const verdicts = out.trim().split("\n");
    expect(verdicts.map((line) => line.slice(0, 4))).toEqual(["FAIL", "FAIL", "FAIL", "FAIL", "WARN", "FAIL"]);
    expect(verdicts[0]).toContain("line 2: Not valid JSON");
    expect(verdicts[4]).toContain('some.json: 1 tool. operations: "gone" matches no operation.');
    expect(verdicts[5]).toMatch(/^FAIL openapi \(\.toolhost\/tools\.json:\d+:\d+\): auth\.secret: /);
    await tools(["approve", "--yes"]);
    expect((await tools(["list"])).out).toContain("  good  (GET /a)");
  });

  it("says which operations have another name, since a tool has theirs", async () => {
    const { tools, folder } = await open({}, { "pets.json": fixture("petstore-3.0.json") });
    const pets = (operation: string, fields = {}): object => ({
      spec: "./pets.json",
      operations: [operation],
      ...fields,
    });
    const file = {
      tools: [{ name: "get_pet", description: "Gets one.", command: "true" }],
      openapi: [pets("getPet"), pets("getPet", { prefix: "mine" }), pets("getPet", { prefix: "mine" })],
    };
    await writeFile(join(folder, FILE), JSON.stringify(file, undefined, 1));
    const { code, out } = await tools(["validate"]);
    expect(code).toBe(0);
    const told = (name: string, other: string): string =>
      `1 tool. Another tool has the name ${name}, so this one is ${other}. Set "prefix" to choose other names.`;
    expect(
      out
        .trim()
        .split("\n")
        .map((line) => line.replace(/\(.*?\) (\.\/pets\.json: )?/, "")),
    ).toEqual([
      expect.stringMatching(/^PASS get_pet/),
      `WARN openapi ${told("get_pet", "get_pets_pet_id")}`,
      "PASS openapi 1 tool",
      `WARN openapi ${told("mine_get_pet", "mine_get_pets_pet_id")}`,
    ]);
  });
});
