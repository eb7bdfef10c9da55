// What becomes a tool, and how models see it.
import { Validator, type Schema } from "@cfworker/json-schema";
import { describe, expect, test } from "vitest";
import { Registry } from "../../../../src/core/registry.js";
import { wireSchema } from "../../../../src/core/wireSchema.js";
import { partsOf, refusedByGemini, refusedByLlama, refusedByOpenAi } from "../../../harness/modelServers.js";
import { fixture, load, oneOperation } from "./rig.js";

const pets = fixture("petstore-3.0.json");
const names = (loaded: ReturnType<typeof load>): string[] => loaded.tools.map(({ name }) => name);

test("every operation becomes a tool that the registry takes", () => {
  const loaded = load(pets);
  expect(names(loaded)).toEqual(["list_pets", "create_pet", "get_pet", "delete_pets_pet_id", "upload_photo", "login"]);
  expect(loaded.leftOut).toEqual([]);
  expect(loaded.problems).toEqual([]);
  expect(loaded.cautions).toEqual(["Calls go to http://localhost:8080, on this machine or a private network."]);
  const registry = new Registry();
  loaded.tools.forEach((tool) => registry.register(tool));
  const facts = loaded.tools.map(({ name, annotations }) => [name, annotations.readOnly, annotations.idempotent]);
  expect(facts).toEqual([
    ["list_pets", true, true],
    ["create_pet", false, false],
    ["get_pet", true, true],
    ["delete_pets_pet_id", false, true],
    ["upload_photo", false, false],
    ["login", false, false],
  ]);
  const tool = loaded.tools.find(({ name }) => name === "get_pet");
  expect(tool?.description).toBe("Get a pet. (GET /pets/{petId})");
  expect(tool?.touches?.({ petId: "7" })).toEqual([
    { kind: "network", url: "http://localhost:8080/v1/pets/7", by: [] },
  ]);
  expect(tool?.summary({ petId: "7" })).toBe(
    "GET http://localhost:8080/v1/pets/7, on this machine or a private network",
  );
});

test.each(["readme/petstore-3.0.json", "readme/petstore-3.1.json"])(
  "every operation of the public Swagger Petstore is a tool that models take: %s",
  (name) => {
    const text = fixture(name);
    const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, unknown>> };
    const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
    const operations = Object.values(paths).flatMap((path) => Object.keys(path).filter((key) => methods.includes(key)));
    const { tools, leftOut, problems } = load(text);
    expect([leftOut, problems]).toEqual([[], []]);
    expect(tools).toHaveLength(operations.length);
    const registry = new Registry();
    for (const tool of tools) {
      registry.register(tool);
      const parts = partsOf(wireSchema(tool.inputSchema), tool.name);
      expect(refusedByOpenAi(parts)).toEqual([]);
      expect(refusedByGemini(parts)).toEqual([]);
      expect(refusedByLlama(parts)).toEqual([]);
    }
  },
);

test.each<{ operations: string[]; chosen: string[] }>([
  { operations: ["getPet", "list*"], chosen: ["list_pets", "get_pet"] },
  { operations: ["*Pet?"], chosen: ["list_pets"] },
  {
    operations: ["tag:pets", "!createPet"],
    chosen: ["list_pets", "create_pet", "get_pet"].filter((name) => name !== "create_pet"),
  },
  { operations: ["GET /pets*"], chosen: ["list_pets", "get_pet"] },
  { operations: ["/pets/{petId}"], chosen: ["get_pet", "delete_pets_pet_id"] },
  { operations: ["!tag:*"], chosen: ["login"] },
])("$operations chooses", ({ operations, chosen }) => {
  const loaded = load(pets, { operations });
  expect(names(loaded)).toEqual(chosen);
  expect(loaded.problems.filter(({ message }) => message.startsWith("operations"))).toEqual([]);
});

test("a pattern without an operation is a problem with the nearest name", () => {
  const { tools, problems } = load(pets, { operations: ["getPets", "tag:pet"] });
  expect(tools).toEqual([]);
  expect(problems).toEqual([
    { message: 'operations: "getPets" matches no operation. Did you mean "getPet"?' },
    { message: 'operations: "tag:pet" matches no operation. Did you mean "tag:pets"?' },
  ]);
});

