import { describe, expect, test } from "vitest";
import { definitionText } from "../../../../src/features/mcp/definition.js";
import { resolveServer, type VariableValues } from "../../../../src/features/mcp/resolveServer.js";
import { readServers, type ServerEntry } from "../../../../src/features/mcp/serverEntry.js";
import { isSecretVariable } from "../../../../src/hosts/node/environment.js";

const FILE = ".mcp.json";

function only(definition: unknown, field = "mcpServers"): ServerEntry {
  const { servers, problems } = readServers(JSON.stringify({ [field]: { one: definition } }), FILE);
  expect(problems).toEqual([]);
  const [server] = servers;
  if (server === undefined) {
    throw new Error("no server was read");
  }
  return server;
}

describe("files", () => {
  test("both fields are read, with comments and trailing commas", () => {
    const { servers } = readServers(
      '// servers\n{ "servers": { "a": { "command": "x", }, }, "mcpServers": { "b": { "url": "https://b.example" } } }',
      FILE,
    );
    expect(servers.map(({ name, dialect, start }) => [name, dialect, start?.kind])).toEqual([
      ["a", "vscode", "stdio"],
      ["b", "agents", "http"],
    ]);
  });

  test.each<{ what: string; text: string; says: string }>([
    { what: "no JSON", text: "{ servers", says: ".mcp.json: " },
    { what: "a list", text: "[]", says: '.mcp.json: must be an object: {"mcpServers": {…}}.' },
    { what: "a list of servers", text: '{"mcpServers": []}', says: "mcpServers must be an object" },
    { what: "deep nesting", text: `{"x": ${"[".repeat(100_000)}`, says: "nested deeper than 64 levels" },
    { what: "a huge file", text: " ".repeat(1_000_001), says: "larger than 1 MB" },
    {
      what: "a name that means VS Code's tools",
      text: '{"mcpServers": {"vscode": {"command": "x"}}}',
      says: 'the server "vscode" has a name that means VS Code\'s',
    },
    {
      what: "a name with hidden characters",
      text: '{"mcpServers": {"a\\u202eb": {"command": "x"}}}',
      says: 'the server "a\\\\u202eb" is left out',
    },
    {
      what: "a name that is a pattern",
      text: '{"mcpServers": {"*": {"command": "x"}}}',
      says: 'the server "*" is left out',
    },
    {
      what: "a name in both fields",
      text: '{"servers": {"a": {"command": "x"}}, "mcpServers": {"a": {"command": "y"}}}',
      says: 'the server "a" is given twice',
    },
  ])("$what is told", ({ text, says }) => {
    const { problems } = readServers(text, FILE);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(says);
  });

  test("Toolhost itself, which other agents start, is passed over", () => {
    expect(readServers('{"mcpServers": {"toolhost": {"command": "node"}}}', FILE)).toEqual({
      ...{ servers: [], problems: [] },
      own: ["toolhost (.mcp.json)"],
    });
  });

  test("of many servers the first 50 are read", () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`s${index}`, { command: "x" }]));
    const { servers, problems } = readServers(JSON.stringify({ mcpServers: many }), FILE);
    expect([servers.length, problems]).toEqual([50, [".mcp.json: has more than 50 servers; the rest is ignored."]]);
  });
});

describe("definitions that cannot be used", () => {
  test.each<{ given: unknown; says: string }>([
    { given: "node", says: "must be an object" },
    { given: {}, says: "either a command or a url" },
    { given: { command: "x", url: "https://x" }, says: "either a command or a url" },
    { given: { command: 7 }, says: "command: expected" },
    { given: { command: "x", args: "y" }, says: "args: expected" },
    { given: { type: "sse", url: "https://x" }, says: "Toolhost does not speak sse" },
    { given: { command: "x", envFile: ".env" }, says: "does not read envFile" },
    { given: { url: "https://x", oauth: {} }, says: "does not sign in" },
    { given: { command: "x", disabled: true }, says: "It is disabled." },
    { given: { command: "x", env: { "A=B": "c" } }, says: "env" },
    { given: { url: "https://x", headers: { "a b": "c" } }, says: "headers" },
  ])("$says", ({ given, says }) => {
    const { start, problem } = only(given);
    expect(start).toBeUndefined();
    expect(problem).toContain(says);
  });

  test("a field without effect is named", () => {
    expect(only({ command: "x", timeout: 5, disabled: false }).ignored).toEqual(["timeout"]);
  });
});

