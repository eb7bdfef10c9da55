import { expect, test } from "vitest";
import { tools } from "../../../src/tools/index.js";
import { ModelError } from "../../../src/features/models/modelError.js";
import type { ExternalTool } from "../../../src/ports/externalTools.js";
import { staticThemes } from "../../../src/tools/tools/themes.js";
import { failed, openWorkspace, result } from "./workspace.js";

const GMAIL: ExternalTool = {
  server: "gmail",
  tool: "send_mail",
  description: "Sends an e-mail.",
  inputSchema: undefined,
  isMcp: true,
};

test("mcp_exec and mcp_info refuse every tool of ours, under both of its names", async () => {
  const calls: string[] = [];
  const workspace = await openWorkspace(
    {},
    {
      host: "memory",
      capabilities: {
        externalTools: {
          none: { message: "", hint: "" },
          list: async () => ({ tools: [GMAIL], missing: [], others: [], remarks: [] }),
          call: async ({ tool }) => (calls.push(tool), { text: "", media: [] }),
        },
      },
    },
  );
  const ours = workspace.pipeline.available().map(({ name }) => name);
  expect(ours).toEqual(expect.arrayContaining(["read", "exec", "mcp_exec", "document"]));
  for (const name of ours) {
    for (const tool of [name, `toolhost_${name}`]) {
      expect([tool, failed(await workspace.call("mcp_exec", { server: "gmail", tool }))]).toMatchObject([
        tool,
        { type: "forbidden_tool", hint: `Call ${name} itself.` },
      ]);
      expect([tool, failed(await workspace.call("mcp_info", { server: "gmail", tool })).type]).toEqual([
        tool,
        "forbidden_tool",
      ]);
    }
  }
  expect(calls).toEqual([]);
});

test("the list of capabilities in fixed words names no tool, of ours or of others", async () => {
  const workspace = await openWorkspace(
    {},
    {
      host: "memory",
      capabilities: { inventory: { external: () => [GMAIL], model: () => Promise.reject(new ModelError("None.")) } },
    },
  );
  result(await workspace.call("capabilities_refresh", {}));
  const file = String(await workspace.bytes(".toolhost/capabilities.md"));
  expect(file).toContain("- **gmail** — 1 tool(s)");
  const words = new Set(file.toLowerCase().split(/[^a-z0-9_]+/));
  // Names that are words of English may stand in a sentence.
  expect(
    [...tools.map(({ name }) => name), "send_mail"].filter(
      (name) => words.has(name) && !["rename", "references", "definition", "symbols"].includes(name),
    ),
  ).toEqual([]);
});

test("every group of ours has its own words, and is not just counted", () => {
  const { internal } = staticThemes({ internal: tools, external: [] });
  expect(internal.filter(({ can }) => can.includes("tool(s)"))).toEqual([]);
  expect(internal).toHaveLength(new Set(tools.map(({ group }) => group)).size);
});
