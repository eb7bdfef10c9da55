import { fstatSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { addAbortSignal } from "node:stream";
import { text } from "node:stream/consumers";
import { runAgent } from "./cliAgent.js";
import { runWork } from "./cliWork.js";
import { keepChanges, openFiles, openStates, openWorkspace } from "./cliWorkspace.js";
import { RecentActivity } from "./core/pipeline/activity.js";
import { Cancelled, ToolError } from "./core/errors.js";
import { failure, type Outcome } from "./core/outcome.js";
import type { ProcessTable } from "./features/processes/processTable.js";
import type { CapabilityName } from "./ports/capabilities.js";
import type { Confirm } from "./ports/confirm.js";
import type { Processes } from "./ports/processes.js";
import { newId, Pipeline } from "./core/pipeline/pipeline.js";
import { readRules } from "./core/permission/rules/readRules.js";
import { Rules } from "./core/permission/rules/book.js";
import { Registry } from "./core/registry.js";
import { LoggedSessions } from "./features/sessions/loggedSessions.js";
import type { AgentRequest } from "./doors/cli/agent.js";
import { AgentsCommand, closedApprovals, notTheUsersUndo } from "./doors/cli/agentsCommand.js";
import type { Explainer, ExplainOptions } from "./doors/cli/explain.js";
import { runCli, type CliTarget } from "./doors/cli/program.js";
import { TerminalQuestion } from "./doors/cli/terminalQuestion.js";
import type { WorkRequest } from "./doors/cli/work.js";
import { undoFromCommandLine, type UndoRequest } from "./doors/cli/undo.js";
import { exportedNames, isAgentsCommand } from "./hosts/node/environment.js";
import { NodePrograms } from "./hosts/node/programs.js";
import { environmentMessages } from "./hosts/node/messages/environment.js";
import { openLineTerminal } from "./hosts/node/lineTerminal.js";
import { WasmShellGrammar } from "./hosts/node/shellGrammar.js";
import { loadSqlite } from "./hosts/node/state/sqlite.js";
import { showHidden } from "./text/showHidden.js";
import { EnvironmentModels } from "./hosts/openai/environment.js";
import { tools } from "./tools/index.js";

/** The command line: wires the node host to the tools and runs one command. */

/** Milliseconds; the same as the default of the setting toolhost.toolTimeout. */
const TOOL_TIMEOUT = 30_000;

/** Milliseconds until it is said that standard input is waited for. */
const STDIN_PATIENCE = 3_000;

/**
 * Capabilities that a single command has no use for: nothing goes on behind it, and there are no tasks without VS Code.
 */
const WINDOW_ONLY: readonly CapabilityName[] = ["patterns", "tasks", "externalTools"];

const messages = environmentMessages(process.env);

// What ends a task is for the session of one.
const registry = new Registry(
  tools.filter(
    ({ needs, terminal }) =>
      !terminal && !needs.some((name) => WINDOW_ONLY.includes(name) || (name === "messages" && messages === undefined)),
  ),
);
const cancellation = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => cancellation.abort());
}

async function invoke(target: CliTarget, name: string, input: unknown): Promise<Outcome> {
  const { states, changes, table, capabilities, close } = openWorkspace(target, warn);
  const isAgents = isAgentsCommand(process.env);
  const sessions = new LoggedSessions(async () => (await states.current()).sessions);
  const pipeline = new Pipeline({
    registry,
    capabilities: {
      ...{
        ...capabilities,
        approvals: isAgents ? closedApprovals(states.approvals(false)) : states.approvals(true),
        sessions,
        processes: inForeground(table),
      },
      ...(messages && { messages }),
      inventory: {
        external: () => [],
        model: (_session, signal) =>
          new EnvironmentModels({}, process.env, `Toolhost/${__TOOLHOST_VERSION__}`).find(undefined, signal),
      },
    },
    changes,
    settings: () => ({ mode: "default", trusted: true, defaultTimeout: TOOL_TIMEOUT, isGroupEnabled: () => true }),
    // A person's own calls are not decided on.
    ...(isAgents && {
      rules: new Rules(
        { rules: () => [], add: () => Promise.reject(new Error("The command line keeps no rules.")) },
        Date.now,
      ),
      grammar: new WasmShellGrammar(__dirname, { isOwnProcess: true }),
      exported: () => exportedNames(process.env),
      programs: new NodePrograms(() => process.env["PATH"] ?? ""),
    }),
    activity: new RecentActivity(),
    now: Date.now,
  });
  try {
    const call = { door: "cli", session: newId(), signal: cancellation.signal } as const;
    return await pipeline.invoke(
      name,
      input,
      isAgents
        ? { ...call, authority: "model", reads: "ask", confirm: agentsQuestion() }
        : { ...call, authority: "owner" },
    );
  } catch (error) {
    return failure(name, error instanceof ToolError ? error : new Cancelled(name));
  } finally {
    await close();
  }
}

/** Asks about the calls of a command line that an agent started: on its terminal, where it has one. */
function agentsQuestion(): Confirm {
  const terminal = openLineTerminal();
  return terminal === undefined ? new AgentsCommand() : new TerminalQuestion(terminal);
}

