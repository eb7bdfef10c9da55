import type { TaskCopies } from "../../agent/work/taskCopies.js";
import { wireAgents, type AgentWiring, type CliAgents } from "./agents.js";
import { mergeTool } from "./mergeTool.js";
import { openWorkspace, type CliPlace } from "./workspace.js";

/** Agents that can have copies of a command line's folder. */
export interface CopyingAgents extends CliAgents {
  copies: TaskCopies;
  /** Gets ready to make copies, and removes those that killed processes left. @throws Error if there can be none */
  prepare: () => Promise<void>;
}

/** Creates the agents of a folder of this machine. What makes copies is loaded with the first. */
export function wireWithCopies(place: CliPlace, wiring: AgentWiring): CopyingAgents {
  let loaded: Promise<Pick<TaskCopies, "open">> | undefined;
  const load = (): Promise<Pick<TaskCopies, "open">> => (loaded ??= make());
  const copies: TaskCopies = { open: async (of, signal) => (await load()).open(of, signal), tell: place.warn };
  const wired = wireAgents({ ...wiring, copies });
  const { registry, workspace, confirm } = wiring;
  const make = async (): Promise<Pick<TaskCopies, "open">> =>
    (await import("./taskCopies.js")).openTaskCopies({
      ...{ workspace, confirm, mergeTool, pipeline: wired.pipeline, callTool: wired.callTool },
      planOnly: wiring.planOnly,
      toolOf: (name) => registry.get(name),
      open: (folder, copyOf) => {
        const copy = openWorkspace({ ...place, target: { ...place.target, workspace: folder }, copyOf });
        return { ...wireAgents({ ...wiring, workspace: copy }), workspace: copy };
      },
    });
  return { ...wired, copies, prepare: async () => void (await load()) };
}
