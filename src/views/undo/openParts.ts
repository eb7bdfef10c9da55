import { withoutHunks, linesNow, type LineRange } from "../../text/diff/hunks.js";
import { lineHunks, type LineHunk } from "../../text/diff/lineHunks.js";
import { merge3 } from "../../text/diff/merge.js";
import { splitLines } from "../../text/splitLines.js";
import { comparedParts, type ComparedParts, type Part } from "../../features/changes/journal/parts.js";
import type { JournalQueries } from "../../features/changes/journal/queries.js";
import type { TurnFile } from "../../features/changes/journal/types.js";
import type { OpenFile, OpenTurn } from "./openTurns.js";
import type { PartState, SettledParts } from "./settledParts.js";

/** A part of a turn's change, and where its lines are in a text. */
export interface PlacedPart {
  turn: OpenTurn;
  file: OpenFile;
  key: string;
  lines: LineRange;
  /** How many lines it replaced or deleted. */
  removed: number;
  /** The first of these, with their endings: as many as can be shown. */
  was: readonly string[];
}

/** Maximum number of old lines that a part carries: a rewritten file may have hundreds of thousands. */
const MAX_WAS = 20;

/** The parts of a file's change, with their states. */
interface StatedParts extends ComparedParts {
  hunks: readonly (Part & { state: PartState })[];
}

type Journal = Pick<JournalQueries, "image" | "changes">;

/** Compares a file before and after a turn; undefined if its change has no parts. */
function statedParts(journal: Journal, file: TurnFile, settled: SettledParts): StatedParts | undefined {
  const compared = comparedParts(file, (ref) => journal.image(ref));
  return (
    compared && {
      ...compared,
      hunks: compared.hunks.map((part) => ({ ...part, state: settled.stateOf(part.key, journal) })),
    }
  );
}

/**
 * Finds the parts of turns' changes that stand in a text of a file and that nobody kept, from top to bottom. Where a later
 * turn, or anybody else, has changed the lines, the part of that turn alone is found.
 *
 * @param open newest first
 * @param isMeant whether it is the text of this file
 * @param side whether the text is that before or after the changes
 */
export function partsIn(
  journal: Journal,
  open: readonly OpenTurn[],
  settled: SettledParts,
  isMeant: (file: TurnFile) => boolean,
  text: string,
  side: "before" | "after" = "after",
): PlacedPart[] {
  const lines = splitLines(text);
  const found: PlacedPart[] = [];
  for (const turn of open) {
    for (const file of turn.files.filter((each) => !each.isUndone && isMeant(each.file))) {
      const compared = statedParts(journal, file.file, settled);
      const changes = compared === undefined ? [] : lineHunks(compared[side], lines);
      for (const part of compared?.hunks ?? []) {
        // What was undone, and brought back by the editor's own undo, can be undone or kept again.
        const isListed =
          part.state === "open" ||
          (part.state === "undone" && side === "after" && compared !== undefined && isBack(compared, part, lines));
        const own = side === "before" ? part : { start: part.newStart, end: part.newEnd };
        const now = isListed ? linesNow(own, changes) : undefined;
        if (compared !== undefined && now !== undefined) {
          const was = compared.before.slice(part.start, Math.min(part.end, part.start + MAX_WAS));
          found.push({ turn, file, key: part.key, lines: now, removed: part.end - part.start, was });
        }
      }
    }
  }
  return found.sort((one, other) => one.lines.start - other.lines.start);
}

/** Whether a part that was undone is in a text again: the lines that the undo left are no longer there. */
function isBack(compared: ComparedParts, part: LineHunk, lines: readonly string[]): boolean {
  const undone = splitLines(withoutHunks(compared, (hunk) => hunk === part));
  const left = { start: part.newStart, end: part.newStart + part.end - part.start };
  return linesNow(left, lineHunks(undone, lines)) === undefined;
}

/** A place in a text, 0-based. */
interface Place {
  line: number;
  character: number;
}

/** Returns the lines of a selection, 0-based and inclusive. A selection that ends before the first character of a line does not include it. */
export function selectedLines({ start, end }: { start: Place; end: Place }): LineRange {
  const isBeforeLast = end.character === 0 && end.line > start.line;
  return { start: start.line, end: isBeforeLast ? end.line - 1 : end.line };
}

/** Returns the parts that have one of some lines, 0-based and inclusive. Where lines were deleted, both neighbours count. */
export function partsAt(parts: readonly PlacedPart[], lines: readonly LineRange[]): PlacedPart[] {
  return parts.filter(({ lines: { start, end } }) =>
    lines.some((line) =>
      start === end ? line.start <= start && line.end >= start - 1 : line.start < end && line.end >= start,
    ),
  );
}

/**
 * Returns a text of a review without the parts that are settled: what was undone is gone after the change, and what was kept was there
 * before.
 */
export function withoutSettled(
  journal: Journal,
  settled: SettledParts,
  file: TurnFile,
  text: string,
  side: "before" | "after",
): string {
  const compared = settled.concerns(file.changes) ? statedParts(journal, file, settled) : undefined;
  if (compared === undefined) {
    return text;
  }
  const then = withoutHunks(compared, (part) => {
    const { state } = part as StatedParts["hunks"][number];
    return side === "before" ? state !== "kept" : state === "undone";
  });
  const merged = merge3(compared[side].join(""), text, then);
  return merged.ok ? merged.text : text;
}

/** Returns a file's change without the parts that are settled; undefined if none is left. */
export function openRest(
  journal: Journal,
  settled: SettledParts,
  file: TurnFile,
): { file: TurnFile; kept: string[]; undone: string[]; parts: number } | undefined {
  const compared = settled.concerns(file.changes) ? statedParts(journal, file, settled) : undefined;
  if (compared === undefined) {
    return { file, kept: [], undone: [], parts: 0 };
  }
  const keys = (state: PartState): string[] =>
    compared.hunks.filter((part) => part.state === state).map(({ key }) => key);
  const open = compared.hunks.filter(({ state }) => state === "open");
  const count = (lines: (part: Part) => number): number => open.reduce((sum, part) => sum + lines(part), 0);
  // A move is a change of its own.
  return open.length === 0 && file.kind === "replace"
    ? undefined
    : {
        file: {
          ...file,
          added: count(({ newStart, newEnd }) => newEnd - newStart),
          removed: count(({ start, end }) => end - start),
        },
        kept: keys("kept"),
        undone: keys("undone"),
        parts: compared.hunks.length,
      };
}
