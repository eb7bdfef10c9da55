import { describe, expect, it } from "vitest";
import { failed, openWorkspace, result } from "./workspace.js";

const ROUTER = `import { x } from "./x.js";

/** Routes. */
export class Router {
  /** Matches. */
  @logged()
  match(path: string): boolean {
    return path !== "";
  }

  close(): void {}
}

export const limit = 5;

function helper(): void {}

helper();
`;

describe("edit_symbol", () => {
  it("replaces a declaration, its comments and decorators stay", async () => {
    const { call, bytes } = await openWorkspace({ "a.ts": ROUTER });
    const done = result(
      await call("edit_symbol", {
        ...{ symbol: "Router.match", path: "a.ts", action: "replace" },
        text: "match(path: string): boolean {\n  return true;\n}",
      }),
    );
    expect(done.text).toBe(
      "Replaced method Router.match (lines 7-9).\n- a.ts (+1 −1)\n[By syntax: names were compared, types are not known.]",
    );
    expect(String(await bytes("a.ts"))).toBe(ROUTER.replace('path !== ""', "true"));
  });

  it("replaces with modifiers and a semicolon", async () => {
    const { call, bytes } = await openWorkspace({ "a.ts": ROUTER });
    await call("edit_symbol", { symbol: "limit", path: "a.ts", action: "replace", text: "export const limit = 6;" });
    await call("edit_symbol", {
      symbol: "helper",
      path: "a.ts",
      action: "replace",
      text: "async function helper(): Promise<void> {}",
    });
    expect(String(await bytes("a.ts"))).toBe(
      ROUTER.replace("= 5", "= 6").replace("function helper(): void {}", "async function helper(): Promise<void> {}"),
    );
  });

  it("inserts before the comments and after the end, indented", async () => {
    const { call, bytes } = await openWorkspace({ "a.ts": ROUTER });
    await call("edit_symbol", {
      symbol: "Router.match",
      path: "a.ts",
      action: "insert_before",
      text: "open(): void {}\n",
    });
    await call("edit_symbol", {
      symbol: "Router.close",
      path: "a.ts",
      action: "insert_after",
      text: "flush(): void {\n  this.close();\n}",
    });
    expect(String(await bytes("a.ts"))).toBe(
      ROUTER.replace("  /** Matches", "  open(): void {}\n\n  /** Matches").replace(
        "  close(): void {}\n",
        "  close(): void {}\n\n  flush(): void {\n    this.close();\n  }\n",
      ),
    );
  });

  it.each([
    ["its own indentation", "def close(self):\n    if self.open:\n        self.open = False"],
    ["none on the first line", "def close(self):\n        if self.open:\n            self.open = False"],
    ["that of the file", "    def close(self):\n        if self.open:\n            self.open = False"],
  ])("puts a Python method with %s into its class", async (_what, text) => {
    const before = "class Door:\n    def knock(self):\n        return 1\n\n    def close(self):\n        pass\n";
    const { call, bytes } = await openWorkspace({ "a.py": before });
    const at = { path: "a.py", text };
    const close = "    def close(self):\n        if self.open:\n            self.open = False\n";
    result(await call("edit_symbol", { ...at, symbol: "Door.close", action: "replace" }));
    expect(String(await bytes("a.py"))).toBe(before.replace("    def close(self):\n        pass\n", close));
    result(
      await call("edit_symbol", {
        ...at,
        symbol: "Door.knock",
        action: "insert_before",
        text: text.replace("close", "a"),
      }),
    );
    expect(String(await bytes("a.py"))).toContain(`class Door:\n${close.replace("close", "a")}\n    def knock`);
  });

  it.each([
    "@property\ndef name(\n    self,\n) -> str:\n    def inner():\n        return 1\n    return inner",
    "@property\n    def name(\n        self,\n    ) -> str:\n        def inner():\n            return 1\n        return inner",
  ])("puts a decorated Python method with a long head into its class", async (text) => {
    const { call, bytes } = await openWorkspace({ "a.py": "class Door:\n    def name(self):\n        pass\n" });
    result(await call("edit_symbol", { symbol: "Door.name", path: "a.py", action: "replace", text }));
    expect(String(await bytes("a.py"))).toBe(
      "class Door:\n    @property\n    def name(\n        self,\n    ) -> str:\n        def inner():\n            return 1\n        return inner\n",
    );
  });

  it("keeps CRLF", async () => {
    const { call, bytes } = await openWorkspace({ "a.ts": "function a() {\r\n  1;\r\n}\r\nfunction b() {}\r\n" });
    await call("edit_symbol", { symbol: "a", path: "a.ts", action: "replace", text: "function a() {\n  2;\n}" });
    expect(String(await bytes("a.ts"))).toBe("function a() {\r\n  2;\r\n}\r\nfunction b() {}\r\n");
  });

  it("deletes what nobody uses, with its comments, and tells uses first", async () => {
    const { call, bytes } = await openWorkspace({ "a.ts": ROUTER, "b.ts": "helper();\n" });
    await call("edit_symbol", { symbol: "Router.match", path: "a.ts", action: "delete" });
    expect(String(await bytes("a.ts"))).toBe(ROUTER.replace(/ {2}\/\*\* Matches[^]*?\n\n/, ""));
    expect(failed(await call("edit_symbol", { symbol: "helper", path: "a.ts", action: "delete" }))).toMatchObject({
      type: "conflict",
      message: "helper has 2 uses, by its name alone. Nothing was changed.\n  a.ts:12: helper();\n  b.ts:1: helper();",
    });
    result(await call("edit_symbol", { symbol: "helper", path: "a.ts", action: "delete", even_if_used: true }));
    expect(String(await bytes("a.ts"))).not.toContain("function helper");
  });

  it("must know what it replaces, not what it inserts next to", async () => {
    const { call } = await openWorkspace({ "a.ts": ROUTER });
    const must = { as: "model", reads: "must", session: "one" } as const;
    const replace = { symbol: "helper", path: "a.ts", action: "replace", text: "function helper(): void { return; }" };
    // It quotes nothing, so nothing tells it to quote.
    expect(failed(await call("edit_symbol", replace, must))).toMatchObject({
      type: "must_read",
      hint: "Read it first (at least the lines to replace), then call again.",
    });
    result(await call("edit_symbol", { ...replace, action: "insert_after", text: "function more() {}" }, must));
    result(await call("read", { path: "a.ts" }, must));
    result(await call("edit_symbol", replace, must));
  });

  it("does not guess which part of a property or which overload is meant", async () => {
    const text = "class C {\n  get x() { return 1; }\n  set x(v) {}\n}\n";
    const { call, bytes } = await openWorkspace({ "a.ts": text });
    const input = { symbol: "C.x", path: "a.ts", action: "replace", text: "get x() { return 2; }" };
    expect(failed(await call("edit_symbol", input)).type).toBe("not_unique");
    result(await call("edit_symbol", { ...input, line: 2 }));
    expect(String(await bytes("a.ts"))).toBe(text.replace("return 1", "return 2"));
  });

  it("does not delete what may have uses in files that were not parsed", async () => {
    const { call, bytes } = await openWorkspace({
      "a.ts": "export function same() {}\n",
      ...Object.fromEntries(Array.from({ length: 301 }, (_, index) => [`b/f${index}.ts`, "// same\n"])),
    });
    const input = { symbol: "same", path: "a.ts", action: "delete" };
    expect(failed(await call("edit_symbol", input))).toMatchObject({
      type: "conflict",
      message:
        "No use of same was found, but there may be some: Only 300 of 302 files with same were parsed. Nothing was changed.",
    });
    result(await call("edit_symbol", { ...input, even_if_used: true }));
    expect(String(await bytes("a.ts"))).toBe("");
  });

  it("is undone like every change", async () => {
    const { call, changes, files, bytes } = await openWorkspace({ "a.ts": ROUTER });
    await call("edit_symbol", { symbol: "limit", path: "a.ts", action: "delete" }, { session: "s", turn: "t" });
    expect(String(await bytes("a.ts"))).not.toContain("limit");
    const who = { session: "s", turn: "u", callId: "u", door: "api", summary: "Undo" } as const;
    await changes.undo(who, { session: "s", turn: "t" }, files, new AbortController().signal);
    expect(String(await bytes("a.ts"))).toBe(ROUTER);
  });

  it("refuses what it cannot do, and changes nothing", async () => {
    const { call, bytes } = await openWorkspace({ "a.ts": "const a = 1, b = 2;\nfunction f() {}\n" });
    const input = { path: "a.ts", action: "replace", text: "x" };
    expect(failed(await call("edit_symbol", { ...input, symbol: "b" })).message).toMatch(
      /^b shares its lines \(1-1\) with a\./,
    );
    expect(failed(await call("edit_symbol", { ...input, symbol: "nope" })).type).toBe("not_found");
    expect(failed(await call("edit_symbol", { ...input, symbol: "f", text: "" })).type).toBe("invalid_input");
    expect(failed(await call("edit_symbol", { ...input, symbol: "f", action: "delete" })).type).toBe("invalid_input");
    expect(failed(await call("edit_symbol", { ...input, symbol: "f", text: "function f() {}" })).message).toContain(
      "already so",
    );
    expect(String(await bytes("a.ts"))).toBe("const a = 1, b = 2;\nfunction f() {}\n");
  });

  it.each([
    ["a.ts", "const a = 1, b = 2;\n", "a"],
    ["a.ts", "const a = 1, b = 2;\n", "b"],
    ["a.ts", "const a = 1,\n  b = 2;\n", "a"],
    ["a.ts", "const a = 1,\n  b = 2;\n", "b"],
    ["a.ts", "function a() {} function b() {}\n", "a"],
    ["a.java", "class C {\n  int a = 1,\n      b = 2;\n}\n", "a"],
    ["a.go", "package p\n\nvar a, b = 1, 2\n", "a"],
    ["a.go", "package p\n\nvar a, b = 1, 2\n", "b"],
    ["a.go", "package p\n\ntype P struct {\n\ta, b int\n}\n", "P.b"],
    ["a.py", "a = b = 1\n", "a"],
    ["a.py", "a = b = 1\n", "b"],
    ["a.py", "a = 1; b = 2\n", "a"],
    ["a.rb", "def a; end; def b; end\n", "b"],
  ])("takes no neighbour of the same declaration or line in %s: %j, %s", async (path, text, symbol) => {
    const { call, bytes } = await openWorkspace({ [path]: text });
    const input = { symbol, path, even_if_used: true };
    for (const action of [{ action: "delete" }, { action: "replace", text: "c" }]) {
      expect(failed(await call("edit_symbol", { ...input, ...action }))).toMatchObject({
        type: "unsupported",
        message: expect.stringMatching(/ shares its lines .*Nothing was changed\.$/s) as string,
        hint: "Use edit, with the exact text to change.",
      });
    }
    expect(String(await bytes(path))).toBe(text);
  });

  it.each([
    ["const a = 1,\n  b = 2,\n  c = 3;\n", "b", "const a = 1,\n  c = 3;\n"],
    ["enum E {\n  A,\n  B\n}\n", "E.B", "enum E {\n  A,\n}\n"],
    ["enum E {\n  A,\n  B\n}\n", "E.A", "enum E {\n  B\n}\n"],
  ])("cuts exactly one of a list: %j without %s", async (text, symbol, after) => {
    const { call, bytes } = await openWorkspace({ "a.ts": text });
    result(await call("edit_symbol", { symbol, path: "a.ts", action: "delete", even_if_used: true }));
    expect(String(await bytes("a.ts"))).toBe(after);
  });

  it.each([
    ["a.ts", "class A {\n  #count = 0;\n", "  close() {}\n", "}\n", "A.close"],
    ["a.ts", "class A {\n  *items() { yield 1; }\n", "  close() {}\n", "}\n", "A.close"],
    ["a.ts", "class A {\n  [Symbol.iterator]() { return 1; }\n", "  close() {}\n", "}\n", "A.close"],
    ["a.ts", "class A {\n  @Input() name = 1;\n", "  @Input()\n  age = 2;\n", "}\n", "A.age"],
    ["a.ts", "/* x */ run();\n", "/** Says.\n\n * More. */\nfunction f() {}\n", "", "f"],
    ["a.ts", "class A {\n", "  @On('x', [\n    ')',\n  ])\n  // Why.\n  close() {}\n", "}\n", "A.close"],
    ["a.py", "x = 1\n", "# f(\n@app.route('/')  # here\ndef f():\n    pass\n", "", "f"],
    ["a.rs", "#![allow(a)]\n", "#[derive(\n    Debug,\n)]\nstruct S {\n    n: i32,\n}\n", "", "S"],
    ["a.cs", "class A {\n  int n;\n", "  [Test]\n  [Case(1,\n    2)]\n  void F() {}\n", "}\n", "A.F"],
    ["a.cpp", "#define X 1\n", "// Says.\nvoid f() {}\n", "", "f"],
  ])(
    "deletes what belongs to a declaration, and not what stands above it in %s: %j",
    async (path, above, own, below, symbol) => {
      const { call, bytes } = await openWorkspace({ [path]: above + own + below });
      result(await call("edit_symbol", { symbol, path, action: "delete", even_if_used: true }));
      expect(String(await bytes(path))).toBe(above + below);
    },
  );

  it("replaces what has a decorator of several lines from its own first line on", async () => {
    const text = "@Component({\n  selector: 'x',\n})\nclass A {}\n";
    const { call, bytes } = await openWorkspace({ "a.ts": text });
    result(await call("edit_symbol", { symbol: "A", path: "a.ts", action: "replace", text: "class A { n = 1 }" }));
    expect(String(await bytes("a.ts"))).toBe(text.replace("{}", "{ n = 1 }"));
  });
});
