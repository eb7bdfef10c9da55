/** The lines of a patch. They keep a `\r` before their `\n`; `textAt` returns them without it. */
export class PatchLines {
  constructor(
    readonly raw: readonly string[],
    /** Number of the first line, 1-based. */
    readonly first = 1,
  ) {}

  /** Splits only at `\n`: a lone `\r` is part of the content. */
  static of(text: string): PatchLines {
    const raw = (text.startsWith("\uFEFF") ? text.slice(1) : text).split("\n");
    if (raw.at(-1) === "") {
      raw.pop();
    }
    return new PatchLines(raw);
  }

  get length(): number {
    return this.raw.length;
  }

  /** Returns the line at a 0-based index without its line ending; empty past the last one. */
  textAt(index: number): string {
    const raw = this.raw[index] ?? "";
    return raw.endsWith("\r") ? raw.slice(0, -1) : raw;
  }

  endsWithCarriageReturn(index: number): boolean {
    return this.raw[index]?.endsWith("\r") ?? false;
  }

  /** Returns the line number, for people, of an index. */
  numberAt(index: number): number {
    return this.first + index;
  }

  /** Returns the lines from one index up to another, with an indentation removed from the lines that have it. */
  part(from: number, to: number, indent = ""): PatchLines {
    const part = this.raw.slice(from, to);
    const shifted =
      indent === "" ? part : part.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
    return new PatchLines(shifted, this.first + from);
  }
}

/** Returns a line's leading whitespace. */
export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** Whether the lines from one index up to another are all blank. */
export function isBlank(lines: PatchLines, from: number, to: number): boolean {
  for (let index = from; index < to; index++) {
    if (lines.textAt(index).trim() !== "") {
      return false;
    }
  }
  return true;
}
