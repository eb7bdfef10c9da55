// A call of an outside agent beside the same call made in the window's own process, in one window: through `toolhost mcp`,
// the window's socket and back, by the extension's API, and, as VS Code's own agents call, through `lm.invokeTool`.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import type { ToolhostApi } from "../../src/doors/api/types.js";
import { activateProduct, hostContext, workspaceFolder } from "../harness/host";
import { LineClient } from "../integration/mcpClient";
import { inWorkspace, toolText, writeFile } from "../integration/tool";
import { writePart } from "./page";
import { measure } from "./side-by-side";

/** Milliseconds of a call that the way over MCP may add. */
const BAR = 5;
const ROUNDS = 101;

const calls: readonly [tool: string, input: object][] = [
  ["read", { path: "bench/a.txt" }],
  ["grep", { pattern: "line 7", path: "bench" }],
  ["ls", { path: "bench" }],
];

describe("a call of an outside agent beside the same call in the window", () => {
  const rows: string[] = [];
  let client: LineClient;

  before(async () => {
    writeFile("bench/a.txt", Array.from({ length: 100 }, (_, at) => `line ${at}\n`).join(""));
    client = await LineClient.start(workspaceFolder());
  });

  for (const [tool, input] of calls) {
    it(tool, async () => {
      assert.equal(await client.text(tool, input), await toolText(tool, input));
      const { invoke } = await activateProduct<ToolhostApi>();
      const [own, vscodes, attached] = await measure(
        [
          { name: "in the window", run: () => invoke(tool, input) },
          { name: "by VS Code", run: () => toolText(tool, input) },
          { name: "over MCP", run: () => client.text(tool, input) },
        ],
        ROUNDS,
      );
      const [inWindow = NaN, byVscode = NaN, overMcp = NaN] = [own, vscodes, attached].map((each) => each?.median);
      const more = overMcp - inWindow;
      rows.push(
        `| \`${tool}\` | ${inWindow.toFixed(2)} | ${byVscode.toFixed(2)} | ${overMcp.toFixed(2)} | ${more.toFixed(2)} | ${more < BAR ? "held" : "**missed**"} |`,
      );
      console.log(rows.at(-1));
      assert.ok(more < BAR, `${more.toFixed(1)} ms more`);
    });
  }

  after(async () => {
    assert.match(client.log, /in the window of VS Code/);
    await client.end();
    rmSync(inWorkspace("bench"), { recursive: true });
    writePart(
      hostContext.repository,
      "attach",
      [
        "## An outside agent's call in a window of VS Code",
        `The same call in the window's own process (\`invoke\` of docs/api.md), of one of VS Code's own agents (\`lm.invokeTool\`, which crosses VS Code's processes) and of an outside agent (\`toolhost mcp\` and the window's socket) in one window, in turn, ${ROUNDS} times each: median milliseconds. The bar: less than ${BAR} ms more over MCP than in the window.`,
        ["| call | in the window | by VS Code | over MCP | more | |", "|---|---|---|---|---|---|", ...rows].join("\n"),
      ].join("\n\n"),
    );
  });
});
