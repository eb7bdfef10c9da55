// Every rule of oxlint.config.ts says something of the fault that it is there for: a new version may lose one.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import config from "../../../oxlint.config.js";

const repository = join(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "toolhost-lint-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What TypeScript itself has nothing against, and one rule has. */
const faults: Record<string, string> = {
  "no-var": "var a = 1; export const b = a;",
  "prefer-const": "let a = 1; export const b = a;",
  "prefer-rest-params": "export function f() { return arguments[0] as number; }",
  "prefer-spread": "export const f = (a: number[]) => Math.max.apply(Math, a);",
  "typescript/await-thenable": "export const f = async () => { await 1; };",
  "typescript/ban-ts-comment": "// @ts-ignore\nexport const a: number = 1;",
  "no-array-constructor": "export const a: number[] = new Array(1, 2);",
  "typescript/no-array-delete": "export const f = (a: number[]) => { delete a[0]; };",
  "typescript/no-base-to-string": "export const f = (a: object) => `${String(a)}`;",
  "typescript/no-duplicate-enum-values": "export enum E { A = 1, B = 1 }",
  "typescript/no-duplicate-type-constituents": "export type A = string | string;",
  "typescript/no-empty-object-type": "export type A = {};",
  "typescript/no-explicit-any": "export const f = (a: any): void => void a;",
  "typescript/no-extra-non-null-assertion": "export const f = (a: string | undefined) => a!!.length;",
  "typescript/no-floating-promises": "export const f = () => { Promise.resolve(1); };",
  "typescript/no-for-in-array": "export const f = (a: number[]) => { for (const b in a) void b; };",
  "typescript/no-implied-eval": 'export const f = () => new Function("return 1");',
  "typescript/no-misused-new": "export interface A { new (): A; }",
  "typescript/no-misused-promises": "export const f = async (a: Promise<number>) => { if (a) await a; };",
  "typescript/no-namespace": "export namespace A { export const b = 1; }",
  "typescript/no-non-null-asserted-optional-chain": "export const f = (a?: { b: string }) => a?.b!;",
  "typescript/no-redundant-type-constituents": "export type A = unknown | string;",
  "typescript/no-require-imports": 'export const a = require("node:fs") as object;',
  "typescript/no-this-alias": "export class A { f() { const a = this; return a; } }",
  "typescript/no-unnecessary-type-assertion": "export const f = (a: string) => a as string;",
  "typescript/no-unnecessary-type-constraint": "export const f = <T extends unknown>(a: T) => a;",
  "typescript/no-unsafe-argument": 'export const f = () => parseInt(JSON.parse("1"));',
  "typescript/no-unsafe-assignment": 'export const f = () => { const a = JSON.parse("1"); void a; };',
  "typescript/no-unsafe-call": 'export const f = () => { JSON.parse("1")(); };',
  "typescript/no-unsafe-declaration-merging": "export interface A { b: string }\nexport class A {}",
  "typescript/no-unsafe-enum-comparison": "enum E { A = 1 }\nexport const f = (a: E, b: number) => a === b;",
  "typescript/no-unsafe-function-type": "export const f = (a: Function): void => void a;",
  "typescript/no-unsafe-member-access": 'export const f = () => void JSON.parse("1").a;',
  "typescript/no-unsafe-return": 'export const f = (): number => JSON.parse("1");',
  "typescript/no-unsafe-unary-minus": "export const f = (a: string) => -a;",
  "no-unused-expressions": "export const f = (a: number) => { a + 1; };",
  "no-unused-vars": "const a = 1; export {};",
  "typescript/no-wrapper-object-types": "export const f = (a: String) => a;",
  "typescript/only-throw-error": 'export const f = () => { throw "a"; };',
  "typescript/prefer-as-const": 'export const a: "b" = "b";',
  "typescript/prefer-namespace-keyword": "declare module A { const b: number; }\nexport type C = typeof A.b;",
  "typescript/prefer-promise-reject-errors": 'export const f = () => Promise.reject("a");',
  "typescript/restrict-plus-operands": "export const f = (a: number, b: string[]) => a + b;",
  "typescript/restrict-template-expressions": "export const f = (a: object) => `${a}`;",
  "typescript/triple-slash-reference": '/// <reference path="./other.ts" />\nexport {};',
  "typescript/unbound-method":
    "class A { b() { return this; } }\nexport const f = (a: A) => { const { b } = a; return b; };",
  "typescript/no-non-null-assertion": "export const f = (a: string | undefined) => a!;",
  "typescript/consistent-type-imports": 'import { Stats } from "node:fs";\nexport type A = Stats;',
  "typescript/switch-exhaustiveness-check":
    'export const f = (a: "b" | "c") => { switch (a) { case "b": return 1; } return 2; };',
  eqeqeq: "export const f = (a: string, b: string) => a == b;",
  "import/no-default-export": "export default 1;",
  "house/layers": 'import "../tools/index.js";',
  "house/schemas-on-use": 'import { z } from "zod";\nexport const a = z.string();',
  "no-restricted-globals": "export const a = process.pid;",
};

/** Each rule's fault in a file of src/core, as this repository is linted. */
let found: Map<string, string[]>;

beforeAll(() => {
  for (const name of ["node_modules", "scripts"]) symlinkSync(join(repository, name), join(folder, name));
  for (const name of ["oxlint.config.ts", "tsconfig.json"]) cpSync(join(repository, name), join(folder, name));
  mkdirSync(join(folder, "src/core"), { recursive: true });
  for (const [rule, code] of Object.entries(faults)) writeFileSync(join(folder, fileOf(rule)), `${code}\n`);
  const cli = join(repository, "node_modules/oxlint/dist/cli.js");
  const { stdout, stderr } = spawnSync(process.execPath, [cli, "--format", "json"], { cwd: folder, encoding: "utf8" });
  const { diagnostics } = JSON.parse(stdout || stderr) as {
    diagnostics: { code: string; filename: string; severity: string }[];
  };
  found = new Map();
  for (const { code, filename, severity } of diagnostics) {
    if (severity === "error") found.set(filename, [...(found.get(filename) ?? []), code]);
  }
});

describe("lint", () => {
  it("has a fault here for every rule that is on", () => {
    const on = (config.overrides ?? []).flatMap(({ rules }) => Object.keys(rules ?? {}));
    expect(Object.keys(faults).sort()).toEqual([...new Set(on)].sort());
  });

  it.each(Object.keys(faults))("%s fails on its fault", (rule) => {
    expect(found.get(fileOf(rule))).toContain(codeOf(rule));
  });
});

function fileOf(rule: string): string {
  return `src/core/${rule.replace("/", "-")}.ts`;
}

/** How oxlint names a rule in a report. */
function codeOf(rule: string): string {
  const [plugin = "", name = ""] = rule.includes("/") ? rule.split("/") : ["eslint", rule];
  return `${plugin}(${name})`;
}
