import assert from "node:assert/strict";
import * as vscode from "vscode";
import { toolText } from "../tool";

describe("web_search in VS Code", () => {
  const setting = (name: string, value: string | undefined): Thenable<void> =>
    vscode.workspace.getConfiguration("toolhost.web").update(name, value, vscode.ConfigurationTarget.Global);

  afterEach(async () => {
    await setting("searchProvider", undefined);
    await setting("searchUrl", undefined);
  });

  it("is not there without a service, and asks one that is chosen while the window is open", async () => {
    assert.match(
      await toolText("web_search", { query: "x" }),
      /^Error \(unavailable\): web_search: no search service is set up\./,
    );
    await setting("searchUrl", "http://127.0.0.1:9");
    await setting("searchProvider", "searxng");
    // VS Code's own question, which it answers with yes here, names the service.
    assert.match(
      await toolText("web_search", { query: "x" }),
      /^Error \(unavailable\): http:\/\/127\.0\.0\.1:9: nothing answers there/,
    );
  });
});
