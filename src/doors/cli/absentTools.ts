import type { Tool } from "../../core/contract.js";
import type { CapabilityName } from "../../ports/capabilities.js";

type Known = Pick<Tool, "name" | "terminal" | "needs">;

/** Tools of an agent's session: a single command has none, and nothing that it starts runs after it ends. */
const OF_SESSIONS: Readonly<Record<string, string>> = {
  sessions_spawn:
    "sessions_spawn starts a subagent of an agent's session, and a single command has none: toolhost agent and VS Code have sessions_spawn.",
  process:
    "process looks after what an agent left running, and nothing runs on after a single command. exec waits for its command and returns its output; toolhost agent and VS Code have process.",
  todo: "todo is the plan of an agent's session, and a single command has none: toolhost agent and VS Code have todo.",
  ask_user:
    "ask_user lets an agent ask the person it works for, and a single command works for no agent: toolhost agent and VS Code have ask_user.",
};

/** Where a person finds the names of tools. */
export const TOOL_LIST = "toolhost --help lists the tools, and toolhost tools list your own.";

/** What single commands may lack. */
const LACKING: Partial<Record<CapabilityName, (name: string) => string>> = {
  tasks: (name) => `${name} needs VS Code's window, which knows the tasks. exec runs the command line of one.`,
  messages: (name) => `${name} needs channels: the environment variable TOOLHOST_MESSAGE_CHANNELS has them.`,
};

/** Whether a tool has a command. Those that end a task have none: only a task's session can end. */
export function hasCommand(tool: Pick<Tool, "name" | "terminal">): boolean {
  return !tool.terminal && !Object.hasOwn(OF_SESSIONS, tool.name);
}

/**
 * Returns why each tool that no single command can run is so, and what to use instead, as sentences.
 *
 * @param all all tools
 * @param commands those that a single command can run
 */
export function absentTools(all: readonly Known[], commands: readonly Known[]): Map<string, string> {
  const here = new Set(commands.map(({ name }) => name));
  return new Map(all.filter(({ name }) => !here.has(name)).map((tool) => [tool.name, whyAbsent(tool)]));
}

function whyAbsent({ name, terminal, needs }: Known): string {
  const [lacking] = needs.flatMap((need) => LACKING[need] ?? []);
  return terminal
    ? `${name} ends the task that an agent works on: toolhost work and VS Code run tasks.`
    : (OF_SESSIONS[name] ?? lacking?.(name) ?? `${name} needs what only VS Code's window has.`);
}
