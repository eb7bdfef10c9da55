import type { Liveness, Owner } from "../../ports/owner.js";
import type { ModelMessage } from "../../ports/models.js";
import type { SessionEntry, SessionState, SessionSummary, TokenCount } from "../../ports/sessions.js";
import type { Store } from "../../ports/store.js";
import { oneLine, shorten } from "../../text/clip.js";
import { utf8Length } from "../../text/page.js";
import { ToolError } from "../../core/errors.js";
import { asConversation, type PlacedMessage } from "./conversation.js";
import { GIVEN_UP, MAX_LEFT, MAX_TITLE, SESSION_BOUNDS, type SessionBounds } from "./limits.js";
import { forgetOld } from "./retention.js";
import { findSession, ownerOf, toSummary, type SessionRow } from "./rows.js";
import type { LeftMessage, SessionLog, TurnStart } from "./sessionLog.js";
import { packContent, unpackContent, type PackedContent } from "./storedContent.js";

/** What the log of sessions needs from a host. */
export interface SessionLogHost {
  store: Store;
  owner: Owner;
  /** Where this process shows its turns, for people: `a window of VS Code`. */
  place: string;
  liveness(owner: Owner): Liveness;
  /** Returns data without secrets; absent if they are kept. */
  mask?<Data>(data: Data): Data;
  /** Milliseconds since 1970. */
  now(): number;
  /**
   * Turns in progress in this process. One set is shared by all logs of a process: a workspace's state may be reopened
   * in the middle of a turn.
   */
  underWay: Set<string>;
  /** Keeps the store open until the returned function is called. */
  hold?(): () => void;
  /** Why the store is not the workspace's own; undefined if it is. */
  problem?: string | undefined;
}

interface MessageRow {
  seq: number;
  turn: string;
  role: ModelMessage["role"];
  at: number;
  content: string;
  replaces: number | null;
}

/** `SessionLog` on a store. */
export class StoredSessions implements SessionLog {
  readonly #host: SessionLogHost;
  readonly #store: Store;
  readonly #bounds: SessionBounds;
  /** Turns whose end could not be stored yet, with their sessions. */
  readonly #unended = new Map<string, string>();
  readonly #releases = new Map<string, () => void>();

  constructor(host: SessionLogHost, bounds: SessionBounds = SESSION_BOUNDS) {
    this.#host = host;
    this.#store = host.store;
    this.#bounds = bounds;
  }

  async problem(): Promise<string | undefined> {
    return this.#host.problem;
  }

