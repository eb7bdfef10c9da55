import * as z from "zod";
import { asInteger, atMost, ignored, type AliasRule, type Meaning } from "../../core/aliases.js";
import { defineTool } from "../../core/defineTool.js";
import { ToolError } from "../../core/errors.js";
import type { Patterns } from "../../ports/patterns.js";
import { RESULT_PAGE, type Results } from "../../ports/results.js";
import { clipStart } from "../../text/clip.js";
import { saysAsText } from "../../text/search/bracketsAsText.js";
import { remarkOnWrapping } from "../../text/search/unwrapped.js";
import { readLines, type LineRange } from "../../text/readLines.js";
import { PAGE_ALIASES } from "../fs/filePage.js";
import { headLimit } from "../fs/grepAliases.js";
import { count } from "../../text/words.js";

const MAX_CONTEXT = 20;
/** Maximum characters of a regular expression; nobody waits for a longer one. */
const MAX_PATTERN = 1_000;
/** Seconds a search may take: 250 MB take less than one. */
const SEARCH_SECONDS = 10;
/** Maximum characters of matching lines that are held; the rest is only counted. */
const MAX_FOUND = 4_000_000;

const ignoringCase: AliasRule = {
  says: "`(?i)` at the start of `pattern`",
  replaces: true,
  read: (value, { pattern }) =>
    value === false
      ? { fields: {} }
      : value === true && typeof pattern === "string"
        ? { fields: { pattern: `(?i)${pattern}` } }
        : undefined,
};

/** Lines on one side of a match. */
function oneSide(name: string): AliasRule {
  return {
    says: "as `context`, on both sides",
    replaces: true,
    read: (value, { context }): Meaning | undefined => {
      const lines = asInteger(value);
      const earlier = asInteger(context) ?? 0;
      return lines === undefined || lines < 0
        ? undefined
        : lines === 0
          ? { fields: {} }
          : {
              fields: { context: Math.max(lines, earlier) },
              ...(lines > earlier ? { note: `${name}=${lines} was taken as context=${lines}, on both sides.` } : {}),
            };
    },
  };
}

export const readResult = defineTool({
  name: "read_result",
  group: "runtime",
  title: "Read stored result",
  description:
    `Read a result that was too large to show in full, in pages of ${RESULT_PAGE} characters, or search it with pattern. ` +
    `The answer that stored it contains its id.`,
  input: () =>
    z.object({
      id: z.string().describe("The result's id."),
      page: z.int().optional().describe("Page number; -1 is the last. Default: 1."),
      offset: z.int().min(0).optional().describe("First line, 1-based, to give lines instead of a page."),
      limit: z.int().min(1).optional().describe("Lines to give, from offset on; with pattern: matches."),
      pattern: z
        .string()
        .min(1)
        .max(MAX_PATTERN)
        .optional()
        .describe("Regular expression: give only the lines that match, numbered; page then counts pages of these."),
      context: z
        .int()
        .min(0)
        .max(MAX_CONTEXT)
        .optional()
        .describe("Lines to show before and after each match. Default: 0."),
    }),
  aliases: {
    result_id: "id",
    regex: "pattern",
    context: atMost("context", MAX_CONTEXT),
    ...PAGE_ALIASES,
    head_limit: headLimit("limit"),
    max_results: "limit",
    maxResults: "limit",
    "-m": "limit",
    "-A": oneSide("-A"),
    "-B": oneSide("-B"),
    after: oneSide("after"),
    before: oneSide("before"),
    "-C": "context",
    // Lines are always numbered.
    "-n": ignored,
    ignore_case: ignoringCase,
    "-i": ignoringCase,
  },
  output: () =>
    z.object({
      id: z.string(),
      page: z.int(),
      total_pages: z.int().describe("With pattern: of the lines found."),
      total_chars: z.int(),
      total_matches: z.int().optional().describe("With pattern: the number of matching lines."),
      complete: z.boolean().describe("false while it is still being written, or if a search was not completed."),
      content: z.string(),
    }),
  needs: ["results", "patterns"],
  paged: true,
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  positional: ["id", "page"],
  // It only reads the result of an earlier call by this user, which was allowed.
  touches: () => [],
  summary: ({ id, page = 1, offset, limit, pattern }) =>
    pattern !== undefined
      ? `Search result ${id} for ${pattern}`
      : offset === undefined && limit === undefined
        ? `Read page ${page} of result ${id}`
        : `Read lines of result ${id}`,
  expose: "default",
  execute: async ({ id, page: asked, offset, limit, pattern, context = 0 }, { results, patterns, signal }) => {
    if (pattern !== undefined) {
      return searchResult({ id, asked: asked ?? 1, pattern, context, limit, offset }, results, patterns, signal);
    }
    if (offset !== undefined || limit !== undefined) {
      return lineResult(id, { first: Math.max(1, offset ?? 1), most: limit }, results, signal);
    }
    const { text, page, result, complete } = await results.page(id, asked ?? 1);
    const total = Math.max(1, result.pages);
    const notes = [
      page < total
        ? `${text.endsWith("\n") ? "Continue" : "Its last line is cut: continue"} with page=${page + 1}.`
        : complete
          ? "The end."
          : "It is still being written, so there may be more.",
      ...(result.dropped > 0 ? [`${result.dropped} characters were discarded: the result was too large.`] : []),
    ];
    return {
      text: `${text}\n[Page ${page} of ${total} of ${id}. ${notes.join(" ")}]`,
      data: { id, page, total_pages: total, total_chars: result.characters, complete, content: text },
      // pipe stores results without anybody reading them: it must get all of it, or a page would be mistaken for the
      // whole result.
      ...(asked === undefined &&
        complete && {
          whole: {
            note: `This is all that was kept of ${id}.`,
            dropped: result.dropped,
            chunks: (until: AbortSignal) => results.chunks(id, until),
          },
        }),
    };
  },
});

