import { expect, it } from "vitest";
import { failed, openWorkspace, result } from "./workspace.js";

const SYNTAX = "[By syntax: names were compared, types are not known.]";
const FILES = {
  "src/router.ts": `export interface Matcher { match(path: string): boolean }
export class Router implements Matcher {
  match(path: string): boolean {
    return check(path);
  }
}
export class Fast extends Router {
  match(path: string): boolean {
    return true;
  }
}
function check(path: string): boolean {
  return path !== "";
}
`,
  "src/app.ts": `import { Router } from "./router.js";
// Router is great
const router = new Router();
export function start(): void {
  router.match("/");
}
start();
`,
  "test/router.test.ts": `import { Router } from "../src/router.js";
new Router().match("");
`,
};

it("finds references by name, those in tests apart, without comments", async () => {
  const { call } = await openWorkspace(FILES);
  const found = result(await call("references", { symbol: "Router" }));
  expect(found.text).toBe(`6 references of class Router (src/router.ts:2) in 3 files:
src/app.ts
  1: import { Router } from "./router.js";
  3: const router = new Router();
src/router.ts
  2: export class Router implements Matcher {
  7: export class Fast extends Router {
In tests:
test/router.test.ts
  1: import { Router } from "../src/router.js";
  2: new Router().match("");
${SYNTAX}`);
  expect(found.data).toMatchObject({ symbol: "Router", total: 6, files: 3, by: "syntax" });
});

it("puts what a build wrote behind all else, and takes the source where only a build has the same name", async () => {
  const built = "export class Router {\n}\nexport function start() { new Router(); new Router(); }\n";
  const { call } = await openWorkspace({ ...FILES, "dist/app.js": built, "dist/app.min.js": built });
  const found = result(await call("references", { symbol: "Router" })).text;
  expect(found).toMatch(/^12 references of class Router \(src\/router\.ts:2\) in 5 files:\nsrc\/app\.ts\n/);
  expect(found).toContain(
    'In tests:\ntest/router.test.ts\n  1: import { Router } from "../src/router.js";\n  2: new Router().match("");\nIn build output:\ndist/app.js: 1, 3\ndist/app.min.js: 1, 3\n',
  );
  const callers = result(await call("references", { symbol: "Router", kind: "callers" })).text;
  expect(callers).toContain("In build output:\ndist/app.js: 3\ndist/app.min.js: 3\n");
  const inBuild = result(await call("references", { symbol: "Router", path: "dist/app.js" })).text;
  expect(inBuild).toMatch(/^12 references of class Router \(dist\/app\.js:1\)/);
  expect(inBuild).not.toContain("In build output");
  const calls = result(await call("references", { symbol: "Router", path: "dist/app.js", kind: "callers" })).text;
  expect(calls.match(/start, dist\/app\.js:3: /g)).toHaveLength(1);
});

it("finds definitions, implementations and callers", async () => {
  const { call } = await openWorkspace(FILES);
  expect(
    result(await call("references", { symbol: "router.match(", path: "src/app.ts", line: 5, kind: "definition" })).text,
  ).toContain("src/router.ts\n  1: export interface Matcher");
  expect(result(await call("references", { symbol: "check", kind: "definition" })).text).toBe(
    `1 definition of function check (src/router.ts:12):\nsrc/router.ts\n  12-14: function check(path: string): boolean {\n${SYNTAX}`,
  );
  expect(result(await call("references", { symbol: "Matcher", kind: "implementations" })).text).toBe(
    `2 implementations of interface Matcher (src/router.ts:1) in 1 file:
src/router.ts
  2-6: export class Router implements Matcher {
  7-11: export class Fast extends Router {
${SYNTAX}`,
  );
  expect(result(await call("references", { symbol: "Matcher.match", kind: "implementations" })).data).toMatchObject({
    places: [{ line: 3 }, { line: 8 }],
  });
  expect(result(await call("references", { symbol: "check", kind: "callers", depth: 2 })).text).toBe(
    `4 callers of function check (src/router.ts:12) in 3 files:
Router.match, src/router.ts:4: return check(path);
  start, src/app.ts:5: router.match("/");
  top level, test/router.test.ts:2: new Router().match("");
${SYNTAX}`.replace("4 callers", "3 callers"),
  );
});

it("lists several symbols of a name and never guesses", async () => {
  const { call } = await openWorkspace(FILES);
  expect(failed(await call("references", { symbol: "match" }))).toMatchObject({
    type: "not_unique",
    message: `match is the name of 3 symbols:
- method Matcher.match, src/router.ts:1
- method Router.match, src/router.ts:3
- method Fast.match, src/router.ts:8`,
    hint: "Give its path, its line, or the names around it.",
  });
  for (const symbol of ["Router.match", "Router::match", "Router#match()", "Router/match"]) {
    expect(result(await call("references", { symbol })).text).toContain("method Router.match (src/router.ts:3)");
  }
  expect(result(await call("references", { symbol: "match", path: "src/router.ts", line: 8 })).text).toContain(
    "src/router.ts:8",
  );
});

