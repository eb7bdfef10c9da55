import { ToolError } from "../../core/errors.js";
import { fileKey } from "../../core/paths/fileKey.js";
import { baseName } from "../../core/paths/pathShape.js";
import type { ChangeOrigin } from "../../core/pipeline/changeOrigin.js";
import type { ChangeReport, FileChange, PartsBefore } from "../../ports/changes.js";
import type { GatedPath, TextSnapshot } from "../../ports/files.js";
import type { UndoPlan } from "./journal/undoPlan.js";
import { textVersion } from "../../text/contentVersion.js";
import { unifiedDiff } from "../../text/diff/diff.js";
import { shownFormatting } from "../../text/formatting.js";
import type { ChangedText } from "./commandChanges.js";
import { changedElsewhere, isUntouched } from "./elsewhere.js";
import { askedText, placeAfter } from "./fileChange.js";
import type { Ledger, ReadState } from "./ledger.js";
import { ShownLines } from "./shownLines.js";
import { ShownTexts } from "./shownTexts.js";

/** Maximum characters of a diff in an error. A longer diff is not shown, and the file has to be read. */
const MAX_DIFF = 10_000;

/** Maximum number of files remembered as commands left them. */
const MAX_LEFT = 1_000;

/** What each session knows of files' texts: it may change only these. */
export class KnownTexts {
  readonly #state: () => Promise<{ ledger: Ledger }>;
  readonly #lines = new ShownLines();
  readonly #wholes = new ShownTexts();
  /** The versions in which commands of a session left files that it knew, by session and file, oldest first. */
  readonly #left = new Map<string, string>();

  constructor(state: () => Promise<{ ledger: Ledger }>) {
    this.#state = state;
  }

  /** Notes a text that a session was shown in an answer. @param call what the session sent for it */
  noteShown(session: string, text: string, call: unknown): void {
    this.#lines.add(session, text);
    this.#wholes.add(session, text, JSON.stringify(call));
  }

  /** Notes what a session has read of a file. */
  async noteRead(origin: ChangeOrigin, at: GatedPath, seen: Parameters<Ledger["note"]>[2]): Promise<void> {
    (await this.#state()).ledger.note(readerOf(origin), fileKey(at), seen);
  }

  /** Notes texts that a command of a session has changed, as its result says: nobody else changed them since it read them. */
  async noteCommand(
    origin: Pick<ChangeOrigin, "reader" | "session">,
    texts: ReadonlyMap<string, ChangedText>,
  ): Promise<void> {
    const { ledger } = await this.#state();
    const session = readerOf(origin);
    for (const [absolute, { before, after }] of texts) {
      const key = JSON.stringify([session, absolute]);
      const version = await textVersion(before);
      const isKnown =
        this.#left.get(key) === version || ledger.check(session, absolute, { text: before, version }) === "same";
      this.#left.delete(key);
      if (isKnown) {
        this.#left.set(key, await textVersion(after));
      }
      const [oldest] = this.#left.size > MAX_LEFT ? this.#left.keys() : [];
      if (oldest !== undefined) {
        this.#left.delete(oldest);
      }
    }
  }

  /** @throws ToolError `must_read` or `stale` if a session that must have read a file's text has not */
  async check(origin: ChangeOrigin, at: GatedPath, now: TextSnapshot): Promise<void> {
    if (origin.reads !== "must") {
      return;
    }
    const { ledger } = await this.#state();
    const state = this.#readState(origin, ledger, at, now);
    if (state === "unread") {
      throw new ToolError(
        "must_read",
        `${at.path} has not been read in this session. Nothing was changed.`,
        "Read it first, then make the change on its current text.",
      );
    }
    if (state !== "same") {
      throw this.#stale(origin, ledger, at, now, state.readText);
    }
  }

  /** Compares a file with what the session has seen of it: read, or shown as a whole in an answer. */
  #readState(origin: ChangeOrigin, ledger: Ledger, at: GatedPath, now: TextSnapshot): ReadState {
    const session = readerOf(origin);
    const state = ledger.check(session, fileKey(at), now);
    if (state === "same") {
      return state;
    }
    if (this.#wholes.has(session, baseName(at.path), now.text)) {
      ledger.note(session, fileKey(at), now);
      return "same";
    }
    // An empty file has nothing to lose.
    return state === "unread" && now.text === "" ? "same" : state;
  }

