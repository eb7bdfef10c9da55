import { describe, expect, it, test } from "vitest";
import { readTools, type OtherTools } from "../../../../src/features/custom/readTools.js";
import { tools } from "../../../../src/tools/index.js";

const others: OtherTools = {
  reserved: (name) => ["read", "exec", "find_tool"].includes(name),
  ours: (name) => tools.find((each) => each.name === name),
};
const tool = (fields: object): string =>
  JSON.stringify({ name: "t", description: "Does it.", command: "wc", ...fields });

/** Problems as `line:column tool: message`. */
function told(text: string): string[] {
  return readTools(text, others).problems.map(
    ({ line, column, tool: name, message }) => `${line}:${column} ${name ?? "-"}: ${message}`,
  );
}

function names(text: string): string[] {
  return readTools(text, others).entries.map(({ entry }) => entry.name);
}

describe("a file of tools", () => {
  it("may have comments, trailing commas and a byte order mark, and says where its tools are", () => {
    const text = `{\r\n  // Mine\r\n  "tools": [\r\n    ${tool({ name: "a" })},\r\n    ${tool({ name: "b" })}, /* the end */\r\n  ],\r\n}`;
    const { entries, problems } = readTools(text, others);
    expect(problems).toEqual([]);
    expect(entries.map(({ entry, line, column }) => [entry.name, line, column])).toEqual([
      ["a", 4, 5],
      ["b", 5, 5],
    ]);
  });

  it("keeps its good tools where others are bad, and says at which line", () => {
    const text = `{"tools": [\n${tool({ name: "a" })},\n{"name": "b"},\n${tool({ name: "c", timeout: 0 })},\n${tool({ name: "d" })}]}`;
    expect(names(text)).toEqual(["a", "d"]);
    expect(told(text)).toEqual([
      "3:1 b: description: required (string), got nothing.",
      "3:1 b: command: required (string), got nothing.",
      "4:63 c: timeout: must be at least 1, got 0.",
    ]);
  });

  test.each([
    ["nothing", "", ["1:1 -: The file is empty."]],
    ["no JSON", '{\n  "tools": [}\n', ["2:13 -: Not valid JSON: value expected."]],
    ["a list", "[]", ['1:1 -: The file must be an object: {"tools": […]}.']],
    ["no list of tools", '{"tools": {}}', ['1:11 -: "tools" must be a list of entries.']],
    ["two lists", '{"tools": [], "tools": []}', ['1:24 -: "tools" is given twice. Put all entries into one list.']],
    [
      "an unknown field",
      '{"tool": []}',
      ['1:2 -: "tool" is not a field of this file; it has $schema, tools and openapi.'],
    ],
    ["a number for a tool", '{"tools": [7]}', ["1:12 -: the entry: expected object, got number 7."]],
  ])("with %s", (_, text, problems) => {
    expect(told(text).slice(0, 1)).toEqual(problems);
    expect(names(text)).toEqual([]);
  });

  it("of 10 MB, or nested very deep, is refused and not parsed", () => {
    expect(told(`{"tools": [${" ".repeat(10_000_000)}]}`)).toEqual(["1:1 -: The file is larger than 1 MB."]);
    expect(told(`{"tools": ${"[".repeat(300_000)}`)).toEqual(["1:74 -: The file is nested deeper than 64 levels."]);
  });

  it("has 200 entries at most", () => {
    const many = Array.from({ length: 203 }, (_, index) => tool({ name: `t${index}` }));
    const read = readTools(`{"tools": [${many.join(",")}]}`, others);
    expect(read.entries).toHaveLength(200);
    expect(read.problems.map(({ message }) => message)).toEqual([
      '"tools" may have at most 200 entries; the rest is ignored.',
    ]);
  });
});

describe("a name", () => {
  test.each([
    ["of ours", "read", "name: Toolhost has a tool with this name, or with a very similar one. Choose another."],
    ["in capitals", "Read", "name: must be lower case words with _ between them, such as count_lines."],
    ["with a control character", "a\u0007b", "name: must be lower case words"],
    ["that turns the direction of text", "a\u202eb", "name: must be lower case words"],
    ["in other letters", "reаd", "name: must be lower case words"],
    ["of 56 characters", "a".repeat(56), "name: must be at most 55 characters"],
    ["of the prototype", "__proto__", "name: must be lower case words"],
  ])("%s is refused", (_, name, message) => {
    const text = `{"tools": [${tool({ name })}, ${tool({ name: "fine" })}]}`;
    expect(told(text)[0]).toContain(message);

    expect(told(text).join("")).not.toMatch(/[\u0007\u202e]/);
    expect(names(text)).toEqual(["fine"]);
  });

  it("given twice is refused the second time", () => {
    const text = `{"tools": [${tool({})},\n${tool({ command: "rm" })}]}`;
    expect(readTools(text, others).entries.map(({ entry }) => "command" in entry && entry.command)).toEqual(["wc"]);
    expect(told(text)).toEqual([
      "2:9 t: name: another tool of this file has this name, or a very similar one. Choose another.",
    ]);
  });
});

