import type { Tool } from "../../core/contract.js";
import { ToolError } from "../../core/errors.js";
import type { Registry } from "../../core/registry.js";
import { secretsOf } from "../../features/custom/overview.js";
import { RegisteredTools } from "../../features/custom/registeredTools.js";
import {
  readToolFiles,
  versionOfToolFiles,
  waitingTools,
  whyInert,
  type ToolFile,
} from "../../features/custom/toolFiles.js";
import { SECRET_VARIABLE } from "../../hosts/node/secrets/hostSecrets.js";
import { MIN_NAMED } from "../../text/secrets/named.js";
import { visibleLine } from "../../text/showHidden.js";
import { messageOf } from "../../text/words.js";
import { lookEvery } from "../lookEvery.js";
import { cliToolFiles, placed, toolFilesHost } from "./toolFilesHost.js";
import { openFolder, type CliFolder, type CliPlace } from "./workspace.js";

/** How often a process that runs on looks for changes of the files, in ms. */
const LOOK_EVERY = 1_000;

/**
 * Returns the user's tool of a name, for a call.
 *
 * @returns undefined if no file has such a tool
 * @throws ToolError `denied` if the user has not approved its file, `invalid_input` if its entry cannot be used
 */
export async function customTool(
  folder: Pick<CliFolder, "files" | "state">,
  name: string,
  warn: (message: string) => void,
): Promise<Tool | undefined> {
  for (const file of await cliToolFiles(folder)) {
    const waits = waitingTools(file).find((each) => each.tool.name === name);
    if (waits !== undefined) {
      throw new ToolError(
        "denied",
        `${name}: ${waits.why}. Nothing was run.`,
        "Read and approve it: toolhost tools approve.",
      );
    }
    const tool = file.tools.find((each) => each.name === name);
    if (tool !== undefined) {
      warnOfShortSecrets(file, warn);
      return tool;
    }
    const problem = file.problems.find((each) => each.tool === name);
    if (problem !== undefined) {
      throw new ToolError(
        "invalid_input",
        `${name} cannot be used: ${placed(file.path, problem)}`,
        "Correct the file.",
      );
    }
  }
  return undefined;
}

/**
 * Reads the tools of a folder's files.
 *
 * @param approved whether only those that can be called; all are known, for rules that name them
 */
export async function ownTools(place: CliPlace, approved = false): Promise<readonly Tool[]> {
  const folder = openFolder(place);
  try {
    const files = await cliToolFiles(folder);
    return files.flatMap((file) => [
      ...(file.isApproved ? file.tools : []),
      ...(approved ? [] : waitingTools(file).map(({ tool }) => tool)),
    ]);
  } finally {
    await folder.state.close();
  }
}

/** The user's own tools in a registry, for as long as a process runs. */
export interface OwnTools {
  /** Reads the files again if they or their approvals have changed. */
  refresh: () => Promise<void>;
  dispose: () => void;
}

/**
 * Keeps the user's own tools in a registry as their files and approvals are, and says which files are inert or have
 * problems, each once.
 */
export async function followOwnTools(
  registry: Registry,
  folder: Pick<CliFolder, "files" | "state">,
  warn: (message: string) => void,
): Promise<OwnTools> {
  const host = toolFilesHost(folder);
  const own = new RegisteredTools(registry, () => readToolFiles(host), host.approveBy);
  const said = new Set<string>();
  const say = (message: string): void => {
    if (!said.has(message)) {
      said.add(message);
      warn(message);
    }
  };
  let version: string | undefined;
  const refresh = async (): Promise<void> => {
    const now = await versionOfToolFiles(host, own.files);
    if (now === version) {
      return;
    }
    for (const file of await own.refresh()) {
      file.problems.forEach((problem) => say(placed(file.path, problem)));
      warnOfShortSecrets(file, say);
      if (!file.isApproved && file.tools.length > 0) {
        say(`${whyInert(file)}, so no agent has its tools. Read and approve it: toolhost tools approve`);
      }
    }
    version = now;
  };
  await refresh();
  // Clients learn of a change before their next call.
  const dispose = lookEvery(LOOK_EVERY, refresh, (error) => say(messageOf(error)));
  return { refresh, dispose };
}

/** Says which secrets of a file's tools are too short to be hidden in what those print. */
function warnOfShortSecrets(file: ToolFile, warn: (message: string) => void): void {
  const names = new Set([...file.entries, ...file.services].flatMap(({ entry }) => secretsOf(entry)));
  for (const name of names) {
    const length = process.env[SECRET_VARIABLE + name]?.trim().length ?? 0;
    if (length > 0 && length < MIN_NAMED) {
      warn(`${SECRET_VARIABLE}${visibleLine(name)} has fewer than ${MIN_NAMED} characters, so results do not hide it.`);
    }
  }
}
