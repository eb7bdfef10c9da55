import { expect, it } from "vitest";
import { declaredBy, isPlainName } from "../../../src/text/declaringLine.js";

it.each([
  ["export default abstract class Router<T> {", "class"],
  ["  async function Router() {", "function"],
  ["func (r *R) Router(s string) {", "func"],
  ["    def Router(self):", "def"],
  ["pub(crate) fn Router() {", "fn"],
  ["export const Router = 1;", "const"],
  ["type Router = string;", "type"],
])("%s", (line, kind) => {
  expect(declaredBy(line, "Router")).toBe(kind);
});

it.each([
  "new Router();",
  "// class Router",
  "class RouterTable {",
  "import { Router } from 'x';",
  "return Router;",
  "x".repeat(2_000),
])("%s declares nothing of that name", (line) => {
  expect(declaredBy(line, "Router")).toBeUndefined();
});

it("knows what is a name alone", () => {
  expect(["Router", "get_x", "$x1"].every(isPlainName)).toBe(true);
  expect(["a", "a.b", "class Router", "Rou.*", ""].some(isPlainName)).toBe(false);
});
