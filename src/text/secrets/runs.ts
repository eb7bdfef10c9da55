/** A part of a text without blanks, quotes or brackets. */
export interface Run {
  start: number;
  end: number;
  digits: number;
}

/** Shorter parts cannot be recognized as secrets without knowing them. */
const MIN_RUN = 16;

const CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_.~!@#%^&*:-";

/** 1 for a character of a run, 2 for a digit, by code unit. */
const KINDS = new Uint8Array(65_536);
for (const character of CHARACTERS) {
  KINDS[character.charCodeAt(0)] = /\d/.test(character) ? 2 : 1;
}

/**
 * Finds the long runs of a text, the only places where most secrets can be. Most of a text is skipped: where the last of
 * 16 characters is a blank, none of them begins a run.
 */
export function longRuns(text: string): Run[] {
  const runs: Run[] = [];
  for (let at = 0; at + MIN_RUN <= text.length;) {
    let back = at + MIN_RUN - 1;
    while (back >= at && KINDS[text.charCodeAt(back)] !== 0) {
      back--;
    }
    if (back >= at) {
      at = back + 1;
      continue;
    }
    let end = at;
    let digits = 0;
    for (let kind = KINDS[text.charCodeAt(end)]; kind !== 0 && end < text.length; kind = KINDS[text.charCodeAt(end)]) {
      digits += kind === 2 ? 1 : 0;
      end++;
    }
    runs.push({ start: at, end, digits });
    at = end + 1;
  }
  return runs;
}
