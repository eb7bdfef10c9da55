import { isRecord } from "../../core/jsonSchema.js";
import type { TurnMetadata } from "./history.js";

/** Storage that outlives a window (`vscode.Memento`). */
export interface Keeper {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

/** The properties that identify a turn in the chat. */
export interface ShownTurn {
  prompt: string;
  command: string | undefined;
}

interface LostTurn extends ShownTurn {
  /** The previous turn in its chat; empty if it was the first. */
  after: string;
  session: string;
  chat: string;
  turn: string;
  seq: number | undefined;
}

const KEY = "toolhost.chat.stoppedTurns";
/** Maximum number of stored turns: users who return to a chat do so soon. */
const MAX_KEPT = 30;

/**
 * Metadata of turns that the user stopped. VS Code waits one second for it, but a command may take longer to end. VS Code
 * does not name chats, so a turn is found again by its message and the turn before it.
 */
export class LostTurns {
  readonly #keeper: Keeper;

  constructor(keeper: Keeper) {
    this.#keeper = keeper;
  }

  keep(
    { prompt, command }: ShownTurn,
    after: string,
    { session, chat, turn, seq }: Pick<LostTurn, "session" | "chat" | "turn" | "seq">,
  ): void {
    const kept: LostTurn = { prompt, command, after, session, chat, turn, seq };
    // A closing window can no longer write; the session log still has the turn.
    this.#keeper.update(KEY, [kept, ...this.#all()].slice(0, MAX_KEPT)).then(undefined, () => undefined);
  }

  find({ prompt, command }: ShownTurn, after: string): TurnMetadata | undefined {
    const found = this.#all().find(
      (kept) => kept.prompt === prompt && kept.command === command && kept.after === after,
    );
    return (
      found && {
        session: found.session,
        chat: found.chat,
        turn: found.turn,
        messages: [],
        ...(found.seq === undefined ? {} : { seq: found.seq }),
      }
    );
  }

  #all(): LostTurn[] {
    const kept = this.#keeper.get(KEY);
    return Array.isArray(kept) ? kept.flatMap(readTurn) : [];
  }
}

function readTurn(value: unknown): LostTurn[] {
  if (!isRecord(value)) {
    return [];
  }
  const { prompt, command, after, session, chat, turn, seq } = value;
  return typeof prompt === "string" &&
    typeof after === "string" &&
    typeof session === "string" &&
    typeof chat === "string" &&
    typeof turn === "string"
    ? [
        {
          prompt,
          after,
          session,
          chat,
          turn,
          command: typeof command === "string" ? command : undefined,
          seq: typeof seq === "number" ? seq : undefined,
        },
      ]
    : [];
}
