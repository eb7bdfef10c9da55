import * as vscode from "vscode";
import type { ChangeKeeper } from "../../features/changes/changes.js";
import { CHANGE_AT_CURSOR, OPEN_CHANGES, OPEN_REVIEW, UNDO_COMMAND } from "../../names/contributed.js";
import type { JournalQueries } from "../../features/changes/journal/queries.js";
import { isRecord } from "../../core/jsonSchema.js";
import type { Commands } from "../shared/commandTable.js";
import { isSamePath } from "./documentPath.js";
import { tellFailure } from "./failure.js";
import type { KeptChanges } from "./kept.js";
import { partsAt, partsIn, selectedLines, type PlacedPart } from "./openParts.js";
import { openTurns, undoOf, type OpenFile, type OpenTurn } from "./openTurns.js";
import { whoAndTime } from "./partHover.js";
import { PartMarks } from "./partMarks.js";
import { isReviewed, reviewed } from "./review.js";
import type { ToldUndo } from "./undo.js";

export interface EditorChangesHost {
  changes: Pick<ChangeKeeper, "journal">;
  kept: KeptChanges;
  /** Undoes changes, reports it to the user and returns what was undone. @param argument see `readArgument` */
  undo(argument: object): Promise<ToldUndo | undefined>;
  /** See `documentPath`. */
  pathOf(uri: vscode.Uri): Promise<string | undefined>;
  /** Whether the user wants lenses above changes. */
  isShown(): boolean;
  now(): number;
  /** Tell that the journal may have other changes. */
  onDidChange: readonly vscode.Event<unknown>[];
}

/** What is open in a document: parts of changes, and new files, which have no parts. */
interface OpenInDocument {
  parts: PlacedPart[];
  files: { turn: OpenTurn; file: OpenFile }[];
}

/** What a code lens settles. */
interface Meant {
  uri: string;
  parts: string[];
}

/** What was found open in a version of a document. */
interface Known {
  version: number;
  open: Promise<OpenInDocument>;
}

/** How long after a change editors are updated, in ms: agents make several at a time. */
const SOON = 200;

const NOTHING: OpenInDocument = { parts: [], files: [] };

/**
 * Offers to undo or keep each part of agents' changes where it is: above its lines in an editor of the file, and in the
 * menus of the file's editor and of its review.
 */
