import * as vscode from "vscode";
import { UNDO_TOOL, type JournalQueries } from "../../features/changes/journal/queries.js";
import type { TurnFile } from "../../features/changes/journal/types.js";
import type { SessionLog } from "../../features/sessions/sessionLog.js";
import { LINK_COMMAND, SESSIONS_COMMAND } from "../../names/contributed.js";
import type { SessionKind, SessionSummary } from "../../ports/sessions.js";
import { oneLine, shorten } from "../../text/clip.js";
import type { Commands } from "../shared/commandTable.js";
import { rowOf } from "../shared/row.js";
import { Tree, type Row } from "../shared/tree.js";
import { clockTime, shownPath, tokenWords } from "../shared/words.js";
import { l10n } from "../shared/l10n.js";

/** Number of sessions in the view. */
const LISTED = 50;
/** Number of sessions read for them: subagents are left out. */
const READ = 200;
/** Number of latest turns in which the changes of sessions are looked for: each costs a diff of its files. */
const TURNS = 50;
/** Maximum characters of a title. */
const MAX_TITLE = 120;
/** Maximum number of files that a tooltip names. */
const MAX_FILES = 10;

const ICONS: Readonly<Record<SessionKind, string>> = {
  chat: "comment-discussion",
  agent: "hubot",
  subagent: "hubot",
  task: "checklist",
  schedule: "calendar",
};

const STATES: Readonly<Record<SessionSummary["state"], string>> = {
  active: "running",
  interrupted: "interrupted",
  idle: "",
};

export interface SessionsTreeHost {
  log(): Promise<SessionLog>;
  journal(): Promise<JournalQueries>;
  /** Shows changes side by side. */
  show(title: string, files: readonly TurnFile[]): Promise<void>;
  /** Shows a session's calls. */
  showActivity(session: string): Promise<void>;
  onDidChange: readonly vscode.Event<unknown>[];
  now(): number;
}

/** A session, and what its latest turns changed and nobody has undone. */
interface Subject {
  session: SessionSummary;
  files: readonly TurnFile[];
}

/** The view *Sessions*: conversations and work of the workspace that can be continued. */
export function sessionsTree(host: SessionsTreeHost): { tree: Tree<Subject>; commands: Commands } {
  const tree = new Tree<Subject>(async () => {
    const log = await host.log();
    const { sessions } = await log.list(READ);
    const files = await changedBySession(host);
    return sessions
      .filter(({ kind }) => kind !== "subagent")
      .slice(0, LISTED)
      .map((session) => sessionRow({ session, files: files.get(session.id) ?? [] }, host.now()));
  }, host.onDidChange);
  return {
    tree,
    commands: {
      [SESSIONS_COMMAND.open.command]: async (row) => {
        const subject = tree.subjectOf(row);
        if (subject !== undefined) {
          await vscode.commands.executeCommand("workbench.action.chat.open");
          await vscode.commands.executeCommand("workbench.action.chat.newChat");
          await vscode.commands.executeCommand(LINK_COMMAND.openSession, subject.session.id);
        }
      },
      [SESSIONS_COMMAND.review.command]: async (row) => {
        const subject = tree.subjectOf(row);
        if (subject !== undefined) {
          await host.show(
            vscode.l10n.t("Changes: {0}", shorten(oneLine(subject.session.title), MAX_TITLE)),
            subject.files,
          );
        }
      },
      [SESSIONS_COMMAND.activity.command]: async (row) => {
        const subject = tree.subjectOf(row);
        await (subject && host.showActivity(subject.session.id));
      },
      [SESSIONS_COMMAND.refresh.command]: () => tree.refresh(),
    },
  };
}

/** Returns what the latest turns of each session changed, as far as it is not undone. Without a journal nobody knows, and sessions are listed all the same. */
async function changedBySession(host: SessionsTreeHost): Promise<Map<string, readonly TurnFile[]>> {
  const journal = await host.journal().catch(() => undefined);
  const calls = new Map<string, number[]>();
  for (const turn of journal?.turns(TURNS) ?? []) {
    const own = turn.calls.filter(({ tool }) => tool !== UNDO_TOOL).map(({ id }) => id);
    calls.set(turn.session, [...(calls.get(turn.session) ?? []), ...own]);
  }
  const standing = (ids: readonly number[]): readonly TurnFile[] =>
    journal?.files(journal.changes(ids).filter(({ undoneBy }) => undoneBy === undefined)) ?? [];
  return new Map([...calls].map(([session, ids]) => [session, standing(ids)] as const));
}

function sessionRow(subject: Subject, now: number): Row<Subject> {
  const { session, files } = subject;
  const named = files.slice(0, MAX_FILES).map(({ path }) => `• ${shownPath(path)}`);
  return rowOf(subject, {
    id: session.id,
    label: session.title || vscode.l10n.t("(no message)"),
    words: [
      STATES[session.state],
      clockTime(session.updated, now),
      files.length === 0 ? "" : l10n.many(files.length, "{0} file changed", "{0} files changed"),
      tokenWords(session),
      l10n.many(session.messages, "{0} message", "{0} messages"),
    ],
    icon: session.state === "active" ? "sync~spin" : ICONS[session.kind],
    context: files.length === 0 ? "session" : "session changed",
    more: [
      ...(session.model === undefined ? [] : [vscode.l10n.t("Model: {0}", session.model)]),
      ...named,
      ...(files.length > named.length
        ? [l10n.many(files.length - named.length, "and {0} more file", "and {0} more files")]
        : []),
    ],
    action: SESSIONS_COMMAND.open,
  });
}
