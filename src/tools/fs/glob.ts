import * as z from "zod";
import { ignored, ignoredIf, opposite } from "../../core/aliases.js";
import { defineTool } from "../../core/defineTool.js";
import { ToolError } from "../../core/errors.js";
import { globMatcher } from "../../core/paths/globMatcher.js";
import { resolveFrom } from "../../core/paths/resolveFrom.js";
import type { Files, GatedPath } from "../../ports/files.js";
import type { FindResult } from "../../ports/search.js";
import { compareCodeUnits } from "../../text/nearest.js";
import { countFitting } from "./answerSize.js";
import { statExisting } from "./existing.js";
import { adviseGlob, remarkOnGlob } from "./globAdvice.js";
import { globList, withinFolder } from "./globList.js";
import { shownName } from "../../text/shownName.js";

/** Paths per answer without max_results. */
const DEFAULT_RESULTS = 200;
const MAX_RESULTS = 5_000;
/** Maximum characters of a pattern: a longer one is a mistake. */
const MAX_PATTERN = 10_000;
/**
 * Maximum number of files that can be sorted by time: for more, looking up the times would take longer than the search.
 */
const MAX_SORTED = 20_000;
/** Files looked up in parallel. */
const STAT_BATCH = 64;
/** Seconds a search may run; after that the answer is marked partial. */
const SEARCH_SECONDS = 20;
/**
 * Time limit of the call: the search's own limit, which must come first, plus time to look up the files' modification
 * times.
 */
const TIMEOUT = (SEARCH_SECONDS + 10) * 1000;

type Sort = "path" | "modified";

export const glob = defineTool({
  name: "glob",
  group: "fs",
  title: "Find files",
  description:
    `Find files by name with a glob: *, **, ?, [a-z], {a,b}. Case-sensitive. A pattern without / matches names at any depth; one with / matches paths relative to path. ` +
    `Returns files, not folders. Includes hidden files; skips .git and files ignored by .gitignore. ` +
    `The last line gives the total.`,
  input: () =>
    z.object({
      pattern: z.string().min(1).max(MAX_PATTERN).describe("Glob of files to find, such as *.ts or src/**/*.{ts,tsx}."),
      path: z.string().optional().describe("Folder to search. Default: the workspace."),
      sort: z.enum(["path", "modified"]).optional().describe("Default: path; modified gives the newest first."),
      max_results: z
        .int()
        .min(1)
        .max(MAX_RESULTS)
        .optional()
        .describe(`Number of files to return, up to ${MAX_RESULTS}. Default: ${DEFAULT_RESULTS}.`),
      include_ignored: z.boolean().optional().describe("Include files ignored by .gitignore. Default: false."),
    }),
  aliases: {
    pattern: globList("pattern"),
    query: "pattern",
    glob: "pattern",
    glob_pattern: "pattern",
    filePattern: "pattern",
    directory: "path",
    dir_path: "path",
    target_directory: "path",
    cwd: "path",
    maxResults: "max_results",
    head_limit: "max_results",
    limit: "max_results",
    includeIgnoredFiles: "include_ignored",
    no_ignore: "include_ignored",
    respect_git_ignore: opposite("include_ignored"),
    respect_gemini_ignore: ignored,
    case_sensitive: ignoredIf(true, "true"),
  },
  output: () =>
    z.object({
      files: z.array(z.object({ path: z.string().describe("As tools take it.") })).describe("The files returned."),
      total: z.int().describe("Files found, returned or not."),
      sorted_by: z.enum(["path", "modified"]).describe("modified: the latest first."),
      partial: z.boolean().describe("The search stopped early; there may be more."),
    }),
  needs: ["files", "search"],
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  positional: ["pattern", "path"],
  touches: ({ path = "." }) => [{ kind: "read", path }],
  summary: ({ pattern, path }) => `Find ${pattern}${path === undefined ? "" : ` in ${path}`}`,
  timeout: TIMEOUT,
  expose: "default",
  execute: async (input, { files, search, signal }) => {
    const at = await files.resolve(input.path ?? ".");
    const info = await statExisting(files, at);
    if (info.kind !== "directory") {
      throw new ToolError(
        "invalid_input",
        `${shownName(at.path)} is not a folder, so it contains no files.`,
        "Use read for a file.",
      );
    }
    const pattern = withinFolder(input.pattern, at.absolute);
    // Names are not secrets: files that may hold secrets are listed, too.
    const find = (wanted: string): Promise<FindResult> =>
      search.find(
        { pattern: wanted, at, includeIgnored: input.include_ignored ?? false, timeLimit: SEARCH_SECONDS * 1000 },
        signal,
      );
    const { found, as } = await findMeant(pattern, at, find);
    const nothing = found.paths.length === 0 && !found.partial && found.ignored === 0;
    const advice = nothing
      ? await adviseGlob(search, at, pattern, input.include_ignored ?? false, signal)
      : as === undefined
        ? remarkOnGlob(pattern)
        : undefined;
    const sort: Sort = input.sort === "modified" && found.paths.length <= MAX_SORTED ? "modified" : "path";
    const sorted = sort === "modified" ? await newestFirst(files, at, found.paths, signal) : found.paths;
    const asked = input.max_results ?? DEFAULT_RESULTS;
    const wanted = sorted.slice(0, asked).map((path) => ({ path, shown: shownName(path) }));
    const given = wanted.slice(0, countFitting(wanted.map(({ shown }) => shown.length)));
    return {
      text: [
        ...given.map(({ shown }) => shown),
        summary(found, given.length, given.length === asked && asked < MAX_RESULTS),
        ...(sort === (input.sort ?? "path")
          ? []
          : [`[Sorted by path: more than ${MAX_SORTED} files cannot be sorted by time. Narrow the pattern.]`]),
        ...remarks(found),
        ...(as === undefined ? [] : [`[${as}]`]),
        ...(advice === undefined ? [] : [`[${advice}]`]),
      ].join("\n"),
      data: {
        files: given.map(({ path }) => ({ path })),
        total: found.paths.length,
        sorted_by: sort,
        partial: found.partial,
      },
    };
  },
});

