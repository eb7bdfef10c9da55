import { isUsersOwn } from "../../agent/ownWords.js";
import type { TurnKey } from "../../features/changes/journal/queries.js";
import { isUnknownSession, type SessionLog } from "../../features/sessions/sessionLog.js";
import type { SessionEntry } from "../../ports/sessions.js";

/** What was asked for in a turn. */
export interface Request {
  text: string;
  /** Set if nobody asked: a task or a schedule was due. */
  work?: "task" | "schedule";
}

/** How many of a session's latest messages are looked through. */
const LOOKED_AT = 500;

/**
 * Finds what the user asked for in a turn. Only sessions of our agents are written down: of other agents' turns nobody
 * tells Toolhost.
 */
export class Requests {
  readonly #log: () => Promise<SessionLog>;
  /** By session and turn: what was asked stays as it is. */
  readonly #known = new Map<string, Request>();
  /** Turns from before the messages that are looked through. */
  readonly #tooOld = new Set<string>();

  constructor(log: () => Promise<SessionLog>) {
    this.#log = log;
  }

  /** Returns the request of a turn; undefined if it is not known. */
  async of(key: TurnKey): Promise<Request | undefined> {
    const known = this.#known.get(keyOf(key));
    if (known !== undefined || this.#tooOld.has(keyOf(key))) {
      return known;
    }
    try {
      const log = await this.#log();
      const { kind, title } = await log.status(key.session);
      const { entries } = await log.history(key.session, LOOKED_AT);
      for (const { turn, message } of entries.toReversed()) {
        // The prompt of unattended work is mostly Toolhost's own words. Its title is the task's, or the schedule's name.
        const request: Request =
          kind === "task" || kind === "schedule" ? { text: title, work: kind } : { text: saidIn(message) };
        if (request.text !== "") {
          this.#known.set(keyOf({ session: key.session, turn }), request);
        }
      }
      if (entries.length === LOOKED_AT && !entries.some(({ turn }) => turn === key.turn)) {
        this.#tooOld.add(keyOf(key));
      }
      return this.#known.get(keyOf(key));
    } catch (error) {
      if (isUnknownSession(error)) {
        return undefined;
      }
      throw error;
    }
  }
}

function keyOf({ session, turn }: TurnKey): string {
  return JSON.stringify([session, turn]);
}

function saidIn({ role, content }: SessionEntry["message"]): string {
  return role !== "user"
    ? ""
    : content
        .flatMap((part) => (part.type === "text" && isUsersOwn(part.text) ? [part.text] : []))
        .join(" ")
        .trim();
}
