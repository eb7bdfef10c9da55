import { ToolError } from "../core/errors.js";
import type { LeftMessage, SessionLog, TurnStart } from "../features/sessions/sessionLog.js";
import type { ModelMessage } from "../ports/models.js";
import type { TokenCount } from "../ports/sessions.js";
import type { ConversationEntry } from "./compaction.js";
import { messageOf } from "../text/words.js";

/**
 * Logs a turn. If the log fails, that is reported once and the turn continues; missed messages are logged at its end,
 * because a state locked by another process is usually free again soon.
 */
export class TurnLog {
  readonly #log: SessionLog;
  readonly #start: TurnStart;
  readonly #onProblem: (problem: string) => void;
  #isBegun = false;
  #isKept = true;
  /** Messages that could not be logged. */
  readonly #missed: ModelMessage[] = [];
  readonly #missedTokens: { tokens: TokenCount; cost: number | undefined }[] = [];
  /** Tokens to add with the next message: a transaction of their own would hold up the answer's calls. */
  readonly #newTokens: { tokens: TokenCount; cost: number | undefined }[] = [];

  /** @param onProblem called once with a message for the user that says why the turn is not logged */
  constructor(log: SessionLog, start: TurnStart, onProblem: (problem: string) => void) {
    this.#log = log;
    this.#start = start;
    this.#onProblem = onProblem;
  }

  /**
   * Begins the turn.
   *
   * @returns the conversation so far, and the number of sessions above
   * @throws ToolError `conflict` if another turn of the session is running
   */
  async begin(): Promise<{ entries: ConversationEntry[]; depth: number }> {
    const begun = await this.#try(async () => {
      const { depth } = await this.#log.beginTurn(this.#start);
      this.#isBegun = true;
      return { entries: await this.#log.context(this.#start.session), depth };
    });
    if (this.#isKept) {
      const problem = await this.#log.problem();
      if (problem !== undefined) {
        this.#onProblem(`This turn is not logged: ${problem}`);
      }
    }
    return begun ?? { entries: [], depth: 0 };
  }

  /** Logs a message. Returns its `seq`; undefined if it could not be logged. */
  async append(message: ModelMessage): Promise<number | undefined> {
    const seq = await this.#try(() => this.#log.append(this.#start.session, this.#start.turn, message));
    if (seq === undefined) {
      this.#missed.push(message);
    }
    await this.#addNewTokens();
    return seq;
  }

  /** Logs tokens, with the next message or at the end of the turn. */
  addTokens(tokens: TokenCount, cost: number | undefined): void {
    this.#newTokens.push({ tokens, cost });
  }

  async #addNewTokens(): Promise<void> {
    for (const { tokens, cost } of this.#newTokens.splice(0)) {
      await this.#try(() => this.#log.addTokens(this.#start.session, tokens, cost));
      if (!this.#isKept) {
        this.#missedTokens.push({ tokens, cost });
      }
    }
  }

  /** Logs missed messages, once. @returns the `seq` of the last one; undefined if none was missed or it failed again */
  async makeUp(): Promise<number | undefined> {
    const { session, turn } = this.#start;
    let seq: number | undefined;
    await this.#addNewTokens();
    try {
      if (this.#missed.length > 0 && !this.#isBegun) {
        await this.#log.beginTurn(this.#start);
        this.#isBegun = true;
      }
      for (const message of this.#missed.splice(0)) {
        seq = await this.#log.append(session, turn, message);
      }
      for (const { tokens, cost } of this.#missedTokens.splice(0)) {
        await this.#log.addTokens(session, tokens, cost);
      }
    } catch {
      // The user already knows.
    }
    return seq;
  }

  async compact(summary: ModelMessage, upTo: number | undefined): Promise<void> {
    if (upTo !== undefined) {
      await this.#try(() => this.#log.compact(this.#start.session, this.#start.turn, summary, upTo));
    }
  }

  async takeLeft(): Promise<LeftMessage[]> {
    return (await this.#try(() => this.#log.takeLeft(this.#start.session))) ?? [];
  }

  /** Ends the turn, even after failures: otherwise its session could not be continued. */
  async end(): Promise<void> {
    try {
      await this.#log.endTurn(this.#start.session, this.#start.turn);
    } catch {
      // It counts as interrupted when this process ends.
    }
  }

  async #try<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (!this.#isKept) {
      return undefined;
    }
    try {
      return await work();
    } catch (error) {
      if (error instanceof ToolError && error.type === "conflict") {
        throw error;
      }
      this.#isKept = false;
      const reason = messageOf(error);
      this.#onProblem(
        `This turn cannot be logged now. Toolhost retries at its end; until then, closing Toolhost loses it. ${reason}`,
      );
      return undefined;
    }
  }
}
