import { Agents } from "./agent/agents.js";
import { capabilitiesNote } from "./agent/capabilitiesNote.js";
import { directCaller } from "./agent/directCaller.js";
import { mainAgentTools } from "./agent/toolSets.js";
import { offeredSkills } from "./agent/skillOffers.js";
import type { ToolCaller } from "./agent/turn.js";
import { cliApprovals, openWorkspace, type CliWorkspace } from "./cliWorkspace.js";
import { RecentActivity } from "./core/pipeline/activity.js";
import { ToolError } from "./core/errors.js";
import { ModelError } from "./features/models/modelError.js";
import { errorText } from "./core/outcome.js";
import { Rules } from "./core/permission/rules/book.js";
import { newId, Pipeline } from "./core/pipeline/pipeline.js";
import type { Registry } from "./core/registry.js";
import type { SessionLog } from "./features/sessions/sessionLog.js";
import type { AgentRequest } from "./doors/cli/agent.js";
import { AgentView } from "./doors/cli/agentView.js";
import { EXIT } from "./doors/cli/exitCode.js";
import type { CliTarget } from "./doors/cli/program.js";
import { TerminalQuestion } from "./doors/cli/terminalQuestion.js";
import { Unattended } from "./doors/cli/unattended.js";
import { environmentMessages } from "./hosts/node/messages/environment.js";
import { openLineTerminal } from "./hosts/node/lineTerminal.js";
import { WasmShellGrammar } from "./hosts/node/shellGrammar.js";
import { exportedNames } from "./hosts/node/environment.js";
import { NodePrograms } from "./hosts/node/programs.js";
import { EnvironmentModels } from "./hosts/openai/environment.js";
import type { Confirm } from "./ports/confirm.js";
import type { Models } from "./ports/models.js";
import type { PlacedRule } from "./ports/rules.js";

/** Milliseconds; the same as the default of the setting toolhost.toolTimeout. */
const TOOL_TIMEOUT = 30_000;
/** Sessions looked through for the latest one of the command line. */
const MAX_LOOKED = 200;

/** What the model is told of where it is. */
const INSTRUCTIONS = [
  "You run at a command line: the user sees your answer as plain text. Background processes end with this turn.",
];
const PLAN =
  "Only look in this turn: nothing may be changed, and calls that would are refused. Say what you would do, as a plan.";

/** What one turn of an agent needs of the process it runs in. */
export interface AgentProcess {
  registry: Registry;
  version: string;
  signal: AbortSignal;
  warn: (message: string) => void;
}

/**
 * Runs one turn of an agent in the folder of a command line and shows it. The command is the user's own in that folder,
 * so its files for agents are read as in a workspace that is trusted; what the model calls is decided on as everywhere.
 *
 * @returns the exit code
 * @throws Error when the folder is not there
 */
export async function runAgent(
  { registry, version, signal, warn }: AgentProcess,
  target: CliTarget,
  request: AgentRequest,
): Promise<number> {
  const workspace = openWorkspace(target, warn);
  const { states, close } = workspace;
  try {
    const models = new EnvironmentModels(request, process.env, `Toolhost/${version}`);
    const log = async (): Promise<SessionLog> => (await states.current()).sessions;
    const session = await findSession(await log(), request);
    const model = await models.find(undefined, signal);
    const view = new AgentView({
      ...{ json: request.json, session, workspace: target.workspace, toolOf: (name) => registry.get(name) },
      out: (text) => void process.stdout.write(text),
      err: (text) => void process.stderr.write(text),
      isTerminal: process.stdout.isTTY,
      sharesTerminal: process.stdout.isTTY && process.stderr.isTTY,
    });
    const terminal = openLineTerminal();
    const confirm =
      terminal === undefined ? new Unattended() : new TerminalQuestion(terminal, (isAsking) => view.hold(isAsking));
    const { agents, pipeline, callTool } = wireAgents({
      registry,
      workspace,
      models,
      confirm,
      rules: request.rules,
      planOnly: request.planOnly,
    });
    const result = await agents.run({
      ...{ session, kind: "agent", content: request.content, model, tools: agentTools(pipeline), callTool, signal },
      instructions: request.planOnly ? [...INSTRUCTIONS, PLAN] : INSTRUCTIONS,
      ...(request.maxIterations === undefined ? {} : { maxIterations: request.maxIterations }),
      onEvent: (event) => view.onEvent(event),
    });
    return view.finish(result);
  } catch (error) {
    if (signal.aborted) {
      warn("Stopped before the model was asked.");
      return EXIT.cancelled;
    }
    warn(tellFailure(error));
    return EXIT.toolError;
  } finally {
    await close();
  }
}

