import { isRecord } from "../../../core/jsonSchema.js";
import { codeFence, literalCode, literalLine } from "../../../text/fence.js";
import { clipStart } from "../../../text/clip.js";
import { count } from "../../../text/words.js";
import { findLinks, type ResultLink } from "../../shared/resultLinks.js";

/** Lines of a longer result that are shown: together a good half of a chat view. */
const HEAD = 20;
const TAIL = 10;
/** Maximum characters of a line: five rows of a narrow chat view. */
const MAX_LINE = 300;

/** A result as the chat shows it. */
interface ShownResult {
  markdown: string;
  /** Whether something of it is omitted. */
  isCut: boolean;
}

/** Formats a link to a line of a file, or to the file. */
export type FormatLink = (path: string, line: number | undefined, label: string) => Promise<string>;

interface Line {
  text: string;
  link: ResultLink | undefined;
}

/** A line that stands alone in brackets: `[4 matches in 2 files.]`. */
const NOTE = /^\[(.+)\]$/;
/** A line that a search found, or one beside it. */
const FOUND = /^ *\d+[:-] /;
/** What a search puts between matches that are apart. */
const BETWEEN_MATCHES = /^ *--$/;
/** A line that our tools say in words: `Edited a.ts: 1 replacement at line 3.` */
const SENTENCE = /^\p{Lu}.*\.$/u;
/** Where a model finds the rest of a result. People have a button. */
const FOR_MODELS = /\bread_result\b/;

/**
 * Formats a tool's result as Markdown for people: files as links, texts as code, remarks as words. Of a long one only
 * the head and the tail are shown.
 *
 * @param data the result for programs, which says what is a path
 */
export async function shownResult(text: string, data: unknown, link: FormatLink): Promise<ShownResult> {
  const links = new Map(findLinks(text, data).map((each) => [each.row, each]));
  const all = text
    .replace(/\n$/, "")
    .split("\n")
    .map((line, row): Line => ({ text: line, link: links.get(row) }));
  const [only] = all;
  if (all.length === 1 && only !== undefined && only.link === undefined && only.text.length <= MAX_LINE) {
    return { markdown: remark(only), isCut: false };
  }
  const lines = all.filter((line) => !isForModels(line));
  const headed = lines.findIndex(({ text: line }) => !NOTE.test(line));
  const ends = lines.findLastIndex(({ text: line }) => !NOTE.test(line));
  const [before, body, after] =
    headed < 0 ? [lines, [], []] : [lines.slice(0, headed), lines.slice(headed, ends + 1), lines.slice(ends + 1)];
  if (!isOthers(data) && body.every(({ text: line, link: found }) => found === undefined && SENTENCE.test(line))) {
    return { markdown: lines.map(remark).join("\n\n"), isCut: all.length > lines.length };
  }
  const omitted = body.length - HEAD - TAIL;
  const isExcerpt = all.length > lines.length;
  // A gap of a line or two would be as long as its mark.
  const parts =
    omitted <= 2
      ? [await block(body, link)]
      : [
          await block(body.slice(0, HEAD), link),
          `*… ${isExcerpt ? "many lines" : count(omitted, "line")} not shown …*`,
          await block(body.slice(-TAIL), link),
        ];
  const isCut = isExcerpt || omitted > 2 || body.some(({ text: line }) => line.length > MAX_LINE);
  return {
    markdown: [...before.map(remark), ...parts, ...after.map(remark)].filter((part) => part !== "").join("\n\n"),
    isCut,
  };
}

/** Whether a result has the text of a file, or what a command printed. */
function isOthers(data: unknown): boolean {
  return isRecord(data) && (data["content"] !== undefined || data["stdout"] !== undefined);
}

function isForModels({ text }: Line): boolean {
  return NOTE.test(text) && FOR_MODELS.test(text);
}

function remark({ text }: Line): string {
  return literalLine(NOTE.exec(text)?.[1] ?? text);
}

function block(lines: readonly Line[], link: FormatLink): Promise<string> {
  const files = lines.filter((line) => line.link !== undefined && line.link.line === undefined).length;
  return files > 0 && lines.every((line) => line.link?.line === undefined) ? list(lines, link) : texts(lines, link);
}

/** Formats a list or a tree of files. */
async function list(lines: readonly Line[], link: FormatLink): Promise<string> {
  const rows = await Promise.all(
    lines.map(async ({ text, link: found }) => {
      const indent = /^ */.exec(text)?.[0] ?? "";
      const name =
        found === undefined
          ? literalLine(text)
          : `${await link(found.path, undefined, text.slice(found.start, found.end))}${literal(text.slice(found.end))}`;
      return `${indent}- ${name}`;
    }),
  );
  return rows.join("\n");
}

/** As `literalLine`, with the space before it. */
function literal(text: string): string {
  return text.trim() === "" ? "" : `${text.startsWith(" ") ? " " : ""}${literalLine(text)}`;
}

/** Formats text as code. The lines that a search found stand below a link to their file, each with one to itself. */
async function texts(lines: readonly Line[], link: FormatLink): Promise<string> {
  const parts: string[] = [];
  let code: string[] = [];
  let rows: string[] = [];
  let path: string | undefined;
  const end = (): void => {
    if (code.length + rows.length > 0) {
      parts.push(code.length > 0 ? codeFence(code.join("\n"), "text") : rows.join("\n"));
    }
    [code, rows] = [[], []];
  };
  for (const { text, link: found } of lines) {
    if (found !== undefined && found.path !== path) {
      end();
      path = found.path;
      const rest = found.line === undefined ? literal(text.slice(found.end)) : "";
      parts.push(`${await link(path, found.line, path)}${rest}`);
    }
    if (found?.line !== undefined && FOUND.test(text)) {
      if (code.length > 0) {
        end();
      }
      rows.push(
        `- ${await link(found.path, found.line, String(found.line))} ${literalCode(clipLine(text.slice(found.end + 2).trim()))}`,
      );
    } else if (found === undefined ? !(rows.length > 0 && BETWEEN_MATCHES.test(text)) : found.line !== undefined) {
      if (rows.length > 0) {
        end();
      }
      code.push(clipLine(text));
    }
  }
  end();
  return parts.join("\n\n");
}

function clipLine(line: string): string {
  return line.length > MAX_LINE ? `${clipStart(line, MAX_LINE)} …` : line;
}
