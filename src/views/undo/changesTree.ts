import * as vscode from "vscode";
import type { Door } from "../../core/pipeline/activity.js";
import { isAbsolutePath } from "../../core/paths/pathShape.js";
import type { ChangeKeeper } from "../../features/changes/changes.js";
import type { JournalTurn } from "../../features/changes/journal/types.js";
import { TASK } from "../../features/documents/task.js";
import { CHANGES_COMMAND, LINK_COMMAND, SCHEME } from "../../names/contributed.js";
import { oneLine, shorten } from "../../text/clip.js";
import { visibleLine } from "../../text/showHidden.js";
import type { Commands } from "../shared/commandTable.js";
import { Tree, type Row } from "../shared/tree.js";
import { clockTime, doorName, shownPath } from "../shared/words.js";
import { bringBack, changeWords, linesInFiles } from "./calls.js";
import type { KeptChanges } from "./kept.js";
import { callsOf, openTurns, shownChanges, undoOf, type OpenFile, type OpenTurn } from "./openTurns.js";
import type { Request, Requests } from "./requests.js";
import { reviewTitle } from "./proposal.js";
import type { ReviewView } from "./review.js";
import { l10n } from "../shared/l10n.js";

/** Maximum characters of a turn's name. */
const MAX_TITLE = 100;
/** Maximum number of calls that a tooltip lists. */
const MAX_CALLS = 10;

/** What the path of a task's file has in it, after a slash: with several folders, it begins with the folder's name. */
const TASK_FILES = `/${TASK.folder}/`;

/** Who made a change, by door. MCP has its own. */
const ICONS: Partial<Record<Door | "task" | "schedule", string>> = {
  chat: "comment-discussion",
  lm: "sparkle",
  palette: "list-selection",
  cli: "terminal",
  api: "extensions",
  agent: "hubot",
  task: "checklist",
  schedule: "calendar",
};

export interface ChangesTreeHost {
  changes: Pick<ChangeKeeper, "journal">;
  review: Pick<ReviewView, "show" | "showFile">;
  kept: KeptChanges;
  requests: Pick<Requests, "of">;
  /** Returns the URI of a workspace path, whether or not there is a file; undefined if it is outside the workspace. */
  addressOf(path: string): Promise<vscode.Uri | undefined>;
  now(): number;
  onDidChange: readonly vscode.Event<unknown>[];
}

/** A turn, or one file of it. */
interface Subject extends OpenTurn {
  file?: OpenFile;
}

/** The view *Changes*: what tools changed, by turn, until the user keeps it. */
export function changesTree(host: ChangesTreeHost): { tree: Tree<Subject>; commands: Commands } {
  const tree = new Tree<Subject>(async () => {
    const open = openTurns(await host.changes.journal(), host.kept);
    return Promise.all(
      open.map(async (turn, index) =>
        // A list without requests is better than none.
        turnRow(turn, await host.requests.of(turn.turn).catch(() => undefined), host.now(), index),
      ),
    );
  }, [...host.onDidChange, host.kept.onDidChange]);
  const onRow =
    (run: (subject: Subject) => unknown) =>
    async (argument?: unknown): Promise<void> => {
      const subject = tree.subjectOf(argument);
      if (subject !== undefined) {
        await run(subject);
      }
    };
  const keep = onRow((subject) => host.kept.keep((subject.file ?? subject).changes));
  return {
    tree,
    commands: {
      [CHANGES_COMMAND.review.command]: onRow((subject) => review(host, subject)),
      [CHANGES_COMMAND.undo.command]: onRow((subject) =>
        vscode.commands.executeCommand(LINK_COMMAND.undoTurn, undoOf(subject, subject.file)),
      ),
      [CHANGES_COMMAND.redo.command]: onRow(async (subject) => {
        const calls = callsOf(shownChanges(subject, subject.file));
        const { calls: undos } = { calls: [], ...bringBack(await host.changes.journal(), calls) };
        const { session } = subject.turn;
        await vscode.commands.executeCommand(LINK_COMMAND.bringBack, {
          ...{ session, calls: undos, files: undonePaths(subject) },
        });
      }),
      [CHANGES_COMMAND.keep.command]: keep,
      [CHANGES_COMMAND.dismiss.command]: keep,
      [CHANGES_COMMAND.open.command]: onRow(async ({ file }) => {
        const path = file && placeOf(file);
        if (path !== undefined) {
          // Only a file outside the workspace has no address and an absolute path.
          const uri = (await host.addressOf(path)) ?? (isAbsolutePath(path) ? vscode.Uri.file(path) : undefined);
          await (uri && vscode.commands.executeCommand("vscode.open", uri));
        }
      }),
      [CHANGES_COMMAND.keepAll.command]: async () => {
        const open = openTurns(await host.changes.journal(), host.kept);
        await host.kept.keep(open.flatMap(({ changes }) => changes));
      },
      [CHANGES_COMMAND.refresh.command]: () => tree.refresh(),
    },
  };
}

async function review(host: ChangesTreeHost, { turn, files, file }: Subject): Promise<void> {
  const origin = `${doorName(turn.door)}, ${clockTime(turn.at, host.now())}`;
  // A title without the request is better than no review.
  const request = await host.requests.of(turn).catch(() => undefined);
  await (file === undefined
    ? host.review.show(
        reviewTitle(request?.text, origin),
        files.map((each) => each.file),
      )
    : host.review.showFile(`${nameOf(file.file.path)} (${origin})`, file.file));
}