describe("the text that is approved", () => {
  const textOf = (definition: object): Promise<string> =>
    definitionText({ definition: { ...definition } }, isSecretVariable);

  test("has everything but secret values, of which it has a digest", async () => {
    const text = await textOf({
      command: "x",
      env: { MODE: "fast", API_KEY: "k-93jd0s8fk3l", OTHER_KEY: "${env:OTHER_KEY}" },
      unknown: [1],
    });
    expect(JSON.parse(text)).toEqual({
      command: "x",
      env: {
        MODE: "fast",
        API_KEY: expect.stringMatching(/^\(hidden, digest /) as string,
        OTHER_KEY: "${env:OTHER_KEY}",
      },
      unknown: [1],
    });
  });

  test("hides nothing of a variable that may run programs, whatever its value looks like", async () => {
    const env = { NODE_OPTIONS: "--require=./x.js --title=ghp_0123456789abcdefghij0123456789abcdef" };
    expect(JSON.parse(await textOf({ command: "x", env }))).toEqual({ command: "x", env });
  });

  test("differs where any value differs, shown or not", async () => {
    const all = await Promise.all(
      [
        { command: "x", env: { API_KEY: "one-93jd0s8fk3l" } },
        { command: "x", env: { API_KEY: "two-93jd0s8fk3l" } },
        { command: "x", env: { API_KEY: "one-93jd0s8fk3l", NODE_OPTIONS: "--require ./x.js" } },
        { url: "https://x", headers: { A: "1" } },
        { url: "https://x", headers: { A: "2" } },
      ].map(textOf),
    );
    expect(new Set(all).size).toBe(all.length);
    expect(all.join()).not.toContain("93jd0s8fk3l");
  });
});

describe("variables", () => {
  const VALUES: VariableValues = {
    workspaceFolder: "/w",
    userHome: "/home/u",
    env: (name) => ({ SET: "value", EMPTY: "", LOOP: "${env:SET}" })[name],
    input: (id) => (id === "key" ? "given" : undefined),
    inputAdvice: (id) => `Set ${id}.`,
  };
  const argsOf = (arg: string, field?: string): unknown => {
    const server = resolveServer(only({ command: "x", args: [arg] }, field), VALUES);
    return server.kind === "stdio" ? server.args[0] : undefined;
  };

  test.each([
    ["${workspaceFolder}/a${userHome}", "/w/a/home/u"],
    ["${env:SET}${env:EMPTY}", "value"],
    ["${input:key}", "given"],
    ["${SET}-${NONE:-else:-where}", "value-else:-where"],
    ["${NONE:-}", ""],
    // What a value has is not read again.
    ["${env:LOOP}", "${env:SET}"],
    ["$SET {SET} $${env:SET", "$SET {SET} $${env:SET"],
  ])("%s", (written, meant) => {
    expect(argsOf(written)).toBe(meant);
  });

  test.each([
    ["${env:NONE}", "mcpServers", "there is no such environment variable"],
    ["${NONE}", "mcpServers", "there is no such environment variable"],
    ["${SET}", "servers", "does not know this variable"],
    ["${command:x}", "mcpServers", "does not know this variable"],
    ["${workspaceFolder:other}", "servers", "does not know this variable"],
    ["${input:other}", "servers", "this input has no value here"],
    ["${}", "servers", "does not know this variable"],
  ])("%s in %s is refused", (written, field, says) => {
    expect(() => argsOf(written, field)).toThrow(says);
  });

  test.each([
    ["not an address", "must be an http or https address"],
    ["file:///etc/passwd", "must be an http or https address"],
    ["https://user:word@x.example", "has a user name or password in it"],
  ])("the url %s is refused", (url, says) => {
    expect(() => resolveServer(only({ url }), VALUES)).toThrow(says);
  });

  test("headers and env get their values, too", () => {
    expect(
      resolveServer(only({ url: "https://${SET}.example/", headers: { A: "Bearer ${input:key}" } }), VALUES),
    ).toEqual({
      ...{ kind: "http", name: "one", url: "https://value.example/" },
      headers: { A: "Bearer given" },
    });
    expect(resolveServer(only({ command: "x", env: { A: "${SET}", B: null } }), VALUES)).toMatchObject({
      env: { A: "value" },
    });
  });
});
