import type { FileMatches, SearchLine } from "../../ports/search.js";
import { clipStart } from "../../text/clip.js";
import { BINARY_PROBE_BYTES } from "../../text/encoding.js";
import { isRecord } from "../../core/jsonSchema.js";
import { count } from "../../text/words.js";

/**
 * The parts that are kept of an event several megabytes long: its kind, whether its text is UTF-8, its line number and the offset of its first
 * match.
 */
const LONG_LINE =
  /^\{"type":"(match|context)"(?:.*?"lines":\{"(text|bytes)")?.*"line_number":(\d+),"absolute_offset":\d+,"submatches":\[(?:\{.*?"start":(\d+))?/s;

/** Maximum code units of a line that are shown; a longer one is shown as a window around its first match. */
const LINE_WINDOW = 400;
/** Code units shown before the match in that window. */
const BEFORE_MATCH = 100;

const LINE_FEED = 10;

/** Collects the events of `rg --json` into matches by file. Bytes that are not UTF-8 become replacement characters. */
export class MatchCollector {
  readonly files = new Map<string, FileMatches>();
  /** Number of matches and context lines held. */
  held = 0;
  /** Number of files ripgrep searched, whether they match or not. */
  searched = 0;
  /** Whether ripgrep reported that it completed. */
  hasEnded = false;
  /** Whether a line of the output was not an event, so that its content is unknown. */
  isGarbled = false;
  /** Files with a match that turned out to be binary: their matches are dropped. */
  readonly binary: string[] = [];
  /** Files that begin as text and contain a NUL later on: a search of their folder stops there. */
  readonly cutShort: string[] = [];
  #path = "";
  /** Whether the file has a line that is not held. */
  #isLong = false;
  #isAdmitted = true;
  readonly #admits: (path: string) => boolean;

  /**
   * @param admits whether a file may be shown, by ripgrep's path of it: nothing is kept about other files, not even a
   *   count
   */
  constructor(admits: (path: string) => boolean = () => true) {
    this.#admits = admits;
  }

  /** Reads one line of output. */
  take(line: string): void {
    const event = parse(line);
    if (event === undefined && !LONG_LINE.test(line)) {
      this.isGarbled = true;
    } else if (event?.type === "begin") {
      this.#path = textOf(event.data["path"]).text;
      this.#isAdmitted = this.#admits(this.#path);
      this.#isLong = false;
    } else if (event?.type === "summary" && isRecord(event.data["stats"])) {
      this.hasEnded = true;
      this.searched += numberOf(event.data["stats"]["searches"]);
    } else if (this.#isAdmitted) {
      this.#takeOfFile(line, event);
    }
  }

  #takeOfFile(line: string, event: RipgrepEvent | undefined): void {
    if (event === undefined) {
      this.#takeLong(line);
    } else if (event.type === "match" || event.type === "context") {
      this.#takeLines(event.type, event.data);
    } else if (event.type === "end") {
      this.#takeEnd(event.data["binary_offset"]);
      this.#takeCount(event.data["stats"]);
    }
  }

  /** Uses the same bound as for reading to decide what is binary, so that read and grep agree on every file. */
  #takeEnd(binaryOffset: unknown): void {
    if (typeof binaryOffset !== "number") {
      return;
    }
    if (binaryOffset < BINARY_PROBE_BYTES) {
      this.files.delete(this.#path);
      this.binary.push(this.#path);
    } else {
      this.cutShort.push(this.#path);
    }
  }

  /** Takes ripgrep's own count of matches where lines are not held; elsewhere it also counts empty ones. */
  #takeCount(stats: unknown): void {
    const file = this.files.get(this.#path);
    if (this.#isLong && file !== undefined && isRecord(stats)) {
      file.occurrences = Math.max(file.occurrences, numberOf(stats["matches"]));
    }
  }

  #takeLines(type: "match" | "context", data: Record<string, unknown>): void {
    const { text, bytes } = textOf(data["lines"]);
    const first = numberOf(data["line_number"]);
    const starts = type === "match" ? startsOf(data["submatches"]) : [];
    const file = this.#file();
    const content = text.replace(/\r?\n$/, "");
    const lines = content.includes("\n") ? content.split(/\r?\n/) : [content];
    // A match that spans lines is shown as its first line, with the column, and the others as context. ripgrep reports
    // matches on adjacent lines together.
    const found = byLine(text, bytes, starts, lines.length);
    for (const [index, line] of lines.entries()) {
      const { column, count = 0 } = found.get(index) ?? {};
      file.lines.push(searchLine(first + index, column, line, count));
      this.held++;
      file.matchCount += count > 0 ? 1 : 0;
      file.occurrences += count;
    }
  }

  /** Reads a line of megabytes. Most of it was cut out, so it is no longer JSON, but the rest still shows the place. */
  #takeLong(line: string): void {
    const [, type, form, lineNumber, start] = LONG_LINE.exec(line) ?? [];
    const file = this.#file();
    const isMatch = type === "match";
    this.#isLong = true;
    const before = Number(start ?? 0);
    file.matchCount += isMatch ? 1 : 0;
    file.occurrences += isMatch ? 1 : 0;
    file.lines.push({
      line: Number(lineNumber),
      column: isMatch ? before + 1 : undefined,
      text: isMatch ? `[a match ${count(before, "byte")} into a line too long to show]` : "[a line too long to show]",
      leftOut: form === "bytes" ? "bytes" : "text",
    });
    this.held++;
  }

  #file(): FileMatches {
    const known = this.files.get(this.#path);
    if (known !== undefined) {
      return known;
    }
    const file: FileMatches = { path: this.#path, matchCount: 0, occurrences: 0, lines: [], unsaved: false };
    this.files.set(this.#path, file);
    return file;
  }
}

interface RipgrepEvent {
  type: string;
  data: Record<string, unknown>;
}

function parse(line: string): RipgrepEvent | undefined {
  try {
    const event: unknown = JSON.parse(line);
    return isRecord(event) && typeof event["type"] === "string" && isRecord(event["data"])
      ? { type: event["type"], data: event["data"] }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a text: ripgrep sends `{text}`, or `{bytes}` in base64 if the bytes are not UTF-8. */
function textOf(value: unknown): { text: string; bytes: Uint8Array | undefined } {
  if (isRecord(value) && typeof value["text"] === "string") {
    return { text: value["text"], bytes: undefined };
  }
  if (isRecord(value) && typeof value["bytes"] === "string") {
    const bytes = Uint8Array.from(atob(value["bytes"]), (character) => character.charCodeAt(0));
    return { text: new TextDecoder().decode(bytes), bytes };
  }
  return { text: "", bytes: undefined };
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

/** Returns the byte offsets at which matches begin. Of empty ones, as of `x*`, only the first counts. */
function startsOf(value: unknown): number[] {
  const all = Array.isArray(value) ? value.filter(isRecord) : [];
  const full = all.filter(({ start, end }) => numberOf(end) > numberOf(start));
  return full.length > 0 ? full.map(({ start }) => numberOf(start)) : [numberOf(all[0]?.["start"])];
}

/** Returns the column of the first match that begins on each of a text's lines, and how many do, by the line's index. */
function byLine(
  text: string,
  bytes: Uint8Array | undefined,
  starts: readonly number[],
  lineCount: number,
): Map<number, { column: number; count: number }> {
  const raw = lineCount > 1 ? (bytes ?? new TextEncoder().encode(text)) : undefined;
  const found = new Map<number, { column: number; count: number }>();
  let line = 0;
  let begin = 0;
  for (const start of starts) {
    for (let end = endOf(raw, begin); end < start; end = endOf(raw, begin)) {
      line++;
      begin = end + 1;
    }
    const known = found.get(line);
    const count = (known?.count ?? 0) + 1;
    const column = known?.column ?? (line === 0 ? columnOf(text, bytes, start) : columnIn(raw?.subarray(begin, start)));
    found.set(line, { column, count });
  }
  return found;
}

/** Returns where the line that begins at `begin` ends; infinity for the last. */
function endOf(raw: Uint8Array | undefined, begin: number): number {
  const end = raw?.indexOf(LINE_FEED, begin) ?? -1;
  return end < 0 ? Number.POSITIVE_INFINITY : end;
}

/** Returns the column behind these bytes. */
function columnIn(before: Uint8Array | undefined): number {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(before).length + 1;
}

/**
 * Converts a byte offset to a column: ripgrep counts bytes, an editor code units. They are the same after ASCII, with
 * which nearly every line begins.
 */
function columnOf(text: string, bytes: Uint8Array | undefined, start: number): number {
  if (bytes === undefined && isAscii(text, start)) {
    return start + 1;
  }
  return columnIn((bytes ?? new TextEncoder().encode(text)).subarray(0, start));
}

function isAscii(text: string, length: number): boolean {
  for (let index = 0; index < length; index++) {
    if (text.charCodeAt(index) > 127) {
      return false;
    }
  }
  return true;
}

/** Returns a line of a search result: whole, or a window around its first match. */
function searchLine(line: number, column: number | undefined, text: string, count: number): SearchLine {
  if (text.length <= LINE_WINDOW) {
    return { line, column, text };
  }
  const from = Math.max(0, (column ?? 1) - 1 - BEFORE_MATCH);
  const window = clipStart(text.slice(from), LINE_WINDOW);
  const before = from > 0 ? "…" : "";
  const after = from + window.length < text.length ? "…" : "";
  const matches = count > 1 ? `, ${count} matches, the first` : "";
  const where = column === undefined ? "" : `${matches} at column ${column}`;
  // A copy: a slice would keep the whole line in memory while the window lives.
  return {
    line,
    column,
    text: structuredClone(`${before}${window}${after} [line of ${text.length} characters${where}]`),
  };
}
