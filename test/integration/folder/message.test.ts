// Messages inside VS Code: the window, channels of the user's settings, and none of a workspace's.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import * as vscode from "vscode";
import { poll } from "../../harness/poll";
import { WebhookServer } from "../../harness/webhook-server";
import { inWorkspace, toolText, withSettings, writeFile } from "../tool";

describe("messages, in VS Code", () => {
  it("go to the window unasked", async () => {
    assert.equal(
      await toolText("message", { to: "window:", content: "Done: [open](command:workbench.action.quit)" }),
      "Shown in the window. Whether anyone saw it is unknown.",
    );
  });

  it("go to a channel of the user's settings, where a rule allows it", async () => {
    const http = await WebhookServer.start({ body: "ok" });
    const channels = {
      "webhook:team": { url: `${http.origin}/hook` },
      "webhook:secret": { url: `${http.origin}/\${secret:none}` },
    };
    try {
      await withSettings({ "toolhost.message.channels": channels }, async () => {
        assert.match(
          await toolText("message", { to: "webhook:team", content: "hi" }),
          /^Error \(denied\): message needs the user's permission/,
        );
        assert.equal(http.requests.length, 0);
      });
      const rules = ["webhook:team", "webhook:secret"].map((to) => ({
        tool: "message",
        params: { to },
        decision: "allow",
      }));
      await withSettings({ "toolhost.message.channels": channels, "toolhost.permissions.rules": rules }, async () => {
        assert.equal(
          await toolText("message", { to: "webhook:team", content: 'say "hi"' }),
          `Sent to webhook:team: ${http.origin} answered 200 and said "ok".`,
        );
        assert.deepEqual(
          http.requests.map(({ path, body }) => [path, body]),
          [["/hook", '{"text":"say \\"hi\\""}']],
        );
        assert.match(
          await toolText("message", { to: "webhook:secret", content: "x" }),
          /^Error \(unavailable\): webhook:secret: its secret none is not set\. Nothing was sent\.\nHint: .*Toolhost: Set Message Secret…/,
        );
      });
    } finally {
      await http.stop();
    }
  });

  it("do not go where a workspace's settings say", async () => {
    const http = await WebhookServer.start({ body: "ok" });
    const settings = {
      "toolhost.message.channels": { "webhook:evil": { url: `${http.origin}/x` } },
      "toolhost.permissions.rules": [{ tool: "message", params: { to: "webhook:evil" }, decision: "allow" }],
      "test.seen": http.origin,
    };
    try {
      writeFile(".vscode/settings.json", JSON.stringify(settings));
      await poll(
        "the workspace's settings hold",
        () => vscode.workspace.getConfiguration().get("test.seen") === http.origin || undefined,
      );
      assert.match(
        await toolText("message", { to: "webhook:evil", content: "x" }),
        /^Error \(not_found\): "webhook:evil": messages cannot be sent there\./,
      );
      assert.equal(http.requests.length, 0);
    } finally {
      rmSync(inWorkspace(".vscode/settings.json"), { force: true });
      await http.stop();
    }
  });
});