describe("names", () => {
  const named = (ids: (string | undefined)[], taken: string[] = [], entry: object = {}): string[] => {
    const paths = Object.fromEntries(ids.map((id, index) => [`/p${index}`, { get: { operationId: id } }]));
    return names(load({ openapi: "3.0.0", servers: [{ url: "https://a.example" }], paths }, entry, { taken }));
  };

  test.each([
    ["getPetById", "get_pet_by_id"],
    ["repos/get-content", "repos_get_content"],
    ["HTTPServerList2", "http_server_list2"],
    ["Größe.lesen", "grosse_lesen"],
    ["2fa", "operation_2fa"],
    ["__proto__", "proto"],
    ["猫", "get_p0"],
    ["a".repeat(100), "a".repeat(55)],
  ])("%s becomes %s", (id, name) => {
    expect(named([id])).toEqual([name.replace("grosse", "gro_e")]);
  });

  test("are unlike each other and those of other tools", () => {
    expect(named(["get", "Get", "read", undefined], ["read"])).toEqual(["get", "get_p1", "get_p2", "get_p3"]);
    expect(named(["a", "a"], ["a", "get_p0", "get_p1"])).toEqual(["a_2", "a_3"]);
    expect(named(["read"], ["read"], { prefix: "gh" })).toEqual(["gh_read"]);
  });
});

test("of more tools than models are offered, the rest is behind search", () => {
  expect(load(pets, {}, { maxTools: 2 }).tools.map(({ expose }) => expose)).toEqual([
    "default",
    "default",
    "search",
    "search",
    "search",
    "search",
  ]);
});

describe("schemas", () => {
  const schemaOf = (name: string, spec = pets): object =>
    load(spec).tools.find((tool) => tool.name === name)?.inputSchema ?? {};

  test("references, allOf, oneOf and null are put in place, circles cut, and fields of answers left out", () => {
    expect(schemaOf("create_pet")).toEqual({
      type: "object",
      properties: {
        body: {
          description: "The request's body.",
          allOf: [
            { type: "object", required: ["name"], properties: { name: { type: "string", minLength: 1 } } },
            {
              type: "object",
              required: ["kind"],
              properties: {
                kind: { type: "string", enum: ["cat", "dog"] },
                owner: {
                  type: "object",
                  properties: {
                    name: { type: "string" },
                    friends: { type: "array", items: { type: "object", description: "As described above (Owner)." } },
                  },
                },
                born: { type: ["string", "null"] },
                home: {
                  anyOf: [
                    { type: "string" },
                    { type: "object", required: ["name"], properties: { name: { type: "string", minLength: 1 } } },
                  ],
                },
              },
            },
          ],
        },
      },
      required: ["body"],
    });
    expect(wireSchema(schemaOf("create_pet")).properties["body"]).toMatchObject({
      type: "object",
      required: ["kind", "name"].sort().reverse(),
      properties: { name: { type: "string" }, kind: { enum: ["cat", "dog"] } },
    });
  });

  test("those of 3.1 are read from YAML: lists of types, const, and words next to a reference", () => {
    const schema = schemaOf("change_pet", fixture("petstore-3.1.yaml"));
    expect(schema).toMatchObject({
      properties: {
        body: {
          properties: {
            name: { type: ["string", "null"] },
            kind: { enum: ["cat"] },
            born: { type: "string", description: "When it was born." },
          },
        },
      },
    });
  });

  test("inputs are checked as the description says", () => {
    const tool = load(pets).tools.find(({ name }) => name === "create_pet");
    const issues = (body: unknown): string[] => {
      const parsed = tool?.parse({ body });
      return parsed?.ok === false ? parsed.issues.map(({ path }) => path) : [];
    };
    expect(issues({ name: "Rex", kind: "dog", home: "here", other: 1 })).toEqual([]);
    expect(issues({ name: "", kind: "dog" })).toEqual(["body.name"]);
    expect(issues({ name: "Rex", kind: "bird" })).toEqual(["body.kind"]);
    expect(issues({ name: "Rex", kind: "dog", home: 3 })).toEqual(["body.home"]);
    expect(issues("Rex")).not.toEqual([]);
  });

  test("a model's own check, with the schema it gets, takes what ours takes", () => {
    const tool = load(pets).tools.find(({ name }) => name === "list_pets");
    const validator = new Validator(wireSchema(tool?.inputSchema ?? {}) as Schema, "7");
    for (const input of [{}, { limit: 3 }, { ids: [1], filter: { kind: "cat" } }, { tags: ["a"] }]) {
      expect([tool?.parse(input).ok, validator.validate(input).valid], JSON.stringify(input)).toEqual([true, true]);
    }
  });

  test("fields that models do not take get other names, and still arrive", () => {
    const { tools } = load(
      oneOperation(
        {
          parameters: [
            { name: "id", in: "query", schema: {} },
            { name: "id", in: "path", schema: {} },
            { name: "filter[x]", in: "query", schema: {} },
            { name: "body", in: "query", schema: {} },
            { name: "__proto__", in: "query", schema: {} },
            { name: "constructor", in: "query", schema: {} },
            { name: "Authorization", in: "header", schema: {} },
          ],
        },
        { path: "/x/{id}" },
      ),
    );
    const [tool] = tools;
    const fields = Object.keys(tool?.inputSchema.properties ?? {});
    expect(fields).toEqual(["id", "path_id", "filter_x", "query_body", "proto", "value_constructor"]);
    expect(fields.every((field) => /^[A-Za-z0-9_-]{1,64}$/.test(field))).toBe(true);
    const parsed = tool?.parse({ id: 1, path_id: 2, filter_x: 3, query_body: 4, proto: 5, value_constructor: 6 });
    expect(parsed?.ok).toBe(true);
  });
});

