import type { JournalTurn, RecordedCall, TurnFile } from "../../features/changes/journal/types.js";
import type { UndoWhat } from "../../features/changes/journal/undo.js";
import { oneLine, shorten } from "../../text/clip.js";
import { visibleLine } from "../../text/showHidden.js";
import { clockTime, doorName } from "../shared/words.js";
import { whoAndWhen } from "./calls.js";
import type { Direction } from "./steps.js";
import { l10n } from "../shared/l10n.js";

/** Maximum number of origins that the question names. */
const MAX_ORIGINS = 3;
/** Maximum characters of what was asked for in the title of an editor, whose tab is narrow. */
const MAX_REQUEST = 40;

/** The changes, for the editor that shows them. */
export interface Review {
  title: string;
  files: readonly TurnFile[];
  /** Sentences on what the files do not show. */
  notes: readonly string[];
}

/** An undo that the user may want to review first. */
export interface Proposal {
  what: UndoWhat;
  direction: Direction;
  name?: string;
  origins: readonly string[];
  /** The changes, for the review. */
  review: Review | undefined;
  /** The session that made them, if a single one did. */
  session?: string;
  /** Whether it is of parts of changes that an editor shows, so that no notification need tell of it. */
  isInEditor?: boolean;
}

/**
 * Describes who made changes and when, for the question and for the review.
 *
 * @param requests what was asked for in the turns that made them, as far as it is known
 */
export function origin(
  made: readonly (Pick<RecordedCall, "door" | "at" | "notes"> | JournalTurn)[],
  files: readonly TurnFile[],
  now: number,
  requests: readonly string[] = [],
): Pick<Proposal, "origins" | "review"> {
  const some = (words: readonly string[]): string[] => {
    const lines = [...new Set(words)];
    return lines.length <= MAX_ORIGINS
      ? lines
      : [...lines.slice(0, MAX_ORIGINS - 1), l10n.t("and {0} other times", lines.length - MAX_ORIGINS + 1)];
  };
  const asked = [...new Set(requests)];
  // The editor stays open, so its name has the time of day.
  const title = reviewTitle(
    asked.length === 1 ? asked[0] : undefined,
    some(made.map(({ door, at }) => `${doorName(door)}, ${clockTime(at, now)}`)).join("; "),
  );
  const notes = made.flatMap((each) => ("calls" in each ? each.calls : [each])).flatMap((call) => call.notes ?? []);
  return {
    origins: [
      ...some(asked.map((request) => l10n.t("“{0}”", request))),
      ...some(made.map((call) => whoAndWhen(call, now))),
    ],
    review: files.length === 0 ? undefined : { title, files, notes: [...new Set(notes)] },
  };
}

/** Returns the title of a review: what was asked for, or who made the changes and when. */
export function reviewTitle(request: string | undefined, who: string): string {
  const asked = request === undefined ? "" : visibleLine(shorten(oneLine(request), MAX_REQUEST));
  return l10n.t("Changes: {0}", asked === "" ? who : asked);
}