it("lists some of 500 symbols with one name", async () => {
  const { call } = await openWorkspace(
    Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`src/f${index}.ts`, "export function same() {}\n"])),
  );
  const { type, message } = failed(await call("references", { symbol: "same" }));
  expect(type).toBe("not_unique");
  expect(message).toMatch(
    /^same is the name of at least 300 symbols:\n(?:- function same, src\/f\d+\.ts:1\n){20}and 280 more$/,
  );
});

it("takes overloads as one symbol", async () => {
  const { call } = await openWorkspace({
    "a.ts":
      "function f(a: string): void;\nfunction f(a: number): void;\nfunction f(a: unknown): void {}\nclass C { get x() { return 1; } set x(v) {} }\n",
  });
  expect(result(await call("references", { symbol: "f", kind: "definition" })).text).toContain("function f (a.ts:3)");
  expect(result(await call("references", { symbol: "C.x" })).text).toContain("method C.x (a.ts:4)");
});

it("takes overloads of other languages, which have bodies, as several symbols", async () => {
  const { call } = await openWorkspace({
    "A.java": "class A {\n  void put(int a) {}\n  void put(String b) {}\n}\n",
  });
  expect(failed(await call("references", { symbol: "A.put" })).message).toBe(
    "A.put is the name of 2 symbols:\n- method A.put, A.java:2\n- method A.put, A.java:3",
  );
});

it("lists a class once that extends several bases, and stops at 100 of them", async () => {
  const { call } = await openWorkspace({
    "a.ts": "interface Base {}\ninterface More extends Base {}\nclass Both implements Base, More {}\n",
    "wide.ts": `class Wide {}\n${Array.from({ length: 120 }, (_, index) => `class W${index} extends Wide {}\n`).join("")}`,
  });
  expect(result(await call("references", { symbol: "Base", kind: "implementations" })).text).toContain(
    "2 implementations of interface Base (a.ts:1) in 1 file:\na.ts\n  2: interface More extends Base {}\n  3: class Both",
  );
  const wide = result(await call("references", { symbol: "Wide", kind: "implementations" }));
  expect(wide.data).toMatchObject({ total: 120, partial: true });
  expect(wide.text).toContain("[What extends 21 more classes was not looked for. There may be more.]");
});

it("says where a name is that is not on the given line", async () => {
  const { call } = await openWorkspace(FILES);
  expect(failed(await call("references", { symbol: "router.match", path: "src/app.ts", line: 3 }))).toMatchObject({
    type: "no_match",
    message: "src/app.ts: line 3 does not have router.match.",
    hint: "It is in line 5.",
  });
  expect(failed(await call("references", { symbol: "x", path: "src/app.ts", line: 99 })).message).toBe(
    "src/app.ts has 8 lines, not 99.",
  );
  expect(failed(await call("references", { symbol: "Ruoter", path: "src/router.ts" }))).toMatchObject({
    type: "not_found",
    hint: "Did you mean Router?",
  });
  expect(failed(await call("references", { symbol: "Nothing" })).message).toBe(
    "Nothing: no such symbol is declared in the workspace, by syntax.",
  );
  expect(failed(await call("references", { symbol: "a", line: 3 })).type).toBe("invalid_input");
  expect(failed(await call("references", { symbol: "...", path: "src/app.ts" })).type).toBe("invalid_input");
});

it("does not say which of two places of a line is meant", async () => {
  const { call } = await openWorkspace({ "a.ts": "this.name = name;\nconst name = 1;\n" });
  expect(failed(await call("references", { symbol: "name", path: "a.ts", line: 1 })).message).toBe(
    "a.ts: line 1 has name 2 times (columns 6, 13).",
  );
  expect(result(await call("references", { symbol: "this.name", path: "a.ts", line: 1 })).text).toContain(
    "3 references",
  );
});

it("reads no file that may hold secrets", async () => {
  const { call } = await openWorkspace({
    "a.ts": "export const key = 1;\n",
    "secrets.ts": "",
    ".aws/credentials.ts": "key();\n",
  });
  expect(result(await call("references", { symbol: "key" })).data).toMatchObject({ total: 1 });
});

it("goes on with the next page", async () => {
  const { call } = await openWorkspace({ "a.ts": `function f() {}\n${"f();\n".repeat(10)}` });
  const first = result(await call("references", { symbol: "f", limit: 4 }));
  expect(first.text).toContain("[1-4 of 11. Continue with offset=4.]");
  expect(result(await call("references", { symbol: "f", offset: 8 })).data).toMatchObject({
    next_offset: null,
    places: [{ line: 9 }, {}, {}],
  });
});