export class EditorChanges implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #host: EditorChangesHost;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #listening: vscode.Disposable;
  readonly #marks = new PartMarks();
  /** The open turns, as of a state of the journal, and what is open in documents, as of a version of each. */
  #open: { mark: string; turns: OpenTurn[]; known: WeakMap<vscode.TextDocument, Known> } | undefined;
  #told = "";
  /** How often editors were looked at: only the last look counts. */
  #round = 0;
  /** Whether something else may be open than the lenses show. */
  #isOther = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(host: EditorChangesHost) {
    this.#host = host;
    const update = (): void => this.#update();
    this.#listening = vscode.Disposable.from(
      ...host.onDidChange.map((event) => event(update)),
      host.kept.onDidChange(update),
      vscode.window.onDidChangeVisibleTextEditors(() => void this.#tellEditors()),
      // Lenses are asked for anew by VS Code.
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (vscode.window.visibleTextEditors.some((editor) => editor.document === document)) {
          this.#soon();
        }
      }),
      vscode.languages.registerCodeLensProvider({ pattern: "**" }, this),
    );
    void this.#tellEditors();
  }

  get commands(): Commands {
    return {
      [CHANGE_AT_CURSOR.undo.command]: (argument) => this.#undo(argument).catch(tellFailure),
      [CHANGE_AT_CURSOR.keep.command]: (argument) => this.#keep(argument).catch(tellFailure),
    };
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { parts, files } = this.#host.isShown() ? await this.#openIn(document) : NOTHING;
    const uri = document.uri.toString();
    const lenses = (line: number, meant: string[], each: { turn: OpenTurn }): vscode.CodeLens[] => {
      const at = Math.min(line, document.lineCount - 1);
      const { session, turn } = each.turn.turn;
      const who = whoAndTime(each, this.#host.now());
      const lens = (command: string, title: string, tooltip: string, argument: object): vscode.CodeLens =>
        new vscode.CodeLens(new vscode.Range(at, 0, at, 0), { command, title, tooltip, arguments: [argument] });
      const isFile = meant.length === 0;
      const argument: Meant = { uri, parts: meant };
      return [
        lens(
          CHANGE_AT_CURSOR.undo.command,
          isFile ? vscode.l10n.t("Undo New File") : vscode.l10n.t("Undo"),
          isFile
            ? vscode.l10n.t("Remove this new file ({0})", who)
            : vscode.l10n.t("Put these lines back as they were before this change ({0})", who),
          argument,
        ),
        lens(
          CHANGE_AT_CURSOR.keep.command,
          isFile ? vscode.l10n.t("Keep New File") : vscode.l10n.t("Keep"),
          vscode.l10n.t("Keep this change and no longer show it here ({0})", who),
          argument,
        ),
        lens(
          UNDO_COMMAND.review,
          vscode.l10n.t("Review"),
          vscode.l10n.t("Show all changes of this turn side by side ({0})", who),
          { session, turn },
        ),
      ];
    };
    return [
      ...files.flatMap((each) => lenses(0, [], each)),
      ...parts.flatMap((each) => lenses(each.lines.start, [each.key], each)),
    ];
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#listening.dispose();
    this.#changed.dispose();
    this.#marks.dispose();
  }

  /** Shows a moment later what is open now. */
  #update(): void {
    this.#open = undefined;
    this.#isOther = true;
    this.#soon();
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#isOther) {
        this.#isOther = false;
        this.#changed.fire();
      }
      void this.#tellEditors();
    }, SOON);
  }

  /** Marks what there is to undo or keep in editors, and tells menus and key bindings in which ones there is something. */
  async #tellEditors(): Promise<void> {
    const documents = new Set(vscode.window.visibleTextEditors.map(({ document }) => document));
    const open: string[] = [];
    const round = ++this.#round;
    for (const document of documents) {
      const { version } = document;
      const { parts, files } = await this.#openIn(document);
      if (round !== this.#round) {
        return;
      }
      // A review has marks of its own.
      const marked = this.#host.isShown() && reviewed(document.uri) === undefined ? parts : [];
      // VS Code moves marks with what is typed; a text that is another by now is looked at in a moment.
      const isCurrent = version === document.version && !document.isClosed;
      for (const editor of vscode.window.visibleTextEditors.filter((each) => isCurrent && each.document === document)) {
        this.#marks.show(editor, marked, this.#host.now());
      }
      if (parts.length + files.length > 0) {
        open.push(document.uri.toString());
      }
    }
    const told = JSON.stringify(open);
    if (told !== this.#told) {
      this.#told = told;
      const isReview = [...documents].some(({ uri }) => reviewed(uri) !== undefined && open.includes(uri.toString()));
      await vscode.commands.executeCommand("setContext", OPEN_CHANGES, open);
      await vscode.commands.executeCommand("setContext", OPEN_REVIEW, isReview);
    }
  }

  /** Finds what is open in a document. Lenses, marks and menus ask at the same time, so each version is looked at once. */
  async #openIn(document: vscode.TextDocument): Promise<OpenInDocument> {
    try {
      const journal = await this.#host.changes.journal();
      const mark = journal.mark();
      if (this.#open?.mark !== mark) {
        this.#open = { mark, turns: openTurns(journal, this.#host.kept), known: new WeakMap() };
      }
      const { turns, known } = this.#open;
      if (turns.length === 0) {
        return NOTHING;
      }
      const { version } = document;
      const earlier = known.get(document);
      if (earlier?.version === version) {
        return await earlier.open;
      }
      const open = this.#find(journal, turns, document);
      known.set(document, { version, open });
      // What could not be read now may be readable later.
      open.catch(() => known.delete(document));
      return await open;
    } catch {
      // Without a journal there is nothing to undo or keep; the results of tools say so.
      return NOTHING;
    }
  }

  async #find(journal: JournalQueries, turns: OpenTurn[], document: vscode.TextDocument): Promise<OpenInDocument> {
    const shown = reviewed(document.uri);
    const path = shown === undefined ? await this.#host.pathOf(document.uri) : undefined;
    const isMeant = (file: OpenFile["file"]): boolean =>
      shown === undefined ? isSamePath(file.path, path) : isReviewed(shown, file);
    const files = turns.flatMap((turn) =>
      turn.files
        .filter((each) => !each.isUndone && each.file.kind === "create" && isMeant(each.file))
        .map((file) => ({ turn, file })),
    );
    const parts = turns.some((turn) => turn.files.some(({ file }) => isMeant(file)))
      ? partsIn(journal, turns, this.#host.kept.parts, isMeant, document.getText(), shown?.side)
      : [];
    return { parts, files };
  }

  async #undo(argument: unknown): Promise<void> {
    const { parts, files } = await this.#meant(argument);
    for (const { turn, file } of files) {
      await this.#host.undo(undoOf(turn, file));
    }
    // Parts of one file of one turn are one undo.
    for (const own of byFile(parts)) {
      const [{ turn, file }] = own;
      const keys = own.map(({ key }) => key);
      const undone = await this.#host.undo({ ...undoOf(turn, file), parts: { only: keys, undone: file.undone } });
      const call = undone?.key && (await this.#host.changes.journal()).calls(undone.key).at(-1)?.id;
      if (call !== undefined) {
        await this.#host.kept.settle(keys, call);
      } else if (undone !== undefined) {
        // The lines were as before already. What an undo has taken back can be redone with it.
        await this.#host.kept.settle(this.#host.kept.parts.openOf(keys, await this.#host.changes.journal()));
      }
    }
  }

  async #keep(argument: unknown): Promise<void> {
    const { parts, files } = await this.#meant(argument);
    if (files.length > 0) {
      await this.#host.kept.keep(files.flatMap(({ file }) => file.changes));
    }
    if (parts.length > 0) {
      await this.#host.kept.settle(parts.map(({ key }) => key));
    }
  }

  /** Returns what a command is about: what its lens names, or what is at the cursor. Tells the user if that is nothing. */
  async #meant(argument: unknown): Promise<OpenInDocument> {
    const given = meantBy(argument);
    const editor = vscode.window.activeTextEditor;
    const document =
      given === undefined
        ? editor?.document
        : vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === given.uri);
    const open = document === undefined ? NOTHING : await this.#openIn(document);
    const lines = (editor?.selections ?? []).map(selectedLines);
    const parts =
      given === undefined ? partsAt(open.parts, lines) : open.parts.filter(({ key }) => given.parts.includes(key));
    // A new file is one change, wherever the cursor is.
    const files =
      given === undefined ? (parts.length === 0 ? open.files : []) : given.parts.length === 0 ? open.files : [];
    if (parts.length + files.length === 0) {
      void vscode.window.showInformationMessage(
        given === undefined
          ? vscode.l10n.t(
              "No change of an agent to undo or keep is at the cursor. Put it into the changed lines first.",
            )
          : vscode.l10n.t("These lines are another change by now. Look at the file again."),
      );
    }
    return { parts, files };
  }
}

function meantBy(argument: unknown): Meant | undefined {
  const { uri, parts } = isRecord(argument) && !(argument instanceof vscode.Uri) ? argument : {};
  return typeof uri === "string" && Array.isArray(parts)
    ? { uri, parts: parts.filter((key) => typeof key === "string") }
    : undefined;
}

function byFile(parts: readonly PlacedPart[]): [PlacedPart, ...PlacedPart[]][] {
  const groups = new Map<OpenFile, [PlacedPart, ...PlacedPart[]]>();
  for (const part of parts) {
    const known = groups.get(part.file);
    if (known === undefined) {
      groups.set(part.file, [part]);
    } else {
      known.push(part);
    }
  }
  return [...groups.values()];
}
