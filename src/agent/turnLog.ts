import { ToolError } from "../core/errors.js";
import type { LeftMessage, SessionLog, TurnStart } from "../features/sessions/sessionLog.js";
import type { ModelMessage } from "../ports/models.js";
import type { TokenCount } from "../ports/sessions.js";
import type { ConversationEntry } from "./compaction.js";
import { messageOf } from "../text/words.js";

/**
 * A turn's writing in the session log. A log that fails is told once and ends no turn: what the user asked for goes on,
 * and what it said and did is made up for at its end, since a state that another process holds is free again soon.
 */
export class TurnLog {
  readonly #log: SessionLog;
  readonly #start: TurnStart;
  readonly #onProblem: (problem: string) => void;
  #isBegun = false;
  #isKept = true;
  /** What could not be written down. */
  readonly #missed: ModelMessage[] = [];
  readonly #missedTokens: { tokens: TokenCount; cost: number | undefined }[] = [];

  /** @param onProblem told once, in words for the user, why the turn is not written down */
  constructor(log: SessionLog, start: TurnStart, onProblem: (problem: string) => void) {
    this.#log = log;
    this.#start = start;
    this.#onProblem = onProblem;
  }

  /**
   * Begins the turn.
   *
   * @returns the conversation so far, and how many sessions lie above
   * @throws ToolError `conflict` when another turn of the session is under way
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
        this.#onProblem(`This turn is not written down: ${problem}`);
      }
    }
    return begun ?? { entries: [], depth: 0 };
  }

  /** Adds a message; its place, undefined when it could not be written down. */
  async append(message: ModelMessage): Promise<number | undefined> {
    const seq = await this.#try(() => this.#log.append(this.#start.session, this.#start.turn, message));
    if (seq === undefined) {
      this.#missed.push(message);
    }
    return seq;
  }

  async addTokens(tokens: TokenCount, cost: number | undefined): Promise<void> {
    await this.#try(() => this.#log.addTokens(this.#start.session, tokens, cost));
    if (!this.#isKept) {
      this.#missedTokens.push({ tokens, cost });
    }
  }

  /**
   * Writes down what could not be, once. @returns the place of the last message; undefined when nothing was missed, or
   * it still cannot be
   */
  async makeUp(): Promise<number | undefined> {
    const { session, turn } = this.#start;
    let seq: number | undefined;
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
      // The user knows already.
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

  /**
   * Ends the turn, also one that could not be written down for a while: nobody could go on with its session otherwise.
   */
  async end(): Promise<void> {
    try {
      await this.#log.endTurn(this.#start.session, this.#start.turn);
    } catch {
      // It counts as interrupted once this process has ended.
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
        `This turn cannot be written down now. It is tried again at its end; until then it is gone when Toolhost is closed. ${reason}`,
      );
      return undefined;
    }
  }
}