it("follows callers to a depth, and says where it stopped", async () => {
  const chain = Array.from({ length: 6 }, (_, index) => `function f${index}() {\n  f${index + 1}();\n}\n`).join("");
  const wide = Array.from({ length: 70 }, (_, index) => `function w${index}() {\n  target();\n}\n`).join("");
  const { call } = await openWorkspace({ "a.js": chain, "b.js": `function target() {}\n${wide}` });
  const callers = async (symbol: string, depth: number): Promise<{ caller: string; depth: number }[]> =>
    (
      result(await call("references", { symbol, kind: "callers", depth })).data as {
        places: { caller: string; depth: number }[];
      }
    ).places;
  expect((await callers("f5", 1)).map((each) => `${each.depth} ${each.caller}`)).toEqual(["1 f4"]);
  expect((await callers("f5", 4)).map((each) => `${each.depth} ${each.caller}`)).toEqual([
    "1 f4",
    "2 f3",
    "3 f2",
    "4 f1",
  ]);
  expect(failed(await call("references", { symbol: "f5", kind: "callers", depth: 5 })).type).toBe("invalid_input");
  const all = result(await call("references", { symbol: "target", kind: "callers", depth: 2 }));
  expect(all.data).toMatchObject({ total: 70, partial: true });
  expect(all.text).toContain("[Callers of only 60 functions were looked for. There may be more.]");
});

it("shows the lines of more files than it holds", async () => {
  const names = Array.from({ length: 45 }, (_, index) => `f${String(index).padStart(2, "0")}.js`);
  const { call } = await openWorkspace({
    "a.js": "export function shared() {}\n",
    ...Object.fromEntries(names.map((name, index) => [name, `shared(${index});\n`])),
  });
  const { data, text } = result(await call("references", { symbol: "shared" }));
  expect(data).toMatchObject({ total: 46, files: 46 });
  expect(names.every((name, index) => text.includes(`\n${name}\n  1: shared(${index});`))).toBe(true);
});

const GO = {
  "shape/shape.go": `package shape

type Shape interface {
	Area() float64
	Name() string
}

type Square struct{ side float64 }

func (s Square) Area() float64 { return s.side }
`,
  "shape/names.go": `package shape

func (s Square) Name() string { return "square" }

type Half struct{}

func (h *Half) Area() float64 { return 0 }
`,
  "other/circle.go": `package other

type Circle struct{}
type Square struct{}

func (c *Circle) Area() float64 { return 3 }
func (c *Circle) Name() string { return "circle" }
func (s *Square) Name() string { return "no shape" }
`,
};

it("finds what implements an interface of Go by the names of its methods, in each package apart", async () => {
  const { call } = await openWorkspace(GO);
  const found = result(await call("references", { symbol: "Shape", kind: "implementations" })).text;
  expect(found).toMatch(
    /^2 implementations of type Shape \(shape\/shape\.go:3\) in 2 files:\nother\/circle\.go\n {2}3: type Circle struct\{\}\nshape\/shape\.go\n {2}8: type Square/,
  );
  expect(found).toContain("methods that come by embedding");
  const name = result(await call("references", { symbol: "Shape.Name", kind: "implementations" })).data as {
    places: { path: string; line: number }[];
  };
  expect(name.places.map(({ path, line }) => `${path}:${line}`)).toEqual(["other/circle.go:7", "shape/names.go:3"]);
});

it("does not say that nothing implements a type of Go that is no interface", async () => {
  const { call } = await openWorkspace(GO);
  for (const symbol of ["Half", "Half.Area"]) {
    expect(failed(await call("references", { symbol, kind: "implementations" }))).toMatchObject({
      type: "unsupported",
      message: expect.stringContaining("So it is not known") as string,
    });
  }
});

it("lists a variable and an interface of one name, and guesses neither", async () => {
  const files = {
    "a.ts":
      "export interface Store { get(): void }\nexport const Store = Symbol('Store');\nexport class Disk implements Store { get() {} }\n",
  };
  const { call } = await openWorkspace(files);
  for (const path of [undefined, "a.ts"]) {
    const input = { symbol: "Store", kind: "implementations", ...(path !== undefined && { path }) };
    const error = failed(await call("references", input));
    expect(error).toMatchObject({ type: "not_unique", hint: expect.stringContaining("its line") as string });
    expect(error.message).toMatch(/interface Store, a\.ts:1\n- variable Store, a\.ts:2/);
  }
  const one = await call("references", { symbol: "Store", path: "a.ts", line: 1, kind: "implementations" });
  expect(result(one).data).toMatchObject({ total: 1, places: [{ line: 3 }] });
});