describe("servers", () => {
  const origin = (spec: object, entry: object = {}, address?: string): unknown => {
    const { tools, leftOut } = load(spec, entry, address === undefined ? {} : { address });
    return tools[0]?.touches?.({})[0] ?? leftOut[0]?.reason;
  };
  const at = (servers: unknown): object => ({ openapi: "3.0.0", servers, paths: { "/x": { get: {} } } });
  const url = (text: string) => ({ kind: "network", url: text, by: [] });

  test.each<{ what: string; servers: unknown; entry?: object; address?: string; expected: unknown }>([
    {
      what: "the first one",
      servers: [{ url: "https://a.example/v1/" }, { url: "https://b.example" }],
      expected: url("https://a.example/v1/x"),
    },
    {
      what: "the entry's",
      servers: [{ url: "https://a.example" }],
      entry: { server: "https://c.example" },
      expected: url("https://c.example/x"),
    },
    {
      what: "one with variables",
      servers: [
        {
          url: "https://{r}.example:{p}",
          variables: { r: { default: "eu", enum: ["eu", "us"] }, p: { default: "8443" } },
        },
      ],
      entry: { variables: { r: "us" } },
      expected: url("https://us.example:8443/x"),
    },
    {
      what: "one relative to the description's address",
      servers: [{ url: "/api" }],
      address: "https://d.example/spec.json",
      expected: url("https://d.example/api/x"),
    },
    {
      what: "none",
      servers: undefined,
      address: "https://d.example/docs/spec.json",
      expected: url("https://d.example/x"),
    },
    {
      what: "a wrong value",
      servers: [{ url: "https://{r}.example", variables: { r: { default: "eu", enum: ["eu", "us"] } } }],
      entry: { variables: { r: "evil.com/" } },
      expected: 'The server\'s variable {r} must be one of "eu", "us".',
    },
    {
      what: "no value",
      servers: [{ url: "https://{r}.example" }],
      expected: 'The server\'s variable {r} has no value: give it in "variables".',
    },
    {
      what: "a relative one in a file",
      servers: [{ url: "/api" }],
      expected: 'The description names no server with a full address ("/api"): give it as "server".',
    },
    {
      what: "another scheme",
      servers: [{ url: "file:///etc" }],
      expected: 'The server "file:///etc" is neither http nor https.',
    },
    {
      what: "credentials",
      servers: [{ url: "https://u:p@a.example" }],
      expected: "The server's address must have no user name, query or fragment.",
    },
  ])("$what", ({ servers, entry, address, expected }) => {
    expect(origin(at(servers), entry, address)).toEqual(expected);
  });

  test("another origin than the description's, or a private one, is said", () => {
    const { cautions, tools } = load(
      at([{ url: "http://192.168.1.4" }]),
      {},
      { address: "https://specs.example/a.json" },
    );
    expect(cautions).toEqual([
      "Calls go to http://192.168.1.4, on this machine or a private network.",
      "Calls go to http://192.168.1.4, another origin than the description's, https://specs.example.",
    ]);
    expect(tools[0]?.summary({})).toBe(
      "GET http://192.168.1.4/x, on this machine or a private network, another origin than the description's, https://specs.example",
    );
  });
});
