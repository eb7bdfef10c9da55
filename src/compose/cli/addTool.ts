import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { isRecord } from "../../core/jsonSchema.js";
import { newId } from "../../core/pipeline/pipeline.js";
import { ToolError } from "../../core/errors.js";
import { askOnTerminal, type AddRequest } from "../../doors/cli/addTool.js";
import { EXIT } from "../../doors/cli/exitCode.js";
import { tellFailure } from "../../doors/cli/tellFailure.js";
import { TerminalQuestion } from "../../doors/cli/terminalQuestion.js";
import type { AddTarget } from "../../features/custom/add/addTool.js";
import { TOOLS_FILE, type Entry } from "../../features/custom/entry.js";
import { secretsOf } from "../../features/custom/overview.js";
import { readTools } from "../../features/custom/readTools.js";
import { parseToolFile, readToolFiles, type ToolFile } from "../../features/custom/toolFiles.js";
import { openLineTerminal } from "../../hosts/node/lineTerminal.js";
import { showHidden } from "../../text/showHidden.js";
import { tools } from "../../tools/index.js";
import { callTool } from "./call.js";
import { refuseAgents, toolFilesHost, usersFile } from "./toolFilesHost.js";
import { openFolder, type CliFolder, type CliPlace } from "./workspace.js";

/**
 * Adds a tool of the user's own at the command line.
 *
 * @returns the exit code
 * @throws Error if the folder does not exist
 */
export async function addOwnTool(place: CliPlace, request: AddRequest, signal: AbortSignal): Promise<number> {
  const folder = openFolder(place);
  try {
    refuseAgents(request.user ? (usersFile() ?? TOOLS_FILE) : TOOLS_FILE);
    return await add(place, folder, request, signal);
  } catch (error) {
    if (signal.aborted) {
      place.warn("Nothing was added.");
      return EXIT.cancelled;
    }
    place.warn(tellFailure(error));
    return EXIT.toolError;
  } finally {
    await folder.state.close();
  }
}

async function add(
  place: CliPlace,
  folder: CliFolder,
  { answers, input, yes, user }: AddRequest,
  signal: AbortSignal,
): Promise<number> {
  if (input !== undefined && !isRecord(input)) {
    throw new ToolError("invalid_input", "--input must be a JSON object.");
  }
  const { addTool, openTarget, saveEntry } = await import("../addTool.js");
  const { files, changes } = folder;
  const usual = toolFilesHost(folder);
  // The user's own file is created with its first tool.
  const host = user && !existsSync(usersTarget().value) ? { ...usual, users: () => undefined } : usual;
  const { reserved, ours, api, approved } = host;
  const read = (text: string): ReturnType<typeof readTools> => readTools(text, { reserved, ours });
  const [root] = files.roots();
  const there = await readToolFiles(host);
  const terminal = yes ? undefined : openLineTerminal();
  const target: AddTarget = {
    ...(user ? usersTarget() : { value: "workspace", label: TOOLS_FILE }),
    ...{ lists: ["tools", "openapi"], folder: "." },
    save: async (made, stop) => {
      const at = user ? await files.outside(usersTarget().value) : await openTarget(files, TOOLS_FILE);
      const session = newId();
      const origin = {
        ...{ session, turn: session, callId: newId(), tool: "tools add", door: "cli" as const },
        ...{ summary: `Add a tool to ${at.path}`, reads: "free" as const },
      };
      const parts = { changes: changes.forCall(origin, files).changes, read };
      return saveEntry({ ...parts, approved: user ? undefined : await approved() }, at, made, stop);
    },
  };
  const added = await addTool(
    {
      ...{ targets: [target], ours: tools, read, reserved, files, approved, api },
      owner: (name) => ownerOf(name, there),
      ask:
        terminal === undefined
          ? () => Promise.reject(new Error("nobody can be asked"))
          : askOnTerminal(terminal, signal),
      attempt: async ({ entry }, _target, sample, stop) => {
        if (root === undefined) {
          throw new ToolError("unavailable", "There is no folder to run it in.");
        }
        const text = JSON.stringify({ tools: [entry] });
        const {
          tools: [tool],
          problems,
        } = await parseToolFile(host, { path: TOOLS_FILE, text }, root, ".");
        if (tool === undefined) {
          throw new ToolError("invalid_input", problems.map(({ message }) => message).join(" "));
        }
        const confirm = terminal && new TerminalQuestion(terminal);
        return callTool(place, { tool, input: sample, readsData: false, ...(confirm && { confirm }) }, stop);
      },
    },
    { answers, sample: input, isAlone: terminal === undefined, isKept: yes },
    signal,
  );
  const out = (text: string): void => void process.stdout.write(`${showHidden(text, true).text}\n`);
  if (added === undefined) {
    place.warn("Nothing was added.");
    return EXIT.cancelled;
  }
  const { made, saved, trial } = added;
  if (terminal === undefined && trial !== undefined) {
    out(trial);
  }
  const what = made.list === "tools" ? String(made.entry["name"]) : String(made.entry["spec"]);
  out(
    saved.isApproved
      ? `${what} is added to ${saved.path}${user ? "" : ", which is approved with it"}.`
      : `${what} is added to ${saved.path}. You have not approved other parts of that file: read and approve it with toolhost tools approve.`,
  );
  secretsOf(made.entry as Entry).forEach((name) => out(`Set its secret in the variable TOOLHOST_SECRET_${name}.`));
  return EXIT.ok;
}

/** @throws ToolError `unavailable` if the user has no such file */
function usersTarget(): { value: string; label: string } {
  const file = usersFile();
  if (file === undefined) {
    throw new ToolError(
      "unavailable",
      "--user: you have no file of tools that apply in every folder.",
      "Set the variable TOOLHOST_TOOLS to its path first, in your shell's profile.",
    );
  }
  return { value: resolve(file), label: file };
}

/** Returns the file that has a tool of a name, or an entry that is wrong. */
function ownerOf(name: string, files: readonly ToolFile[]): string | undefined {
  const has = ({ tools: good, problems }: ToolFile): boolean =>
    good.some((tool) => tool.name === name) || problems.some(({ tool }) => tool === name);
  return files.find(has)?.path;
}
