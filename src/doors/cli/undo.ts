import type { JournalQueries } from "../../features/changes/journal/queries.js";
import type { JournalTurn, RecordedCall } from "../../features/changes/journal/types.js";
import { newId } from "../../core/pipeline/newId.js";
import { failure, type Outcome } from "../../core/outcome.js";
import { oneLine } from "../../text/clip.js";
import { changeWords, directionOf, droppedNote, lastTurn, turnCalls, whoAndWhen } from "../../views/undo/calls.js";
import { stepLines } from "../../views/undo/steps.js";
import { undo, type UndoHost } from "../../views/undo/undo.js";
import { count } from "../../text/words.js";

/** Number of turns that `--list` shows. */
const LISTED_TURNS = 20;
/** Number of a turn's latest calls that `--list` shows: each call's files are diffed, and nobody reads hundreds. */
const LISTED_CALLS = 30;
/** Number of a call's files that `--list` names: a command may change thousands. */
const LISTED_FILES = 12;

/** Number of files that an undo names: a command may have changed thousands. */
const UNDONE_FILES = 50;

/** A request to `toolhost undo`. `id` is the call's id in the journal. */
export type UndoRequest =
  | { kind: "list" }
  | (({ kind: "last" } | { kind: "call"; id: number }) & {
      /** If given, undoes only changes to these files, and to files below these folders. */ files?: readonly string[];
    });

/**
 * Runs `toolhost undo`. Never throws.
 *
 * @param command as it was called, up to what is undone
 * @param canChoose whether it takes files
 */
export async function undoFromCommandLine(
  host: UndoHost,
  request: UndoRequest,
  command: string,
  signal: AbortSignal,
  canChoose = true,
): Promise<Outcome> {
  try {
    const journal = await host.changes.journal();
    return request.kind === "list"
      ? list(journal, command, host.now())
      : await takeBack(host, journal, request, command, signal, canChoose);
  } catch (error) {
    return failure("undo", error);
  }
}

async function takeBack(
  host: UndoHost,
  journal: JournalQueries,
  request: Exclude<UndoRequest, { kind: "list" }>,
  command: string,
  signal: AbortSignal,
  canChoose: boolean,
): Promise<Outcome> {
  const now = host.now();
  const whole = request.kind === "last" ? lastTurn(journal, now) : { calls: [request.id] };
  const what = request.files === undefined ? whole : { ...whole, files: request.files };
  const call = "calls" in what ? journal.call(request.kind === "call" ? request.id : 0) : journal.calls(what).at(-1);
  const direction = call === undefined ? "undo" : directionOf(journal, call.id);
  const alone = canChoose
    ? `\`${command}${request.kind === "call" ? ` --id ${request.id}` : ""} --file <file or folder>\``
    : "no";
  const done = await undo(host, { door: "cli", session: newId(), signal, alone }, what, direction);
  const later =
    request.kind === "last" && request.files === undefined && call !== undefined
      ? journal
          .notedAfter(call.id)
          .filter(({ session, turn }) => session !== call.session || turn !== call.turn)
          .map(
            (noted) => `Call ${noted.id} (${noted.tool}, ${whoAndWhen(noted, now)}) stays. ${noted.notes?.join(" ")}`,
          )
      : [];
  const id = done.key && journal.calls(done.key).at(-1)?.id;
  const text = [
    ...(call === undefined
      ? []
      : [
          `${request.kind === "last" ? "The last turn" : `Call ${call.id}`} (${whoAndWhen(call, now)}${turnInWords(request, call)}):`,
        ]),
    done.headline,
    ...stepLines(done.steps, direction, UNDONE_FILES, oneLine).map((line) => `  ${line}`),
    ...done.remarks,
    ...later,
    ...(id === undefined ? [] : [`${direction === "undo" ? "Redo it" : "Undo it again"} with: ${command} --id ${id}`]),
  ];
  const files = done.steps.map(({ path, from, did, merged }) => ({
    path,
    ...(from !== undefined && { from }),
    did,
    merged,
  }));
  return { ok: true, text: text.join("\n"), data: { ...(id !== undefined && { id }), files, remarks: done.remarks } };
}

