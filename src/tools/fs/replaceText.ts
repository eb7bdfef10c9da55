import { ToolError } from "../../core/errors.js";
import { LARGEST_CHANGED_FILE } from "../../core/largestFile.js";
import { detectEol, withEol } from "../../text/eol.js";
import { applyReplacements, findMatch, type MatchTier } from "../../text/match/match.js";
import { foldLineEnds } from "../../text/match/lines.js";
import type { Replacement } from "../../text/match/replace.js";
import { diagnoseMiss, type MissHint } from "../../text/miss/miss.js";
import { utf8Length } from "../../text/page.js";
import { withoutMark } from "./byteOrderMark.js";
import { count, namedLines } from "../../text/words.js";

/** Maximum number of places replaced per call. Beyond this, old_text is probably a single letter. */
const MAX_PLACES = 100_000;
/** Maximum bytes of a new text, the same limit as for write. */
const MAX_NEW_TEXT_BYTES = 10_000_000;
/** Maximum number of line numbers named in a message. */
const MAX_LINES_NAMED = 20;

/** A requested replacement. */
export interface Replacing {
  old_text: string;
  new_text: string;
  replace_all?: boolean | undefined;
  expected_count?: number | undefined;
}

/** Limits of an edit, by itself or as one of several. */
export interface EditLimits {
  /** Characters of the resulting text. */
  result: number;
  /** Places replaced. */
  places: number;
}

/** A text with the replacement made. */
export interface Replaced {
  after: string;
  /** Lines in the text before, 1-based, one entry per place. */
  places: { startLine: number; endLine: number }[];
  tier: MatchTier;
  /** Whether old_text is in the text as given, and in as many places as the caller expects. */
  isQuoted: boolean;
  /** The replacements, as offsets into the text before. */
  replacements: readonly Replacement[];
}

/**
 * Plans a replacement in a file's text.
 *
 * @param where prefix of messages: the file, and the edit's index if there are several
 * @param left the part of the limits that the call's other edits have not used; absent for a single edit
 *
 * @throws ToolError `no_match` with the nearest lines, `not_unique` with every line, `invalid_input`, `too_large`
 */
export function replaceText(where: string, before: string, input: Replacing, left?: EditLimits): Replaced {
  const { old_text: oldText, new_text: newText, replace_all: replaceAll = false } = input;
  checkTexts(where, input);
  const maxPlaces = Math.min(MAX_PLACES, replaceAll ? (left?.places ?? MAX_PLACES) : MAX_PLACES);
  const checkSize = (size: number): void =>
    refuseSize(where, size, Math.min(LARGEST_CHANGED_FILE, left?.result ?? LARGEST_CHANGED_FILE));
  const eol = detectEol(before);
  if (withEol(oldText, eol) === withEol(newText, eol)) {
    throw new ToolError(
      "invalid_input",
      `${where}: old_text and new_text are the same, so there is nothing to change.`,
    );
  }
  if (replaceAll) {
    checkSize(before.length + expectedGrowth(before, oldText, newText));
  }
  const match = findMatch(before, oldText, newText, { replaceAll, max: maxPlaces });
  switch (match.kind) {
    case "none":
      throw noMatch(where, before, input);
    case "too_many":
      throw new ToolError(
        "too_large",
        `${where}: old_text matches more than ${maxPlaces} places. Nothing was changed.`,
        left === undefined ? "Give a longer old_text." : "Give a longer old_text, or make fewer edits in one call.",
      );
    case "not_unique":
      throw notUnique(where, match, input.expected_count);
    case "found": {
      const places = match.replacements.map(({ startLine, endLine }) => ({ startLine, endLine }));
      if (input.expected_count !== undefined && input.expected_count !== places.length) {
        throw unexpected(
          where,
          places.map(({ startLine }) => startLine),
          input.expected_count,
        );
      }
      checkSize(match.replacements.reduce((size, { length, text }) => size + text.length - length, before.length));
      const after = withoutMark(before, applyReplacements(before, match.replacements));
      if (after === before) {
        throw new ToolError(
          "invalid_input",
          `${where}: new_text only adds a byte order mark to old_text, so there is nothing to change.`,
          "The file's encoding decides whether it has one.",
        );
      }
      const isQuoted =
        (match.tier === "exact" || match.tier === "line_endings") &&
        (places.length === 1 || input.expected_count === places.length);
      return { after, places, tier: match.tier, isQuoted, replacements: match.replacements };
    }
  }
}

/** Describes the replaced places: `1 replacement at line 3`, `2 replacements (lines 1, 9)`. */
export function describePlaces(places: Replaced["places"]): string {
  const lines = places.map(({ startLine }) => startLine);
  return lines.length === 1 ? `1 replacement at ${linesOf(lines)}` : `${lines.length} replacements (${linesOf(lines)})`;
}

