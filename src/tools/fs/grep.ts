import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";
import { ToolError } from "../../core/errors.js";
import { noFileFits } from "../../core/paths/noFileFits.js";
import type { FileMatches, Search, SearchLine, SearchRequest, SearchResult } from "../../ports/search.js";
import { countFitting } from "./answerSize.js";
import { addExcerpts } from "./excerpts.js";
import { statExisting } from "./existing.js";
import { GREP_ALIASES, MAX_CONTEXT, MAX_RESULTS } from "./grepAliases.js";
import { adviseGlob, remarkOnGlob } from "./globAdvice.js";
import { linesOnPage, type FileLines, type Page } from "./matchPage.js";
import { advisePattern } from "./patternAdvice.js";
import { shorten } from "../../text/clip.js";
import { saysAsText } from "../../text/search/bracketsAsText.js";
import { count } from "../../text/words.js";
import { declaredBy, isPlainName } from "../../text/declaringLine.js";
import { shownName } from "../../text/shownName.js";
import { withinFolder } from "./globList.js";

/** Matches per answer without max_results: about what a model reads without losing the thread. */
const DEFAULT_RESULTS = 200;
/** Characters of an answer, about 5,000 tokens: offset gets the rest. */
const MAX_ANSWER = 20_000;
/** Characters of an answer that another tool stores: no model reads it. */
const MAX_STORED = 100_000;
/** Characters of an answer that its notes take. */
const NOTES_ROOM = 500;
/** Maximum characters of a pattern: a longer one is a mistake, and would not fit on a command line. */
const MAX_PATTERN = 10_000;
/** Seconds a search may run; after that the answer is marked partial. */
const SEARCH_SECONDS = 20;
/** Time limit of the call: the search's own limit, which must come first, plus time to sort and print. */
const TIMEOUT = (SEARCH_SECONDS + 10) * 1000;

