import { failure } from "../../core/outcome.js";
import { readRules } from "../../core/permission/rules/readRules.js";
import { newId } from "../../core/pipeline/pipeline.js";
import { Registry } from "../../core/registry.js";
import { TOOL_LIST } from "../../doors/cli/absentTools.js";
import type { Explainer, ExplainOptions } from "../../doors/cli/explain.js";
import { environmentMessages } from "../../hosts/node/messages/environment.js";
import { loadSqlite } from "../../hosts/node/state/sqlite.js";
import { tools } from "../../tools/index.js";
import { commandReaders, composePipeline } from "../pipeline.js";
import { cliSettings, givenRules } from "./settings.js";
import { customTool, ownTools } from "./ownTools.js";
import { containsOn, openFiles, openFolder, type CliPlace } from "./workspace.js";

/**
 * Opens an explainer of what permission would decide about a model's call in VS Code. Opens no state, so it leaves
 * nothing behind, except for the user's own tools, whose approval is there.
 *
 * @throws Error if the folder does not exist
 */
export async function openExplainer(
  place: CliPlace,
  { mode, trusted, rules }: ExplainOptions,
  signal: AbortSignal,
): Promise<Explainer> {
  const messages = environmentMessages(process.env);
  const added =
    rules === undefined
      ? []
      : readRules(rules.value, "command line", rules.place, [...tools, ...(await ownTools(place))]);
  const registry = new Registry(tools);
  const files = openFiles(place);
  const pipeline = composePipeline({
    registry,
    ...(place.elsewhere === undefined && { contains: containsOn(files) }),
    capabilities: { files, ...(messages && { messages }) },
    changes: {
      undoable: async () => loadSqlite() !== undefined,
      hasSeen: async () => true,
      forCall: () => notToRun(),
    },
    settings: () => ({ ...cliSettings(place.target), mode, trusted }),
    rules: givenRules(added),
    ...commandReaders(place.folder, { isOwnProcess: true, isElsewhere: place.elsewhere !== undefined }),
  });
  return {
    problems: added.flatMap(({ place: where, broken }) => (broken === undefined ? [] : [`${where}: ${broken}`])),
    explain: async (name, input) => {
      try {
        await registerOwnTool(name, registry, place);
        const caller = { door: "cli", session: newId(), signal, authority: "model", toolList: TOOL_LIST } as const;
        return { ok: true, explanation: await pipeline.explain(name, input, caller) };
      } catch (error) {
        const outcome = failure(name, error);
        return outcome.ok ? notToRun() : outcome;
      }
    },
  };
}

/** Adds the user's own tool of a name, if no other has it. @throws ToolError `denied` if its file is not approved */
async function registerOwnTool(name: string, registry: Registry, place: CliPlace): Promise<void> {
  if (registry.get(name) !== undefined) {
    return;
  }
  const folder = openFolder(place);
  try {
    const tool = await customTool(folder, name, place.warn);
    if (tool !== undefined) {
      registry.register(tool);
    }
  } finally {
    await folder.state.close();
  }
}

/** Fails: only calls that run need this. */
function notToRun(): never {
  throw new Error("explain runs nothing");
}
