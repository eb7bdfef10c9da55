import { isCalm } from "./calmLines.js";
import { countFailures, countsAs } from "./countFailures.js";
import { foldNames } from "./foldNames.js";
import { foldPlaces } from "./foldPlaces.js";
import { FormReader, type LineRole } from "./formReader.js";
import { OUTPUT_FORMS } from "./forms.js";
import { distinct, isEssential, MAX_LINE, sizeOf, unshared, type HeldLine } from "./heldLine.js";
import { LineChooser, MIN_LINE, REST } from "./lineChooser.js";
import { promiseFailures, promiseOthers, promiseSuspects } from "./promise.js";
import { renderChoice } from "./renderChoice.js";
import { failureOf, sharedTraces } from "./sharedTraces.js";

/** Maximum characters held of lines with each role; more than any answer shows. */
const MAX_HELD: Readonly<Record<LineRole, number>> = {
  name: 4_000_000,
  message: 2_000_000,
  detail: 500_000,
  interim: 500_000,
  summary: 50_000,
};
/** Lines remembered that a later failure may claim: more than `leadLines` of any form. */
const MAX_RECENT = 100;
/** Maximum characters of lines that only look like errors, at each end. */
const MAX_SUSPECTS = 4_000;
/** Lines that look like errors in the output of programs whose form is not known. */
const SUSPECT =
  /\b(?:error|fatal|panic(?:ked)?|exception|traceback|failed|failure|fail|fault|core dumped|undefined reference|not found|no such file|denied|could not|cannot|unable to|timed out)\b|(?:Error|Exception)\b|^npm ERR!|^ *[✗✘✖✕×] /i;
/** Lines behind one of these that say where it was. */
const SUSPECT_PLACE = /^\s+at \S.*:\d+|^ +File ".*", line \d+|^ *--> \S.*:\d+/;
/** Maximum number of these. */
const MAX_SUSPECT_PLACES = 5;
/** In place of a form's number: that of no known program. */
const UNKNOWN = -1;
/** Lines that say the opposite. */
const HARMLESS = /\b(?:no|0|zero|without|any|if|nothing) (?:\w+ )?(?:errors?|failures?|failed|fail)\b/i;

/** Wake the readers of each form, and any of them. A single expression is far faster than all of them in turn. */
const WAKE = OUTPUT_FORMS.map((form) => new RegExp(FormReader.wake(form)));
const WAKE_ANY = new RegExp(OUTPUT_FORMS.map((form) => FormReader.wake(form)).join("|"));

/** What an answer shows of a long output. */
export interface Digest {
  /** Lines of the output in their order, with a note wherever lines are omitted. */
  text: string;
  omitted: { characters: number; lines: number };
  /** Whether a known program reports a failure in it. */
  isKnown: boolean;
  /** Whether all omitted lines say that a test passed or a step was done. */
  isCalm: boolean;
  /** Says what the omitted lines are not: `Every line in which vitest reports a failure is shown.` */
  promise: string;
}

/** Code units that are enough, unless what fails takes more. */
export interface Enough {
  /** Of an output in which a known program reports failures. */
  known: number;
  /** Of any other output. */
  other: number;
  /** The same if nothing in it looks like an error. Default: as `other`. */
  calm?: number;
}

/**
 * Chooses what to show of a long output: every failure that a known test runner, compiler or linter reports in it, its
 * summary, and the head and tail without tests that passed and steps of a build. Reads the output in chunks, in bounded
 * memory.
 */
export class OutputDigest {
  readonly #max: number;
  readonly #readers = OUTPUT_FORMS.map((form) => new FormReader(form));
  #open = "";
  /** Characters of the open line that are not held. */
  #cut = 0;
  /** Whether not all of some line was held. */
  #isAnyCut = false;
  #characters = 0;
  #lines = 0;
  readonly #held: HeldLine[] = [];
  readonly #room: Record<LineRole, number> = { ...MAX_HELD };
  /** Names and messages that did not fit. */
  #lost = 0;
  /** The last failure whose name did not fit, and the number of all of them. */
  #lostFailure = "";
  #lostFailures = 0;
  /** The last failure whose name was held, and the last one with a line that did not fit. */
  #lastNamed = "";
  #lastPartial = "";
  /** Failures whose name was held, but not all of their messages. */
  readonly #partial = new Set<string>();
  /** The first and the last lines that are not calm, with their numbers. */
  readonly #head: [number, string][] = [];
  #headRoom: number;
  #tail: [number, string][] = [];
  #tailSize = 0;
  #last: [number, string] | undefined;
  #calmLines = 0;
  readonly #suspects: HeldLine[][] = [[], []];
  #suspectRoom = MAX_SUSPECTS;
  #suspectCount = 0;
  #lateSuspects = 0;
  #suspectPlaces = 0;
  /** Whether a known form has reported a failure in full. */
  #isKnown = false;
  /** Forms with an open failure. */
  readonly #openForms = new Set<number>();
  /** Lines that may turn out to belong to a later failure. */
  readonly #recent = new Map<number, string>();