export const grep = defineTool({
  name: "grep",
  group: "fs",
  title: "Search text",
  description:
    `Search file contents for a regular expression (Rust syntax) or literal text, unsaved editor text included. ` +
    `Searches hidden files, but skips .git, ignored and binary files, and files that may hold secrets. ` +
    `Results are sorted by path; the last line gives the total and the offset of the next page.`,
  input: () =>
    z.object({
      pattern: z.string().min(1).max(MAX_PATTERN).describe("Regular expression, or plain text with literal."),
      path: z.string().optional().describe("Folder or file to search. Default: the workspace."),
      include: z
        .string()
        .max(MAX_PATTERN)
        .optional()
        .describe("Glob of files to search, such as src/**/*.{ts,tsx}. Without / it matches names at any depth."),
      exclude: z.string().max(MAX_PATTERN).optional().describe("Glob of files to skip."),
      literal: z.boolean().optional().describe("Treat pattern as plain text."),
      ignore_case: z.boolean().optional().describe("Ignore case."),
      multiline: z.boolean().optional().describe("Let a match span lines; . matches line endings."),
      context: z.int().min(0).max(MAX_CONTEXT).optional().describe(`Lines around each match, up to ${MAX_CONTEXT}.`),
      before: z.int().min(0).max(MAX_CONTEXT).optional().describe("Only before."),
      after: z.int().min(0).max(MAX_CONTEXT).optional().describe("Only after."),
      output: z
        .enum(["content", "files", "count"])
        .optional()
        .describe("Matching lines with numbers, paths, or matching lines per file. Default: content."),
      max_results: z
        .int()
        .min(1)
        .max(MAX_RESULTS)
        .optional()
        .describe(`Matches (or files) to return, up to ${MAX_RESULTS}. Default: ${DEFAULT_RESULTS}.`),
      offset: z.int().min(0).optional().describe("Matches (or files) to skip."),
      include_ignored: z.boolean().optional().describe("Also search files ignored by .gitignore."),
    }),
  aliases: GREP_ALIASES,
  output: () =>
    z.object({
      matches: z
        .array(
          z.object({
            path: z.string().describe("The file."),
            line: z.int().describe("1-based."),
            column: z.int().describe("1-based."),
            text: z.string().describe("The line, or a part of a long one."),
            unsaved: z.boolean().describe("It is in an editor's unsaved text."),
          }),
        )
        .describe("With output content: the lines returned."),
      files: z
        .array(z.object({ path: z.string().describe("The file."), matches: z.int().describe("Lines that match.") }))
        .describe("The files returned."),
      total_matches: z.int().describe("Lines on which a match begins; offset counts these."),
      total_occurrences: z.int().describe("All matches; several may begin on one line."),
      total_files: z.int().describe("Files with a match."),
      next_offset: z.int().nullable().describe("Where the next page begins; null when nothing follows."),
      partial: z.boolean().describe("The search stopped early; more may match."),
    }),
  needs: ["files", "search"],
  paged: true,
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  positional: ["pattern", "path"],
  touches: ({ path = "." }) => [{ kind: "read", path, deep: true }],
  withSecrets: (input, put) => ({
    ...input,
    pattern: put("pattern", input.pattern, {
      kind: "refused",
      advice: "Search for the name of the setting or variable that has the value.",
    }),
  }),
  summary: ({ pattern, path }) => `Search for ${pattern}${path === undefined ? "" : ` in ${path}`}`,
  timeout: TIMEOUT,
  expose: "default",
  execute: async (input, { files, search, signal, isInner, secretPlaces }) => {
    const at = await files.resolve(input.path ?? ".");
    const info = await statExisting(files, at);
    if (info.kind === "other") {
      throw new ToolError("unsupported", `${shownName(at.path)} is a pipe, socket or device, so it was not searched.`);
    }
    const { context = 0, before = context, after = context } = input;
    // Only such a pattern can match across lines, and it can match nothing else.
    const spansLines = input.multiline === undefined && hasLineEnding(input.pattern, input.literal ?? false);
    const request: SearchRequest = {
      // Without `multiline`, callers expect . to stay on its line.
      pattern: spansLines && input.literal !== true ? `${ON_LINE}${input.pattern}` : input.pattern,
      at,
      literal: input.literal ?? false,
      ignoreCase: input.ignore_case ?? false,
      multiline: input.multiline ?? spansLines,
      context: (input.output ?? "content") === "content" ? { before, after } : 0,
      // Models also write an empty text for "none".
      include: input.include ? [withinFolder(input.include, at.absolute)] : [],
      exclude: input.exclude ? [withinFolder(input.exclude, at.absolute)] : [],
      includeIgnored: input.include_ignored ?? false,
      timeLimit: SEARCH_SECONDS * 1000,
    };
    const asExclude = /^!(?!\()(.+)/s.exec(input.exclude ? "" : (input.include ?? ""))?.[1];
    let found = await search.search(request, signal);
    // A name may begin with !, too.
    const isExclude = asExclude !== undefined && found.problems.includes(noFileFits(request.include));
    if (isExclude) {
      found = await search.search({ ...request, include: [], exclude: [asExclude] }, signal);
    }
    const advice =
      found.files.length === 0 && found.partial === undefined
        ? await advise(search, { ...request, pattern: input.pattern }, found, signal)
        : undefined;
    // Less was searched than it seems.
    const remark = found.files.length > 0 && input.include && !isExclude ? remarkOnGlob(input.include) : undefined;
    const page: Page = {
      skip: input.offset ?? 0,
      take: input.max_results ?? DEFAULT_RESULTS,
      room: (isInner ? MAX_STORED : MAX_ANSWER) - NOTES_ROOM,
    };
    let answer: Answer;
    if (input.output === "files" || input.output === "count") {
      answer = listFiles(found, input.output, page);
    } else {
      const chosen = linesOnPage(found, page);
      await addExcerpts(chosen, page.skip, at, { files, signal, secretPlaces });
      answer = listMatches(found, chosen, page);
    }
    return {
      text: [
        ...answer.lines,
        ...answer.notes,
        ...(found.files.length === 0 && info.kind === "directory" ? [unsearched(request)] : []),
        ...(isExclude ? [`[include ${input.include} was taken as exclude.]`] : []),
        ...(spansLines ? ["[multiline was set: the pattern has a line ending.]"] : []),
        ...remarks(found),
        ...declarationRemark(input.pattern, found),
        ...(advice === undefined ? [] : [`[${advice}]`]),
        ...(remark === undefined ? [] : [`[${remark}]`]),
      ].join("\n"),
      data: {
        matches: answer.matches,
        files: answer.files,
        total_matches: countMatches(found),
        total_occurrences: countOccurrences(found),
        total_files: found.files.length,
        next_offset: answer.nextOffset,
        partial: found.partial !== undefined,
      },
    };
  },
});

/** In front of a pattern: `.` does not match line endings. */
const ON_LINE = "(?-s)";

/** Whether a pattern can only match across lines. */
function hasLineEnding(pattern: string, literal: boolean): boolean {
  return pattern.includes("\n") || (!literal && /(?:^|[^\\])(?:\\\\)*\\n/.test(pattern));
}

/** Explains why nothing matches: no file fits include, or the pattern was meant differently. */
async function advise(
  search: Search,
  request: SearchRequest,
  { problems }: SearchResult,
  signal: AbortSignal,
): Promise<string | undefined> {
  const [include] = request.include;
  return include !== undefined && problems.includes(noFileFits(request.include))
    ? adviseGlob(search, request.at, include, request.includeIgnored, signal)
    : advisePattern(search, request, signal);
}

interface Answer {
  lines: string[];
  /** Remarks on how much was found, and what is omitted. */
  notes: string[];
  matches: { path: string; line: number; column: number; text: string; unsaved: boolean }[];
  files: { path: string; matches: number }[];
  nextOffset: number | null;
}

function listFiles(found: SearchResult, output: "files" | "count", { skip, take, room }: Page): Answer {
  const wanted = found.files.slice(skip, skip + take);
  const page = wanted.slice(
    0,
    countFitting(
      wanted.map((file) => file.path.length + (output === "count" ? countOf(file).length : 0)),
      room,
    ),
  );
  const nextOffset = skip + page.length < found.files.length && page.length > 0 ? skip + page.length : null;
  return {
    lines: page.map((file) => `${shownName(file.path)}${output === "count" ? countOf(file) : ""}`),
    notes: [summary(found, "Files", skip, page.length, found.files.length, nextOffset)],
    matches: [],
    files: page.map(({ path, matchCount }) => ({ path, matches: matchCount })),
    nextOffset,
  };
}

/** Says how many lines of a file match, and how many matches they have. */
function countOf({ matchCount, occurrences }: FileMatches): string {
  return `: ${matchCount}${occurrences > matchCount ? ` (${occurrences} matches)` : ""}`;
}

function listMatches(found: SearchResult, chosen: readonly FileLines[], { skip, room }: Page): Answer {
  const answer: Answer = { lines: [], notes: [], matches: [], files: [], nextOffset: null };
  const broken: string[] = [];
  for (const { file, lines } of chosen) {
    answer.lines.push(`${shownName(file.path)}${file.unsaved ? " (unsaved)" : ""}`, ...renderLines(lines));
    answer.files.push({ path: file.path, matches: file.matchCount });
    if (lines.some(({ text }) => text.includes("\r"))) {
      broken.push(shownName(file.path));
    }
    for (const { line, column, text } of lines) {
      if (column !== undefined) {
        answer.matches.push({ path: file.path, line, column, text, unsaved: file.unsaved });
      }
    }
  }
  answer.lines = shortenLines(answer.lines, room);
  const given = answer.matches.length;
  answer.nextOffset = given > 0 && skip + given < countMatches(found) ? skip + given : null;
  answer.notes.push(summary(found, "Matches", skip, given, countMatches(found), answer.nextOffset));
  if (broken.length > 0) {
    // ripgrep ends lines at LF only; for editors, and so for read, a lone CR ends one, too.
    answer.notes.push(
      `[Some lines contain CRs, where read starts a new line but this search does not, so these line numbers are lower: ${broken.join(", ")}.]`,
    );
  }
  return answer;
}

/** Cuts the lines of an answer that is too long because of a single match with much context, all to one length. */
function shortenLines(lines: string[], room: number): string[] {
  const total = lines.reduce((sum, line) => sum + line.length + 1, 0);
  return total <= room ? lines : lines.map((line) => shorten(line, Math.floor(room / lines.length) - 1));
}

function renderLines(lines: readonly SearchLine[]): string[] {
  const rendered: string[] = [];
  let before: number | undefined;
  const hasContext = lines.some(({ column }) => column === undefined);
  for (const { line, column, text } of lines) {
    if (hasContext && before !== undefined && line > before + 1) {
      rendered.push("  --");
    }
    rendered.push(`  ${line}${column === undefined ? "-" : ":"} ${text}`);
    before = line;
  }
  return rendered;
}

function summary(
  found: SearchResult,
  what: string,
  skip: number,
  given: number,
  total: number,
  next: number | null,
): string {
  const files = `${found.files.length} file${found.files.length === 1 ? "" : "s"}`;
  const matches = countMatches(found);
  if (total === 0) {
    return found.partial === undefined ? "[No match.]" : "[The search stopped early; no match so far.]";
  }
  if (given === 0) {
    return `[offset=${skip} is past the end: ${count(matches, "matching line")} in ${files}.]`;
  }
  const occurrences = countOccurrences(found);
  const isMore = occurrences > matches;
  if (given === total) {
    return `[${count(occurrences, "match", "matches")}${isMore ? ` on ${count(matches, "line")}` : ""} in ${files}.]`;
  }
  const all = what === "Files" ? "" : ` in ${files}${isMore ? `, with ${occurrences} matches` : ""}`;
  const shown = what === "Matches" && isMore ? "Matching lines" : what;
  return `[${shown} ${skip + 1}-${skip + given} of ${total}${all}${next === null ? ": the end" : `. Continue with offset=${next}`}.]`;
}

/** Returns where a name that was searched for is declared, if a matching line says so. */
function declarationRemark(pattern: string, { files }: SearchResult): string[] {
  if (!isPlainName(pattern)) {
    return [];
  }
  const declared = files.flatMap(({ path, lines }) =>
    lines.flatMap(({ line, column, text }) => {
      const kind = column === undefined ? undefined : declaredBy(text, pattern);
      return kind === undefined ? [] : [`${kind} ${pattern}, ${shownName(path)}:${line}`];
    }),
  );
  const [first] = declared;
  const more = declared.length > 1 ? ` and ${declared.length - 1} more` : "";
  return first === undefined ? [] : [`[symbol: ${first}${more}; references lists its uses.]`];
}

/**
 * Returns a note on the files that a search of a folder skips, so that «no match» is not mistaken for «not there». Does
 * not check whether such files exist: that takes longer than the search.
 */
function unsearched({ includeIgnored }: SearchRequest): string {
  return includeIgnored
    ? "[Files that may hold secrets are not searched.]"
    : "[Ignored files (.gitignore) and files that may hold secrets are not searched; include_ignored searches the former.]";
}

/** Returns everything a reader must know to trust the list above: the parts missing from it, and why. */
function remarks({ partial, problems, pcre2, asText }: SearchResult): string[] {
  return [
    ...(asText === undefined
      ? []
      : [`[${saysAsText(asText.startsWith(ON_LINE) ? asText.slice(ON_LINE.length) : asText)}]`]),
    ...(pcre2 === undefined ? [] : [`[Matched with PCRE2, because the default engine rejects the pattern: ${pcre2}.]`]),
    ...(partial === "time" ? [`[Partial: stopped after ${SEARCH_SECONDS} s. Narrow it with path or include.]`] : []),
    ...(partial === "size"
      ? ["[Partial: too many matches to hold. Narrow it with path, include or a longer pattern.]"]
      : []),
    ...(partial === "memory"
      ? [
          "[Partial: stopped because the search took too much memory: a line is too long or has too many matches. Narrow it with path or include, or make the pattern match once per line (a.* for a).]",
        ]
      : []),
    ...problems.map((problem) => `[${problem}]`),
  ];
}

function countOccurrences({ files }: SearchResult): number {
  return files.reduce((sum, { occurrences }) => sum + occurrences, 0);
}

function countMatches({ files }: SearchResult): number {
  return files.reduce((sum, { matchCount }) => sum + matchCount, 0);
}