/** Lists the files of a turn, or the one that is meant, whose changes are undone. */
function undonePaths({ files, file }: Subject): string[] {
  const undone = (file === undefined ? files : [file]).filter(({ isUndone }) => isUndone);
  return [...new Set(undone.map((each) => each.file.path))];
}

/** Returns where a file is now; undefined if it is gone. */
function placeOf({ file: { kind, path, from }, isUndone }: OpenFile): string | undefined {
  return kind === (isUndone ? "create" : "delete") ? undefined : isUndone ? (from ?? path) : path;
}

function whatWasDone({ calls }: JournalTurn): string {
  const done = [...new Set(calls.map(({ summary }) => summary))];
  const [first = ""] = done;
  return done.length > 1 ? l10n.many(done.length - 1, "{1} and {0} more call", "{1} and {0} more calls", first) : first;
}

/** @param request what was asked for; undefined if it is not known */
function turnRow(open: OpenTurn, request: Request | undefined, now: number, index: number): Row<Subject> {
  const { turn, files, undone } = open;
  const title = visibleLine(shorten(oneLine(request?.text ?? whatWasDone(turn)), MAX_TITLE));
  const who = `${request?.work ?? doorName(turn.door)}, ${clockTime(turn.at, now)}`;
  const state = { no: "", partly: vscode.l10n.t("Partly undone"), yes: vscode.l10n.t("Undone") }[undone];
  // Turns stay as the user folds them. The newest is what they look for.
  const item = new vscode.TreeItem(
    title,
    index === 0 ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed,
  );
  const words = state === "" ? who : `${state} · ${who}`;
  item.id = JSON.stringify([turn.session, turn.turn]);
  item.description = words;
  item.iconPath = new vscode.ThemeIcon(undone === "yes" ? "discard" : (ICONS[request?.work ?? turn.door] ?? "plug"));
  item.contextValue = `turn ${undone === "yes" ? "undone" : undone === "no" ? "standing" : "standing undone"}`;
  const changed = files.map(({ file }) => file);
  const paths = changed.map(({ path }) => path);
  const total = linesInFiles(changed, new Set(paths).size);
  item.tooltip = [title, words, total, "", ...callLines(turn)].join("\n");
  item.accessibilityInformation = { label: `${title}, ${words}, ${total}` };
  // A file that the user changed in between is there twice.
  const rows = files.map((file, at) =>
    fileRow(open, file, {
      earlier: paths.slice(0, at).filter((path) => path === paths[at]).length,
      isRecord: request?.work === "task" && `/${file.file.path}`.includes(TASK_FILES),
    }),
  );
  return { item, subject: open, children: rows };
}

/** Lists the calls of a turn, and what an undo does not cover. */
function callLines({ calls }: JournalTurn): string[] {
  const shown = calls
    .slice(0, MAX_CALLS)
    .map(({ summary }) => `• ${visibleLine(shorten(oneLine(summary), MAX_TITLE))}`);
  const notes = [...new Set(calls.flatMap((call) => call.notes ?? []))];
  return [
    ...shown,
    ...(calls.length > shown.length
      ? [l10n.many(calls.length - shown.length, "and {0} more call", "and {0} more calls")]
      : []),
    ...(notes.length > 0 ? ["", ...notes] : []),
  ];
}

/**
 * @param at.earlier number of rows of the same file above it
 * @param at.isRecord whether it is where a task's state is kept, which is not what the task was to change
 */
function fileRow(
  open: OpenTurn,
  file: OpenFile,
  { earlier, isRecord }: { earlier: number; isRecord: boolean },
): Row<Subject> {
  const path = shownPath(file.file.path);
  const record = isRecord ? [vscode.l10n.t("state of the task")] : [];
  const words = [...record, changeWords([file.file]), ...leftWords(file)].join(" · ");
  const state = sentence(file.isUndone ? `${l10n.t("undone")} · ${words}` : words);
  const folder = path.slice(0, -nameOf(path).length).replace(/\/$/, "");
  const item = new vscode.TreeItem(nameOf(path));
  const { session, turn } = open.turn;
  item.id = JSON.stringify([session, turn, file.file.path, earlier]);
  item.description = [state, ...(folder === "" ? [] : [folder])].join(" · ");
  // The path gives the file's icon. The scheme keeps marks of the file's current state away from an earlier change.
  item.resourceUri = vscode.Uri.from({ scheme: SCHEME.change, path: `/${file.file.path.replace(/^\/+/, "")}` });
  item.iconPath = vscode.ThemeIcon.File;
  item.contextValue = `file ${file.isUndone ? "undone" : "standing"}${placeOf(file) === undefined ? "" : " openable"}`;
  item.tooltip = [path, state, ...settledWords(file)].join("\n");
  item.accessibilityInformation = { label: `${path}, ${state}` };
  const row: Row<Subject> = { item, subject: { ...open, file } };
  item.command = { ...CHANGES_COMMAND.review, arguments: [row] };
  return row;
}

/** Says how many parts of a file's change are counted, if some are settled. */
function leftWords({ kept, undone, parts }: OpenFile): string[] {
  const left = parts - kept.length - undone.length;
  return left < parts ? [l10n.many(parts, "{1} of {0} part", "{1} of {0} parts", left)] : [];
}

/** Says which parts of a file's change are settled, and not counted any more. */
function settledWords({ kept, undone }: OpenFile): string[] {
  return [
    ...(kept.length === 0 ? [] : [l10n.many(kept.length, "{0} part kept", "{0} parts kept")]),
    ...(undone.length === 0 ? [] : [l10n.many(undone.length, "{0} part undone", "{0} parts undone")]),
  ];
}

function sentence(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
