// Repositories of a manifest, cloned into new folders of the workspace.
import { ToolError, unlessMissing } from "../../core/errors.js";
import { parentPath } from "../../core/paths/pathShape.js";
import { resolveFrom } from "../../core/paths/resolveFrom.js";
import type { Entry } from "../../features/manifests/manifest.js";
import { cloneWords } from "../../features/manifests/repository.js";
import { SANDBOX_SCHEME, type Files, type GatedPath } from "../../ports/files.js";
import type { CommandRequest, Processes } from "../../ports/processes.js";
import { quoteWord } from "../../text/commandLine.js";
import { shownName } from "../../text/shownName.js";
import { messageOf } from "../../text/words.js";
import { refuseLed, targetName } from "./plan.js";

/** Maximum characters of Git's output in an error. */
const MAX_OUTPUT = 2_000;
/** The ways to another machine; Git's others run programs or read this one's files. It asks nothing. */
const ENVIRONMENT = { GIT_ALLOW_PROTOCOL: "http:https:ssh:git", GIT_TERMINAL_PROMPT: "0" };

export type Repository = Extract<Entry, { type: "gitRepo" }> & { path: string };

/** What cloning needs of a call. */
export interface CloneHost {
  files: Files;
  processes: Processes;
  signal: AbortSignal;
  session: string;
  callId: string;
}

/** A folder that was made for a repository. */
export interface Cloned {
  path: string;
  /** Removes it, with the folders above that were made for it. @returns why it stays, if it does */
  takeBack: () => Promise<string | undefined>;
}

/** Returns the command that clones a repository, as permission judges it and people see it. */
export function cloneCommand(entry: Repository): string {
  return ["git", ...cloneWords(entry, entry.path, quoteWord)].join(" ");
}

/**
 * Checks that a repository gets a new folder, of its own.
 *
 * @throws ToolError `path_conflict` if something is there, `protected` if editors or programs act on what is there
 */
export async function checkClone({ path }: Repository, files: Files): Promise<GatedPath> {
  // What a repository holds is not known before it is there, so it is kept from all places at once where such files act.
  if (/(?:^|\/)\./.test(path)) {
    throw new ToolError(
      "protected",
      `${shownName(path)}: no repository is cloned into a folder whose name begins with a dot, since editors, Git and tools act on what is there. Nothing was done.`,
      "Clone it into another folder, and copy from it what is needed.",
    );
  }
  const at = await files.resolve(targetName(path));
  if ((await unlessMissing(() => files.stat(at))) !== undefined) {
    throw new ToolError(
      "path_conflict",
      `${shownName(path)}: something is there, and a repository is cloned into a new folder only. Nothing was done.`,
      "Move it, or take the entry out of the manifest: what is cloned stays as it is.",
    );
  }
  if (at.root === undefined || (at.root.scheme !== "file" && at.root.scheme !== SANDBOX_SCHEME)) {
    throw new ToolError("unavailable", `${shownName(path)} is not on a local disk, so Git cannot run there.`);
  }
  return at;
}

/**
 * Clones a repository. What a failed one left is removed.
 *
 * @throws ToolError as `checkClone`, `stale` if an earlier repository's links lead its place elsewhere, and `io_error`
 *   with what Git said
 */
export async function clone(entry: Repository, host: CloneHost): Promise<Cloned> {
  const at = await checkClone(entry, host.files);
  await refuseLed(host.files, at, entry.path);
  const made = await missingAbove(at, host.files);
  const root = await host.files.resolve(commandFolder(host.files, entry.path));
  const call = (command: string, program?: CommandRequest["program"], signal = host.signal): Promise<void> =>
    run({ ...host, signal }, { command, workdir: root, ...(program && { program }) });
  // Only a folder that this call made is ever removed.
  const above = made.map((folder) => `rmdir -- ${quoteWord(folder)} 2>/dev/null`);
  const { signal: unstopped } = new AbortController();
  try {
    await call(`mkdir -p -- ${quoteWord(parentPath(at.absolute))} && mkdir -- ${quoteWord(at.absolute)}`);
  } catch (error) {
    if (host.signal.aborted) {
      // It may have been made before it was stopped; what is empty is all that it can have made.
      const folder = `rmdir -- ${quoteWord(at.absolute)} 2>/dev/null`;
      await call(["set +e", folder, ...above, "true"].join("; "), undefined, unstopped).catch(() => undefined);
    }
    throw error;
  }
  const takeBack = async (): Promise<string | undefined> => {
    return call(
      ["set +e", `rm -rf -- ${quoteWord(at.absolute)} || exit`, ...above, "true"].join("; "),
      undefined,
      unstopped,
    ).then(
      () => undefined,
      (error: unknown) => `${shownName(entry.path)} could not be removed again: ${messageOf(error)}`,
    );
  };
  try {
    await call(cloneCommand(entry), { file: "git", args: cloneWords(entry, at.absolute) });
  } catch (error) {
    const left = await takeBack();
    throw left === undefined || !(error instanceof ToolError)
      ? error
      : new ToolError(error.type, `${error.message}\n${left}`, error.hint);
  }
  return { path: entry.path, takeBack };
}

/** Returns the absolute paths of the folders above a place that are not there, nearest first. */
async function missingAbove(at: GatedPath, files: Files): Promise<string[]> {
  const missing: string[] = [];
  let absolute = parentPath(at.absolute);
  for (let path = parentPath(at.path); path !== "." && path !== parentPath(path); path = parentPath(path)) {
    const folder = await resolveFrom(files, at, path);
    const info = await unlessMissing(() => files.stat(folder));
    if (info !== undefined) {
      break;
    }
    missing.push(absolute);
    absolute = parentPath(absolute);
  }
  return missing;
}

async function run(
  { processes, signal, session, callId }: CloneHost,
  request: Pick<CommandRequest, "command" | "workdir" | "program">,
): Promise<void> {
  signal.throwIfAborted();
  const { command } = request;
  const process = await processes.start(
    { ...request, env: ENVIRONMENT, interactive: false, title: command.slice(0, 100) },
    false,
    { session, callId },
  );
  const stop = (): void => void process.stop("cancelled").catch(() => undefined);
  signal.addEventListener("abort", stop, { once: true });
  try {
    const { exitCode, status } = await process.ended;
    signal.throwIfAborted();
    if (exitCode !== 0) {
      const said = process.summary(MAX_OUTPUT).text.trim();
      throw new ToolError(
        "io_error",
        `workspace manifest command failed: ${command}\n${said === "" ? `It ended: ${status}, exit code ${exitCode ?? "unknown"}.` : said}`,
        "Nothing is kept. Try the command in a terminal.",
      );
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** The folder in which the commands of a place run, as a call writes it. */
export function commandFolder(files: Files, path: string): string {
  const roots = files.roots().filter(({ beside }) => beside !== true);
  return roots.length > 1 ? (path.split("/")[0] ?? ".") : ".";
}