  /** Builds the error for a file that has changed since it was read. Its current text counts as read if it is shown. */
  #stale(origin: ChangeOrigin, ledger: Ledger, at: GatedPath, now: TextSnapshot, readText?: string): ToolError {
    const since = readText === undefined ? undefined : unifiedDiff(readText, now.text);
    const isShown = since !== undefined && since.length <= MAX_DIFF;
    if (isShown && origin.isPreview !== true) {
      // The caller has just got this text: it may base its next change on it.
      ledger.note(readerOf(origin), fileKey(at), now);
    }
    return new ToolError(
      "stale",
      `${at.path} has changed since it was read. Nothing was changed.${isShown ? ` What changed since:\n${since}` : ""}`,
      isShown ? "Make the change again on the current text." : "Read it again, then make the change.",
    );
  }

  /**
   * Implements `Changes.beforeParts`. Who quotes a text exactly cannot lose another one: the quote itself proves what is
   * replaced, whether or not the file was read.
   */
  async parts(origin: ChangeOrigin, at: GatedPath, before: TextSnapshot): Promise<PartsBefore> {
    const session = readerOf(origin);
    const { ledger } = await this.#state();
    const state = origin.reads === "must" ? this.#readState(origin, ledger, at, before) : "same";
    return {
      before,
      isKnown: state === "same",
      check: (places) => {
        if (state === "same") {
          return undefined;
        }
        const unseen = places?.filter((place) => !this.#lines.has(session, before.text, place));
        if (state === "unread") {
          if (unseen?.every(({ quoted }) => quoted) === false) {
            throw new ToolError(
              "must_read",
              `${at.path} has not been read in this session, and the call does not quote exactly one place of it. Nothing was changed.`,
              "Read it first (at least the lines to replace), then call again.",
            );
          }
          return undefined;
        }
        const { readText } = state;
        const isOwn = this.#left.get(JSON.stringify([session, fileKey(at)])) === before.version;
        const mayChange =
          unseen !== undefined &&
          (unseen.length === 0 ||
            (isOwn && unseen.every(({ quoted }) => quoted)) ||
            (readText !== undefined &&
              unseen.every(({ quoted }) => quoted) &&
              isUntouched(readText, before.text, unseen)));
        if (!mayChange) {
          throw this.#stale(origin, ledger, at, before, readText);
        }
        return changedElsewhere(readText, before.text).remark;
      },
    };
  }

  /**
   * Records that a session knows the texts it wrote itself, as saving left them if the writer reported that.
   *
   * @param undone the files of an undo that was carried out
   */
  async noteWritten(
    origin: ChangeOrigin,
    changes: readonly FileChange[],
    reports: readonly ChangeReport[],
    undone: UndoPlan["files"],
  ): Promise<void> {
    const { ledger } = await this.#state();
    await noteAll(ledger, origin, changes, reports);
    // A file that an undo merged contains changes by others, which the caller has not seen.
    const merged = new Set(undone.flatMap(({ path, outcome }) => (outcome === "merged" ? [path] : [])));
    changes
      .map(placeAfter)
      .filter(({ path }) => merged.has(path))
      .forEach((at) => ledger.forget(readerOf(origin), fileKey(at)));
  }
}

function readerOf({ reader, session }: Pick<ChangeOrigin, "reader" | "session">): string {
  return reader ?? session;
}

/** Records that a session knows the texts it wrote itself, as saving left them if the writer reported that. */
async function noteAll(
  ledger: Ledger,
  origin: ChangeOrigin,
  changes: readonly FileChange[],
  reports: readonly ChangeReport[],
): Promise<void> {
  const session = readerOf(origin);
  for (const [index, change] of changes.entries()) {
    const isKnown = knowsRest(ledger, origin, change);
    const saved = reports[index]?.text;
    const asked = askedText(change);
    // An unreported text has not been seen: the session's next change is then stale and comes with a diff.
    const text =
      saved === undefined || asked === undefined || saved === asked || shownFormatting(asked, saved) !== undefined
        ? saved
        : asked;
    if (change.kind === "delete" || change.kind === "move") {
      ledger.forget(session, fileKey(change.at));
    }
    if (!isKnown) {
      ledger.forget(session, fileKey(placeAfter(change)));
    } else if (change.kind !== "delete" && text !== undefined) {
      ledger.note(session, fileKey(placeAfter(change)), { text, version: await textVersion(text) });
    }
  }
}

/**
 * Whether a session knows the parts of a text that its change left alone. If not, the file does not count as read
 * afterwards: a later `write` would replace what the session has never seen.
 */
function knowsRest(ledger: Ledger, origin: ChangeOrigin, change: FileChange): boolean {
  if ((change.kind !== "replace" && change.kind !== "move") || change.parts !== true || !("text" in change.before)) {
    return true;
  }
  const state = ledger.check(readerOf(origin), fileKey(change.at), change.before);
  return (
    state === "same" ||
    (state !== "unread" && origin.reads === "must" && changedElsewhere(state.readText, change.before.text).isWhole)
  );
}