/** Says what a turn is where nobody tells Toolhost: it is undone as a whole. */
function turnInWords({ kind }: UndoRequest, { door }: RecordedCall): string {
  return kind === "last" && door.startsWith("mcp")
    ? "; over MCP, a turn is all calls without a pause of a minute between them"
    : "";
}

function list(journal: JournalQueries, command: string, now: number): Outcome {
  const turns = journal.turnsWithNoted(LISTED_TURNS).map((turn) => ({
    ...turn,
    calls: turn.calls.slice(-LISTED_CALLS),
    earlier: Math.max(0, turn.calls.length - LISTED_CALLS),
  }));
  const dropped = journal.dropped();
  const data = {
    turns: turns.map((turn) => ({
      session: turn.session,
      turn: turn.turn,
      door: turn.door,
      at: new Date(turn.at).toISOString(),
      undone: turn.undone,
      is_undo: turn.isUndo,
      ...(turn.earlier > 0 && { earlier_calls: turn.earlier }),
      calls: turnCalls(journal, turn).map(({ call: { id, tool, summary, notes, perhapsOthers }, undone, files }) => ({
        id,
        tool,
        summary,
        undone,
        ...(perhapsOthers === true && { perhaps_others: true }),
        ...(notes !== undefined && { notes }),
        files: files.map(({ path, from, kind, added, removed }) => ({
          path,
          ...(from !== undefined && { from }),
          kind,
          ...(added !== undefined && { added }),
          ...(removed !== undefined && { removed }),
        })),
      })),
    })),
    dropped: { calls: dropped.calls, ...(dropped.calls > 0 && { until: new Date(dropped.until).toISOString() }) },
  };
  const note = droppedNote(dropped, now).trim();
  if (turns.length === 0) {
    return {
      ok: true,
      text: `Toolhost's tools have changed no file in this workspace.${note === "" ? "" : ` ${note}`}`,
      data,
    };
  }
  const text = [
    ...turns.flatMap((turn) => turnLines(journal, turn, now)),
    "",
    `Undo the last turn: ${command}. Undo one call: ${command} --id N`,
    ...(note === "" ? [] : [note]),
  ];
  return { ok: true, text: text.join("\n"), data };
}

/** Lists a turn, with a line per call and file. */
function turnLines(journal: JournalQueries, turn: JournalTurn & { earlier: number }, now: number): string[] {
  const state = turn.undone === "no" ? "" : turn.undone === "yes" ? " · undone" : " · partly undone";
  return [
    `${whoAndWhen(turn, now)}${state}`,
    ...turnCalls(journal, turn)
      .toReversed()
      .flatMap(({ call, files }) => {
        const rows = [
          ...(files.length === 0
            ? [journal.changes([call.id]).length === 0 ? "no file that undo takes back" : "came to nothing"]
            : files.slice(0, LISTED_FILES).map((file) => `${oneLine(file.path)}  ${changeWords([file])}`)),
          ...(files.length > LISTED_FILES
            ? [`and ${count(files.length - LISTED_FILES, "more file")}: ${changeWords(files)} in all`]
            : []),
          ...(call.perhapsOthers === true
            ? [`changed while it ran, perhaps by others: only --id ${call.id} or --file takes them back`]
            : []),
          ...(call.notes ?? []).map(oneLine),
        ];
        return rows.map((row, index) =>
          index === 0
            ? `${String(call.id).padStart(6)}  ${call.tool}  ${row}`
            : `${" ".repeat(10 + call.tool.length)}${row}`,
        );
      }),
    ...(turn.earlier > 0 ? [`        [and ${count(turn.earlier, "earlier call")} of this turn]`] : []),
  ];
}
