import { Agents, type AgentsHost } from "../agent/agents.js";
import { capabilitiesNote } from "../agent/capabilitiesNote.js";
import { offeredSkills } from "../agent/skillOffers.js";
import type { KeptState } from "./state.js";

export interface AgentsParts extends Omit<AgentsHost, "log" | "results" | "moreInstructions" | "now"> {
  state: Pick<KeptState, "sessionLog" | "results">;
  /** Whether to list skills in the system prompt. */
  hasDocuments: () => boolean;
}

/** Creates a workspace's agents, with its capabilities and skills in their instructions. */
export function composeAgents({ state, hasDocuments, ...host }: AgentsParts): Agents {
  const { sessionLog, results } = state;
  return new Agents({
    ...host,
    ...{ log: sessionLog, results, now: Date.now },
    moreInstructions: async (signal) => {
      const skills = hasDocuments() ? await offeredSkills(host.files, signal) : "";
      return [...(await capabilitiesNote(host.files, signal)), skills].filter((text) => text !== "");
    },
  });
}
