import assert from "node:assert/strict";
import * as vscode from "vscode";
import { toolText, writeFile } from "../tool";

describe("code_search in VS Code", () => {
  before(() =>
    writeFile(
      "search/pool.ts",
      "/** Waits until a connection of the pool is free. */\nexport function awaitConnection(): number {\n  return 1;\n}\n",
    ),
  );
  after(() => vscode.workspace.getConfiguration("toolhost").update("codeSearch", undefined, true));

  it("finds code by words, and follows files", async () => {
    assert.match(
      await toolText("code_search", { query: "wait for a free connection" }),
      /^search\/pool\.ts:1-4 awaitConnection\n/,
    );
    writeFile("search/pool.ts", "/** Paints a fence. */\nexport function paintFence(): number {\n  return 1;\n}\n");
    assert.match(await toolText("code_search", { query: "paint the fences" }), /^search\/pool\.ts:1-4 paintFence\n/);
  });

  it("makes no index where the user has turned it off", async () => {
    await vscode.workspace.getConfiguration("toolhost").update("codeSearch", "off", true);
    assert.match(await toolText("code_search", { query: "paint" }), /The setting toolhost\.codeSearch is off\./);
  });
});
