import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { ownCertificate } from "../../harness/ownCertificate";
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
    const folder = mkdtempSync(join(tmpdir(), "toolhost-certificate-"));
    let proxy: Server;
    let secure: Server;
    const setting = (name: string, value: unknown): Thenable<void> =>
      vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);

    const portOf = (server: Server): number => (server.address() as { port: number }).port;
    const found = (title: string): string =>
      JSON.stringify({ results: [{ title, url: "http://a.example/", content: "x" }] });

    before(async () => {
      proxy = createServer((request, response) => {
        asked.push(`${request.method} ${request.url}`);
        response.setHeader("content-type", "application/json").end(found("Of the proxy"));
      });
      // Every name leads to the same server in the proxy's network.
      proxy.on("connect", (request, socket) => {
        asked.push(`CONNECT ${request.url}`);
        const through = connect(portOf(secure), "127.0.0.1", () => {
          socket.write("HTTP/1.1 200 OK\r\n\r\n");
          through.pipe(socket).pipe(through);
        });
        through.on("error", () => socket.destroy());
        socket.on("error", () => through.destroy());
      });
      secure = createSecureServer(ownCertificate(folder), (_request, response) =>
        response.setHeader("content-type", "application/json").end(found("Of the tunnel")),
      );
      for (const server of [proxy, secure]) {
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      }
      await setting("http.proxy", `http://127.0.0.1:${portOf(proxy)}`);
      await setting("toolhost.web.searchUrl", "http://search.test.example");
      await setting("toolhost.web.searchProvider", "searxng");
    });

    after(async () => {
      const own = ["http.proxy", "http.proxyStrictSSL", "toolhost.web.searchUrl", "toolhost.web.searchProvider"];
      for (const name of own) {
        await setting(name, undefined);
      }
      for (const server of [proxy, secure]) {
        server.closeAllConnections();
        server.close();
      }
      rmSync(folder, { recursive: true });
    });

    it("sends through it to a name that only the proxy knows", async () => {
      // The user's own search service is not asked about, so that nobody has to answer.
      assert.match(await toolText("web_search", { query: "cabbages" }), /Of the proxy/);
      assert.match(asked.join("\n"), /^GET http:\/\/search\.test\.example\/search\?.*cabbages/);
    });

    it("tunnels https through it, and trusts what VS Code is told to trust", async () => {
      await setting("toolhost.web.searchUrl", "https://search.test.example");
      assert.match(
        await toolText("web_search", { query: "cabbages" }),
        /^Error \(unavailable\): .*its certificate is not trusted/,
      );
      await setting("http.proxyStrictSSL", false);
      assert.match(await toolText("web_search", { query: "cabbages" }), /Of the tunnel/);
      assert.match(asked.join("\n"), /\nCONNECT search\.test\.example:443/);
    });
  });
});
