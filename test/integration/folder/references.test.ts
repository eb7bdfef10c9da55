import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import * as vscode from "vscode";
import { inWorkspace, openUnsaved, toolText, writeFile } from "../tool";

describe("references in VS Code", () => {
  before(() => {
    writeFile(
      "references/shapes.ts",
      "export interface Shape { area(): number }\nexport class Square implements Shape {\n  area(): number {\n    return 4;\n  }\n}\n",
    );
    writeFile(
      "references/use.ts",
      'import { Square } from "./shapes";\n// Square\nconst square = new Square();\nexport function show(): number {\n  return square.area();\n}\nexport const Circle = { Square: 1 };\nshow();\n',
    );
  });

  it("finds uses of a symbol, not other things of its name", async () => {
    assert.equal(
      await toolText("references", { symbol: "Square", path: "references/shapes.ts" }),
      `3 references of class Square (references/shapes.ts:2) in 2 files:
references/shapes.ts
  2: export class Square implements Shape {
references/use.ts
  1: import { Square } from "./shapes";
  3: const square = new Square();`,
    );
  });

  it("finds definitions with types, implementations and callers", async () => {
    const definition = await toolText("references", {
      symbol: "square.area(",
      path: "references/use.ts",
      line: 5,
      kind: "definition",
      detail: true,
    });
    assert.match(
      definition,
      /^1 definition of area \(references\/use\.ts:5\):\nreferences\/shapes\.ts\n {2}3-5: area\(\): number \{\n/,
    );
    assert.match(definition, /\(method\) Square\.area\(\): number/);
    assert.match(
      await toolText("references", { symbol: "Shape.area", path: "references/shapes.ts", kind: "implementations" }),
      /^1 implementation of method Shape\.area \(references\/shapes\.ts:1\):\nreferences\/shapes\.ts\n {2}3: area/,
    );
    assert.equal(
      await toolText("references", { symbol: "Square.area", path: "references/shapes.ts", kind: "callers", depth: 2 }),
      "2 callers of method Square.area (references/shapes.ts:3) in 1 file:\nshow, references/use.ts:5: return square.area();\n  top level, references/use.ts:8: show();",
    );
  });

  it("finds uses in projects that the server has not read", async () => {
    for (const project of ["lib", "app"]) {
      writeFile(`references/parts/${project}/tsconfig.json`, '{ "include": ["*.ts"] }');
    }
    writeFile("references/parts/lib/tool.ts", "export function sharpen(): void {}\n");
    writeFile("references/parts/app/main.ts", 'import { sharpen } from "../lib/tool";\nsharpen();\n');
    const wanted = { symbol: "sharpen", path: "references/parts/lib/tool.ts" };
    assert.match(
      await toolText("references", wanted),
      /^3 references of function sharpen [^]*\nreferences\/parts\/app\/main\.ts\n {2}1: import [^\n]*\n {2}2: sharpen\(\);\n/,
    );
    assert.match(
      await toolText("rename_symbol", { ...wanted, new_name: "whet" }),
      /^Renamed sharpen to whet: 3 places in 2 files\./,
    );
    rmSync(inWorkspace("references/parts"), { recursive: true });
  });

  it("sees unsaved text", async () => {
    const document = await openUnsaved(
      writeFile("references/typed.ts", "export const one = 1;\n"),
      "function typed() {}\ntyped();\n",
    );
    assert.match(
      await toolText("references", { symbol: "typed", path: "references/typed.ts" }),
      /^2 references of function typed/,
    );
    await document.save();
  });

  it("finds uses after the language server was killed", async () => {
    const wanted = { symbol: "Square", path: "references/shapes.ts" };
    assert.match(await toolText("references", wanted), /^3 references of class Square/);
    const servers = readdirSync("/proc")
      .filter((id) => /^\d+$/.test(id) && isServer(id))
      .map(Number);
    assert.ok(servers.length > 0, "TypeScript's server runs");
    servers.forEach((id) => process.kill(id, "SIGKILL"));
    assert.match(await toolText("references", wanted), /^3 references of class Square/);
  });

  it("says that there are none", async () => {
    writeFile("references/alone.ts", "export interface Alone { x: number }\n");
    assert.equal(
      await toolText("references", { symbol: "Alone", path: "references/alone.ts", kind: "implementations" }),
      "No implementation of interface Alone (references/alone.ts:1).",
    );
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });
});

/** Whether a process is a TypeScript server of this window. */
function isServer(id: string): boolean {
  try {
    const parent = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1];
    return Number(parent) === process.pid && readFileSync(`/proc/${id}/cmdline`, "utf8").includes("tsserver");
  } catch {
    return false;
  }
}