describe("an entry", () => {
  test.each<[string, string, string]>([
    ["a field twice", '{"name":"t","description":"d","command":"wc","command":"rm"}', '"command" is given twice.'],
    [
      "__proto__",
      '{"name":"t","description":"d","command":"wc","__proto__":{"readOnly":true}}',
      "__proto__ cannot be a name.",
    ],
    ["an unknown field", tool({ shell: true }), "shell: unknown field."],
    ["a misspelled field", tool({ descripton: "x" }), 'descripton: unknown field; did you mean "description"?.'],
    [
      "a pattern",
      tool({ args: ["{a}"], parameters: { properties: { a: { description: "A", pattern: "(a+)+" } } } }),
      "unknown field",
    ],
    ["a control character in the command", tool({ command: "w\nc" }), "command: must not contain control characters."],
    ["a NUL in an argument", tool({ args: ["a\0b"] }), "args[0]: must not contain NUL characters."],
    ["a number for an argument", tool({ args: [1] }), "args[0]: expected string or array, got number 1."],
    ["a secret without a name", tool({ env: { KEY: { secret: "a b" } } }), "env.KEY.secret: must be a name"],
    ["a number for a variable", tool({ env: { KEY: 1 } }), "env.KEY: expected string or object, got number 1."],
    ["an unknown placeholder", tool({ args: ["{path}"] }), "args.0: {path} is not a parameter."],
    [
      "a parameter that nothing uses",
      tool({ parameters: { properties: { a: { description: "A" } } } }),
      "parameters.properties.a: no argument uses it.",
    ],
    [
      "a parameter with a name of the prototype",
      tool({ args: ["{constructor}"], parameters: { properties: { constructor: { description: "A" } } } }),
      "every object has a member of this name",
    ],
    [
      "a required parameter that does not exist",
      tool({ parameters: { required: ["a"] } }),
      "parameters.required.0: a is not among",
    ],
    ["free arguments that are part of a word", tool({ args: ["-x{args}"] }), "{args} must be an argument of its own."],
    [
      "free arguments of a tool that only reads",
      tool({ args: ["{args}"], readOnly: true }),
      "readOnly: a tool with {args} cannot be read-only",
    ],
    [
      "a tool that reads and destroys",
      tool({ readOnly: true, destructive: true }),
      "destructive: a tool that only reads destroys nothing.",
    ],
  ])("with %s is refused", (_, entry, message) => {
    expect(told(`{"tools": [${entry}]}`)[0]).toContain(message);
    expect(names(`{"tools": [${entry}]}`)).toEqual([]);
  });
});

describe("an entry of a service", () => {
  const service = (fields: object): string => JSON.stringify({ openapi: [{ spec: "a.json", ...fields }] });

  test.each<[string, object, string[]]>([
    [
      "an unknown way to authenticate",
      { auth: { type: "token", secret: "A" } },
      ['auth.type: must be one of bearer, basic, apiKey, oauth2; got string "token".'],
    ],
    ["no secret", { auth: { type: "bearer" } }, ["auth.secret: required (string), got nothing."]],
    ["no secret in a list", { auth: [{ type: "bearer" }] }, ["auth[0].secret: required (string), got nothing."]],
    ["a text for how to authenticate", { auth: "bearer" }, ['auth: expected object or array, got string "bearer".']],
    ["a header's name that is none", { headers: { "a b": "c" } }, ["headers.a b: must be a header's name"]],
    ["a header of two lines", { headers: { a: "b\r\nc: d" } }, ["headers.a: must be Latin-1 characters on one line."]],
  ])("is refused with %s", (_, fields, messages) => {
    expect(told(service(fields))).toEqual(messages.map((message) => expect.stringContaining(message) as string));
    expect(readTools(service(fields), others).services).toEqual([]);
  });
});

describe("an entry that uses a tool of Toolhost", () => {
  const use = (fields: object): string => JSON.stringify({ tools: [{ name: "find_it", ...fields }] });

  it("is good with the values that the tool takes", () => {
    expect(told(use({ use: "grep", with: { pattern: "TODO|FIXME", context: 5 }, without: ["output"] }))).toEqual([]);
    expect(told(use({ use: "todo", description: "Steps." }))).toEqual([]);
  });

  test.each<[string, object, string]>([
    ["an unknown tool", { use: "grepp" }, "use: Toolhost has no tool grepp."],
    ["a tool that ends tasks", { use: "complete_task" }, "use: complete_task ends a task"],
    ["an unknown field", { use: "grep", with: { patern: "x" } }, "with.patern: grep has no such field."],
    ["a wrong value", { use: "grep", with: { context: "many" } }, "with.context: expected number"],
    [
      "a needed field left out",
      { use: "grep", without: ["pattern"] },
      'without.pattern: grep needs it; give it a value with "with".',
    ],
    ["a command, too", { use: "grep", command: "rm" }, 'command: an entry with "use" runs no command'],
    ["a promise", { use: "exec", readOnly: true }, 'readOnly: an entry with "use" runs no command'],
    ["an unknown field of its own", { use: "grep", wiht: {} }, 'wiht: unknown field; did you mean "with"?'],
  ])("is refused with %s", (_, fields, message) => {
    expect(told(use(fields))[0]).toContain(message);
    expect(names(use(fields))).toEqual([]);
  });
});
