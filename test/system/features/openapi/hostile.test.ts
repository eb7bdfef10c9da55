// Descriptions that are broken, huge or mean: none makes loading fail or hang.
import { describe, expect, test } from "vitest";
import { Registry } from "../../../../src/core/registry.js";
import { wireSchema } from "../../../../src/core/wireSchema.js";
import { load, oneOperation } from "../../../unit/features/openapi/rig.js";

describe("a description that is none is a problem", () => {
  test.each<{ what: string; text: string; message: string; line?: number }>([
    { what: "broken JSON", text: '{\n  "openapi": "3.0.0",\n  oops\n}', message: "Not valid JSON", line: 3 },
    { what: "broken YAML", text: "openapi: 3.0.0\npaths: [\n", message: "Not valid YAML", line: 3 },
    { what: "an empty file", text: "", message: "the input is empty" },
    { what: "a list", text: "- a\n- b\n", message: "is not an OpenAPI description" },
    { what: "Swagger 2.0", text: '{"swagger":"2.0","paths":{}}', message: "Swagger 2.0 is not supported" },
    { what: "another version", text: '{"openapi":"4.0.0"}', message: 'it is "\\"4.0.0\\""' },
    { what: "no version", text: '{"paths":{}}', message: "there is none" },
    { what: "paths that are a list", text: '{"openapi":"3.0.0","paths":[]}', message: "paths is not an object" },
    { what: "nothing to call", text: '{"openapi":"3.0.0","paths":{}}', message: "The description has no operations." },
    { what: "too much text", text: " ".repeat(20_000_001), message: "20000000 at most" },
  ])("$what", ({ text, message, line }) => {
    const { tools, problems } = load(text);
    expect(tools).toEqual([]);
    expect(problems[0]?.message).toContain(message);
    expect(problems[0]?.line).toBe(line);
  });
});

const schemaOf = (schema: unknown, components: object = {}): object => {
  const spec = {
    ...oneOperation({ requestBody: { content: { "application/json": { schema } } } }, { method: "post" }),
    components: { schemas: components },
  };
  const { tools, leftOut } = load(spec);
  expect(leftOut).toEqual([]);
  new Registry().register(tools[0] ?? expect.fail("no tool"));
  const [tool] = tools;
  expect(tool?.parse({ body: { a: 1 } })).toBeDefined();
  return wireSchema(tool?.inputSchema ?? {});
};
const to = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

describe("schemas", () => {
  test.each<{ what: string; schema: unknown; components?: object }>([
    { what: "a reference to itself", schema: to("A"), components: { A: to("A") } },
    { what: "a circle of references", schema: to("A"), components: { A: to("B"), B: to("C"), C: to("A") } },
    {
      what: "a circle of fields",
      schema: to("A"),
      components: { A: { properties: { a: to("B") } }, B: { properties: { b: to("A") } } },
    },
    { what: "a circle of allOf", schema: to("A"), components: { A: { allOf: [to("B")] }, B: { allOf: [to("A")] } } },
    { what: "a reference to nothing", schema: to("A") },
    { what: "a reference into a list", schema: { $ref: "#/servers/0" } },
    { what: "a reference to another file", schema: { $ref: "http://127.0.0.1:1/x.json#/A" } },
    { what: "a reference to a prototype", schema: { $ref: "#/__proto__/constructor" } },
    { what: "a reference with broken encoding", schema: { $ref: "#/%E0%A4%A" } },
    { what: "a list", schema: [] },
    { what: "true", schema: true },
    { what: "null", schema: null },
    {
      what: "nonsense for every word",
      schema: { type: 3, properties: "x", required: {}, enum: {}, items: 3, allOf: {}, default: [] },
    },
    { what: "types that do not exist", schema: { type: ["file", "any", "string"] } },
    { what: "limits that contradict", schema: { type: "integer", minimum: 5, maximum: 1 } },
    { what: "a pattern that takes for ever", schema: { properties: { a: { type: "string", pattern: "^(a+)+$" } } } },
    {
      what: "names of the prototype",
      schema: JSON.parse(
        '{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"},"toString":{}},"required":["constructor"]}',
      ),
    },
    { what: "an enum of 10,000", schema: { enum: Array.from({ length: 10_000 }, (_, index) => `v${index}`) } },
    {
      what: "10,000 fields",
      schema: {
        properties: Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`f${index}`, { type: "string" }])),
      },
    },
    {
      what: "10,000 alternatives",
      schema: { oneOf: Array.from({ length: 10_000 }, (_, index) => ({ const: index })) },
    },
    {
      what: "fields that double with each level",
      schema: to("L0"),
      components: Object.fromEntries(
        Array.from({ length: 40 }, (_, level) => [
          `L${level}`,
          { properties: { a: to(`L${level + 1}`), b: to(`L${level + 1}`) } },
        ]),
      ),
    },
    {
      what: "allOf that doubles with each level",
      schema: to("L0"),
      components: Object.fromEntries(
        Array.from({ length: 40 }, (_, level) => [`L${level}`, { allOf: [to(`L${level + 1}`), to(`L${level + 1}`)] }]),
      ),
    },
  ])("$what", ({ schema, components }) => {
    const wire = schemaOf(schema, components);
    expect(JSON.stringify(wire).length).toBeLessThan(20_000);
    expect(JSON.stringify(wire)).not.toContain("pattern");
  });

  test("nested 100,000 deep", () => {
    const deep = `${'{"type":"object","properties":{"a":'.repeat(100_000)}{}${"}}".repeat(100_000)}`;
    const spec = JSON.stringify(
      oneOperation({ requestBody: { content: { "application/json": { schema: 0 } } } }, { method: "post" }),
    );
    const { tools, leftOut } = load(spec.replace('"schema":0', `"schema":${deep}`));
    expect(leftOut).toEqual([]);
    expect(JSON.stringify(tools[0]?.inputSchema).length).toBeLessThan(1_000);
  });

  test("of YAML nested 100,000 deep, or with aliases that double, are a problem or a tool", () => {
    const { problems } = load(`openapi: 3.0.0\npaths: ${"[".repeat(100_000)}`);
    expect(problems[0]?.message).toContain("Not valid YAML");
    const aliases = Array.from({ length: 30 }, (_, index) => `l${index + 1}: &l${index + 1} [*l${index}, *l${index}]`);
    const bomb = `l0: &l0 [1]\n${aliases.join("\n")}\nopenapi: 3.0.0\nservers: [{url: https://a.example}]\npaths:\n  /x:\n    post:\n      requestBody: {content: {application/json: {schema: {properties: {a: {enum: *l30}}}}}}\n`;
    const { tools } = load(bomb);
    tools.forEach((tool) => expect(JSON.stringify(tool.inputSchema).length).toBeLessThan(1_000));
  });
});

