import { toLines, type LineEnd } from "../match/lines.js";
import { foldLookAlikes, hasLookAlikes } from "../match/lookAlikes.js";
import { compose, hasForms } from "../unicodeForm.js";
import { LineIndex } from "./lineIndex.js";
import type { Tier } from "./readings.js";
import type { WorkBudget } from "./workBudget.js";

const BOM = "\uFEFF";

/** The lines of a text. A line ending at the end of the text does not start another line. */
export class SourceLines {
  /** Text of each line without its line ending. */
  readonly texts: readonly string[];
  readonly #ends: readonly LineEnd[];
  /** Offset at which each line starts; one more entry for the end of the text. */
  readonly #starts: number[] = [];
  #trimmed: readonly string[] | undefined;
  #folded: readonly string[] | undefined;
  #composed: readonly string[] | undefined;
  #unindented: readonly string[] | undefined;
  #bodies: readonly string[] | undefined;
  /** Indexes by the list of lines: tiers with the same lines share one. */
  readonly #indexes = new Map<readonly string[], LineIndex>();

  constructor(readonly text: string) {
    // A byte order mark belongs to the file, not to its first line.
    let start = this.mark.length;
    const lines = toLines(text.slice(start));
    if (lines.at(-1)?.content === "") {
      lines.pop();
    }
    for (const { content, end } of lines) {
      this.#starts.push(start);
      start += content.length + end.length;
    }
    this.#starts.push(start);
    this.texts = lines.map(({ content }) => content);
    this.#ends = lines.map(({ end }) => end);
    const ends = new Set(this.#ends.filter((end) => end !== ""));
    this.hasOneEnd = ends.size <= 1;
    this.hasLoneReturn = ends.has("\r");
  }

  /** Whether all line endings are the same. */
  readonly hasOneEnd: boolean;

  /** Whether some line ends in a lone carriage return. */
  readonly hasLoneReturn: boolean;

  get length(): number {
    return this.texts.length;
  }

  /** Returns the lines as a tier compares them. */
  textsIn(tier: Tier): readonly string[] {
    switch (tier) {
      case "exact":
        return this.texts;
      case "trailing_blanks":
        return (this.#trimmed ??= this.texts.map((text) => text.trimEnd()));
      case "look_alikes":
        return (this.#folded ??= this.#fold());
      case "unicode_form":
        return (this.#composed ??=
          this.text.normalize("NFC") === this.text
            ? this.textsIn("look_alikes")
            : this.textsIn("look_alikes").map((text) => compose(text).text));
      case "indentation":
        return (this.#unindented ??= this.textsIn("trailing_blanks").map((text) => text.trimStart()));
    }
  }

  /** Returns the lines as `look_alikes` compares them, without their indentation. */
  get bodies(): readonly string[] {
    const folded = this.textsIn("look_alikes");
    return (this.#bodies ??=
      folded === this.textsIn("trailing_blanks")
        ? this.textsIn("indentation")
        : folded.map((text) => text.trimStart()));
  }

  /** Returns an index of the lines as a tier compares them, or of their bodies. */
  indexOf(view: Tier | "bodies"): LineIndex {
    const texts = view === "bodies" ? this.bodies : this.textsIn(view);
    const index = this.#indexes.get(texts) ?? new LineIndex(texts);
    this.#indexes.set(texts, index);
    return index;
  }

  /**
   * Returns the lines on which runs start that equal these texts in a tier.
   *
   * @throws BudgetExceeded
   */
  placesOf(texts: readonly string[], tier: Tier, budget?: WorkBudget): readonly number[] {
    return this.indexOf(tier).placesOf(
      texts.map((text) => asSeen(text, tier)),
      budget,
    );
  }

  /**
   * Folds the text as a whole, because a call per line costs more than folding the line; every offset stays the same.
   */
  #fold(): readonly string[] {
    if (!hasLookAlikes(this.text)) {
      return this.textsIn("trailing_blanks");
    }
    const folded = foldLookAlikes(this.text);
    return this.texts.map((text, line) => {
      const start = this.#starts[line] ?? 0;
      return folded.slice(start, start + text.length).trimEnd();
    });
  }

  /** Whether the last line has a line ending; true for a text without lines. */
  get isEnded(): boolean {
    return this.length === 0 || this.endAt(this.length - 1) !== "";
  }

  endAt(index: number): LineEnd {
    return this.#ends[index] ?? "";
  }

  /** Returns the text from one line up to another, as in the file. */
  slice(from: number, to: number): string {
    return this.text.slice(this.#starts[from] ?? this.text.length, this.#starts[to] ?? this.text.length);
  }

  /** Returns the byte order mark before the first line, if any. */
  get mark(): string {
    return this.text.startsWith(BOM) ? BOM : "";
  }

  /** Returns the index after the last non-blank line. */
  get filledLength(): number {
    let length = this.length;
    while (length > 0 && (this.texts[length - 1] ?? "").trim() === "") {
      length--;
    }
    return length;
  }
}

/** Returns a line as a tier compares it. */
function asSeen(text: string, tier: Tier): string {
  switch (tier) {
    case "exact":
      return text;
    case "trailing_blanks":
      return text.trimEnd();
    case "look_alikes":
      return foldLookAlikes(text).trimEnd();
    case "unicode_form":
      return hasForms(text) ? compose(foldLookAlikes(text).trimEnd()).text : text.trimEnd();
    case "indentation":
      return text.trim();
  }
}
