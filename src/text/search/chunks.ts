import { countLineFeeds } from "../splitLines.js";

/** Target size of a chunk, in characters: a few paragraphs, which an answer can show and an embedding can represent. */
const TARGET = 1_000;
/** Maximum characters of a chunk. */
const MOST = 1_500;
/** A shorter chunk includes the next paragraph even if together they exceed the target. */
const LEAST = 300;

/** A part of a text. */
export interface Chunk {
  text: string;
  /** 1-based; blank lines around it do not count. */
  startLine: number;
  /** 1-based, inclusive. */
  endLine: number;
  /** The headings above it, outermost first, joined by ` > `; empty outside Markdown. */
  heading: string;
}

/** Lines that belong together. */
interface Block {
  text: string;
  /** 1-based. */
  line: number;
  heading: string;
  opensSection: boolean;
}

/**
 * Splits a text into chunks of about 1,000 characters at headings (Markdown), blank lines or, if there are none, line
 * endings. Joined, the chunks are the text. Never splits a character.
 *
 * @param isMarkdown whether `#` begins a heading
 */
export function chunksOf(text: string, isMarkdown: boolean): Chunk[] {
  const chunks: Chunk[] = [];
  let current: Block | undefined;
  const end = (): void => {
    if (current !== undefined) {
      chunks.push(chunkOf(current));
    }
    current = undefined;
  };
  for (const block of blocksOf(text, isMarkdown)) {
    if (current !== undefined && !joins(current, block)) {
      end();
    }
    current =
      current === undefined
        ? { ...block }
        : {
            ...current,
            text: current.text + block.text,
            heading: isHeadingOnly(current) ? block.heading : current.heading,
          };
  }
  end();
  return chunks;
}

function joins(current: Block, next: Block): boolean {
  const length = current.text.length + next.text.length;
  if (next.opensSection) {
    // A heading without text of its own belongs to its first subsection.
    return isHeadingOnly(current) && length <= MOST;
  }
  return length <= TARGET || (current.text.length < LEAST && length <= MOST);
}

function isHeadingOnly({ text, opensSection }: Block): boolean {
  return opensSection && /^\s*#.*\s*$/.test(text);
}

/** Yields paragraphs with the blank lines after them; keeps fenced code together if it is short enough. */
function* blocksOf(text: string, isMarkdown: boolean): Generator<Block> {
  const outline = new Outline();
  let block: Block | undefined;
  let afterBlank = false;
  let line = 0;
  for (const [whole] of text.matchAll(/[^\n]*\n|[^\n]+$/g)) {
    line += 1;
    const opensSection = isMarkdown && outline.take(whole.slice(0, MOST));
    const isBlank = whole.length <= MOST && whole.trim() === "";
    const begins = opensSection || (afterBlank && !isBlank && !outline.inFence);
    for (const piece of whole.length > MOST ? piecesOf(whole) : [whole]) {
      if (block !== undefined && (begins || block.text.length + piece.length > MOST)) {
        yield block;
        block = undefined;
      }
      if (block === undefined) {
        block = { text: piece, line, heading: outline.path, opensSection };
      } else {
        block.text += piece;
      }
    }
    afterBlank = isBlank;
  }
  if (block !== undefined) {
    yield block;
  }
}

/** Tracks the Markdown headings above the current line. */
class Outline {
  readonly #headings: string[] = [];
  #fence: string | undefined;
  path = "";

  get inFence(): boolean {
    return this.#fence !== undefined;
  }

  /** Processes the next line; returns whether it is a heading. */
  take(line: string): boolean {
    const marker = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (marker !== undefined) {
      this.#fence = this.#fence === undefined ? marker : marker.startsWith(this.#fence) ? undefined : this.#fence;
      return false;
    }
    const [, marks, title] = (!this.inFence && /^ {0,3}(#{1,6})[ \t](.*)/.exec(line)) || [];
    if (marks === undefined || title === undefined) {
      return false;
    }
    this.#headings.splice(marks.length - 1);
    this.#headings[marks.length - 1] = title.trim().replace(/[ \t]#+$/, "");
    this.path = this.#headings.filter(Boolean).join(" > ");
    return true;
  }
}

/** Splits a line that is too long for one chunk: at a space if there is one nearby, never within a character. */
function* piecesOf(line: string): Generator<string> {
  let from = 0;
  while (line.length - from > MOST) {
    const window = line.slice(from, from + MOST);
    const blank = window.lastIndexOf(" ");
    const size = blank > MOST / 2 ? blank + 1 : characterEnd(window);
    yield line.slice(from, from + size);
    from += size;
  }
  yield line.slice(from);
}

/** Returns the end of the last whole character: not within a surrogate pair, nor before a joiner or combining mark. */
function characterEnd(window: string): number {
  const last = [...new Intl.Segmenter().segment(window.slice(-64))].at(-1);
  // Nothing longer than the window is a readable character.
  return last === undefined || last.index === 0
    ? window.length - (/[\ud800-\udbff]$/.test(window) ? 1 : 0)
    : window.length - 64 + last.index;
}

function chunkOf({ text, line, heading }: Block): Chunk {
  const before = /^\s*/.exec(text)?.[0] ?? "";
  const isBlank = before.length === text.length;
  const startLine = isBlank ? line : line + countLineFeeds(before);
  return { text, startLine, endLine: isBlank ? line : line + countLineFeeds(text.trimEnd()), heading };
}
