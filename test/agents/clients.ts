// The agents that call our tools through `toolhost mcp`, and how the model of each names them.
import { agents, type Agent, type Start } from "../peers/agents.js";
import type { Call } from "../peers/protocols.js";

export interface Client {
  /** The agent, as `npm run peers` starts it, in a home of its own. */
  agent: Agent;
  /** The argument of `toolhost connect`. */
  name: string;
  /** What the agent's model calls to find the tools, where they are not in its first request, and what it then sees. */
  search?: { call: Call; found: string };
  tool: (name: string, input: Record<string, unknown>) => Call;
}

const SERVER = "toolhost";

export const clients: readonly Client[] = [
  {
    agent: agentNamed("Claude Code", {
      // A person says this in a dialog, once a folder.
      ".claude/settings.json": { enableAllProjectMcpServers: true },
    }),
    name: "claude",
    search: {
      call: { name: "ToolSearch", input: { query: claudeTools("read", "edit", "exec"), max_results: 10 } },
      found: `"tool_name":"${claudeTool("exec")}"`,
    },
    tool: (name, input) => ({ name: claudeTool(name), input }),
  },
  {
    agent: agentNamed("Codex"),
    name: "codex",
    search: {
      call: { name: "tool_search", input: { query: "toolhost read edit exec" }, kind: "search" },
      found: `"name":"mcp__${SERVER}"`,
    },
    tool: (name, input) => ({ name, input, namespace: `mcp__${SERVER}` }),
  },
  {
    agent: agentNamed("Copilot CLI"),
    name: "copilot",
    tool: (name, input) => ({ name: `${SERVER}-${name}`, input }),
  },
  {
    agent: agentNamed("Gemini CLI"),
    name: "gemini",
    tool: (name, input) => ({ name: `mcp_${SERVER}_${name}`, input }),
  },
  {
    agent: agentNamed("opencode"),
    name: "opencode",
    tool: (name, input) => ({ name: `${SERVER}_${name}`, input }),
  },
];

/** One of the agents of `npm run peers`, in another home, with more configuration. */
function agentNamed(name: string, config: Start["config"] = {}): Agent {
  const found = agents.find((agent) => agent.name === name);
  if (found === undefined) {
    throw new Error(`${name} is not among the agents of test/peers`);
  }
  const start: Agent["start"] = (place) => {
    const its = found.start(place);
    return { ...its, config: { ...its.config, ...config } };
  };
  return { ...found, name: `${name} with toolhost mcp`, start };
}

function claudeTools(...names: string[]): string {
  return `select:${names.map(claudeTool).join(",")}`;
}

function claudeTool(name: string): string {
  return `mcp__${SERVER}__${name}`;
}
