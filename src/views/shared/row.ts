import * as vscode from "vscode";
import { oneLine, shorten } from "../../text/clip.js";
import { visibleLine } from "../../text/showHidden.js";
import type { Row } from "./tree.js";

/** Maximum characters of a label, and of each of the words after it. */
const MAX_WORDS = 120;

/** How a row is shown. Texts may come from models and files: they are shown on one line, and as they are. */
export interface RowLook {
  /** Keeps what the user folded and selected when the tree is loaded again. */
  id: string;
  label: string;
  /** Shown after the label, most important first; empty ones are left out. */
  words?: readonly string[];
  /** A codicon's name. */
  icon: string;
  /** What the row is and what can be done with it, for the menus in the manifest. */
  context?: string;
  /** Lines of the tooltip after label and words. */
  more?: readonly string[];
  /** What a click does. It gets the row. */
  action?: { command: string; title: string };
}

/** Makes a row of a tree. */
export function rowOf<Subject>(
  subject: Subject,
  { id, label, words = [], icon, context, more = [], action }: RowLook,
): Row<Subject> {
  const name = line(label);
  const shown = words.filter((each) => each !== "").map(line);
  const item = new vscode.TreeItem(name);
  const row: Row<Subject> = { item, subject };
  item.id = id;
  item.description = shown.join(" · ");
  item.iconPath = new vscode.ThemeIcon(icon);
  item.tooltip = [label, ...words.filter((each) => each !== ""), ...more]
    .map((each) => visibleLine(oneLine(each)))
    .join("\n");
  item.accessibilityInformation = { label: [name, ...shown].join(", ") };
  if (context !== undefined) {
    item.contextValue = context;
  }
  if (action !== undefined) {
    item.command = { command: action.command, title: action.title, arguments: [row] };
  }
  return row;
}

/** Makes a row above others, with their number; none if there are none. @param isFolded until the user opens it */
export function headingRow<Subject>(
  label: string,
  subject: Subject,
  children: readonly Row<Subject>[],
  isFolded = false,
): Row<Subject>[] {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(label, isFolded ? Collapsed : Expanded);
  item.id = label;
  item.description = String(children.length);
  item.accessibilityInformation = { label: `${label}, ${children.length}` };
  return children.length === 0 ? [] : [{ item, subject, children }];
}

function line(text: string): string {
  return visibleLine(shorten(oneLine(text), MAX_WORDS));
}