/** What an agent at a command line is made of. */
export interface AgentWiring {
  registry: Registry;
  workspace: CliWorkspace;
  models: Models;
  confirm: Confirm;
  rules: readonly PlacedRule[];
  planOnly: boolean;
}

/** An agent in the folder of a command line, with the tools it has there. */
export function wireAgents({ registry, workspace, models, confirm, rules, planOnly }: AgentWiring): {
  agents: Agents;
  pipeline: Pipeline;
  callTool: ToolCaller;
} {
  const { files, states, changes, results, table, capabilities } = workspace;
  const agents: Agents = new Agents({
    log: async () => (await states.current()).sessions,
    ...{ files, results, models },
    tools: () => agentTools(pipeline),
    callTool: (call) => callTool(call),
    isTrusted: () => true,
    hasMemory: () => true,
    moreInstructions: async (stop) =>
      [...(await capabilitiesNote(files, stop)), await offeredSkills(files, stop)].filter((text) => text !== ""),
    now: Date.now,
  });
  const messages = environmentMessages(process.env);
  const pipeline: Pipeline = new Pipeline({
    registry,
    capabilities: {
      ...{ ...capabilities, approvals: cliApprovals(workspace), processes: table, sessions: agents },
      ...(messages && { messages }),
      inventory: { external: () => [], model: (_session, stop) => models.find(undefined, stop) },
    },
    changes,
    settings: () => ({ mode: "default", trusted: true, defaultTimeout: TOOL_TIMEOUT, isGroupEnabled: () => true }),
    rules: new Rules(
      { rules: () => rules, add: () => Promise.reject(new Error("The command line keeps no rules.")) },
      Date.now,
    ),
    grammar: new WasmShellGrammar(__dirname, { isOwnProcess: true }),
    exported: () => exportedNames(process.env),
    programs: new NodePrograms(() => process.env["PATH"] ?? ""),
    activity: new RecentActivity(),
    now: Date.now,
  });
  const callTool = directCaller({ pipeline, door: "cli", confirm, planOnly });
  return { agents, pipeline, callTool };
}

/** What went wrong, for the terminal. */
export function tellFailure(error: unknown): string {
  return error instanceof ModelError
    ? error.message
    : error instanceof ToolError
      ? errorText({
          type: error.type,
          message: error.message,
          ...(error.hint === undefined ? {} : { hint: error.hint }),
        })
      : `Toolhost failed: ${String(error)}`;
}

function agentTools(pipeline: Pipeline): ReturnType<typeof mainAgentTools> {
  return mainAgentTools(pipeline.available());
}

/** The id of the session to go on with, or a new one. */
async function findSession(log: SessionLog, { session }: AgentRequest): Promise<string> {
  if (session === undefined) {
    return newId();
  }
  if (session !== "latest") {
    return (await log.status(session.id)).id;
  }
  const { sessions } = await log.list(MAX_LOOKED);
  const latest = sessions.find(({ kind }) => kind === "agent");
  if (latest === undefined) {
    throw new ToolError(
      "not_found",
      "--continue: this folder has no session of toolhost agent.",
      "Begin one without --continue; toolhost sessions list names the others.",
    );
  }
  return latest.id;
}
