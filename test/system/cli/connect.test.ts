// The configurations that `toolhost connect` prints.
import { expect, test } from "vitest";
import { tempFolder } from "../../unit/tools/workspace.js";
import { builtCli } from "./built.js";

const cli = builtCli();

test.each([
  ["claude", (args: string[]) => ({ mcpServers: { toolhost: { command: process.execPath, args } } })],
  ["gemini", (args: string[]) => ({ mcpServers: { toolhost: { command: process.execPath, args } } })],
  [
    "opencode",
    (args: string[]) => ({
      mcp: { toolhost: { type: "local", command: [process.execPath, ...args], enabled: true } },
    }),
  ],
  [
    "copilot",
    (args: string[]) => ({
      mcpServers: { toolhost: { type: "local", command: process.execPath, args, tools: ["*"] } },
    }),
  ],
])("%s: an entry that starts this very command line, with the given flags", async (client, entry) => {
  const { code, out } = await cli.run(["connect", client, "--print", "--", "--allow", "exec(command: npm test **)"]);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual(entry([cli.script, "mcp", "--allow", "exec(command: npm test **)"]));
});

test("codex: an entry in TOML", async () => {
  const { out } = await cli.run(["connect", "codex", "--print"]);
  expect(out).toBe(
    `[mcp_servers.toolhost]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify([cli.script, "mcp"])}\n`,
  );
});

test("says where it belongs, and changes nothing there; another agent is wrong usage", async () => {
  const home = await tempFolder();
  const { out } = await cli.run(["connect", "claude"], { env: { ...process.env, HOME: home } });
  expect(out).toContain("Claude Code: add this to .mcp.json in the folder:");
  expect(out).toContain(`claude mcp add toolhost -- ${process.execPath} `);
  expect(await cli.run(["connect", "emacs"])).toMatchObject({ code: 2 });
});
