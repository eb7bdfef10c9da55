import { ToolError } from "../../core/errors.js";

/** One run of ripgrep, with `--json` or `--files`. */
interface RipgrepRun {
  args: readonly string[];
  /** The folder to run in. */
  cwd: string;
  /** Text to search in place of files. */
  input?: string;
  /** Stops the run; everything found so far has been reported then. */
  signal: AbortSignal;
  /**
   * The output's line terminator: NUL for lists of names (`--null`), since a name may contain a newline. Default
   * newline.
   */
  lineEnd?: "\n" | "\0";
  /** Called for each line of the output; for a line too long to hold, with its start and its line number. */
  onLine: (line: string) => void;
  /** Called when the run is stopped because it takes too much memory; without it the run then fails. */
  onMemory?: () => void;
}

/**
 * Runs ripgrep to its end. Exit code 0: something matched, 1: nothing did, 2: there were errors; undefined: stopped by
 * the signal, or because of its memory.
 *
 * @throws ToolError `io_error` for any other end, and for truncated output (end.ts), `too_large` as `onMemory` says
 */
export type Ripgrep = (run: RipgrepRun) => Promise<{ exitCode: number | undefined; errors: string }>;

/** Maximum length of a line of output that is held whole. A longer one is a match in a line of megabytes. */
export const MAX_OUTPUT_LINE = 1_000_000;
/** Characters kept of a line that is too long: that many from its start, and as many from the line number on. */
export const KEPT_OF_LONG_LINE = 4_000;
/**
 * The text that follows a match's text in the output. Quotes inside the match are escaped, so it occurs nowhere else.
 */
const AFTER_TEXT = '"line_number":';

/** Splits ripgrep's output into lines in bounded memory. */
export class LineSplitter {
  #head = "";
  #tail = "";
  #long = false;
  readonly #onLine: (line: string) => void;
  readonly #lineEnd: string;

  constructor(onLine: (line: string) => void, lineEnd: "\n" | "\0" = "\n") {
    this.#onLine = onLine;
    this.#lineEnd = lineEnd;
  }

  /** Whether the text so far ends in the middle of a line. */
  get isCut(): boolean {
    return this.#head !== "";
  }

  /** @param signal after which no line is reported, so that a reader that has enough gets no more of the same chunk */
  push(chunk: string, signal: AbortSignal): void {
    let from = 0;
    for (let end = chunk.indexOf(this.#lineEnd); end >= 0; end = chunk.indexOf(this.#lineEnd, from)) {
      if (signal.aborted) {
        return;
      }
      this.#add(chunk.slice(from, end));
      this.#end();
      from = end + 1;
    }
    this.#add(chunk.slice(from));
  }

  #add(text: string): void {
    if (!this.#long && this.#head.length + text.length <= MAX_OUTPUT_LINE) {
      this.#head += text;
      return;
    }
    let rest = this.#tail + text;
    if (!this.#long) {
      rest = this.#head + text;
      this.#head = rest.slice(0, KEPT_OF_LONG_LINE);
      rest = rest.slice(KEPT_OF_LONG_LINE);
      this.#long = true;
    }
    const place = rest.indexOf(AFTER_TEXT);
    // Until the line number arrives, keep only what may be the start of the marker.
    this.#tail = place < 0 ? rest.slice(1 - AFTER_TEXT.length) : rest.slice(place, place + KEPT_OF_LONG_LINE);
  }

  #end(): void {
    this.#onLine(this.#head + this.#tail);
    this.#head = "";
    this.#tail = "";
    this.#long = false;
  }
}

const ESCAPE = "Escape special characters, or set literal to search for plain text.";

/** Thrown if the engine rejects the regular expression; another engine may accept it. */
export class PatternRefused extends ToolError {
  constructor(message: string, hint: string) {
    super("invalid_input", message, hint);
  }
}

/** Turns ripgrep's message about a bad pattern or glob into an error for the caller; undefined for other errors. */
export function badRequest(errors: string): ToolError | undefined {
  const said = errors.trim().replace(/^rg: /, "");
  if (/parsing glob|invalid glob/i.test(said)) {
    return new ToolError(
      "invalid_input",
      `Invalid glob: ${said}.`,
      "Correct include or exclude; [{] matches a literal brace.",
    );
  }
  if (/^PCRE2 is not available|^PCRE2: error compiling pattern/.test(said)) {
    return new PatternRefused(`Invalid regular expression: ${said}`, ESCAPE);
  }
  if (/regex parse error|the literal "\\r" is not allowed/i.test(said)) {
    return new PatternRefused(`Invalid regular expression: ${said.replace(/\n\n[^]*$/, "")}`, ESCAPE);
  }
  if (/the literal .* is not allowed|regex could not be compiled|compiled regex exceeds/i.test(said)) {
    const multiline = /not allowed/.test(said);
    return new ToolError(
      "invalid_input",
      // After a blank line ripgrep suggests its own flags.
      `Invalid regular expression: ${said.replace(/\n\n[^]*$/, "")}`,
      multiline ? "Set multiline to match across lines." : ESCAPE,
    );
  }
  return undefined;
}
