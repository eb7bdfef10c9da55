import type { Owner } from "../../ports/owner.js";
import type { SessionKind, SessionState, SessionSummary } from "../../ports/sessions.js";
import type { Store } from "../../ports/store.js";
import { nearestNames } from "../../text/nearest.js";
import { excerpt } from "../../text/clip.js";
import { ToolError } from "../../core/errors.js";
import { MIN_PREFIX } from "./limits.js";

/** A row of `sessions`. */
export interface SessionRow {
  id: string;
  kind: SessionKind;
  title: string;
  parent: string | null;
  depth: number;
  model: string | null;
  created: number;
  updated: number;
  messages: number;
  bytes: number;
  input: number;
  output: number;
  estimated: number;
  cost: number;
  unpriced: number;
  turn: string | null;
  turn_kind: SessionKind | null;
  turn_chat: string | null;
  owner_pid: number | null;
  owner_started: string | null;
  owner_place: string | null;
}

/** Returns the process of the turn in progress; undefined between turns. */
export function ownerOf({ turn, owner_pid: pid, owner_started: started }: SessionRow): Owner | undefined {
  return turn === null || pid === null || started === null ? undefined : { pid, started };
}

export function toSummary(row: SessionRow, state: SessionState): SessionSummary {
  const { id, title, kind, parent, model, created, updated, messages, input, output, estimated, cost, unpriced } = row;
  return {
    ...{ id, title, kind, state, created, updated, messages },
    parent: parent ?? undefined,
    model: model ?? undefined,
    tokens: { input, output, estimated: estimated !== 0 },
    cost: unpriced === 0 ? cost : undefined,
  };
}

/**
 * Finds a session by its id, or by an unambiguous prefix of it.
 *
 * @throws ToolError `unknown_id` with similar ones, `not_unique` with the sessions it may mean
 */
export function findSession(store: Store, given: string): SessionRow {
  const id = given.trim().toLowerCase();
  const exact =
    store.get<SessionRow>("SELECT * FROM sessions WHERE id = ?", given) ??
    store.get<SessionRow>("SELECT * FROM sessions WHERE id = ?", id);
  if (exact !== undefined) {
    return exact;
  }
  const begun =
    id.length < MIN_PREFIX
      ? []
      : store.all<SessionRow>(
          "SELECT * FROM sessions WHERE substr(id, 1, ?) = ? ORDER BY updated DESC LIMIT 4",
          id.length,
          id,
        );
  const [first, ...others] = begun;
  if (first !== undefined && others.length === 0) {
    return first;
  }
  if (first !== undefined) {
    throw new ToolError(
      "not_unique",
      `${excerpt(given)} is a prefix of several session ids.`,
      `Give more of the id: ${shown(begun)}.`,
    );
  }
  throw unknownSession(store, given);
}

function unknownSession(store: Store, given: string): ToolError {
  const latest = store.all<SessionRow>("SELECT * FROM sessions ORDER BY updated DESC, rowid DESC LIMIT 500");
  const near = nearestNames(
    given,
    latest.map(({ id }) => id),
  );
  const meant = near.length > 0 ? latest.filter(({ id }) => near.includes(id)) : latest.slice(0, 3);
  const hint =
    meant.length === 0
      ? "There are none in this workspace yet."
      : near.length > 0
        ? `Did you mean ${shown(meant)}?`
        : `sessions_list has them all. The latest: ${shown(meant)}.`;
  return new ToolError("unknown_id", `${excerpt(given)}: there is no such session in this workspace.`, hint);
}

function shown(rows: readonly SessionRow[]): string {
  return rows.map(({ id, title }) => `${id} (${title})`).join(", ");
}
