import { isRecord } from "../../core/jsonSchema.js";
import type { Keeper } from "./lostTurns.js";

/** A turn of a chat that may have changed files. */
export interface ChangedTurn {
  chat: string;
  session: string;
  turn: string;
  /** What the user had written. */
  prompt: string;
}

const KEY = "toolhost.chat.changedTurns";
/** Turns that are kept, those of all chats. */
const MAX_KEPT = 100;
/** Code units of a message by which people know it again. */
const MAX_PROMPT = 200;

/**
 * The turns that changed files, by their chats: one that its chat no longer shows was taken back, by *Restore
 * Checkpoint* or by an edit of a message before it. VS Code tells a participant so with the next message, and no
 * earlier (docs/rooms/doors.md).
 */
export class ChangedTurns {
  readonly #keeper: Keeper;

  constructor(keeper: Keeper) {
    this.#keeper = keeper;
  }

  keep(turn: ChangedTurn): void {
    this.#write([...this.#all(), { ...turn, prompt: turn.prompt.slice(0, MAX_PROMPT) }].slice(-MAX_KEPT));
  }

  /**
   * The turns that a chat no longer shows, newest first. Each is given once.
   *
   * @param shown the turns that it shows, by their ids
   * @param unknown the messages of turns that it shows and of which VS Code lost what they left: they may be any
   */
  takenBack(chat: string, shown: readonly string[], unknown: readonly string[]): ChangedTurn[] {
    const all = this.#all();
    const gone = all.filter(
      (turn) =>
        turn.chat === chat &&
        !shown.includes(turn.turn) &&
        !unknown.some((prompt) => prompt.slice(0, MAX_PROMPT) === turn.prompt),
    );
    if (gone.length > 0) {
      this.#write(all.filter((turn) => !gone.includes(turn)));
    }
    return gone.toReversed();
  }

  #write(turns: readonly ChangedTurn[]): void {
    // A window that closes cannot write any more.
    this.#keeper.update(KEY, turns).then(undefined, () => undefined);
  }

  #all(): ChangedTurn[] {
    const kept = this.#keeper.get(KEY);
    return Array.isArray(kept) ? kept.flatMap(readTurn) : [];
  }
}

function readTurn(value: unknown): ChangedTurn[] {
  if (!isRecord(value)) {
    return [];
  }
  const { chat, session, turn, prompt } = value;
  return typeof chat === "string" &&
    typeof session === "string" &&
    typeof turn === "string" &&
    typeof prompt === "string"
    ? [{ chat, session, turn, prompt }]
    : [];
}