  async beginTurn(start: TurnStart): Promise<{ depth: number }> {
    const { session, turn } = start;
    // One transaction: if two processes start at the same time, the second sees what the first wrote.
    const depth = this.#write(() => {
      const known = this.#row(session);
      if (known !== undefined && this.#stateOf(known) === "active") {
        throw this.#conflict(known);
      }
      const began = known === undefined ? this.#insert(start) : known.depth;
      this.#takeTurn(start);
      if (start.keepUpTo !== undefined && known !== undefined) {
        this.#takeBack(session, start.chat ?? null, start.keepUpTo);
      }
      forgetOld(
        this.#store,
        this.#bounds,
        this.#host.now(),
        (row) => row.id === session || this.#stateOf(row) === "active",
      );
      return began;
    });
    this.#host.underWay.add(turn);
    const release = this.#host.hold?.();
    if (release !== undefined) {
      this.#releases.set(turn, release);
    }
    return { depth };
  }

  async append(session: string, turn: string, message: ModelMessage): Promise<number> {
    return this.#append(session, turn, message, undefined);
  }

  async compact(session: string, turn: string, summary: ModelMessage, upTo: number): Promise<void> {
    this.#append(session, turn, summary, upTo);
  }

  async addTokens(session: string, { input, output, estimated }: TokenCount, cost: number | undefined): Promise<void> {
    this.#store.run(
      "UPDATE sessions SET input = input + ?, output = output + ?, estimated = max(estimated, ?), cost = cost + ?, unpriced = max(unpriced, ?) WHERE id = ?",
      ...[input, output, estimated ? 1 : 0, cost ?? 0, cost === undefined ? 1 : 0, session],
    );
  }

  async endTurn(session: string, turn: string): Promise<void> {
    this.#host.underWay.delete(turn);
    this.#unended.set(turn, session);
    try {
      this.#write(() => undefined);
    } finally {
      this.#releases.get(turn)?.();
      this.#releases.delete(turn);
    }
  }

  async context(session: string): Promise<PlacedMessage[]> {
    const summary = this.#store.get<MessageRow>(
      "SELECT * FROM messages WHERE session = ? AND replaces IS NOT NULL AND taken_back = 0 ORDER BY seq DESC LIMIT 1",
      session,
    );
    const from = summary?.replaces ?? -1;
    const rows = this.#store.all<MessageRow>(
      "SELECT * FROM messages WHERE session = ? AND seq > ? AND replaces IS NULL AND taken_back = 0 ORDER BY seq",
      session,
      from,
    );
    // Give the summary the `seq` of the last message it replaces, so that the order is kept and the next summary
    // includes it.
    const told = [...(summary === undefined ? [] : [{ ...summary, seq: from }]), ...rows];
    return asConversation(this.#unpacked(session, told));
  }

  async leave(id: string, { content, from }: LeftMessage): Promise<{ active: boolean }> {
    return this.#write(() => {
      const row = findSession(this.#store, id);
      const waiting =
        this.#store.get<{ count: number }>("SELECT count(*) AS count FROM left_messages WHERE session = ?", row.id)
          ?.count ?? 0;
      if (waiting >= MAX_LEFT) {
        throw new ToolError(
          "too_large",
          `Session ${row.id}: ${waiting} messages are already waiting for it.`,
          "It takes them with its next turn.",
        );
      }
      this.#store.run(
        "INSERT INTO left_messages (session, content, sender, at) VALUES (?, ?, ?, ?)",
        row.id,
        content,
        from,
        this.#host.now(),
      );
      return { active: this.#stateOf(row) === "active" };
    });
  }

  async hasLeft(session: string): Promise<boolean> {
    return this.#store.get("SELECT 1 FROM left_messages WHERE session = ? LIMIT 1", session) !== undefined;
  }

  async takeLeft(session: string): Promise<LeftMessage[]> {
    const read = (): LeftMessage[] =>
      this.#store.all<LeftMessage>(
        'SELECT content, sender AS "from" FROM left_messages WHERE session = ? ORDER BY id',
        session,
      );
    // This runs before every request to a model: don't write anything if nothing is waiting.
    if (read().length === 0) {
      return [];
    }
    return this.#write(() => {
      const left = read();
      this.#store.run("DELETE FROM left_messages WHERE session = ?", session);
      return left.map((message) => ({ ...message }));
    });
  }

  async list(limit: number): Promise<{ sessions: SessionSummary[]; total: number }> {
    const rows = this.#store.all<SessionRow>("SELECT * FROM sessions ORDER BY updated DESC, rowid DESC LIMIT ?", limit);
    const total = this.#store.get<{ total: number }>("SELECT count(*) AS total FROM sessions")?.total ?? rows.length;
    return { sessions: rows.map((row) => toSummary(row, this.#stateOf(row))), total };
  }

  async status(id: string): Promise<SessionSummary> {
    const row = findSession(this.#store, id);
    return toSummary(row, this.#stateOf(row));
  }

  async history(
    id: string,
    limit: number,
    before = Number.MAX_SAFE_INTEGER,
  ): Promise<{ entries: SessionEntry[]; total: number; earlier: number }> {
    const session = findSession(this.#store, id).id;
    const rows = this.#store
      .all<MessageRow>(
        "SELECT * FROM messages WHERE session = ? AND taken_back = 0 AND seq < ? ORDER BY seq DESC LIMIT ?",
        session,
        before,
        limit,
      )
      .reverse();
    const { total = 0, earlier = 0 } =
      this.#store.get<{ total: number; earlier: number | null }>(
        "SELECT count(*) AS total, coalesce(sum(seq < ?), 0) AS earlier FROM messages WHERE session = ? AND taken_back = 0",
        ...[rows[0]?.seq ?? before, session],
      ) ?? {};
    const entries = this.#unpacked(session, rows).map(({ seq, message }, index): SessionEntry => {
      const { turn = "", at = 0, replaces = null } = rows[index] ?? {};
      return { seq, turn, at, message, ...(replaces === null ? {} : { isSummary: true }) };
    });
    return { entries, total, earlier: earlier ?? 0 };
  }

  async findInterrupted(prompt: string): Promise<string | undefined> {
    const rows = this.#store.all<SessionRow>(
      "SELECT * FROM sessions WHERE turn IS NOT NULL AND turn_kind = 'chat' ORDER BY updated DESC, rowid DESC",
    );
    return rows.find((row) => this.#stateOf(row) === "interrupted" && this.#beginsWith(row, prompt))?.id;
  }

  /**
   * Whether the turn in progress began with a user message that has exactly this text as one of its parts: attached
   * files are other parts.
   */
  #beginsWith({ id, turn }: SessionRow, prompt: string): boolean {
    const first = this.#store.get<MessageRow>(
      "SELECT * FROM messages WHERE session = ? AND turn = ? AND role = 'user' AND taken_back = 0 ORDER BY seq LIMIT 1",
      id,
      turn,
    );
    const content = first === undefined ? [] : unpackContent(first.content, () => undefined);
    return content.some((part) => part.type === "text" && part.text.trim() === prompt.trim());
  }

  #row(session: string): SessionRow | undefined {
    return this.#store.get<SessionRow>("SELECT * FROM sessions WHERE id = ?", session);
  }

  #insert({ session, kind, title, parent }: TurnStart): number {
    const depth = parent === undefined ? 0 : (this.#row(parent)?.depth ?? 0) + 1;
    const now = this.#host.now();
    this.#store.run(
      "INSERT INTO sessions (id, kind, title, parent, depth, created, updated) VALUES (?, ?, ?, ?, ?, ?, ?)",
      ...[session, kind, shorten(oneLine(title), MAX_TITLE), parent ?? null, depth, now, now],
    );
    return depth;
  }

  #takeTurn({ session, turn, kind, chat, model }: TurnStart): void {
    const { owner, place } = this.#host;
    this.#store.run(
      "UPDATE sessions SET turn = ?, turn_kind = ?, turn_chat = ?, owner_pid = ?, owner_started = ?, owner_place = ?, model = ?, updated = ? WHERE id = ?",
      ...[turn, kind, chat ?? null, owner.pid, owner.started, place, model, this.#host.now(), session],
    );
  }

  /**
   * Takes back what a chat said after a message, but not what other chats and doors added, since this one never showed
   * that. A summary that includes any of it is taken back too; the messages it replaced then count again.
   */
  #takeBack(session: string, chat: string | null, keepUpTo: number): void {
    this.#store.run(
      "UPDATE messages AS summary SET taken_back = 1 WHERE session = ? AND taken_back = 0 AND replaces > ? AND EXISTS (SELECT 1 FROM messages AS told WHERE told.session = summary.session AND told.replaces IS NULL AND told.kind = 'chat' AND told.chat IS ? AND told.taken_back = 0 AND told.seq > ? AND told.seq <= summary.replaces)",
      ...[session, keepUpTo, chat, keepUpTo],
    );
    this.#store.run(
      "UPDATE messages SET taken_back = 1 WHERE session = ? AND taken_back = 0 AND replaces IS NULL AND kind = 'chat' AND chat IS ? AND seq > ?",
      session,
      chat,
      keepUpTo,
    );
    this.#store.run(
      "UPDATE sessions SET messages = (SELECT coalesce(sum(counted), 0) FROM messages WHERE session = ? AND taken_back = 0) WHERE id = ?",
      session,
      session,
    );
  }

  /** Hides the secrets of results and of what the model says. The user's own words are kept: they find a turn again. */
  #masked(role: ModelMessage["role"], content: ModelMessage["content"]): ModelMessage["content"] {
    return content.map((part) => (role === "user" && part.type === "text" ? part : (this.#host.mask?.(part) ?? part)));
  }

  #append(session: string, turn: string, { role, content: given }: ModelMessage, replaces: number | undefined): number {
    const content = this.#masked(role, given);
    const packed = packContent(content);
    const counted = replaces === undefined && content.some(({ type }) => type !== "result") ? 1 : 0;
    const bytes = utf8Length(packed.json);
    return this.#write(() => {
      const now = this.#host.now();
      const isKnown =
        this.#store.run(
          "UPDATE sessions SET updated = ?, messages = messages + ?, bytes = bytes + ? WHERE id = ?",
          now,
          counted,
          bytes,
          session,
        ).changes > 0;
      if (!isKnown) {
        throw new ToolError(
          "unknown_id",
          `Session ${session} is no longer kept, so nothing can be added to it.`,
          "Start a new one.",
        );
      }
      const { id: seq } = this.#store.run(
        "INSERT INTO messages (session, turn, kind, chat, role, at, content, counted, replaces) SELECT id, ?, coalesce(turn_kind, kind), turn_chat, ?, ?, ?, ?, ? FROM sessions WHERE id = ?",
        ...[turn, role, now, packed.json, counted, replaces ?? null, session],
      );
      this.#keepMedia(session, seq, packed.media);
      return seq;
    });
  }

  #keepMedia(session: string, message: number, media: PackedContent["media"]): void {
    for (const { position, bytes } of media) {
      this.#store.run(
        "INSERT INTO message_media (message, position, session, size, data) VALUES (?, ?, ?, ?, ?)",
        message,
        position,
        session,
        bytes.byteLength,
        bytes,
      );
      this.#store.run("UPDATE sessions SET bytes = bytes + ? WHERE id = ?", bytes.byteLength, session);
    }
    if (media.length > 0) {
      this.#forgetOldMedia(session);
    }
  }

  #forgetOldMedia(session: string): void {
    const rows = this.#store.all<{ message: number; position: number; size: number }>(
      "SELECT message, position, size FROM message_media WHERE session = ? ORDER BY message DESC, position DESC",
      session,
    );
    let total = 0;
    for (const { message, position, size } of rows) {
      total += size;
      if (total > this.#bounds.media) {
        this.#store.run("DELETE FROM message_media WHERE message = ? AND position = ?", message, position);
        this.#store.run("UPDATE sessions SET bytes = bytes - ? WHERE id = ?", size, session);
      }
    }
  }

  #unpacked(session: string, rows: readonly MessageRow[]): PlacedMessage[] {
    const held = this.#store.get("SELECT 1 FROM message_media WHERE session = ? LIMIT 1", session) !== undefined;
    const bytesOf = (message: number, position: number): Uint8Array | undefined =>
      held
        ? this.#store.get<{ data: Uint8Array }>(
            "SELECT data FROM message_media WHERE message = ? AND position = ?",
            message,
            position,
          )?.data
        : undefined;
    return rows.map(({ seq, role, content }) => ({
      seq,
      message: { role, content: unpackContent(content, (position) => bytesOf(seq, position)) },
    }));
  }

  /** Runs work in one transaction, together with ends of turns that could not be stored before. */
  #write<Result>(work: () => Result): Result {
    const ended = [...this.#unended];
    const result = this.#store.transaction(() => {
      for (const [turn, session] of ended) {
        this.#store.run(
          "UPDATE sessions SET turn = NULL, turn_kind = NULL, turn_chat = NULL, owner_pid = NULL, owner_started = NULL, owner_place = NULL, updated = ? WHERE id = ? AND turn = ?",
          ...[this.#host.now(), session, turn],
        );
      }
      return work();
    });
    ended.forEach(([turn]) => this.#unended.delete(turn));
    return result;
  }

  #stateOf(row: SessionRow): SessionState {
    const owner = ownerOf(row);
    if (owner === undefined || row.turn === null || this.#unended.has(row.turn)) {
      return "idle";
    }
    if (this.#isOurs(owner)) {
      return this.#host.underWay.has(row.turn) ? "active" : "interrupted";
    }
    const liveness = this.#host.liveness(owner);
    // A process that cannot be seen from here, such as in another container, may still be working on it, until it has
    // been silent for long enough.
    const isSilent = (owner.started === "" || liveness === "unknown") && this.#host.now() - row.updated > GIVEN_UP;
    return isSilent || liveness === "gone" ? "interrupted" : "active";
  }

  #isOurs({ pid, started }: Owner): boolean {
    return pid === this.#host.owner.pid && started === this.#host.owner.started;
  }

  #conflict(row: SessionRow): ToolError {
    const owner = ownerOf(row);
    const isHere = owner !== undefined && this.#isOurs(owner);
    const where = isHere ? "here" : `in ${row.owner_place ?? "another process"} (process ${owner?.pid ?? 0})`;
    return new ToolError(
      "conflict",
      `Session ${row.id} (${row.title}): one of its turns is in progress ${where}.`,
      `Wait until it ends, stop it${isHere ? "" : " there"}, or start a new session.`,
    );
  }
}
