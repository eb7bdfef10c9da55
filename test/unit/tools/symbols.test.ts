import { expect, it } from "vitest";
import { failed, openWorkspace, result } from "./workspace.js";

const ROUTER = `export class Router {
  match(path: string): boolean {
    return path.startsWith("/");
  }
}
export function makeRouter(): Router {
  return new Router();
}
`;

it("outlines a file, nested, with lines and code", async () => {
  const { call } = await openWorkspace({ "src/router.ts": ROUTER });
  const outline = result(await call("symbols", { path: "src/router.ts" }));
  expect(outline.text).toBe(
    `1-5 export class Router {
  2-4 match(path: string): boolean {
6-8 export function makeRouter(): Router {
[3 symbols.]
[By syntax: names were compared, types are not known.]`,
  );
  expect(outline.data).toMatchObject({
    symbols: [
      { name: "Router", kind: "class", container: "", path: "src/router.ts", line: 1, end_line: 5 },
      { name: "match", kind: "method", container: "Router", line: 2, end_line: 4 },
      { name: "makeRouter", kind: "function", line: 6, end_line: 8 },
    ],
    ...{ total: 3, next_offset: null, by: "syntax", partial: false },
  });
});

it("finds symbols of the workspace by name, whole names first, also in unsaved and other languages", async () => {
  const { call } = await openWorkspace({
    "src/router.ts": ROUTER,
    "py/a.py": "class RouterTable:\n    pass\n",
    "notes.md": "Router",
    "b.ts": "// Router\nconst x = 'Router';\n",
  });
  expect(result(await call("symbols", { query: "router" })).text).toBe(
    `class Router, src/router.ts:1-5: export class Router {
class RouterTable, py/a.py:1-2: class RouterTable:
function makeRouter, src/router.ts:6-8: export function makeRouter(): Router {
[3 symbols.]
[By syntax: names were compared, types are not known.]`,
  );
  expect(result(await call("symbols", { query: "Router.mat", kind: "method" })).text).toContain(
    "method Router.match, src/router.ts:2-4",
  );
  expect(result(await call("symbols", { query: "Router", path: "py" })).data).toMatchObject({ total: 1 });
  expect(result(await call("symbols", { query: "nothing" })).text).toBe(
    "[No symbol with nothing in its name.]\n[By syntax: names were compared, types are not known.]",
  );
});

it("pages long lists", async () => {
  const { call } = await openWorkspace({ "a.ts": "function a() {}\n".repeat(5) });
  const first = result(await call("symbols", { path: "a.ts", limit: 2 }));
  expect(first.text).toContain("[Symbols 1-2 of 5. Continue with offset=2.]");
  expect(result(await call("symbols", { path: "a.ts", offset: 4 })).data).toMatchObject({
    total: 5,
    next_offset: null,
  });
});

it("says what it does not know, instead of none", async () => {
  const { call } = await openWorkspace({
    "a.lua": "x = 1",
    "b.ts": "class {{{ (",
    "c.ts": "export function one() {}\nexport function two( {\n",
    "long.ts": `x;${" ".repeat(2_000_001)}`,
  });
  expect(failed(await call("symbols", { path: "a.lua" }))).toMatchObject({
    type: "unsupported",
    message: "No language server or grammar here knows files like a.lua. So it is not known.",
  });
  expect(failed(await call("symbols", { path: "b.ts" }))).toMatchObject({
    type: "unsupported",
    message: "b.ts does not fit TypeScript's grammar. So it is not known.",
  });
  const { text } = result(await call("symbols", { path: "c.ts" }));
  expect(text).toContain("one");
  expect(text).toContain("Parts of the file do not fit");
  expect(failed(await call("symbols", { path: "long.ts" })).message).toContain(
    "long.ts is not parsed, since it has more than",
  );
  expect(failed(await call("symbols", {})).type).toBe("invalid_input");
  expect(failed(await call("symbols", { path: "nope.ts" })).type).toBe("not_found");
});
