import { ToolError } from "../../core/errors.js";
import { RESULT_PAGE, type Results, type ResultWriter, type StoredResult } from "../../ports/results.js";
import { isInsidePair } from "../../text/splitLines.js";
import { asciiText } from "../../text/terminal/bytes.js";

/** Maximum characters of one result; the rest is counted, but not kept. */
const MAX_RESULT = 10_000_000;
/** Maximum characters of all results; the oldest go first. */
const MAX_TOTAL = 50_000_000;

interface Kept {
  text: string;
  dropped: number;
  complete: boolean;
}

/** The result store in the memory of a browser's tab: results end with it. */
export class MemoryResults implements Results {
  /** By id, oldest first. */
  readonly #kept = new Map<string, Kept>();

  open(): Promise<ResultWriter> {
    const id = `r${[...crypto.getRandomValues(new Uint8Array(6))].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
    const kept: Kept = { text: "", dropped: 0, complete: false };
    this.#kept.set(id, kept);
    return Promise.resolve({
      id,
      write: async (...parts) => {
        for (const part of parts) {
          const text = typeof part === "string" ? part : asciiText(part);
          const room = MAX_RESULT - kept.text.length;
          const end = isInsidePair(text, room) ? room - 1 : room;
          kept.text += text.slice(0, Math.max(0, end));
          kept.dropped += Math.max(0, text.length - Math.max(0, end));
        }
        this.#forgetOldest(id);
      },
      close: async () => {
        kept.complete = true;
        return stored(id, kept);
      },
      discard: async () => void this.#kept.delete(id),
    });
  }

  async page(
    id: string,
    asked: number,
  ): Promise<{ text: string; page: number; result: StoredResult; complete: boolean }> {
    const kept = this.#of(id);
    const starts = pageStarts(kept.text);
    const last = Math.max(1, starts.length);
    const page = asked < 0 ? last + 1 + asked : asked;
    if (page < 1 || page > last) {
      throw new ToolError("page_out_of_range", `${id} has no page ${asked}.`, `Valid pages are 1–${last}.`);
    }
    const text = kept.text.slice(starts[page - 1] ?? 0, starts[page]);
    return { text, page, result: stored(id, kept), complete: kept.complete };
  }

  async *chunks(id: string, signal: AbortSignal): AsyncIterable<string> {
    const { text } = this.#of(id);
    const starts = pageStarts(text);
    for (const [index, start] of starts.entries()) {
      signal.throwIfAborted();
      yield text.slice(start, starts[index + 1]);
    }
  }

  /** Returns the text itself, for `Patterns.search` of the same host: there are no files. */
  async location(id: string): Promise<string> {
    return this.#of(id).text;
  }

  #of(id: string): Kept {
    const kept = this.#kept.get(id);
    if (kept === undefined) {
      throw new ToolError(
        "unknown_id",
        `There is no result ${id}.`,
        "Results are kept until the tab is closed or reloaded. Make the call again.",
      );
    }
    return kept;
  }

  #forgetOldest(current: string): void {
    let total = [...this.#kept.values()].reduce((sum, { text }) => sum + text.length, 0);
    for (const [id, { text, complete }] of this.#kept) {
      if (total <= MAX_TOTAL) {
        return;
      }
      if (complete && id !== current) {
        this.#kept.delete(id);
        total -= text.length;
      }
    }
  }
}

function stored(id: string, { text, dropped }: Kept): StoredResult {
  return { id, characters: text.length + dropped, pages: pageStarts(text).length, dropped };
}

/** Returns where the pages of a text begin. A page ends with a line, unless that is longer than a page. */
function pageStarts(text: string): number[] {
  const starts: number[] = [];
  for (let start = 0; start < text.length;) {
    starts.push(start);
    const limit = start + RESULT_PAGE;
    const line = start + text.slice(start, limit).lastIndexOf("\n") + 1;
    start = limit >= text.length ? text.length : line > start ? line : isInsidePair(text, limit) ? limit - 1 : limit;
  }
  return starts;
}
