import type { Agents } from "../../agent/agents.js";
import { directCaller, onlyReads } from "../../agent/directCaller.js";
import { mainAgentTools } from "../../agent/toolSets.js";
import type { ToolCaller } from "../../agent/turn.js";
import type { TaskCopies } from "../../agent/work/taskCopies.js";
import type { Pipeline } from "../../core/pipeline/pipeline.js";
import type { Registry } from "../../core/registry.js";
import { environmentMessages } from "../../hosts/node/messages/environment.js";
import type { Confirm } from "../../ports/confirm.js";
import type { Person } from "../../ports/person.js";
import type { Models } from "../../ports/models.js";
import type { PlacedRule } from "../../ports/rules.js";
import { composeAgents } from "../agents.js";
import { commandReaders, composePipeline } from "../pipeline.js";
import { placedPipeline } from "../placed.js";
import { cliSettings, givenRules } from "./settings.js";
import type { OwnTools } from "./ownTools.js";
import { cliApprovals, type CliWorkspace } from "./workspace.js";

/** What the agents of a command line need. */
export interface AgentWiring {
  registry: Registry;
  workspace: CliWorkspace;
  /** The user's own tools in the registry. */
  own: OwnTools;
  models: Models;
  confirm: Confirm;
  /** Answers questions of the user's agent; nobody does if absent. */
  person?: Person | undefined;
  rules: readonly PlacedRule[];
  planOnly: boolean;
  /** Whether calls are decided on in mode bypass. */
  allowAll: boolean;
  /** Makes copies of the folder for subagents; none are made if absent. */
  copies?: TaskCopies;
}

/** The agents of a command line's folder, and what runs their calls. */
export interface CliAgents {
  agents: Agents;
  pipeline: Pipeline;
  callTool: ToolCaller;
}

/**
 * Creates the agents. The user typed the command in this folder, so its files for agents are read as in a trusted
 * workspace; permission decides on the model's calls as everywhere.
 */
export function wireAgents({
  registry,
  workspace,
  own,
  models,
  confirm,
  person,
  rules,
  planOnly,
  allowAll,
  copies,
}: AgentWiring): CliAgents {
  const settings = cliSettings(workspace.target, allowAll);
  const { files, state, changes, processes, capabilities } = workspace;
  const agents: Agents = composeAgents({
    platform: process.platform,
    ...{ state, files, models, copies },
    tools: () => mainAgentTools(pipeline.available()),
    absent: () => pipeline.unavailable(),
    callTool: (call) => callTool(call),
    onlyReads: (call) => onlyReads(pipeline, "cli", call),
    isTrusted: () => true,
    hasMemory: () => true,
    hasDocuments: () => true,
  });
  const messages = environmentMessages(process.env);
  const plain = composePipeline({
    registry,
    capabilities: {
      ...{ ...capabilities, processes, approvals: cliApprovals(workspace, false), sessions: agents },
      inventory: {
        external: async (stop) => (await capabilities.externalTools.list(stop)).tools,
        model: (_session, stop) => models.find(undefined, stop),
      },
      ...(messages && { messages }),
    },
    changes,
    activity: state.activity,
    contains: workspace.contains,
    rehearses: workspace.rehearses,
    secrets: state.secrets,
    refreshTools: own.refresh,
    settings: () => settings,
    rules: givenRules(rules),
    ...commandReaders(workspace.folder, { isOwnProcess: true, isElsewhere: workspace.elsewhere !== undefined }),
  });
  const pipeline: Pipeline = placedPipeline(plain, workspace.elsewhere);
  const callTool = directCaller({ pipeline, door: "cli", confirm, planOnly, ...(person && { person }) });
  return { agents, pipeline, callTool };
}
