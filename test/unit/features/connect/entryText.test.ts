import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { CLIENTS } from "../../../../src/features/connect/clients.js";
import { changeEntry } from "../../../../src/features/connect/entryText.js";

const JSON_FORM = { form: "json", keys: ["mcpServers", "toolhost"] } as const;
const TOML_FORM = { form: "toml", keys: ["mcp_servers", "toolhost"] } as const;
const ENTRY = { command: "node", args: ["cli.js", "mcp"] };

const json = (text: string | undefined, entry: object | undefined = ENTRY): string =>
  changeEntry(JSON_FORM, "f.json", text, entry as Record<string, unknown> | undefined);
const toml = (text: string | undefined, entry: object | undefined = ENTRY): string =>
  changeEntry(TOML_FORM, "f.toml", text, entry as Record<string, unknown> | undefined);
const withoutJson = (text: string): string => changeEntry(JSON_FORM, "f.json", text, undefined);
const withoutToml = (text: string): string => changeEntry(TOML_FORM, "f.toml", text, undefined);

describe("JSON", () => {
  const OWN =
    '{\n  "mcpServers": {\n    "toolhost": {\n      "command": "node",\n      "args": [\n        "cli.js",\n        "mcp"\n      ]\n    }\n  }\n}\n';

  test("an entry is added, and what is there stays, with its comments and form", () => {
    expect(json(undefined)).toBe(OWN);
    expect(json("  \n")).toBe(OWN);
    const before =
      '// mine\n{\n\t"a": 1, // one\n\t"mcpServers": {\n\t\t/* other */ "x": {\n\t\t\t"command":  "x",\n\t\t},\n\t},\n}\n';
    const after = json(before);
    expect(after).toContain('"a": 1, // one\n');
    expect(after).toContain(
      '/* other */ "x": {\n\t\t\t"command":  "x",\n\t\t},\n\t\t"toolhost": {\n\t\t\t"command": "node",',
    );
    expect(after.startsWith("// mine\n{\n\t")).toBe(true);
    expect(json(after)).toBe(after);
    expect(withoutJson(after)).toBe(before);
    const oneLine = '{\n  "mcpServers": {\n    "x": {"a":1} // why\n  }\n}';
    expect(json(oneLine)).toContain('    "x": {"a":1}, // why\n    "toolhost": {\n      "command": "node",\n');
    expect(json("{ // mine\n}")).toContain('{\n  "mcpServers": {');
    expect(json("{ // mine\n}")).toMatch(/ \/\/ mine\n\}$/);
    expect(json('\uFEFF{\r\n    "a": 1\r\n}\r\n')).toMatch(
      /^\uFEFF\{\r\n {4}"a": 1,\r\n {4}"mcpServers": \{\r\n {8}"toolhost"/,
    );
  });

  test("an entry that is there gets the new command, and keeps what its user added", () => {
    const before =
      '{ "mcpServers": { "toolhost": { "command": "old", /* why */ "timeout": 5, "env": { "A": "1" }, "args": ["cli.js", "mcp"] } } }';
    expect(json(before, { ...ENTRY, env: { B: "2" } })).toBe(before.replace('"old"', '"node"'));
    expect(json('{"mcpServers": {"toolhost": "odd"}}')).toContain('"command": "node"');
  });

  test("an entry that was turned off is turned on, and one at an address is replaced", () => {
    expect(JSON.parse(json('{"mcpServers": {"toolhost": {"disabled": true, "enabled": false, "x": 1}}}'))).toEqual({
      mcpServers: { toolhost: { ...ENTRY, disabled: false, enabled: true, x: 1 } },
    });
    expect(JSON.parse(json('{"mcpServers": {"toolhost": {"type": "http", "url": "https://x"}, "y": 1}}'))).toEqual({
      mcpServers: { toolhost: ENTRY, y: 1 },
    });
  });

  test("an entry is removed alone", () => {
    expect(withoutJson(OWN)).toBe('{\n  "mcpServers": {}\n}\n');
    expect(withoutJson('{"mcpServers": {"a": 1, "toolhost": {}, "b": 2}}')).toBe('{"mcpServers": {"a": 1, "b": 2}}');
    for (const text of ["{}", '{"mcpServers": {"a": 1}}', '{"mcpServers": {"toolhost2": 1}} // toolhost']) {
      expect(withoutJson(text)).toBe(text);
    }
  });

  test.each([
    ['{\n  "a": 1\n  "b": 2\n}', 3, "not valid JSON"],
    ["{\n", 2, "not valid JSON"],
    ["[]", 1, "The file is not a JSON object"],
    ['{\n"mcpServers": []}', 2, '"mcpServers" is not a JSON object'],
    ['{\n"mcpServers": {},\n"mcpServers": {}}', 3, '"mcpServers" is there twice'],
    ['{"mcpServers": {\n"toolhost": {},\n"toolhost": {}}}', 3, '"toolhost" is there twice'],
  ])("what cannot be changed is said with its line: %j", (text, line, why) => {
    expect(() => json(text)).toThrow(`f.json:${line}: `);
    expect(() => json(text)).toThrow(why);
    expect(() => json(text)).toThrow("Nothing was changed.");
  });

  test("work on a text is bounded", () => {
    expect(() => json(`{"a": ${"[".repeat(1_000_000)}`)).toThrow("nested too deep");
    expect(() => json(" ".repeat(5_000_001))).toThrow("more than 5 million characters");
  });
});

describe("TOML", () => {
  const OWN = '[mcp_servers.toolhost]\ncommand = "node"\nargs = ["cli.js", "mcp"]\n';

  test("a table is added at the end, and what is there stays as it is", () => {
    expect(toml(undefined)).toBe(OWN);
    const before = '# mine\nmodel = "x"   # best\n\n[mcp_servers.other]\ncommand = "o"\n\n\n';
    expect(toml(before)).toBe(`${before.trimEnd()}\n\n${OWN}`);
    expect(toml("a = 1\r\n[b]\r\nc = 2\r\n")).toBe(`a = 1\r\n[b]\r\nc = 2\r\n\r\n${OWN.replaceAll("\n", "\r\n")}`);
    expect(toml(toml(before))).toBe(toml(before));
    expect(toml("a = 1", { command: 'C:\\a "b"', args: [], env: { X: "1" } })).toBe(
      'a = 1\n\n[mcp_servers.toolhost]\ncommand = "C:\\\\a \\"b\\""\nargs = []\nenv = { X = "1" }\n',
    );
  });

  test("a table that is there gets the new command, and keeps what its user added", () => {
    const before = [
      'text = """',
      "[mcp_servers.toolhost]",
      'command = "in a text"',
      '"""',
      '[ mcp_servers . "toolhost" ] # ours',
      "# why",
      "args = [",
      '  "old.js", # a comment',
      '  "]",',
      "]",
      "startup_timeout_sec = 20",
      'command = "old"',
      "[mcp_servers.toolhost.env]",
      'A = "1"',
      "",
      "# about z",
      "[z]",
      "n = 9007199254740993",
    ].join("\n");
    const broken = (): string => toml(before);
    // A text looks like the table: nothing is guessed.
    expect(broken).toThrow("f.toml: [mcp_servers.toolhost] is written in a form that Toolhost does not change.");
    const plain = before.replace(/^text[^]*?"""\n(?=\[ )/, "");
    expect(toml(plain)).toBe(
      plain.replace(/args = \[[^]*?\n\]/, 'args = ["cli.js", "mcp"]').replace('"old"', '"node"'),
    );
    expect(withoutToml(plain)).toBe("# about z\n[z]\nn = 9007199254740993");
  });

  test("a table that was turned off is turned on, and one at an address is replaced", () => {
    expect(parse(toml(`${OWN}enabled = false\nx = 1\n`))).toEqual({
      mcp_servers: { toolhost: { ...ENTRY, enabled: true, x: 1 } },
    });
    expect(toml('[mcp_servers.toolhost]\nurl = "https://x"\n[mcp_servers.toolhost.headers]\na = "1"\n[z]\n')).toBe(
      `[z]\n\n${OWN}`,
    );
  });

  test("lines keep their endings, also where a text mixes them", () => {
    expect(toml("a = 1\r\nb = 2\nc = 3")).toBe(`a = 1\r\nb = 2\nc = 3\r\n\r\n${OWN.replaceAll("\n", "\r\n")}`);
    expect(toml("a = 1\r\nb = 2\n")).toBe(`a = 1\r\nb = 2\n\r\n${OWN.replaceAll("\n", "\r\n")}`);
    const before = `${OWN.replaceAll("\n", "\r\n").replace("node", "old")}# x\n[z]\r\ny = 1\n`;
    expect(toml(before)).toBe(before.replace("old", "node"));
  });

  test("a table is removed alone", () => {
    expect(withoutToml(OWN)).toBe("");
    expect(withoutToml(`a = 1\n\n${OWN}\n[[list]]\nx = 1\n`)).toBe("a = 1\n\n[[list]]\nx = 1\n");
    const other = '[mcp_servers.toolhost2]\ncommand = "x"\n';
    expect(withoutToml(other)).toBe(other);
  });

  test.each([
    ["a = 1\nb = = 2\n", 2],
    ["[a]\n[a]\n", 2],
    ['x = "open\n', 1],
  ])("what cannot be read is said with its line: %j", (text, line) => {
    expect(() => toml(text)).toThrow(`f.toml:${line}: The file is not valid TOML`);
  });

  test.each([
    'mcp_servers = { toolhost = { command = "x" } }\n',
    "mcp_servers = {}\n",
    "mcp_servers = 5\n",
    '[mcp_servers]\ntoolhost = { command = "x", args = [] }\n',
    'mcp_servers.toolhost.command = "x"\nmcp_servers.toolhost.args = []\n',
  ])("a form that is not understood is left alone: %j", (text) => {
    expect(() => toml(text)).toThrow("Nothing was changed.");
  });
});

test.each(CLIENTS)("$id: its entry starts the command line with its flags, wherever it is written", (client) => {
  const start = { command: "node", script: "/x/cli.js", flags: ["--plan"], env: { A: "1" } };
  const text = changeEntry(client, "file", undefined, client.entry(start));
  const value = (client.form === "json" ? JSON.parse(text) : parse(text)) as Record<string, Record<string, unknown>>;
  const entry = value[client.keys[0]]?.[client.keys[1]] as Record<string, unknown>;
  const words = [entry["command"], entry["args"] ?? []].flat(2);
  expect(words.filter((word) => !["--workspace", "${workspaceFolder}"].includes(String(word)))).toEqual([
    "node",
    "/x/cli.js",
    "mcp",
    "--plan",
  ]);
  expect(entry["env"] ?? entry["environment"]).toEqual({ A: "1" });
});
