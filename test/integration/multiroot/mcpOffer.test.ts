// VS Code's own agents in a window with several folders.
import assert from "node:assert/strict";
import { poll } from "../../harness/poll";
import { callOffered, offered, offersRegisteredTool, start } from "../mcpOffer";
import { withSettings } from "../tool";

describe("the MCP server that a window with several folders offers to VS Code", () => {
  it("has the tools that are registered at run time", offersRegisteredTool);

  it("has the user's own tools", () =>
    withSettings(
      { "toolhost.tools": [{ name: "say_folder", description: "Says it.", command: "pwd", readOnly: true }] },
      async () => {
        await poll("the tool in VS Code", async () => {
          await start();
          return offered().includes("say_folder");
        });
        assert.match(await callOffered("say_folder", {}), /\/first\b/);
      },
    ));

  it("reaches all folders", () =>
    withSettings({ "toolhost.mcp.offerInVsCode": "all" }, async () => {
      await poll("the usual tools in VS Code", async () => {
        await start();
        return offered().includes("grep");
      });
      const found = await callOffered("grep", { pattern: ".", output: "files" });
      assert.match(found, /first\/.*second\//);
    }));
});