/**
 * Returns a remark if the new text contains `\\n` as two characters outside of quotes, where a line break was most
 * likely meant. Undefined if it has none, or if the old text has one, too.
 */
export function escapeRemark({ old_text: oldText, new_text: newText }: Replacing): string | undefined {
  return hasBareEscape(newText) && !hasBareEscape(oldText)
    ? "new_text has \\n as two characters and was written that way; if you meant line breaks, edit it again with real ones."
    : undefined;
}

function hasBareEscape(text: string): boolean {
  return text
    .split(/\r\n|\n|\r/)
    .some((line) => line.length <= MAX_TYPED && line.includes("\\n") && line.replaceAll(QUOTED, "").includes("\\n"));
}

/** Maximum characters of a line that somebody may have typed: looking for quotes takes time by its square. */
const MAX_TYPED = 2_000;

/** Quoted texts and regular expressions on a single line. */
const QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|\/(?![/*\s])(?:[^/\\]|\\.)+\//g;

/** Says which differences were ignored to find the text; undefined if none were. */
export function tierRemark(tier: MatchTier, places: Replaced["places"]): string | undefined {
  const ignored = IGNORED[tier];
  const [first] = places;
  if (ignored === undefined || first === undefined) {
    return undefined;
  }
  const { startLine, endLine } = first;
  const lines = startLine === endLine ? `line ${startLine}` : `lines ${startLine}-${endLine}`;
  return places.length === 1 ? `old_text matched ${lines} ${ignored}.` : `old_text matched ${ignored}.`;
}

const IGNORED: Record<MatchTier, string | undefined> = {
  exact: undefined,
  // A model sees lines, not their endings.
  line_endings: undefined,
  trailing_blanks: "after ignoring trailing whitespace, which the file keeps except on lines that new_text changes",
  indentation: "with a different indentation; new_text was shifted the same way",
  look_alikes:
    "after ignoring look-alike characters such as quotes, dashes and spaces; where old_text and new_text agree, the file keeps its own",
  unicode_form: "after Unicode normalization (composed or decomposed accents); new_text was written in the file's form",
};

/** Refuses an empty old text, and an unpaired surrogate, which JSON can express and which would match half of a character in the file. */
function checkTexts(where: string, input: Replacing): void {
  if (input.old_text === "") {
    throw new ToolError(
      "invalid_input",
      `${where}: old_text is empty. Nothing was changed.`,
      "To insert, give the line before or after as old_text, and repeat it in new_text. To replace the whole file, use write.",
    );
  }
  // No text is shorter in bytes than in code units. Checking code units first avoids counting the bytes of a 500 MB
  // text, which takes as much memory again.
  const bytes = input.new_text.length > MAX_NEW_TEXT_BYTES ? input.new_text.length : utf8Length(input.new_text);
  if (bytes > MAX_NEW_TEXT_BYTES) {
    const atLeast = input.new_text.length > MAX_NEW_TEXT_BYTES ? "at least " : "";
    throw new ToolError(
      "too_large",
      `${where}: new_text has ${atLeast}${bytes} bytes; at most ${MAX_NEW_TEXT_BYTES} are allowed. Nothing was changed.`,
      "Add it in several edits.",
    );
  }
  for (const field of ["old_text", "new_text"] as const) {
    if (/\p{Surrogate}/u.test(input[field])) {
      throw new ToolError("invalid_input", `${where}: ${field} contains an unpaired surrogate. Nothing was changed.`);
    }
  }
  if (input.new_text.includes("\0")) {
    throw new ToolError(
      "invalid_input",
      `${where}: new_text contains a NUL character, so the file would be binary. Nothing was changed.`,
    );
  }
}

/**
 * Estimates how much longer a text becomes when every place is replaced, before any replacement is built: each place
 * may get a text of its own, and a small input can have a hundred thousand places. Line endings count as one character.
 */
function expectedGrowth(before: string, oldText: string, newText: string): number {
  const [text, old, replacement] = [foldLineEnds(before), foldLineEnds(oldText), foldLineEnds(newText)];
  const growth = replacement.length - old.length;
  if (growth <= 0 || old === "") {
    return 0;
  }
  let count = 0;
  for (let at = text.indexOf(old); at >= 0 && count <= MAX_PLACES; at = text.indexOf(old, at + old.length)) {
    count++;
  }
  // findMatch rejects more places.
  return count > MAX_PLACES ? 0 : count * growth;
}

function refuseSize(where: string, size: number, max: number): void {
  if (size > max) {
    throw new ToolError(
      "too_large",
      `${where}: the edit would make it ${size} characters long; ${max < LARGEST_CHANGED_FILE ? `this call has ${max} left` : `at most ${max} are allowed`}. Nothing was changed.`,
      max < LARGEST_CHANGED_FILE
        ? "Make the edits in several calls, or give a longer old_text."
        : "Give a longer old_text or a shorter new_text.",
    );
  }
}

function notUnique(
  where: string,
  match: { tier: MatchTier; lines: number[]; more: boolean },
  expected: number | undefined,
): ToolError {
  const { tier, lines, more } = match;
  if (!more && (tier === "exact" || tier === "line_endings") && expected !== undefined && expected !== lines.length) {
    return unexpected(where, lines, expected);
  }
  const count = more ? `more than ${lines.length} places` : `${lines.length} places`;
  const ignored = IGNORED[tier] === undefined ? "" : ` ${NEARLY[tier] ?? ""}`;
  return new ToolError(
    "not_unique",
    `${where}: old_text matches ${count}${ignored} (${linesOf(lines)}). Nothing was changed.`,
    tier === "exact" || tier === "line_endings"
      ? "Add surrounding lines to old_text so that it matches one place, or set replace_all."
      : "Add surrounding lines to old_text, and copy them exactly.",
  );
}

/** Phrases for messages about several places, for tiers looser than `exact`. */
const NEARLY: Partial<Record<MatchTier, string>> = {
  trailing_blanks: "ignoring trailing whitespace",
  indentation: "ignoring indentation",
  look_alikes: "ignoring look-alike characters",
  unicode_form: "after Unicode normalization",
};

function unexpected(where: string, lines: readonly number[], expected: number): ToolError {
  return new ToolError(
    "not_unique",
    `${where}: old_text matches ${count(lines.length, "place")} (${linesOf(lines)}), not the expected ${expected}. Nothing was changed.`,
    "Check these places, then correct old_text or expected_count.",
  );
}

function noMatch(where: string, before: string, { old_text: oldText, new_text: newText }: Replacing): ToolError {
  const { hint, nearest, firstDifference } = diagnoseMiss(before, oldText, newText);
  const lines = [`${where}: old_text was not found. Nothing was changed.`];
  if (nearest !== undefined && firstDifference !== undefined) {
    const { line, oldLine, expected, found } = firstDifference;
    lines.push(
      `Nearest: lines ${nearest.startLine}-${nearest.endLine}; first difference at line ${line} (line ${oldLine} of old_text):`,
    );
    lines.push(`  old_text: ${expected}`, found === undefined ? "  file:     (end of file)" : `  file:     ${found}`);
    if (firstDifference.codePoints !== undefined) {
      lines.push(
        `  old_text has ${firstDifference.codePoints.expected} where the file has ${firstDifference.codePoints.found}.`,
      );
    }
    lines.push(...nearest.shown.map(({ line: number, text }) => `${number}\t${text}`));
  }
  return new ToolError("no_match", lines.join("\n"), hintText(hint, nearest?.isWhole === true));
}

/** @param isShown whether the message shows the nearest lines unabridged, so that they need not be read again */
function hintText(hint: MissHint, isShown: boolean): string {
  switch (hint.kind) {
    case "line_numbers_copied":
      return `old_text includes the line numbers that read shows: remove them${hint.line === undefined ? "" : ` (without them it matches at line ${hint.line})`}.`;
    case "already_replaced":
      return `new_text is already at line ${hint.line}: the change may have been made. Read it.`;
    case "escaped_twice":
      return `old_text is escaped once too often: with real line breaks, tabs and quotes it matches at line ${hint.line}.`;
    case "empty_lines_around":
      return `Without its leading or trailing empty lines, old_text matches at line ${hint.line}: remove them, or copy the lines exactly.`;
    case "case_differs":
      return `It is at line ${hint.line} in different case: copy it exactly.`;
    case "invisible_characters":
      return `At line ${hint.line} the file has invisible zero-width characters: edit around them, or rewrite the file with write.`;
    case "blanks_differ":
      return `At line ${hint.line} only whitespace differs: copy it exactly (· is a space, → a tab).`;
    case "read_again":
      return isShown
        ? "Copy old_text exactly from the lines above, with indentation, without line numbers."
        : `Read the file again from line ${hint.line} and copy the text exactly, with indentation, without line numbers.`;
    case "nothing_near":
      return "Nothing in the file is similar. Read it, or find the right file with grep.";
  }
}

/** Lists the places' lines, each line once. */
function linesOf(places: readonly number[]): string {
  return namedLines([...new Set(places)], MAX_LINES_NAMED);
}
