import { shorten } from "../clip.js";
import { count } from "../words.js";
import { isCalm } from "./calmLines.js";
import { countFailures, countsAs, type FailureCount } from "./countFailures.js";
import { foldNames, type Fold } from "./foldNames.js";
import { foldPlaces } from "./foldPlaces.js";
import { FormReader, type LineRole } from "./formReader.js";
import { OUTPUT_FORMS } from "./forms.js";
import { failureOf, groupBy, roughly, sharedTraces, type FailureLine, type Shared } from "./sharedTraces.js";

/** Maximum characters kept of a line. */
const MAX_LINE = 2_000;
/** Maximum characters held of lines with each role; more than any answer shows. */
const MAX_HELD: Readonly<Record<LineRole, number>> = {
  name: 4_000_000,
  message: 2_000_000,
  detail: 500_000,
  interim: 500_000,
  summary: 50_000,
};
/** Minimum characters of a line that has to be cut so that others fit. */
const MIN_LINE = 80;
/** Lines remembered that a later failure may claim: more than `leadLines` of any form. */
const MAX_RECENT = 100;
/** Share of the room that is not for failures: the summary, the head and the tail. */
const REST = 1 / 4;
/** Share of the room for failures that their names may take if names and messages do not all fit. */
const NAMES = 3 / 4;
/** Characters for the summary, head and tail even if the failures take all that is enough. */
const MIN_REST = 1_500;
/** Maximum characters of the summary. */
const MAX_SUMMARY = 3_000;
/** Maximum characters of lines that only look like errors, at each end. */
const MAX_SUSPECTS = 4_000;
/** Maximum characters of lines that look like errors of other programs than those whose failures are known, and of one. */
const MAX_OTHERS = 3_000;
const MAX_OTHER = 300;
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

/** A line of the source around a failure's place, or the mark below it: failures at one place all have the same. */
const CODE_FRAME = /^ *(?:>? *\d+ ?\||\| *\^)/;

/** Maximum characters of a failure's name where another refers to it. */
const MAX_REFERENCE = 60;

interface HeldLine extends FailureLine {
  role: LineRole;
  /** The lines that it stands for, if it has the names of several failures. */
  fold?: Fold;
}