interface ResultData {
  id: string;
  page: number;
  total_pages: number;
  total_chars: number;
  total_matches?: number;
  complete: boolean;
  content: string;
}

/** Returns lines of a result, numbered, as many as fit on a page. */
async function lineResult(
  id: string,
  wanted: LineRange,
  results: Results,
  signal: AbortSignal,
): Promise<{ text: string; data: ResultData }> {
  const { result, complete } = await results.page(id, 1);
  const { lines, isCut, next, total } = await readLines(results.chunks(id, signal), wanted, RESULT_PAGE);
  if (lines.length === 0 && total !== undefined && total > 0) {
    throw new ToolError("page_out_of_range", `${id} has no line ${wanted.first}.`, `It has ${count(total, "line")}.`);
  }
  const last = wanted.first + lines.length - 1;
  const notes = [
    lines.length === 0 ? `${id} is empty.` : `Lines ${wanted.first}-${last} of ${id}.`,
    ...(isCut ? [`Line ${last} is cut: read_result by page has all of it.`] : []),
    next === undefined
      ? complete
        ? "The end."
        : "It is still being written, so there may be more."
      : `Continue with offset=${next}.`,
    ...(result.dropped > 0 ? [`${result.dropped} characters were discarded: the result was too large.`] : []),
  ];
  const content = lines.map((line) => `${line}\n`).join("");
  const numbered = lines.map((line, index) => `${wanted.first + index}:${line}\n`).join("");
  return {
    text: `${numbered}[${notes.join(" ")}]`,
    data: { id, page: 1, total_pages: Math.max(1, result.pages), total_chars: result.characters, complete, content },
  };
}

interface ResultSearch {
  id: string;
  asked: number;
  pattern: string;
  context: number;
  /** Maximum matching lines to give; the others are counted. */
  limit: number | undefined;
  /** Has no effect on a search. */
  offset: number | undefined;
}

/** Returns a page of the lines of a result that match, each with its number in the whole result. */
async function searchResult(
  { id, asked, pattern, context, limit = Number.POSITIVE_INFINITY, offset }: ResultSearch,
  results: Results,
  patterns: Patterns,
  signal: AbortSignal,
): Promise<{ text: string; data: ResultData }> {
  const { result, complete } = await results.page(id, 1);
  const pages: string[] = [];
  let held = 0;
  let matches = 0;
  const time = AbortSignal.timeout(SEARCH_SECONDS * 1_000);
  const location = await results.location(id);
  const until = AbortSignal.any([signal, time]);
  const { complete: isWhole, asText } = await patterns.search(pattern, location, context, until, (line) => {
    matches += /^\d+:/.test(line) ? 1 : 0;
    if (held > MAX_FOUND || matches > limit) {
      return;
    }
    const shown = `${clipStart(line, RESULT_PAGE - 1)}\n`;
    const last = pages.at(-1);
    held += shown.length;
    if (last === undefined || last.length + shown.length > RESULT_PAGE) {
      pages.push(shown);
    } else {
      pages[pages.length - 1] = last + shown;
    }
  });
  let inOtherCase = 0;
  if (isWhole && matches === 0 && /\p{Letter}/u.test(pattern) && !pattern.startsWith("(?i)")) {
    await patterns.search(`(?i)${pattern}`, location, 0, until, () => (inOtherCase += 1));
  }
  signal.throwIfAborted();
  const total = Math.max(1, pages.length);
  const page = asked < 0 ? total + 1 + asked : asked;
  if (page < 1 || page > total) {
    throw new ToolError(
      "page_out_of_range",
      `The lines of ${id} that match have no page ${asked}.`,
      `Valid pages are 1–${total}.`,
    );
  }
  const content = pages[page - 1] ?? "";
  const notes = [
    `${count(matches, "line")} of ${id} ${matches === 1 ? "matches" : "match"}.`,
    ...(matches > limit ? [`The first ${limit} are given.`] : []),
    ...(offset === undefined ? [] : ["offset has no effect with pattern; page has."]),
    ...(matches > 0 ? [] : [remarkOnWrapping(pattern) ?? []].flat()),
    ...(inOtherCase > 0
      ? [`With other case it matches ${count(inOtherCase, "line")}: begin the pattern with (?i).`]
      : []),
    ...(asText === undefined ? [] : [saysAsText(asText)]),
    ...(total > 1
      ? [`Page ${page} of ${total}${page < total ? `: continue with page=${page + 1}` : ": the end"}.`]
      : []),
    ...(isWhole ? [] : [`Partial: stopped after ${SEARCH_SECONDS} s.`]),
    ...(held > MAX_FOUND ? ["Only the first of them can be shown: use a longer pattern."] : []),
    ...(complete ? [] : ["It is still being written, so there may be more."]),
    ...(result.dropped > 0 ? [`${result.dropped} characters were discarded: the result was too large.`] : []),
  ];
  return {
    text: `${content}[${notes.join(" ")}]`,
    data: {
      id,
      page,
      total_pages: total,
      total_chars: result.characters,
      total_matches: matches,
      complete: complete && isWhole,
      content,
    },
  };
}
