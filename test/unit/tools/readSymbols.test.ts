import { expect, it } from "vitest";
import { failed, openWorkspace, result } from "./workspace.js";

const TEXT = "const a = 1;\n\n/** Runs. */\nexport class Runner {\n  run(): void {\n    a;\n  }\n}\n";

it("reads one symbol, with its comments and its own line numbers", async () => {
  const { call } = await openWorkspace({ "a.ts": TEXT });
  expect(result(await call("read", { path: "a.ts", symbol: "Runner" })).text).toMatch(
    /^3\t\/\*\* Runs\. \*\/\n4\texport class Runner \{\n.*\n8\t\}\n/s,
  );
  const { text, data } = result(await call("read", { path: "a.ts", symbol: "Runner.run" }));
  expect(text).toMatch(/^5\t {2}run\(\): void \{\n6\t {4}a;\n7\t {2}\}\n/);
  expect(text.split("\n").at(-1)).toBe("[Lines 5-7 of 8.]");
  expect(data).toMatchObject({ start_line: 5, end_line: 7, next_offset: null });
});

it("says how to go on in a symbol that is larger than a page, up to its end", async () => {
  const body = "  step();\n".repeat(6_000);
  const { call } = await openWorkspace({ "a.ts": `function f() {\n${body}}\nconst a = 1;\n` });
  const { text, data } = result<{ end_line: number }>(await call("read", { path: "a.ts", symbol: "f" }));
  const { end_line: end } = data;
  expect(end).toBeLessThan(6_002);
  expect(text.split("\n").at(-1)).toBe(
    `[Lines 1-${end} of 6003. Continue with offset=${end + 1} and limit=${6_002 - end}.]`,
  );
  expect(data).toMatchObject({ next_offset: end + 1 });
});

it("reads all declarations of one function, and both parts of a property", async () => {
  const { call } = await openWorkspace({
    "a.ts":
      "function f(a: string): void;\nfunction f(a: number): void;\n\n/** Does it. */\nfunction f(a: unknown): void {}\nclass C {\n  get x() { return 1; }\n  set x(v) {}\n}\n",
  });
  const lines = async (symbol: string): Promise<unknown> => result(await call("read", { path: "a.ts", symbol })).data;
  expect(await lines("f")).toMatchObject({ start_line: 1, end_line: 5 });
  expect(await lines("C.x")).toMatchObject({ start_line: 7, end_line: 8 });
});

it("reads operators by their names", async () => {
  const { call } = await openWorkspace({
    "a.cpp":
      "struct V {\n  bool operator==(const V& o);\n  int operator()(int a) { return a; }\n  int operator[](int a) { return a; }\n  int operator/(int a) { return a; }\n};\n",
    "a.rb":
      "class V\n  def ==(o)\n    true\n  end\n  def [](i)\n    i\n  end\n  def size=(n)\n    @n = n\n  end\nend\n",
  });
  const line = async (path: string, symbol: string): Promise<unknown> =>
    (result(await call("read", { path, symbol })).data as { start_line: number }).start_line;
  expect(await line("a.cpp", "V::operator()")).toBe(3);
  expect(await line("a.cpp", "V.operator()(int a)")).toBe(3);
  expect(await line("a.cpp", "V::operator[]")).toBe(4);
  expect(await line("a.cpp", "V::operator/")).toBe(5);
  expect(await line("a.rb", "V#==")).toBe(2);
  expect(await line("a.rb", "V#[]")).toBe(5);
  expect(await line("a.rb", "V#size=")).toBe(8);
});

it("says which symbol it does not have, and what cannot be asked for at once", async () => {
  const { call } = await openWorkspace({ "a.ts": TEXT, "a.lua": "x = 1\n" });
  expect(failed(await call("read", { path: "a.ts", symbol: "Runer" }))).toMatchObject({
    type: "not_found",
    hint: "Did you mean Runner or run?",
  });
  expect(failed(await call("read", { path: "a.ts", symbol: "Runer.run" }))).toMatchObject({
    hint: "Did you mean Runner.run?",
  });
  expect(failed(await call("read", { path: "a.ts", symbol: "a", offset: 2 })).type).toBe("invalid_input");
  expect(failed(await call("read", { path: "a.lua", symbol: "x" })).type).toBe("unsupported");
});

it("begins the first page of a long file with its outline, and no other page", async () => {
  const { call } = await openWorkspace({
    "long.ts": Array.from(
      { length: 400 },
      (_, index) => `function f${index}() {\n  return "${"x".repeat(150)}";\n}\n`,
    ).join(""),
    "long.txt": "x\n".repeat(30_000),
  });
  const { text } = result(await call("read", { path: "long.ts" }));
  expect(text).toMatch(/^\[Outline:\n1-3 function f0\(\) \{\n4-6 function f1/);
  expect(text).toMatch(
    /\n178-180 function f59\(\) \{\nand 340 more\. Read a part with symbol or offset\.\]\n1\tfunction f0/,
  );
  expect(text.length).toBeLessThan(50_300);
  expect(result(await call("read", { path: "long.ts", offset: 4 })).text).toMatch(/^4\tfunction f1/);
  expect(result(await call("read", { path: "long.txt" })).text).toMatch(/^1\tx\n/);
});

it("grep for a name ends with the line that declares it", async () => {
  const { call } = await openWorkspace({ "a.ts": TEXT, "b.ts": "new Runner();\n" });
  expect(result(await call("grep", { pattern: "Runner" })).text).toMatch(
    /\n\[symbol: class Runner, a\.ts:4; references lists its uses\.\]$/,
  );
  expect(result(await call("grep", { pattern: "new Run" })).text).not.toContain("symbol:");
  expect(result(await call("grep", { pattern: "return" })).text).not.toContain("symbol:");
});
