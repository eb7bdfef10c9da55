// Tools that are registered at run time reach VS Code's own agents, through the MCP server that the window offers.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { WindowServer } from "../../../src/doors/mcp/window/windowServer.js";
import { thisProcess } from "../../../src/hosts/node/state/owner.js";
import { offeredTools } from "../../../src/doors/mcp/offered.js";
import { tools } from "../../../src/tools/index.js";
import { makeWindowNotes } from "../../../src/hosts/node/state/stateFolder.js";
import { workspaceFolder } from "../../harness/host";
import { poll } from "../../harness/poll";
import { api, callOffered, offered, start } from "../mcpOffer";
import { toolText, withSettings, writeFile } from "../tool";

/** A window that has this window's folder open, and no tools. */
const decoy = (): WindowServer =>
  new WindowServer(
    {
      notes: makeWindowNotes(),
      owner: thisProcess(),
      folders: () => new Map([[workspaceFolder(), ""]]),
      open: () => ({
        list: async () => [],
        call: async () => ({ ok: false, text: "This is another window." }),
        onDidChange: () => ({ dispose: () => undefined }),
        offer: async () => ({}),
      }),
    },
    (problem) => assert.fail(problem),
  );

describe("the MCP server that a window offers to VS Code", () => {
  it("has the tools that are registered at run time and no others, and their calls come back to the window", async () => {
    const { registerTool } = await api();
    const calls: unknown[] = [];
    const registered = registerTool({
      name: "count_sheep",
      title: "Count sheep",
      description: "Count the sheep of a farm.",
      inputSchema: {
        type: "object",
        properties: { farm: { type: "string", description: "The farm." } },
        required: ["farm"],
      },
      annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      execute: (input: unknown) => {
        calls.push(input);
        return { text: "seven sheep" };
      },
    });
    // Other windows that say the same folder: the server belongs to the one that offers it.
    const decoys = Array.from({ length: 5 }, decoy);
    try {
      await poll("the tool in VS Code", async () => {
        await start();
        return offered().includes("count_sheep");
      });
      // Another extension of these tests may have registered tools, too; those of package.json are not offered twice.
      const shipped = vscode.lm.tools.flatMap(({ name }) => (name.startsWith("toolhost_") ? [name.slice(9)] : []));
      assert.deepEqual(
        offered().filter((name) => shipped.includes(name)),
        [],
      );
      // Nor are they tools of others to us.
      assert.doesNotMatch(await toolText("mcp_list_tools", {}), /count_sheep|^Error/);
      await withSettings({ "toolhost.permissions.rules": [{ tool: "count_sheep", decision: "allow" }] }, async () => {
        assert.match(await callOffered("count_sheep", { farm: "north" }), /seven sheep/);
      });
      assert.deepEqual(calls, [{ farm: "north" }]);
      // With `all`, VS Code's agents have the usual tools of other agents, too, and no more.
      await withSettings({ "toolhost.mcp.offerInVsCode": "all" }, async () => {
        await poll("the usual tools in VS Code", async () => {
          await start();
          return offered().includes("edit");
        });
        assert.ok(offered().includes("count_sheep"));
        assert.deepEqual(
          offered()
            .filter((each) => shipped.includes(each))
            .sort(),
          offeredTools(tools)
            .map((each) => each.name)
            .sort(),
        );
        writeFile("mcpOffer/a.txt", "one\n");
        assert.match(await callOffered("read", { path: "mcpOffer/a.txt" }), /1\\tone/);
      });
      await poll("the registered tools alone", async () => {
        await start();
        return offered().includes("count_sheep") && !offered().some((each) => shipped.includes(each));
      });
      await withSettings({ "toolhost.mcp.offerInVsCode": "off" }, () =>
        poll("the end of the offer", () => offered().length === 0).then(() => undefined),
      );
    } finally {
      decoys.forEach((each) => each.dispose());
      registered.dispose();
    }
  });

  it("ends no call when another tool comes during it", async () => {
    const { registerTool } = await api();
    const tool = (name: string, execute: () => Promise<{ text: string }>): { dispose(): void } =>
      registerTool({
        ...{ name, description: "A tool of the farm.", inputSchema: { type: "object", properties: {} } },
        ...{ annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false }, execute },
      });
    let [begin, end] = [(): void => undefined, (_said: { text: string }): void => undefined];
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const answer = new Promise<{ text: string }>((resolve) => (end = resolve));
    const registered = [tool("shear_sheep", () => (begin(), answer))];
    const has = (name: string): Promise<unknown> =>
      poll(`${name} in VS Code`, async () => {
        await start();
        return offered().includes(name);
      });
    try {
      await has("shear_sheep");
      await withSettings({ "toolhost.permissions.rules": [{ tool: "shear_sheep", decision: "allow" }] }, async () => {
        const call = callOffered("shear_sheep", {});
        await begun;
        registered.push(tool("feed_sheep", async () => ({ text: "fed" })));
        // VS Code looks at what the servers are now, and stops those that are different, as it does half a second later.
        await start();
        await start();
        end({ text: "shorn" });
        assert.match(await call, /shorn/);
        await has("feed_sheep");
      });
    } finally {
      registered.forEach((each) => each.dispose());
    }
  });
});