/**
 * Finds files as a glob is written, or else as it is most likely meant: with a leading `/` for the searched folder, or
 * with a leading `!` as all files but these.
 *
 * @returns as: how the glob was read, if not as written
 */
async function findMeant(
  glob: string,
  at: GatedPath,
  find: (glob: string) => Promise<FindResult>,
): Promise<{ found: FindResult; as?: string }> {
  if (glob.startsWith("/")) {
    const found = await find(glob.replace(/^\/+/, "") || "*");
    if (found.paths.length > 0) {
      return { found, as: "The leading / was taken as the searched folder." };
    }
    return { found: await find(glob) };
  }
  const found = await find(glob);
  const unwanted = /^!(?!\()(.+)/s.exec(glob)?.[1];
  if (unwanted === undefined || found.paths.length > 0) {
    return { found };
  }
  const matches = globMatcher(unwanted);
  const all = await find("**");
  const prefix = at.path === "." ? "" : `${at.path}/`;
  const isWanted = (path: string): boolean => !matches(path.startsWith(prefix) ? path.slice(prefix.length) : path);
  return {
    found: { ...all, paths: all.paths.filter(isWanted) },
    as: `The leading ! was taken as: all files but ${shownName(unwanted)}.`,
  };
}

/** Sorts paths by modification time, newest first; ties, and files that are gone by now, are sorted by path. */
async function newestFirst(
  files: Files,
  at: GatedPath,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const dated: { path: string; modified: number }[] = [];
  for (let from = 0; from < paths.length; from += STAT_BATCH) {
    signal.throwIfAborted();
    const batch = paths.slice(from, from + STAT_BATCH);
    dated.push(
      ...(await Promise.all(batch.map(async (path) => ({ path, modified: await modifiedAt(files, at, path) })))),
    );
  }
  return dated.sort((a, b) => b.modified - a.modified || compareCodeUnits(a.path, b.path)).map(({ path }) => path);
}

async function modifiedAt(files: Files, at: GatedPath, path: string): Promise<number> {
  try {
    return (await files.stat(await resolveFrom(files, at, path))).modified;
  } catch (error) {
    if (error instanceof ToolError) {
      return 0;
    }
    throw error;
  }
}

/** @param mayAskForMore whether a higher max_results would give more */
function summary({ paths: { length: total }, partial }: FindResult, given: number, mayAskForMore: boolean): string {
  if (total === 0) {
    return partial ? "[The search stopped early; no file so far matches.]" : "[No file matches.]";
  }
  if (given === total) {
    return `[${total} file${total === 1 ? "" : "s"}.]`;
  }
  const next = mayAskForMore ? `Set max_results up to ${MAX_RESULTS}, or narrow` : "Narrow";
  return `[Files 1-${given} of ${total}. ${next} the pattern or path to see the others.]`;
}

/** Returns everything a reader must know to trust the list above: the parts missing from it, and why. */
function remarks({ partial, ignored, problems }: FindResult): string[] {
  return [
    ...(partial
      ? [`[Partial: stopped early (after ${SEARCH_SECONDS} s, or with too many files to hold). Narrow it with path.]`]
      : []),
    ...(ignored > 0 ? [`[${ignored} in ignored files only. Set include_ignored to see them.]`] : []),
    ...problems.map((problem) => `[${problem}]`),
  ];
}
