import assert from "node:assert/strict";
import * as vscode from "vscode";
import { openUnsaved, toolText, writeFile } from "../tool";

const SHAPES = `export interface Shape { area(): number }
export class Square implements Shape {
  constructor(readonly side: number) {}
  area(): number {
    return this.side ** 2;
  }
}
`;

describe("symbols in VS Code", () => {
  before(() => {
    writeFile("symbols/shapes.ts", SHAPES);
  });

  it("outlines a file as the language server knows it, unsaved text included", async () => {
    const outline = await toolText("symbols", { path: "symbols/shapes.ts" });
    assert.match(outline, /^1 export interface Shape \{ area\(\): number \}\n {2}1 export/);
    assert.match(outline, /\n2-7 export class Square implements Shape \{\n/);
    assert.match(outline, /\n {2}4-6 area\(\): number \{\n/);
    assert.match(outline, /\n\[\d symbols\.\]$/);
    const uri = writeFile("symbols/typed.ts", "export const old = 1;\n");
    const document = await openUnsaved(uri, "export function typed() {}\n");
    assert.match(
      await toolText("symbols", { path: "symbols/typed.ts" }),
      /^1 export function typed\(\) \{\}\n2 export const old/,
    );
    await document.save();
  });

  it("finds symbols of the workspace by name", async () => {
    const found = await toolText("symbols", { query: "Square", path: "symbols" });
    assert.match(found, /^class Square, symbols\/shapes\.ts:2-7: export class Square implements Shape \{\n/);
  });

  it("tells by syntax where no server knows the language, and that nothing does", async () => {
    writeFile("symbols/a.go", "package a\n\nfunc Run() {\n}\n");
    assert.equal(
      await toolText("symbols", { path: "symbols/a.go" }),
      "3-4 func Run() {\n[1 symbol.]\n[By syntax: names were compared, types are not known.]",
    );
    writeFile("symbols/a.lua", "x = 1\n");
    assert.match(
      await toolText("symbols", { path: "symbols/a.lua" }),
      /^Error \(unsupported\): No language server or grammar here knows files like symbols\/a\.lua\. So it is not known\./,
    );
    writeFile("symbols/empty.ts", "\n");
    assert.equal(await toolText("symbols", { path: "symbols/empty.ts" }), "[No symbol.]");
  });

  it("waits until VS Code has seen what a program wrote", async () => {
    const uri = writeFile("symbols/written.ts", "export const before = 1;\n");
    const document = await vscode.workspace.openTextDocument(uri);
    for (const name of ["once", "twice"]) {
      writeFile("symbols/written.ts", `// longer\nexport function ${name}() {}\n`);
      assert.equal(
        await toolText("symbols", { path: "symbols/written.ts" }),
        `2 export function ${name}() {}\n[1 symbol.]`,
      );
      assert.match(document.getText(), new RegExp(name));
    }
  });

  it("asks no server about a file of more than 20 MB, and says so", async () => {
    writeFile("symbols/huge.ts", "export const a = 1;\n".repeat(1_050_000));
    assert.match(
      await toolText("symbols", { path: "symbols/huge.ts" }),
      /^Error \(too_large\): symbols\/huge\.ts has 21000000 bytes; language servers are asked about files of up to \d+ bytes\./,
    );
    writeFile("symbols/huge.ts", "");
  });

  it("names a server that does not answer", async () => {
    // A provider that never answers, for a language of the test.
    const hanging = vscode.languages.registerDocumentSymbolProvider(
      { language: "plaintext" },
      { provideDocumentSymbols: () => new Promise(() => undefined) },
    );
    try {
      writeFile("symbols/hangs.txt", "x\n");
      assert.match(
        await toolText("symbols", { path: "symbols/hangs.txt" }),
        /^Error \(unavailable\): The language server for plaintext has not answered within 20 s\. So it is not known\./,
      );
    } finally {
      hanging.dispose();
    }
  });
});
