// What `npm run agents` writes into an agent's configuration, and what it reports.
import { expect, test } from "vitest";
import { clients, withEntry } from "../../agents/clients.js";
import { pageOf } from "../../agents/report.js";

const place = { url: "http://127.0.0.1:1", home: "/home/x", folder: "/work", prompt: "Do it." };
const clientNamed = (name: string) => {
  const client = clients.find((each) => each.name === name);
  if (client === undefined) {
    throw new Error(`no ${name}`);
  }
  return client;
};

test("an entry of JSON joins what the agent's configuration has", () => {
  const gemini = clientNamed("gemini");
  const entry = '{ "mcpServers": { "toolhost": { "command": "node" } } }';
  const { config } = withEntry(gemini.agent.start(place), gemini, entry);
  expect(config?.[".gemini/settings.json"]).toMatchObject({
    telemetry: { enabled: false },
    mcpServers: { toolhost: { command: "node" } },
  });
});

test("an entry of TOML is a table of its own, behind the agent's configuration", () => {
  const codex = clientNamed("codex");
  const { config } = withEntry(codex.agent.start(place), codex, '[mcp_servers.toolhost]\ncommand = "node"');
  expect(config?.[".codex/config.toml"]).toMatch(/^model = .*\n\n\[mcp_servers\.toolhost\]\ncommand = "node"\n$/s);
});

test("an entry is a whole configuration where the agent had none", () => {
  const copilot = clientNamed("copilot");
  const { config } = withEntry(copilot.agent.start(place), copilot, '{ "mcpServers": {} }');
  expect(config?.[".copilot/mcp-config.json"]).toBe('{ "mcpServers": {} }\n');
});

test("the table tells what worked, what did not, and what was not measured", () => {
  const times = { read: [30, 10, 20], edit: [] };
  const rows = [
    { name: "A", version: "1", revision: "2026-07-28", worked: ["read", "edit"], inWindow: ["undo"], times },
    { name: "B", version: "2", revision: undefined, worked: [], inWindow: [], times, problem: "in a window:\n1 | 2" },
  ];
  expect(
    pageOf(rows, { rounds: 3, machine: "x", date: "2026-11-24" })
      .split("\n")
      .filter((line) => /^\| [AB]/.test(line) && !line.includes("Agent")),
  ).toEqual([
    "| A 1 | 2026-07-28 | read, edit | undo | 20 | – |",
    "| B 2 | not seen | nothing | nothing; it ended in a window: 1 \\| 2 | 20 | – |",
  ]);
});
