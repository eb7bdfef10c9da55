import { isRecord } from "../../core/jsonSchema.js";
import type { Keeper } from "./lostTurns.js";

/** A turn of a chat that may have changed files. */
export interface ChangedTurn {
  chat: string;
  session: string;
  turn: string;
  /** The user's message. */
  prompt: string;
}

const KEY = "toolhost.chat.changedTurns";
/** Maximum number of stored turns, of all chats. */
const MAX_KEPT = 100;
/** Maximum code units of a stored message: enough for people to recognize it. */
const MAX_PROMPT = 200;

/**
 * The turns that changed files, by chat. If the chat no longer shows a turn, the user removed it, with *Restore
 * Checkpoint* or by editing an earlier message. A participant learns of it only with the next message
 * (docs/rooms/doors.md).
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
   * Returns the turns that a chat no longer shows, newest first. Each is returned once.
   *
   * @param shown ids of the turns that it shows
   * @param unknown messages of shown turns whose metadata VS Code lost: each may be any turn with that message
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
    // A closing window can no longer write.
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