  /** @param max maximum code units of the text */
  constructor(max: number) {
    this.#max = max;
    this.#headRoom = max;
  }

  push(chunk: string): void {
    this.#characters += chunk.length;
    let from = 0;
    for (let end = chunk.indexOf("\n"); end >= 0; end = chunk.indexOf("\n", from)) {
      this.#extend(chunk, from, end);
      this.#endLine();
      from = end + 1;
    }
    this.#extend(chunk, from, chunk.length);
  }

  /**
   * Returns undefined if nothing in the output looks like a failure, and nothing is calm: then head and tail are all
   * there is to show.
   */
  end({ known, other, calm = other }: Enough = { known: this.#max, other: this.#max }): Digest | undefined {
    if (this.#open !== "") {
      this.#characters++;
      this.#endLine();
    }
    if (this.#last !== undefined && this.#last[0] !== this.#tail.at(-1)?.[0]) {
      this.#tail.push(this.#last);
    }
    const named = new Set(this.#held.filter(({ role }) => role === "name").map(({ form }) => form));
    const failures = this.#held.flatMap((line): HeldLine[] =>
      line.role !== "interim"
        ? [line]
        : named.has(line.form)
          ? []
          : [{ ...line, role: "name", failure: -1 - line.number }],
    );
    const isKnown = failures.some(({ role }) => role === "name");
    // Without a failure in full, the run was cut off, or it is another program's output that looks like this one's.
    const taken = new Set(failures.map(({ number }) => number));
    const looksWrong = this.#suspects.flat().filter(({ number }) => !taken.has(number));
    const suspects = this.#isKnown ? [] : looksWrong;
    const others = this.#isKnown ? distinct(looksWrong) : [];
    const all = isKnown ? [...failures, ...suspects].sort((one, other) => one.number - other.number) : suspects;
    // Nobody knows what a line says that is too long to hold.
    if (all.length === 0 && (this.#calmLines === 0 || this.#isAnyCut)) {
      return undefined;
    }
    const enough = isKnown ? known : this.#suspectCount === 0 ? calm : other;
    const isLong = isKnown && sizeOf(all.filter(isEssential)) > enough * (1 - REST);
    const isWhole = ({ form, failure }: HeldLine): boolean => this.#readers[form]?.isCut(failure) === false;
    const shared = sharedTraces(isLong && this.#lost === 0 ? all.filter(isWhole) : []);
    const own = unshared(all, shared);
    const lines: readonly HeldLine[] = isLong && this.#isKnown ? foldNames(foldPlaces(own), shared.likes) : own;
    const numbers = new Set(lines.map(({ number }) => number));
    // The first and the last line are shown in any case.
    const again = this.#held.filter(({ role, number }) => role === "interim" && number > 0 && number < this.#lines - 1);
    const elsewhere = new Set([...all, ...again].flatMap(({ number }) => (numbers.has(number) ? [] : [number])));
    const chooser = new LineChooser({
      lines,
      others,
      elsewhere,
      head: this.#head,
      tail: this.#tail,
      count: this.#lines,
      enough,
    });
    for (let room = this.#max; ;) {
      const chosen = chooser.choose(room);
      const text = renderChoice(chosen, this.#lines, shared.likes);
      if (text.length <= this.#max || room <= 0) {
        const { cut, left } = chooser.missing(chosen);
        const folded = [...chosen.folds.values()].reduce((sum, { numbers }) => sum + numbers.length - 1, 0);
        const omitted = {
          characters: this.#characters - chosen.kept,
          lines: this.#lines - chosen.shown.size - folded,
        };
        const unheldSuspects = this.#suspectCount - this.#suspects.flat().length;
        const missing = { cut, left, lost: this.#lost, suspects: this.#suspectCount, unheldSuspects };
        const calmShown = [...chosen.shown.values()].filter(isCalm).length;
        return {
          text,
          omitted,
          isKnown,
          isCalm:
            !this.#isAnyCut && left + cut + chosen.folds.size === 0 && omitted.lines === this.#calmLines - calmShown,
          promise: [
            isKnown
              ? promiseFailures(lines, this.#isKnown, chosen, missing, shared, () =>
                  countFailures(own, chosen, this.#lostFailures, this.#partial),
                )
              : promiseSuspects(lines, missing),
            ...promiseOthers(
              others.filter(({ number }) => !chosen.shown.has(number)).length + (this.#isKnown ? unheldSuspects : 0),
            ),
          ].join(" "),
        };
      }
      // The notes between take their share: what is chosen shrinks with it, rather than to nothing.
      room = Math.min(room - MIN_LINE, Math.floor((room * this.#max) / text.length));
    }
  }

  #extend(chunk: string, from: number, to: number): void {
    const room = MAX_LINE - this.#open.length;
    this.#open += chunk.slice(from, Math.min(to, from + room));
    this.#cut += Math.max(0, to - from - room);
  }

  #endLine(): void {
    const line = this.#cut > 0 ? `${this.#open.slice(0, -1)}…` : this.#open.replace(/\r$/, "");
    this.#isAnyCut ||= this.#cut > 0;
    this.#open = "";
    this.#cut = 0;
    const number = this.#lines++;
    const calm = isCalm(line);
    this.#calmLines += calm ? 1 : 0;
    // The first line is shown in any case, as the last one is: they say which part is seen.
    if (!calm || number === 0) {
      this.#keepEnds(line, number);
    }
    this.#last = [number, line];
    this.#judge(line, number);
  }

  #keepEnds(line: string, number: number): void {
    if (this.#headRoom > 0) {
      this.#head.push([number, line]);
      this.#headRoom -= line.length + 1;
    }
    this.#tail.push([number, line]);
    this.#tailSize += line.length + 1;
    if (this.#tailSize > 4 * this.#max) {
      this.#dropTail();
    }
  }

  /** Keeps the last lines, as many as an answer may show; not at every line, because that moves all of them. */
  #dropTail(): void {
    let from = this.#tail.length;
    let size = 0;
    while (from > 0 && size <= this.#max) {
      size += (this.#tail[--from]?.[1].length ?? 0) + 1;
    }
    this.#tail = this.#tail.slice(from);
    this.#tailSize = size;
  }

  #judge(line: string, number: number): void {
    let isHeld = false;
    let isInterim = false;
    if (this.#openForms.size > 0 || WAKE_ANY.test(line)) {
      this.#remember(line, number);
      let isTaken = false;
      for (const [form, reader] of this.#readers.entries()) {
        if (!reader.isOpen && WAKE[form]?.test(line) !== true) {
          continue;
        }
        const role = reader.read(line, number, (earlier) => this.#hold(earlier, "message", form, true));
        this.#openForms[reader.isOpen ? "add" : "delete"](form);
        isHeld ||= role !== undefined;
        isInterim ||= role === "interim";
        if (role !== undefined && !isTaken) {
          this.#hold(number, role, form);
          // A detail of one form may be a failure of another, such as a compiler's error in a test's output.
          isTaken = role !== "detail";
        }
      }
    }
    // Where a known program reports failures, others may fail, too; what it says of them, and of what passed, is its own.
    if (!isInterim && (!this.#isKnown || (!isHeld && !isCalm(line))) && this.#isSuspect(line)) {
      this.#suspect({ number, text: line, role: "name", form: UNKNOWN, failure: 0, isLead: false });
    }
  }

  /** Whether a line looks like an error, or says where the one before it was. */
  #isSuspect(line: string): boolean {
    if (this.#suspectPlaces > 0 && SUSPECT_PLACE.test(line)) {
      this.#suspectPlaces--;
      return true;
    }
    const is = SUSPECT.test(line) && !HARMLESS.test(line);
    // There are source lines between the places of a trace.
    this.#suspectPlaces = is ? MAX_SUSPECT_PLACES : /^\s+\S/.test(line) ? this.#suspectPlaces : 0;
    return is;
  }

  /** Keeps the last lines that a later failure may claim. */
  #remember(line: string, number: number): void {
    this.#recent.set(number, line);
    if (this.#recent.size > MAX_RECENT) {
      for (const old of this.#recent.keys()) {
        this.#recent.delete(old);
        break;
      }
    }
  }

  #hold(number: number, role: LineRole, form: number, isLead = false): void {
    const text = this.#recent.get(number);
    if (text === undefined) {
      return;
    }
    const failure = this.#readers[form]?.failures ?? 0;
    const id = failureOf({ form, failure });
    const isHeld = this.#room[role] >= text.length;
    if (role === "name" && isHeld) {
      this.#lastNamed = id;
    } else if (role === "message" && !isHeld) {
      this.#lastPartial = id;
    }
    // The name of its file may come before it.
    if (this.#lastNamed === id && this.#lastPartial === id) {
      this.#partial.add(id);
    }
    if (!isHeld) {
      this.#lost += role === "name" || role === "message" ? 1 : 0;
      if (role === "name" && countsAs({ form, text }) && this.#lostFailure !== id) {
        this.#lostFailure = id;
        this.#lostFailures++;
      }
      return;
    }
    this.#room[role] -= text.length + 1;
    this.#held.push({ number, text, role, form, failure, isLead });
    this.#isKnown ||= role === "name";
  }

  /** Keeps the first and the last lines that look like errors. */
  #suspect(line: HeldLine): void {
    const [first = [], last = []] = this.#suspects;
    this.#suspectCount++;
    const size = line.text.length + 1;
    if (this.#suspectRoom >= size) {
      this.#suspectRoom -= size;
      first.push(line);
      return;
    }
    this.#suspectRoom = 0;
    last.push(line);
    this.#lateSuspects += size;
    while (this.#lateSuspects > MAX_SUSPECTS) {
      this.#lateSuspects -= (last.shift()?.text.length ?? 0) + 1;
    }
  }
}