interface Choice {
  /** By their numbers. */
  shown: Map<number, string>;
  /** Those that stand for several lines of the output. */
  folds: Map<number, Fold>;
  /** Characters of the output that are shown. */
  kept: number;
  /** Lines of failures that are shortened, and that are omitted. */
  cut: number;
  left: number;
}

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
    for (let room = this.#max; ;) {
      const chosen = this.#choose(lines, others, room, enough, elsewhere);
      const text = this.#render(chosen, shared.likes);
      if (text.length <= this.#max || room <= 0) {
        const folded = [...chosen.folds.values()].reduce((sum, { numbers }) => sum + numbers.length - 1, 0);
        const omitted = {
          characters: this.#characters - chosen.kept,
          lines: this.#lines - chosen.shown.size - folded,
        };
        const calmShown = [...chosen.shown.values()].filter(isCalm).length;
        return {
          text,
          omitted,
          isKnown,
          isCalm:
            !this.#isAnyCut &&
            chosen.left + chosen.cut + chosen.folds.size === 0 &&
            omitted.lines === this.#calmLines - calmShown,
          promise: [
            this.#promise(lines, isKnown, chosen, shared, () =>
              countFailures(own, chosen.shown, chosen.folds, this.#lostFailures),
            ),
            ...this.#othersLeft(others.filter(({ number }) => !chosen.shown.has(number)).length),
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
    if (this.#room[role] < text.length) {
      this.#lost += role === "name" || role === "message" ? 1 : 0;
      if (role === "name" && countsAs({ form, text }) && this.#lostFailure !== failureOf({ form, failure })) {
        this.#lostFailure = failureOf({ form, failure });
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

  #unheldSuspects(): number {
    return this.#suspectCount - this.#suspects.flat().length;
  }

  /**
   * Chooses lines that take about `room` characters, without the notes between them.
   *
   * @param others lines that look like errors of other programs than those whose failures are known
   * @param elsewhere lines of failures whose content other lines show
   */
  #choose(
    lines: readonly HeldLine[],
    others: readonly HeldLine[],
    room: number,
    enough: number,
    elsewhere: ReadonlySet<number>,
  ): Choice {
    const shown = new Map<number, string>();
    const folds = new Map<number, Fold>();
    let free = room;
    let kept = 0;
    const take = (number: number, text: string, fitted = text, fold?: Fold): void => {
      if (!shown.has(number)) {
        shown.set(number, fitted);
        free -= fitted.length + 1;
        const isCut = fitted !== text || isHeldInPart(text);
        kept += isCut ? fitted.length - 1 : (fold?.characters ?? fitted.length + 1);
        if (fold !== undefined) {
          folds.set(number, fold);
        }
      }
    };
    const names = withoutRepeated(lines.filter(({ role }) => role === "name"));
    const essential = lines.filter(isEssential);
    const forFailures = Math.floor(room * (1 - REST));
    const all = longest(essential, forFailures);
    // Names and places come first; messages are cut, then left out, if there are too many.
    const messages = distinct(lines.filter(({ role }) => role === "message"));
    const forNames = messages.length === 0 ? forFailures : Math.floor(forFailures * NAMES);
    const limit = all ?? longest(names, forNames) ?? MIN_LINE;
    const parts: [readonly HeldLine[], number][] =
      all === undefined
        ? [
            [names, forNames],
            [messages, forFailures],
            [essential, forFailures],
          ]
        : [[essential, forFailures]];
    for (const [part, until] of parts) {
      // A failure's name may take several lines: all or none.
      for (const whole of groupBy(part, (line) => (line.role === "name" ? failureOf(line) : String(line.number)))) {
        const fitted = whole.map((line) => ({ ...line, fitted: shorten(line.text, limit) }));
        if (room - free + fitted.reduce((sum, line) => sum + line.fitted.length + 1, 0) <= until) {
          fitted.forEach(({ number, text, fitted: cut, fold }) => {
            take(number, text, cut, fold);
          });
        }
      }
    }
    free = Math.min(free, Math.max(enough - (room - free), MIN_REST));
    let summaryRoom = Math.min(MAX_SUMMARY, free / 2);
    for (const { number, text } of lines.filter(({ role }) => role === "summary").reverse()) {
      summaryRoom -= text.length + 1;
      if (summaryRoom > 0) {
        take(number, text);
      }
    }
    let othersRoom = Math.min(MAX_OTHERS, Math.floor(free / 2));
    for (const { number, text } of others) {
      const fitted = shorten(text, MAX_OTHER);
      othersRoom -= fitted.length + 1;
      if (othersRoom > 0) {
        take(number, text, fitted);
      }
    }
    // A third of what is free shows where the output begins and ends.
    let detailRoom = Math.floor((free * 2) / 3);
    const frames = new Set<string>();
    for (const { number, text } of lines.filter(({ role }) => role === "detail")) {
      if (CODE_FRAME.test(text) && frames.size === frames.add(text).size) {
        continue;
      }
      detailRoom -= text.length + 1;
      if (detailRoom > 0) {
        take(number, text);
      }
    }
    let headRoom = Math.floor(free / 3);
    const isOwn = ([number]: readonly [number, string]): boolean => !elsewhere.has(number);
    for (const [number, text] of this.#head.filter(isOwn)) {
      headRoom -= text.length + 1;
      if (headRoom < 0) {
        break;
      }
      take(number, text);
    }
    for (const [number, text] of this.#tail.filter(isOwn).reverse()) {
      if (free < text.length + 1) {
        break;
      }
      // Nothing is lost with the empty lines around what another failure shows.
      if (text !== "" || elsewhere.size === 0 || shown.has(number + 1) || number === this.#lines - 1) {
        take(number, text);
      }
    }
    const left = new Set(essential.filter(({ number }) => !shown.has(number)).map(({ number }) => number)).size;
    const isCut = ({ number, text }: HeldLine): boolean => {
      const fitted = shown.get(number);
      return fitted !== undefined && (fitted.length < text.length || isHeldInPart(text));
    };
    const cut = new Set(essential.filter(isCut).map(({ number }) => number)).size;
    return { shown, folds, kept, cut, left };
  }

  #render({ shown, folds }: Choice, likes: Shared["likes"]): string {
    const parts: string[] = [];
    let next = 0;
    // Lines whose names are further up.
    const covered = [...folds.values()].flatMap(({ numbers }) => numbers).sort((a, b) => a - b);
    let before = 0;
    let lastLike = "";
    const gapTo = (number: number, like = likes.get(next - 1)): void => {
      let omitted = number - next;
      for (; before < covered.length && (covered[before] ?? 0) < number; before++) {
        omitted -= (covered[before] ?? 0) >= next ? 1 : 0;
      }
      if (omitted > 0) {
        const as = like === lastLike ? ", the same" : `, as of ${shorten(like?.trim() ?? "", MAX_REFERENCE)}`;
        lastLike = like ?? lastLike;
        parts.push(`[… ${count(omitted, "line")}${like === undefined ? "" : as} …]`);
      }
    };
    for (const [number, text] of [...shown].sort(([a], [b]) => a - b)) {
      gapTo(number, folds.get(next - 1)?.like);
      parts.push(text);
      next = number + 1;
    }
    gapTo(this.#lines, folds.get(next - 1)?.like);
    return parts.join("\n");
  }

  /** Says how many lines are omitted that look like errors of other programs. @param left of those that were held */
  #othersLeft(left: number): string[] {
    const missing = left + (this.#isKnown ? this.#unheldSuspects() : 0);
    return missing === 0
      ? []
      : [
          `${count(missing, "other line")} that ${missing === 1 ? "looks like an error is" : "look like errors are"} omitted.`,
        ];
  }

  #promise(
    lines: readonly HeldLine[],
    isKnown: boolean,
    { folds, cut, left }: Choice,
    { omitted, alike }: Shared,
    counted: () => FailureCount,
  ): string {
    if (!isKnown) {
      if (this.#suspectCount === 0) {
        return "";
      }
      const shown = lines.length - left;
      return [
        shown === this.#suspectCount
          ? shown === 1
            ? "The only line that looks like an error is shown."
            : `All ${shown} lines that look like errors are shown.`
          : `${shown} of ${this.#suspectCount} lines that look like errors are shown.`,
        ...shortened(cut),
      ].join(" ");
    }
    const forms = new Set(lines.filter(({ role }) => role === "name").map(({ form }) => form));
    const programs = [...forms].flatMap((form) => OUTPUT_FORMS[form]?.name ?? []).join(", ");
    const missing = left + this.#lost + (this.#isKnown ? 0 : this.#unheldSuspects());
    const total = lines.filter(isEssential).length + missing - left;
    const failures = missing > 0 || [...folds.values()].some(({ hidden }) => hidden.length > 0) ? counted() : undefined;
    return [
      !this.#isKnown
        ? missing === 0
          ? `Every line with the name of a failure (${programs}), or that looks like an error, is shown.`
          : `${missing} of ${total} lines with the name of a failure (${programs}), or that look like errors, are omitted, too.`
        : failures !== undefined && failures.left > 0
          ? `${failures.all - failures.left} of ${count(failures.all, "failure")} (${programs}) are shown${missing === 0 ? "" : ", some without their messages and places"}.`
          : missing > 0
            ? `Every failure (${programs}) is named; some messages and places are left out.`
            : omitted.size > 0
              ? `Every failure (${programs}) is shown with its name and place; a message or trace that several share is shown once.`
              : `Every line with the name, message or place of a failure (${programs}) is shown.`,
      ...(alike > 0
        ? [`Messages of ${count(alike, "failure")} differ from one shown in numbers or quoted texts alone.`]
        : []),
      ...(folds.size > 0 ? ["Names that differ in a part are on one line: {one | another}."] : []),
      ...shortened(cut),
      ...(failures !== undefined && failures.left > 0
        ? [`${count(failures.left, "more failure")} ${failures.left === 1 ? "is" : "are"} left out.`]
        : []),
    ].join(" ");
  }
}

function isHeldInPart(text: string): boolean {
  return text.length === MAX_LINE && text.endsWith("…");
}

function shortened(lines: number): string[] {
  return lines > 0 ? [`${count(lines, "line")} of these ${lines === 1 ? "is" : "are"} shortened (…).`] : [];
}

function isEssential({ role }: HeldLine): boolean {
  return role === "name" || role === "message";
}

function sizeOf(lines: readonly HeldLine[]): number {
  return lines.reduce((sum, { text }) => sum + text.length + 1, 0);
}

/**
 * Leaves out lines that other failures show, and the names of failures that have no others if a list at the end names
 * them, too. A list that is shorter than the failures, as with pytest's `-rE`, does not count.
 */
function unshared(lines: readonly HeldLine[], { likes, omitted }: Shared): readonly HeldLine[] {
  const own = lines.filter((line) => !omitted.has(line));
  const withMore = new Set(own.flatMap((line) => (line.role === "message" ? [failureOf(line)] : [])));
  const names = groupBy(
    own.filter(({ role }) => role === "name"),
    ({ form }) => String(form),
  );
  const left = new Set<HeldLine>();
  for (const all of names) {
    const listed = withoutRepeated(all);
    if (listed.length >= all.length - listed.length) {
      const rest = new Set(listed);
      for (const name of all.filter((each) => !rest.has(each) && likes.has(each.number))) {
        if (!withMore.has(failureOf(name))) {
          left.add(name);
        }
      }
    }
  }
  return own.filter((line) => !left.has(line));
}

/** Leaves out names that a list at the end has, too. */
function withoutRepeated(names: readonly HeldLine[]): readonly HeldLine[] {
  const isListed = ({ form, text }: HeldLine): boolean => {
    const { listsAll, names: list } = OUTPUT_FORMS[form] ?? {};
    return listsAll === true && list?.test(text) === true;
  };
  const listing = new Set(names.filter(isListed).map(({ form }) => form));
  return listing.size === 0 ? names : names.filter((name) => !listing.has(name.form) || isListed(name));
}

/** Returns the first of each kind of message: those that differ in numbers alone, or in quoted texts, are one kind. */
function distinct(messages: readonly HeldLine[]): HeldLine[] {
  const seen = new Set<string>();
  return messages.filter(({ text }) => {
    const kind = roughly(text);
    return seen.size < seen.add(kind).size;
  });
}

/**
 * Returns the greatest length to which lines can be cut so that all of them fit; undefined if they would have to be
 * shorter than is useful.
 */
function longest(lines: readonly HeldLine[], room: number): number | undefined {
  const size = (limit: number): number => lines.reduce((sum, { text }) => sum + Math.min(text.length, limit) + 1, 0);
  if (size(MIN_LINE) > room) {
    return undefined;
  }
  let [low, high] = [MIN_LINE, MAX_LINE];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    [low, high] = size(middle) <= room ? [middle, high] : [low, middle - 1];
  }
  return low;
}
