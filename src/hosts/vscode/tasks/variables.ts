import { homedir } from "node:os";
import { basename, sep } from "node:path";
import * as vscode from "vscode";
import { ToolError } from "../../../core/errors.js";
import { oneLine, shorten } from "../../../text/clip.js";
import { expandVariables, fileVariable, isFileVariable } from "../../../text/taskVariables.js";

/** Maximum characters of what is told of an input. */
const MAX_INPUT = 300;

/** Where a task belongs, for its variables. */
export interface TaskPlace {
  label: string;
  /** Undefined in a window with several folders, for a task that belongs to none of them. */
  folder: vscode.WorkspaceFolder | undefined;
  /** The environment that commands get: the user's without tokens. */
  environment: NodeJS.ProcessEnv;
  /** The inputs of the file that the task was read from; those of the settings apply, too. */
  inputs: readonly unknown[];
}

/**
 * Replaces the variables in a task's text.
 *
 * @throws ToolError `unsupported` for variables that a person or an extension has to answer (inputs, commands), for a
 * missing
 *   value (no file is open, no such setting), and for an environment variable that is withheld from commands
 */
export function expandTaskText(text: string, place: TaskPlace): string {
  return expandVariables(text, (name, argument) => valueOf(name, argument, place));
}

function valueOf(name: string, argument: string | undefined, place: TaskPlace): string | undefined {
  if (isFileVariable(name)) {
    return openFileValue(name, place);
  }
  switch (name) {
    case "workspaceFolder":
    case "workspaceRoot":
    case "cwd":
      return folderOf(name, argument, place).uri.fsPath;
    case "workspaceFolderBasename":
    case "workspaceRootFolderName":
      return basename(folderOf(name, argument, place).uri.fsPath);
    case "userHome":
      return homedir();
    case "pathSeparator":
    case "/":
      return sep;
    case "execPath":
      return process.execPath;
    case "env":
      return argument === undefined ? undefined : environmentValue(argument, place);
    case "config":
      return argument === undefined ? undefined : settingValue(argument, place);
    case "extensionInstallFolder":
      return (
        vscode.extensions.getExtension(argument ?? "")?.extensionPath ??
        refuse(place, `\${${name}:${argument ?? ""}}`, "there is no such extension")
      );
    case "input":
      return refuse(
        place,
        `\${input:${argument ?? ""}}`,
        `a person has to enter it, and only VS Code itself can ask for it${describeInput(argument ?? "", place)}`,
      );
    case "command":
      return refuse(place, `\${command:${argument ?? ""}}`, "it runs an editor command");
    case "defaultBuildTask":
      return refuse(place, "${defaultBuildTask}", "it depends on a choice in the editor");
    default:
      return undefined;
  }
}

function folderOf(name: string, argument: string | undefined, place: TaskPlace): vscode.WorkspaceFolder {
  if (argument === undefined) {
    return place.folder ?? refuse(place, `\${${name}}`, "the task belongs to none of the workspace's folders");
  }
  return (
    vscode.workspace.workspaceFolders?.find((folder) => folder.name === argument) ??
    refuse(place, `\${${name}:${argument}}`, "the workspace has no such folder")
  );
}

function openFileValue(name: Parameters<typeof fileVariable>[0], place: TaskPlace): string {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || editor.document.uri.scheme !== "file") {
    return refuse(place, `\${${name}}`, "no file is open in the editor");
  }
  const { document, selection } = editor;
  const value = fileVariable(name, {
    path: document.uri.fsPath,
    folder: vscode.workspace.getWorkspaceFolder(document.uri)?.uri.fsPath,
    line: selection.active.line + 1,
    column: selection.active.character + 1,
    selectedText: document.getText(selection),
  });
  return value ?? refuse(place, `\${${name}}`, "the open file is not in a workspace folder");
}

/**
 * Returns an environment variable's value. A task may have come with the workspace, so it must not read variables that
 * are withheld from commands.
 */
function environmentValue(name: string, place: TaskPlace): string {
  const given = place.environment[name];
  if (given === undefined && process.env[name] !== undefined) {
    return refuse(place, `\${env:${name}}`, "that variable is withheld from commands (tokens and the editor's own)");
  }
  return given ?? "";
}

function settingValue(name: string, place: TaskPlace): string {
  const value = vscode.workspace.getConfiguration(undefined, place.folder).get<unknown>(name);
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    return String(value);
  }
  return refuse(
    place,
    `\${config:${name}}`,
    value === undefined ? "there is no such setting" : "that setting is not a plain value",
  );
}

/** Describes an input of tasks.json: what it is for, its choices and its default. */
function describeInput(id: string, { folder, inputs }: TaskPlace): string {
  // VS Code's settings know of a file that was written a moment ago only later.
  const known = vscode.workspace.getConfiguration("tasks", folder).get<unknown>("inputs");
  const all = [...inputs, ...(Array.isArray(known) ? (known as unknown[]) : [])] as (Readonly<
    Record<string, unknown>
  > | null)[];
  const input = all.find((each) => each?.["id"] === id);
  if (input === undefined || input === null) {
    return "";
  }
  const { description, options, default: preset } = input;
  const choices = (Array.isArray(options) ? (options as unknown[]) : []).flatMap((option) => {
    const value = typeof option === "object" && option !== null && "value" in option ? option.value : option;
    return typeof value === "string" ? [value] : [];
  });
  const facts = [
    ...(typeof description === "string" ? [description] : []),
    ...(choices.length > 0 ? [`one of ${choices.join(", ")}`] : []),
    ...(typeof preset === "string" ? [`${preset} by default`] : []),
  ];
  return facts.length === 0 ? "" : ` (${shorten(oneLine(facts.join("; ")), MAX_INPUT)})`;
}

function refuse(place: TaskPlace, variable: string, why: string): never {
  throw new ToolError(
    "unsupported",
    `${place.label} contains ${variable}: ${why}.`,
    "Read the task in .vscode/tasks.json and run its command with exec, with the value in place.",
  );
}
