import type { Tool } from "../../core/contract.js";
import { Cancelled, ToolError } from "../../core/errors.js";
import { failure, type Outcome } from "../../core/outcome.js";
import { newId } from "../../core/pipeline/pipeline.js";
import type { ProcessTable } from "../../features/processes/processTable.js";
import { Registry } from "../../core/registry.js";
import { LoggedSessions } from "../../features/sessions/loggedSessions.js";
import { absentTools, hasCommand, TOOL_LIST } from "../../doors/cli/absentTools.js";
import { AgentsCommand } from "../../doors/cli/agentsCommand.js";
import { TerminalQuestion } from "../../doors/cli/terminalQuestion.js";
import { isAgentsCommand } from "../../hosts/node/environment.js";
import { environmentMessages } from "../../hosts/node/messages/environment.js";
import { openLineTerminal } from "../../hosts/node/lineTerminal.js";
import { EnvironmentModels } from "../../hosts/openai/environment.js";
import type { CapabilityName } from "../../ports/capabilities.js";
import type { Confirm } from "../../ports/confirm.js";
import type { Processes } from "../../ports/processes.js";
import type { PlacedRule } from "../../ports/rules.js";
import { tools } from "../../tools/index.js";
import { commandReaders, composePipeline } from "../pipeline.js";
import { placedPipeline } from "../placed.js";
import { cliApprovals, openWorkspace, type CliPlace } from "./workspace.js";
import { customTool } from "./ownTools.js";
import { cliSettings, givenRules } from "./settings.js";
import { USER_AGENT } from "../userAgent.js";

/** Capabilities that need VS Code. */
const WINDOW_ONLY: readonly CapabilityName[] = ["tasks"];

const messages = environmentMessages(process.env);

/** The tools of a single command. */
export const commandTools = tools.filter(
  (tool) =>
    hasCommand(tool) &&
    !tool.needs.some((name) => WINDOW_ONLY.includes(name) || (name === "messages" && messages === undefined)),
);

/** A call from the command line; `readsData` as in `Caller`. */
export interface CliCall {
  /** Its name, or a tool of the user's own that is only tried. */
  tool: string | Tool;
  input: unknown;
  readsData: boolean;
  /** Asks as about a model's call. Default: nothing is asked, unless an agent started this command line. */
  confirm?: Confirm;
  /** Rules for a call that asks, and whether it is decided on in mode bypass. */
  rules?: readonly PlacedRule[];
  allowAll?: boolean;
  /** As in `Caller`, for a call that asks. Default: ask. */
  reads?: "free" | "ask";
  report?: (message: string) => void;
}

/** Runs one tool. @throws Error if the folder does not exist */
export async function callTool(
  place: CliPlace,
  { tool, input, readsData, confirm, rules = [], allowAll = false, reads = "ask", report }: CliCall,
  signal: AbortSignal,
): Promise<Outcome> {
  const name = typeof tool === "string" ? tool : tool.name;
  const workspace = openWorkspace(place);
  const isAgents = isAgentsCommand(process.env);
  const registry = new Registry(commandTools);
  const plain = composePipeline({
    registry,
    capabilities: {
      ...workspace.capabilities,
      approvals: cliApprovals(workspace, true),
      processes: inForeground(workspace.processes),
      sessions: new LoggedSessions(workspace.state.sessionLog),
      inventory: {
        external: async (stop) => (await workspace.capabilities.externalTools.list(stop)).tools,
        model: (_session, stop) => new EnvironmentModels({}, process.env, USER_AGENT).find(undefined, stop),
      },
      ...(messages && { messages }),
    },
    changes: workspace.changes,
    contains: workspace.contains,
    secrets: workspace.state.secrets,
    settings: () => cliSettings(place.target, allowAll),
    // A person's own calls need no permission.
    ...((isAgents || confirm !== undefined) && {
      rules: givenRules(rules),
      ...commandReaders(place.folder, { isOwnProcess: true, isElsewhere: place.elsewhere !== undefined }),
    }),
  });
  const pipeline = placedPipeline(plain, place.elsewhere?.name);
  try {
    const isShipped = registry.get(name) !== undefined;
    const own = typeof tool === "object" ? tool : isShipped ? undefined : await customTool(workspace, name, place.warn);
    if (own !== undefined) {
      registry.register(own);
    }
    const absent = absentTools(tools, commandTools);
    const call = {
      ...({ door: "cli", session: newId(), signal, readsData, absent, toolList: TOOL_LIST } as const),
      ...(report && { report: ({ message }: { message: string }) => report(message) }),
    };
    return await pipeline.invoke(
      name,
      input,
      isAgents || confirm !== undefined
        ? { ...call, authority: "model", reads, confirm: confirm ?? agentsQuestion() }
        : { ...call, authority: "owner" },
    );
  } catch (error) {
    return failure(name, error instanceof ToolError ? error : new Cancelled(name));
  } finally {
    await workspace.close();
  }
}

/** Asks about calls of a command line that an agent started: on its terminal, if it has one. */
function agentsQuestion(): Confirm {
  const terminal = openLineTerminal();
  return terminal === undefined ? new AgentsCommand() : new TerminalQuestion(terminal);
}

/** Rejects background commands: all commands end with the command line. */
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
