import assert from "node:assert/strict";
import { toolText, writeFile } from "../tool";

describe("diagnostics in VS Code", () => {
  it("has a closed file checked, and says when there is none", async () => {
    writeFile("diagnostics/tsconfig.json", '{ "include": ["*.ts"] }');
    writeFile("diagnostics/bad.ts", 'export const a: number = "text";\n');
    writeFile("diagnostics/good.ts", "export const b = 1;\n");
    assert.equal(
      await toolText("diagnostics", { path: "diagnostics/bad.ts" }),
      "diagnostics/bad.ts:1:14 error: Type 'string' is not assignable to type 'number'. (ts 2322)\n[1 problem.]",
    );
    assert.equal(
      await toolText("diagnostics", { path: "diagnostics/good.ts" }),
      "[No problem in diagnostics/good.ts.]",
    );
    assert.match(
      await toolText("diagnostics", { path: "diagnostics", severity: "error" }),
      /^diagnostics\/bad\.ts:1:14 error: [^\n]*\n\[1 problem\.\]\n\[Most servers check only files that are open\. Give a file to have it checked\.\]$/,
    );
  });

  it("does not say that there is none where nobody checks", async () => {
    writeFile("diagnostics/a.lua", "x = 1\n");
    assert.equal(
      await toolText("diagnostics", { path: "diagnostics/a.lua" }),
      "[No problem reported in diagnostics/a.lua, but no server was seen to check it.]",
    );
  });
});
