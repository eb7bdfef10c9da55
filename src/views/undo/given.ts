import { isRecord } from "../../core/jsonSchema.js";
import type { PartsOfUndo } from "../../features/changes/journal/parts.js";
import type { JournalQueries, TurnKey } from "../../features/changes/journal/queries.js";
import type { TurnFile } from "../../features/changes/journal/types.js";
import type { UndoWhat } from "../../features/changes/journal/undo.js";

/** Arguments of a command for changes. */
export interface Given {
  ask: boolean;
  calls: number[] | undefined;
  turn: TurnKey | undefined;
  session: string | undefined;
  /** Of the calls or of the turn, only these changes, by their ids in the journal. */
  changes: number[] | undefined;
  /** Of the calls or of the turn, only these. */
  files: string[] | undefined;
  /** What becomes of parts of them. */
  parts: PartsOfUndo | undefined;
}

/** Reads what a key binding, a link or another extension passed. */
export function readArgument(argument: unknown): Given {
  const { ask, calls, session, turn, changes, files, parts } = isRecord(argument) ? argument : {};
  const numbers = (value: unknown): number[] | undefined =>
    Array.isArray(value) ? value.filter((id) => typeof id === "number") : undefined;
  return {
    ask: ask !== false,
    calls: numbers(calls),
    turn: typeof session === "string" && typeof turn === "string" ? { session, turn } : undefined,
    session: typeof session === "string" ? session : undefined,
    changes: numbers(changes),
    files: Array.isArray(files) ? strings(files) : undefined,
    parts: isRecord(parts)
      ? {
          ...(Array.isArray(parts["only"]) && { only: strings(parts["only"]) }),
          kept: strings(parts["kept"]),
          undone: strings(parts["undone"]),
        }
      : undefined,
  };
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** Returns what limits an undo to a part of its calls or turn. */
export function limitsOf({
  changes,
  files,
  parts,
}: Partial<Pick<Given, "changes" | "files" | "parts">>): Pick<UndoWhat, "changes" | "files" | "parts"> {
  return {
    ...(changes === undefined ? {} : { changes }),
    ...(files === undefined ? {} : { files }),
    ...(parts === undefined ? {} : { parts }),
  };
}

/** Returns what calls did to files, within these limits: what an undo would take back, or all of it if all is undone. */
export function filesOf(
  journal: JournalQueries,
  calls: readonly number[],
  { changes, files }: Partial<Pick<Given, "changes" | "files">> = {},
): TurnFile[] {
  const made = journal.changes(calls).filter(({ id }) => changes?.includes(id) !== false);
  const standing = journal.standing(made);
  return journal
    .files(standing.length > 0 ? standing : made)
    .filter(({ path }) => files?.some((each) => isIn(each, path)) !== false);
}

/** Whether a path is a file that was given, or below a folder that was. */
function isIn(given: string, path: string): boolean {
  const folder = given.replace(/\/+$/, "");
  return path === folder || path.startsWith(`${folder}/`);
}
