import type { Pipeline } from "../../core/pipeline/pipeline.js";
import type { Registry } from "../../core/registry.js";
import { environmentMessages } from "../../hosts/node/messages/environment.js";
import type { PlacedRule } from "../../ports/rules.js";
import { commandReaders, composePipeline } from "../pipeline.js";
import { placedPipeline } from "../placed.js";
import { cliSettings, givenRules } from "./settings.js";
import type { OwnTools } from "./ownTools.js";
import { cliApprovals, type CliWorkspace } from "./workspace.js";

/** What the tools need that an agent of another system uses in a folder. */
export interface OutsideWiring {
  registry: Registry;
  workspace: CliWorkspace;
  /** The user's own tools in the registry. */
  own: OwnTools;
  rules: readonly PlacedRule[];
  /** Whether calls are decided on in mode bypass. */
  allowAll: boolean;
}

/**
 * Creates the pipeline for an agent of another system, which has models and subagents of its own.
 *
 * @throws ToolError `denied` as `cliSettings`
 */
export function wireOutside({ registry, workspace, own, rules, allowAll }: OutsideWiring): Pipeline {
  const settings = cliSettings(workspace.target, allowAll);
  const messages = environmentMessages(process.env);
  const pipeline = composePipeline({
    registry,
    capabilities: {
      ...workspace.capabilities,
      ...{ processes: workspace.processes, approvals: cliApprovals(workspace, false) },
      ...(messages && { messages }),
    },
    changes: workspace.changes,
    activity: workspace.state.activity,
    contains: workspace.contains,
    secrets: workspace.state.secrets,
    refreshTools: own.refresh,
    settings: () => settings,
    rules: givenRules(rules),
    ...commandReaders(workspace.folder, { isOwnProcess: true, isElsewhere: workspace.elsewhere !== undefined }),
  });
  return placedPipeline(pipeline, workspace.elsewhere);
}
