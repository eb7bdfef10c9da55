import { RecentActivity } from "../../core/pipeline/activity.js";
import { isRecord } from "../../core/jsonSchema.js";
import { failure, type Outcome } from "../../core/outcome.js";
import { notTheUsersUndo } from "../../doors/cli/agentsCommand.js";
import { undoFromCommandLine, type UndoRequest } from "../../doors/cli/undo.js";
import { isAgentsCommand } from "../../hosts/node/environment.js";
import { nestedWorkspaces, otherWorkspaces } from "../../hosts/node/state/otherWorkspaces.js";
import type { Root } from "../../ports/files.js";
import { quoteWord } from "../../text/commandLine.js";
import { watchCommands } from "../effects.js";
import { openFolder, type CliPlace } from "./workspace.js";

/** Number of other folders that an undo with nothing to undo names. */
const MAX_NESTED = 3;

/** Undoes changes, or lists them. @throws Error if the folder does not exist */
export async function undo(place: CliPlace, request: UndoRequest, signal: AbortSignal): Promise<Outcome> {
  if (request.kind !== "list" && isAgentsCommand(process.env)) {
    return failure("undo", notTheUsersUndo());
  }
  const { files, state, changes } = openFolder(place);
  const host = { changes, files, activity: new RecentActivity(), isTrusted: () => true, now: Date.now };
  try {
    await watchCommands(place.folder, files, { changes, state }, place.warn).recover();
    const command = undoCommand(place.target.others ?? [], place.elsewhere?.address);
    const outcome = placed(await undoFromCommandLine(host, request, command, signal), place.elsewhere);
    // The list is where people look for what they miss. Other lists are of folders of this machine.
    return place.elsewhere !== undefined
      ? outcome
      : withNested(request.kind === "list" ? withOthers(outcome, files.roots()) : outcome, files.roots());
  } finally {
    await state.close();
  }
}

/** Says first in which sandbox the changes are. */
function placed(outcome: Outcome, elsewhere: CliPlace["elsewhere"]): Outcome {
  return outcome.ok && elsewhere !== undefined
    ? { ...outcome, text: `In ${elsewhere.name}:${elsewhere.root.path}:\n${outcome.text}` }
    : outcome;
}

/** Adds to the list of changes how to get those of windows that have the folder open with others. */
function withOthers(outcome: Outcome, roots: readonly Root[]): Outcome {
  const [root, another] = roots.filter(({ beside }) => beside !== true);
  const workspaces = root === undefined || another !== undefined ? [] : otherWorkspaces(root.path);
  if (!outcome.ok || root === undefined || workspaces.length === 0) {
    return outcome;
  }
  const others = workspaces.map((folders) => folders.filter((folder) => folder !== root.path));
  const lines = others.map((folders) => `  ${undoCommand(folders)} --list`);
  return {
    ...outcome,
    text: [outcome.text, "", "Changes in windows that have this folder open with others:", ...lines].join("\n"),
    data: { ...(outcome.data as object), other_workspaces: others },
  };
}

/** Adds to what has nothing to undo that folders above or below have changes of their own, as after `cd` into one of them. */
function withNested(outcome: Outcome, roots: readonly Root[]): Outcome {
  const hasNone = outcome.ok
    ? isRecord(outcome.data) && Array.isArray(outcome.data["turns"]) && outcome.data["turns"].length === 0
    : outcome.error.type === "not_found";
  const [root] = roots;
  const nested = root === undefined || !hasNone ? [] : nestedWorkspaces(root.path);
  if (nested.length === 0) {
    return outcome;
  }
  const lists = nested.slice(0, MAX_NESTED).map((folder) => `  toolhost --workspace ${quoteWord(folder)} undo --list`);
  const more = nested.length > MAX_NESTED ? [`  and of ${nested.length - MAX_NESTED} more folders`] : [];
  const words = ["Each folder has a list of its own. Lists of folders above or below this one:", ...lists, ...more];
  return outcome.ok
    ? { ...outcome, text: [outcome.text, ...words].join("\n") }
    : { ...outcome, error: { ...outcome.error, hint: [outcome.error.hint ?? [], words].flat().join("\n") } };
}

/** @param sandbox its address: the changes there are not those of the folder */
function undoCommand(others: readonly string[], sandbox?: string): string {
  const undoes = sandbox === undefined ? "toolhost undo" : `toolhost --sandbox ${quoteWord(sandbox)} undo`;
  return [undoes, ...others.map((folder) => `--with ${quoteWord(folder)}`)].join(" ");
}