/** Runs a turn of an agent, which has a use for tools that a single command has not. */
async function agent(target: CliTarget, request: AgentRequest): Promise<number> {
  // Whoever stops to read what is written is done with the turn, too; it ends in order.
  onReaderGone = () => cancellation.abort();
  return runAgent(
    { registry: new Registry(tools), version: __TOOLHOST_VERSION__, signal: cancellation.signal, warn },
    target,
    request,
  );
}

/** Does tasks and runs schedules, with the tools of an agent and those that end a task. */
async function work(target: CliTarget, request: WorkRequest): Promise<number> {
  onReaderGone = () => cancellation.abort();
  return runWork(
    { registry: new Registry(tools), version: __TOOLHOST_VERSION__, signal: cancellation.signal, warn },
    target,
    request,
  );
}

/** Tells what permission would say of a model's call in VS Code. Opens no state, so that it leaves nothing behind. */
function explainer(target: CliTarget, { mode, trusted, rules }: ExplainOptions): Explainer {
  const files = openFiles(target);
  const added = rules === undefined ? [] : readRules(rules.value, "command line", rules.place, tools);
  const pipeline = new Pipeline({
    registry: new Registry(tools),
    capabilities: { files, ...(messages && { messages }) },
    changes: { undoable: async () => loadSqlite() !== undefined, hasSeen: async () => true, forCall: () => notToRun() },
    settings: () => ({ mode, trusted, defaultTimeout: TOOL_TIMEOUT, isGroupEnabled: () => true }),
    rules: new Rules({ rules: () => added, add: () => notToRun() }, Date.now),
    grammar: new WasmShellGrammar(__dirname, { isOwnProcess: true }),
    exported: () => exportedNames(process.env),
    programs: new NodePrograms(() => process.env["PATH"] ?? ""),
    activity: new RecentActivity(),
    now: Date.now,
  });
  return {
    problems: added.flatMap(({ place, broken }) => (broken === undefined ? [] : [`${place}: ${broken}`])),
    explain: async (name, input) => {
      try {
        return {
          ok: true,
          explanation: await pipeline.explain(name, input, {
            door: "cli",
            session: newId(),
            signal: cancellation.signal,
            authority: "model",
          }),
        };
      } catch (error) {
        const outcome = failure(name, error);
        return outcome.ok ? notToRun() : outcome;
      }
    },
  };
}

/** What only a call that runs does. */
function notToRun(): never {
  throw new Error("explain runs nothing");
}

/** Commands of a command line end with it: none is left in the background. */
function inForeground(table: ProcessTable): Processes {
  return {
    start: (request, background, owner) => {
      if (background) {
        throw new ToolError(
          "unavailable",
          "exec: a background command would end with this command line.",
          "Start it in your shell with & instead.",
        );
      }
      return table.start(request, background, owner);
    },
    find: (id) => table.find(id),
    wasKnown: (id) => table.wasKnown(id),
    list: () => table.list(),
  };
}

async function undo(target: CliTarget, request: UndoRequest): Promise<Outcome> {
  if (request.kind !== "list" && isAgentsCommand(process.env)) {
    return failure("undo", notTheUsersUndo());
  }
  const files = openFiles(target);
  const states = openStates(files, warn);
  const host = {
    changes: keepChanges(files, states),
    files,
    activity: new RecentActivity(),
    isTrusted: () => true,
    now: Date.now,
  };
  try {
    return await undoFromCommandLine(host, request, cancellation.signal);
  } finally {
    states.close();
  }
}

/** Whether a program or a file is at standard input; a terminal and /dev/null are neither. */
function isPiped(): boolean {
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isFile() || input.isSocket();
  } catch {
    return false;
  }
}

async function readStdin(): Promise<string> {
  // A pipe that nobody closes looks like a command that hangs.
  const timer = setTimeout(
    () => warn("Waiting for standard input to end. (Give it < /dev/null when there is none.)"),
    STDIN_PATIENCE,
  );
  try {
    return await text(addAbortSignal(cancellation.signal, process.stdin));
  } finally {
    clearTimeout(timer);
  }
}

function warn(message: string): void {
  // Words of servers and file names may be in it, which a terminal must not obey.
  process.stderr.write(`toolhost: ${showHidden(message, true).text}\n`);
}

let onReaderGone = (): void => process.exit();

/** Texts and names of files may be in it, which a terminal must not obey; a program gets them as they are. */
function asShown(text: string, { isTTY }: { isTTY?: boolean }): string {
  return isTTY === true ? showHidden(text, true).text : text;
}

/** A reader that leaves early (`toolhost grep x | head -1`) is no error; output that nobody can get is one. */
function onOutputError(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") {
    onReaderGone();
    return;
  }
  process.stderr.write(`toolhost: the output could not be written: ${error.message}\n`);
  process.exit(1);
}
process.stdout.on("error", onOutputError);
process.stderr.on("error", () => process.exit());

void runCli(
  {
    version: __TOOLHOST_VERSION__,
    tools: registry.list(),
    invoke,
    undo,
    explainer,
    agent: { tools, run: agent },
    work,
    isPiped,
    readStdin,
    readFile: (path) => readFile(path, "utf8"),
    out: (line) => void process.stdout.write(`${asShown(line, process.stdout)}\n`),
    err: (line) => void process.stderr.write(`${asShown(line, process.stderr)}\n`),
  },
  process.argv.slice(2),
).then((exitCode) => {
  process.exitCode = exitCode;
});
