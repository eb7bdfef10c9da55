import { expect, it } from "vitest";
import { WasmSyntax } from "../../../../src/hosts/node/syntax/wasmSyntax.js";
import { loadParser, syntax } from "../../../harness/grammars.js";

async function symbolsOf(path: string, text: string): Promise<string[]> {
  const scan = await syntax.scan(path, text);
  return (scan?.symbols ?? []).map(({ kind, container, name, nameAt, bases }) =>
    [
      kind,
      [...container, name].join("."),
      `${nameAt.line}:${nameAt.column}`,
      ...(bases.length > 0 ? [bases.join(",")] : []),
    ].join(" "),
  );
}

it("reads the symbols of TypeScript", async () => {
  const text = `import { x } from "y";
export interface Route extends Base<Kind>, Other { path: string; open(): void }
/** Routes. */
@Decorated()
export abstract class Router extends Base<Kind> implements Closable {
  #count = 0;
  constructor(private readonly log: Log, plain: string) { const hidden = 1; }
  get size(): number { return 1; }
  match(path: string): Route { const inner = path; function helper() {} return inner; }
  abstract close(): void;
}
export enum Kind { A, B = 2 }
export type Name = string;
export const table = { a() {} }, find = (x: number) => { const y = x; };
namespace Deep.Er { export const inside = 1; }
const { a, b } = table;
`;
  expect(await symbolsOf("a.ts", text)).toEqual([
    "interface Route 2:18 Base,Other",
    "property Route.path 2:52",
    "method Route.open 2:66",
    "class Router 5:23 Base,Closable",
    "property Router.#count 6:3",
    "method Router.constructor 7:3",
    "property Router.constructor.log 7:32",
    "method Router.size 8:7",
    "method Router.match 9:3",
    "function Router.match.helper 9:61",
    "method Router.close 10:12",
    "enum Kind 12:13",
    "enum member Kind.A 12:20",
    "enum member Kind.B 12:23",
    "type Name 13:13",
    "variable table 14:14",
    "method table.a 14:24",
    "function find 14:34",
    "namespace Deep.Er 15:11",
    "variable Deep.Er.inside 15:34",
  ]);
});

it.each([
  [
    "a.py",
    "class A(Base):\n    size = 1\n    def f(self):\n        x = 1\n\ndef g(): pass\nTOP = 2\n",
    ["class A 1:7 Base", "variable A.size 2:5", "method A.f 3:9", "function g 6:5", "variable TOP 7:1"],
  ],
  [
    "a.go",
    "package p\ntype R struct { n int }\nfunc (r *R) Match(s string) bool { x := 1; return x > 0 }\nfunc New() *R { return nil }\nconst Max = 1\ntype I interface { Do() }\n",
    [
      "type R 2:6",
      "field R.n 2:17",
      "method R.Match 3:13",
      "function New 4:6",
      "constant Max 5:7",
      "type I 6:6",
      "method I.Do 6:20",
    ],
  ],
  [
    "A.java",
    "class A extends B implements C { int n = 1; A() {} void f() { int x = 1; } }\ninterface I extends J { void g(); }\nenum E { ONE }",
    [
      "class A 1:7 B,C",
      "field A.n 1:38",
      "constructor A.A 1:45",
      "method A.f 1:57",
      "interface I 2:11 J",
      "method I.g 2:30",
      "enum E 3:6",
      "enum member E.ONE 3:10",
    ],
  ],
  [
    "a.rs",
    "struct S { n: i32 }\ntrait T { fn f(&self); }\nimpl T for S { fn f(&self) { let x = 1; } }\nconst M: i32 = 1;\nmod m { fn g() {} }\n",
    [
      "struct S 1:8",
      "field S.n 1:12",
      "interface T 2:7",
      "method T.f 2:14",
      "implementation S 3:12 T",
      "method S.f 3:19",
      "constant M 4:7",
      "module m 5:5",
      "function m.g 5:12",
    ],
  ],
  [
    "a.cs",
    "namespace N { class A : B, I { int n; public int P { get; set; } void F() { var x = 1; } } }",
    ["namespace N 1:11", "class N.A 1:21 B,I", "field N.A.n 1:36", "property N.A.P 1:50", "method N.A.F 1:71"],
  ],
  [
    "a.cpp",
    "namespace n { class A : public B { int f(); };\nint A::f() { int x = 1; return x; }\n}\nstruct P { int x; };\n#define M 1\nvoid* g(P p) { return 0; }\n",
    ["namespace n 1:11", "class n.A 1:21 B", "function n.A.f 2:8", "struct P 4:8", "macro M 5:9", "function g 6:7"],
  ],
  [
    "a.php",
    "<?php\nclass A extends B implements C { function f() {} }\nfunction g() {}\n",
    ["class A 2:7 B,C", "method A.f 2:43", "function g 3:10"],
  ],
  [
    "a.rb",
    "module M\n  class A < B\n    def f; end\n    def self.g; end\n  end\nend\n",
    ["module M 1:8", "class M.A 2:9 B", "method M.A.f 3:9", "method M.A.g 4:14"],
  ],
  [
    "a.js",
    "class A extends B { f() {} x = 1 }\nexport function g() {}\nconst h = async () => {};\n",
    ["class A 1:7 B", "method A.f 1:21", "property A.x 1:28", "function g 2:17", "function h 3:7"],
  ],
])("reads the symbols of %s", async (path, text, expected) => {
  expect(await symbolsOf(path, text)).toEqual(expected);
});

