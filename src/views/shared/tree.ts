import * as vscode from "vscode";
import { ToolError } from "../../core/errors.js";
import { messageOf } from "../../text/words.js";

/** Trees by the ids of their views. `extension.ts` registers the views before this is loaded. */
export type Views = Readonly<Record<string, ViewTree>>;

/** A tree as its view needs it. */
interface ViewTree extends vscode.TreeDataProvider<unknown> {
  /** Called when the user checks or unchecks a row. */
  check?(row: unknown, isOn: boolean): void;
}

/** How long after an event a tree is loaded again, in ms: agents make several changes at a time. */
const SOON = 100;

/** A row of a tree. */
export interface Row<Subject> {
  item: vscode.TreeItem;
  /** What commands on the row act on. */
  subject: Subject;
  children?: readonly Row<Subject>[];
}

/** A tree of VS Code that is loaded as a whole, and loaded again after events. It never throws: it shows why it is empty. */
export class Tree<Subject> implements vscode.TreeDataProvider<Row<Subject | undefined>>, vscode.Disposable {
  readonly #load: () => Promise<readonly Row<Subject>[]>;
  readonly #checked: ((subject: Subject, isOn: boolean) => Promise<void>) | undefined;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #listening: vscode.Disposable;
  readonly #rows = new WeakSet<object>();
  readonly onDidChangeTreeData = this.#changed.event;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param events after which the rows may be others. VS Code asks for them only while the tree is visible
   * @param checked does what the user wants by checking or unchecking a row
   */
  constructor(
    load: () => Promise<readonly Row<Subject>[]>,
    events: readonly vscode.Event<unknown>[],
    checked?: (subject: Subject, isOn: boolean) => Promise<void>,
  ) {
    this.#load = load;
    this.#checked = checked;
    this.#listening = vscode.Disposable.from(...events.map((event) => event(() => this.refresh())));
  }

  /** Loads the rows again, a moment later. */
  refresh(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#changed.fire();
    }, SOON);
  }

  getTreeItem({ item }: Row<Subject | undefined>): vscode.TreeItem {
    return item;
  }

  async getChildren(row?: Row<Subject | undefined>): Promise<Row<Subject | undefined>[]> {
    if (row !== undefined) {
      return [...(row.children ?? [])];
    }
    try {
      const rows = await this.#load();
      this.#know(rows);
      return [...rows];
    } catch (error) {
      return [failureRow(error)];
    }
  }

  /** Returns what a command acts on: the subject of a row of this tree; undefined if it was given something else. */
  subjectOf(argument: unknown): Subject | undefined {
    return typeof argument === "object" && argument !== null && this.#rows.has(argument)
      ? (argument as Row<Subject>).subject
      : undefined;
  }

  /** Does what a check mark says, then shows what is so: the user's settings may not have taken it. */
  check(row: unknown, isOn: boolean): void {
    const subject = this.subjectOf(row);
    if (subject !== undefined) {
      void Promise.resolve(this.#checked?.(subject, isOn))
        .catch((error: unknown) => vscode.window.showErrorMessage(messageOf(error)))
        .finally(() => this.refresh());
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#listening.dispose();
    this.#changed.dispose();
  }

  #know(rows: readonly Row<Subject>[]): void {
    for (const row of rows) {
      this.#rows.add(row);
      this.#know(row.children ?? []);
    }
  }
}

function failureRow(error: unknown): Row<undefined> {
  const item = new vscode.TreeItem(messageOf(error));
  const hint = error instanceof ToolError ? error.hint : undefined;
  item.iconPath = new vscode.ThemeIcon("warning");
  item.tooltip = [messageOf(error), ...(hint === undefined ? [] : [hint])].join("\n");
  return { item, subject: undefined };
}