test("100,000 operations: 2,000 are tools, and the others are left out", () => {
  const paths = Object.fromEntries(
    Array.from({ length: 100_000 }, (_, index) => [`/p${index}`, { get: { operationId: "same" } }]),
  );
  const { tools, leftOut } = load({ openapi: "3.0.0", servers: [{ url: "https://a.example" }], paths });
  expect(new Set(tools.map(({ name }) => name)).size).toBe(2_000);
  expect(leftOut).toHaveLength(98_000);
  expect(leftOut[0]).toEqual({ operation: "same", reason: 'There are more than 2000: choose with "operations".' });
});

const many = <T>(count: number, make: (index: number) => [string, T]): Record<string, T> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => make(index)));

// Each of these took between ten seconds and for ever when a huge part was read at every place that refers to it.
describe("a huge part that thousands of places refer to is read once", () => {
  const service = (count: number, operation: object, more: object = {}): object => ({
    ...{ openapi: "3.0.0", servers: [{ url: "https://a.example" }] },
    paths: many(count, (index) => [`/p${index}`, operation]),
    ...more,
  });
  const withBody = (schema: object, schemas: object): object =>
    service(
      500,
      { post: { requestBody: { content: { "application/json": { schema } } } } },
      { components: { schemas } },
    );
  const small: object = {};

  test.each<{ what: string; spec: () => object; says?: string; leftOut?: string; problem?: string }>([
    {
      what: "an object with 20,000 fields",
      spec: () =>
        withBody(to("Many"), {
          Many: { properties: many(300, (index) => [`a${index}`, to("Big")]) },
          Big: { properties: many(20_000, (index) => [`f${index}`, { type: "string" }]) },
        }),
      says: "Fields: a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11 and 288 more.",
    },
    {
      what: "the fields of one object",
      spec: () => withBody(to("Big"), { Big: { properties: many(20_000, (index) => [`f${index}`, small]) } }),
      says: "and 19988 more.",
    },
    {
      what: "an enum of 500,000",
      spec: () =>
        withBody(to("Many"), {
          Many: { properties: many(100, (index) => [`a${index}`, to("Choices")]) },
          Choices: { enum: Array.from({ length: 500_000 }, (_, index) => `v${index}`) },
        }),
      says: "One of 500000, for example v0, v1",
    },
    {
      what: "an enum of long texts",
      spec: () => withBody(to("A"), { A: { enum: Array.from({ length: 50 }, () => "x".repeat(100_000)) } }),
      says: "One of 50, for example xxx",
    },
    {
      what: "references of 2,000 characters",
      spec: () =>
        withBody(to("Many"), {
          Many: { properties: many(1_000, (index) => [`a${index}`, { $ref: `#/${"a/".repeat(990)}` }]) },
        }),
      says: "and 988 more.",
    },
    {
      what: "a reference of 4 million characters",
      spec: () => withBody(to("A"), { A: { $ref: `#/${"a/".repeat(2_000_000)}` } }),
      says: "points to nothing.",
    },
    {
      what: "names of fields of 100,000 characters",
      spec: () => withBody(to("A"), { A: { properties: many(50, (index) => [`${index}${"x".repeat(100_000)}`, {}]) } }),
    },
    {
      what: "half a million media types",
      spec: () =>
        service(
          20_000,
          { post: { requestBody: { $ref: "#/x" } } },
          { x: { content: many(500_000, (index) => [`m${index}`, {}]) } },
        ),
      leftOut: "Its body has no media type.",
    },
    {
      what: "100,000 parameters",
      spec: () =>
        service(
          20_000,
          { $ref: "#/x" },
          { x: { get: {}, parameters: Array.from({ length: 100_000 }, () => ({ in: "header", name: "accept" })) } },
        ),
      leftOut: "It has more than 200 parameters.",
    },
    {
      what: "a name of a parameter of a million characters",
      spec: () =>
        service(500, { $ref: "#/x" }, { x: { get: {}, parameters: [{ in: "query", name: "a".repeat(1_000_000) }] } }),
      leftOut: "The parameter at #/x/parameters/0 has a name of more than 300 characters.",
    },
    {
      what: "half a million values of a server's variable",
      spec: () =>
        service(
          500,
          { get: {} },
          {
            servers: [
              {
                url: `https://a.example/${"{a}".repeat(600)}`,
                variables: { a: { default: "x", enum: Array.from({ length: 500_000 }, (_, index) => `${index}`) } },
              },
            ],
          },
        ),
      leftOut: "The server's variable {a} must be one of",
    },
    {
      what: "a server's variable of a million characters",
      spec: () =>
        service(
          500,
          { get: {} },
          { servers: [{ url: "https://a.example/{a}{a}", variables: { a: { default: "x".repeat(1_000_000) } } }] },
        ),
      leftOut: "The server's variable {a} has more than 2000 characters.",
    },
    {
      what: "placeholders without an end",
      spec: () =>
        service(
          1,
          {},
          {
            paths: many(2_000, (index) => [
              `/${index}${Array.from({ length: 380 }, (_, at) => `{${at}}`).join("")}`,
              { get: {} },
            ]),
          },
        ),
      leftOut: "It has more than 200 parameters.",
    },
    {
      what: "one path for 300,000 addresses",
      spec: () =>
        service(
          300_000,
          { $ref: "#/x" },
          { x: { get: {}, put: {}, post: {}, delete: {}, patch: {}, head: {}, options: {} } },
        ),
      problem: "There are more than 100000 operations. The others are not read.",
    },
  ])("$what", ({ spec, says, leftOut, problem }) => {
    const loaded = load(spec());
    const shown = loaded.tools.map(({ inputSchema }) => JSON.stringify(inputSchema));
    shown.forEach((schema) => expect(schema.length).toBeLessThan(12_000));
    if (says !== undefined) {
      expect(shown.at(-1)).toContain(says);
    }
    expect(loaded.leftOut[0]?.reason ?? "").toContain(leftOut ?? "");
    expect(loaded.problems[0]?.message).toBe(problem);
  });

  test("and of thousands that are broken, only the first are read", () => {
    const { leftOut } = load(service(2_001, { post: { requestBody: { $ref: "#/x" } } }));
    expect(leftOut.at(-1)?.reason).toBe("It was not read: 2000 others are broken.");
  });
});