it("finds the uses of a name, but not in comments and texts", async () => {
  const text =
    'import { run } from "run";\n// run\nconst a = "run";\nrun(1);\nthing.run(2);\nnew Box(run);\nfunction run() {}\n`run ${run}`;\n';
  const scan = await syntax.scan("a.ts", text, "run");
  expect(scan?.uses.map(({ range, isCall, isDeclaration }) => [range.start.line, isCall, isDeclaration])).toEqual([
    [1, false, false],
    [4, true, false],
    [5, true, false],
    [6, false, false],
    [7, false, true],
    [8, false, false],
  ]);
});

it.each([
  ["a.ts", "a.go!(1);\ngo!(1);\ngo<T>(1);\na?.go?.(1);\n(go)(1);\n@go class A {}\n", [1, 2, 3, 4, 5, 6]],
  ["a.ts", "f(go!);\nf((go));\nif (go) {}\nf<go>(1);\ngo.f(1);\ngo!.f(1);\n", []],
  ["a.rs", "fn f() {\n  go::<T>(1);\n  a.go::<T>(1);\n  x::go(1);\n  go::x(1);\n}\n", [2, 3, 4]],
  ["a.cpp", "void f() {\n  go<T>(1);\n  a.go<T>(1);\n  n::go<T>(1);\n  f<go>(1);\n}\n", [2, 3, 4]],
  ["a.cs", "class A { void f() {\n  go<T>(1);\n  a.go<T>(1);\n  a?.go(1);\n  go?.f(1);\n} }\n", [2, 3, 4]],
  ["a.java", "class A { void f() {\n  go(1);\n  a.<T>go(1);\n  go.f(1);\n} }\n", [2, 3]],
  ["a.rb", "go(1)\na.go(1)\ngo.f(1)\n", [1, 2]],
  ["a.py", "go(1)\na.go(1)\nf(go)\n@a.go\ndef g(): pass\n", [1, 2, 4]],
])("tells calls from other uses in %s: %j", async (path, text, expected) => {
  const scan = await syntax.scan(path, text, "go");
  expect(scan?.uses.filter(({ isCall }) => isCall).map(({ range }) => range.start.line)).toEqual(expected);
});

it("says where a text does not fit the grammar, and still reads the rest", async () => {
  const scan = await syntax.scan("a.ts", "class A { f( }\nfunction g() {}\n}}}\n");
  expect(scan?.hasErrors).toBe(true);
  expect(scan?.symbols.map(({ name }) => name)).toContain("g");
});

it("counts lines as editors do, and columns in code units", async () => {
  const scan = await syntax.scan("a.ts", "const a = 1;\r/* 😀 */ const b = 2;\r\nconst c = 3;");
  expect(scan?.symbols.map(({ nameAt }) => nameAt)).toEqual([
    { line: 1, column: 7 },
    { line: 2, column: 16 },
    { line: 3, column: 7 },
  ]);
});

it("does not know every language, and parses no text that is too long", async () => {
  expect(syntax.languageOf("a.lua")).toBeUndefined();
  expect(syntax.languageOf("folder/a.TSX")).toBe("TypeScript");
  expect(await syntax.scan("a.ts", " ".repeat(2_000_001))).toBeUndefined();
});

it("tries a grammar again that could not be loaded, and loads it once for several texts", async () => {
  const loaded: string[] = [];
  const again = new WasmSyntax(async (grammar) => {
    loaded.push(grammar);
    if (loaded.length === 1) {
      throw new Error("no such file");
    }
    return loadParser(grammar);
  });
  await expect(again.scan("a.go", "package a\n")).rejects.toThrow("no such file");
  const scans = await Promise.all([again.scan("a.go", "package a\nfunc F() {}\n"), again.scan("b.go", "package b\n")]);
  expect(scans[0]?.symbols.map(({ name }) => name)).toEqual(["F"]);
  expect(loaded).toEqual(["go", "go"]);
});

it("reads each name that a line of Go declares", async () => {
  const text = "package p\n\nvar a, b = 1, 2\n\nconst c, d = 3, 4\n\ntype P struct {\n\tx, y int\n}\n";
  expect((await syntax.scan("a.go", text))?.symbols.map(({ name }) => name)).toEqual([
    "a",
    "b",
    "c",
    "d",
    "P",
    "x",
    "y",
  ]);
});
