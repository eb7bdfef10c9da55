import type { Owner } from "../../../ports/owner.js";
import type { Store } from "../../../ports/store.js";
import type { Door } from "../../../core/pipeline/activity.js";
import type { ChangeKind, ChangeState, ImageRef, RecordedCall, RecordedChange } from "./types.js";

/** A row of `calls`. */
export interface CallRow {
  id: number;
  session: string;
  turn: string;
  call_id: string;
  tool: string;
  door: string;
  summary: string;
  at: number;
  notes: string | null;
  perhaps_others: number | null;
  pending: number;
  owner_pid: number;
  owner_started: string;
}

type ImageColumns<Side extends "before" | "after"> = {
  [Column in `${Side}_hash` | `${Side}_form` | `${Side}_encoding`]: string | null;
} & { [Column in `${Side}_size` | `${Side}_unsaved`]: number | null };

/** A row of `changes`. */
export type ChangeRow = ImageColumns<"before"> &
  ImageColumns<"after"> & {
    id: number;
    call: number;
    kind: string;
    path: string;
    absolute: string;
    to_path: string | null;
    to_absolute: string | null;
    folders_made: number;
    mode: number | null;
    state: string;
    undone_by: number | null;
  };

export function toCall(row: CallRow): RecordedCall {
  const { id, session, turn, tool, summary, at } = row;
  return {
    id,
    session,
    turn,
    callId: row.call_id,
    tool,
    door: row.door as Door,
    summary,
    at,
    ...(row.notes !== null && { notes: JSON.parse(row.notes) as string[] }),
    ...(row.perhaps_others === 1 && { perhapsOthers: true as const }),
    pending: row.pending === 1,
  };
}

export function ownerOf(row: CallRow): Owner {
  return { pid: row.owner_pid, started: row.owner_started };
}

export function toChange(row: ChangeRow): RecordedChange {
  return {
    id: row.id,
    call: row.call,
    kind: row.kind as ChangeKind,
    path: row.path,
    absolute: row.absolute,
    to: row.to_path ?? undefined,
    toAbsolute: row.to_absolute ?? undefined,
    before: toRef(row.before_hash, row.before_form, row.before_size, row.before_encoding, row.before_unsaved),
    after: toRef(row.after_hash, row.after_form, row.after_size, row.after_encoding, row.after_unsaved),
    foldersMade: row.folders_made,
    mode: row.mode ?? undefined,
    state: row.state as ChangeState,
    undoneBy: row.undone_by ?? undefined,
  };
}

function toRef(
  hash: string | null,
  form: string | null,
  size: number | null,
  encoding: string | null,
  unsaved: number | null,
): ImageRef | undefined {
  return hash === null
    ? undefined
    : {
        hash,
        form: form as ImageRef["form"],
        size: size ?? 0,
        encoding: encoding ?? undefined,
        unsaved: unsaved === 1,
      };
}

/** Returns the values of an image's five columns. */
export function refColumns(
  ref: ImageRef | undefined,
): [string | null, string | null, number | null, string | null, number | null] {
  return ref === undefined
    ? [null, null, null, null, null]
    : [ref.hash, ref.form, ref.size, ref.encoding ?? null, ref.unsaved ? 1 : 0];
}

export function changesOf(store: Store, call: number): RecordedChange[] {
  return store.all<ChangeRow>("SELECT * FROM changes WHERE call = ? ORDER BY id", call).map(toChange);
}
