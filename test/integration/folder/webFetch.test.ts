import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import * as vscode from "vscode";
import { ASKED, toolText } from "../tool";

describe("web_fetch in VS Code", () => {
  it("asks for each site in our own question", async () => {
    assert.match(await toolText("web_fetch", { url: "http://docs.test.example/" }), ASKED);
  });

  it("refuses this machine without asking", async () => {
    assert.match(await toolText("web_fetch", { url: "http://127.0.0.1:9/" }), /^Error \(denied\): .*nothing was sent/);
  });

  describe("with a proxy in VS Code's settings", () => {
    const asked: string[] = [];
    let proxy: Server;
    const setting = (name: string, value: unknown): Thenable<void> =>
      vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);

    before(async () => {
      proxy = createServer((request, response) => {
        asked.push(`${request.method} ${request.url}`);
        response
          .setHeader("content-type", "application/json")
          .end('{"results": [{"title": "Of the proxy", "url": "http://a.example/", "content": "x"}]}');
      });
      await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
      await setting("http.proxy", `http://127.0.0.1:${(proxy.address() as { port: number }).port}`);
      await setting("toolhost.web.searchUrl", "http://search.test.example");
      await setting("toolhost.web.searchProvider", "searxng");
    });

    after(async () => {
      for (const name of ["http.proxy", "toolhost.web.searchUrl", "toolhost.web.searchProvider"]) {
        await setting(name, undefined);
      }
      proxy.closeAllConnections();
      proxy.close();
    });

    it("sends through it to a name that only the proxy knows", async () => {
      // The user's own search service is not asked about, so that nobody has to answer.
      assert.match(await toolText("web_search", { query: "cabbages" }), /Of the proxy/);
      assert.match(asked.join("\n"), /^GET http:\/\/search\.test\.example\/search\?.*cabbages/);
    });
  });
});
