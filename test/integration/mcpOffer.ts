// What the MCP server that a window offers gives VS Code's own agents.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { ToolhostApi } from "../../src/doors/api/types.js";
import { poll } from "../harness/poll";
import { withSettings } from "./tool";

export const api = async (): Promise<ToolhostApi> => {
  const extension = vscode.extensions.getExtension<ToolhostApi>("toolhost.toolhost");
  assert.ok(extension);
  return extension.activate();
};

/** The tools that VS Code has from our server. */
export const offered = (): string[] =>
  vscode.lm.tools.flatMap(({ name }) => (/^mcp_toolhost_/i.test(name) ? [name.replace(/^mcp_toolhost_/i, "")] : []));

/** Starts the servers, as the first message of a chat does. */
export const start = (): Thenable<unknown> =>
  vscode.commands.executeCommand("workbench.mcp.startServer", "*", { waitForLiveTools: true });

/** Calls a tool of our server as VS Code's agents do. Returns what it answers, as JSON. */
export async function callOffered(name: string, input: object): Promise<string> {
  const tool = vscode.lm.tools.find((each) => each.name.toLowerCase() === `mcp_toolhost_${name}`);
  const { content } = await vscode.lm.invokeTool(tool?.name ?? name, { input, toolInvocationToken: undefined });
  return JSON.stringify(content);
}

/** Registers a tool in this window, and has VS Code call it. */
export async function offersRegisteredTool(): Promise<void> {
  const { registerTool } = await api();
  const registered = registerTool({
    name: "count_goats",
    title: "Count goats",
    description: "Count the goats of a farm.",
    inputSchema: { type: "object", properties: { farm: { type: "string", description: "The farm." } } },
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    execute: (input: unknown) => ({ text: `goats of ${JSON.stringify(input)}` }),
  });
  try {
    await poll("the tool in VS Code", async () => {
      await start();
      return offered().includes("count_goats");
    });
    await withSettings({ "toolhost.permissions.rules": [{ tool: "count_goats", decision: "allow" }] }, async () =>
      assert.match(await callOffered("count_goats", { farm: "south" }), /goats of .*south/),
    );
  } finally {
    registered.dispose();
  }
}