test("a broken operation is left out with its reason, and the others work", () => {
  const good = { get: { operationId: "good" } };
  const spec = {
    openapi: "3.0.0",
    servers: [{ url: "https://a.example" }],
    paths: {
      "/a": { get: { operationId: "noName", parameters: [{ in: "query" }] } },
      "/b": { get: { operationId: "missing", parameters: [{ $ref: "#/nowhere" }] } },
      "/c": { get: { operationId: "header", parameters: [{ in: "header", name: "a b" }] } },
      "/d": { post: { operationId: "body", requestBody: { content: {} } } },
      "/e": {
        get: {
          operationId: "many",
          parameters: Array.from({ length: 300 }, (_, index) => ({ in: "query", name: `q${index}` })),
        },
      },
      "/f": { $ref: "#/paths/~1f" },
      nonsense: { get: {} },
      "/g": null,
      "/h": { get: 3, post: [], parameters: 3 },
      "/z": good,
    },
  };
  const { tools, leftOut, problems } = load(spec);
  expect(tools.map(({ name }) => name)).toEqual(["good"]);
  expect(leftOut.map(({ operation }) => operation)).toEqual(["noName", "missing", "header", "body", "many"]);
  expect(leftOut.map(({ reason }) => reason)).toEqual([
    "The parameter at #/paths/~1a/get/parameters/0 has no name or place (path, query, header or cookie).",
    'The reference "#/nowhere" points to nothing.',
    "The parameter at #/paths/~1c/get/parameters/0 has a name that no header can have.",
    "Its body has no media type.",
    "It has more than 200 parameters.",
  ]);
  expect(problems.map(({ pointer }) => pointer)).toEqual(["#/paths/~1f", "#/paths/nonsense", "#/paths/~1g"]);
});

test("texts of a description do not grow into the model's prompt, nor break its lines", () => {
  const { tools } = load(
    oneOperation({ summary: "a\n\u202eb ".repeat(10_000), description: "c\r\n".repeat(100_000), tags: [3] }),
  );
  expect(tools[0]?.description.length).toBeLessThan(1_024);
  expect(tools[0]?.description).not.toMatch(/[\n\r\u202e]/);
  expect(tools[0]?.title.length).toBeLessThan(100);
});
