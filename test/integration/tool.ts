// What the in-host suites share: calling our tools through VS Code, and files to call them on.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { workspaceFolder } from "../harness/host";

/**
 * Calls one of our tools through `vscode.lm.invokeTool`; in these suites VS Code itself answers its confirmations with
 * yes.
 */
export async function callTool(
  tool: string,
  input: object,
  token?: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  return vscode.lm.invokeTool(`toolhost_${tool}`, { input, toolInvocationToken: undefined }, token);
}

/** What grep says of a folder in which nothing matches. */
export const NO_MATCH =
  "[No match.]\n[Ignored files (.gitignore) and files that may hold secrets are not searched; include_ignored searches the former.]";

/** The text a tool gives back. */
export async function toolText(tool: string, input: object): Promise<string> {
  const { content } = await callTool(tool, input);
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : "")).join("");
}

/** Absolute path of a file of the workspace. */
export function inWorkspace(path: string): string {
  return join(workspaceFolder(), path);
}

/** Writes a file of the workspace on disk, parents included, and gives its address. */
export function writeFile(path: string, content: string | Uint8Array): vscode.Uri {
  const file = inWorkspace(path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return vscode.Uri.file(file);
}

/** Has a folder be a project of TypeScript for the tests of a suite; VS Code offers tasks for each, which others list. */
export function projectOfSuite(folder: string): void {
  before(() => writeFile(`${folder}/tsconfig.json`, '{ "include": ["*.ts"] }'));
  after(() => rmSync(inWorkspace(folder), { recursive: true }));
}

/** The text of a file of the workspace on disk. */
export function onDisk(path: string): string {
  return readFileSync(inWorkspace(path), "utf8");
}

/** Gives an open document a whole new text, unsaved. */
export async function retype(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  await vscode.workspace.applyEdit(edit);
}

/** Opens a file and types at its start, so that the editor holds text that is not on disk. */
export async function openUnsaved(uri: vscode.Uri, typed: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = new vscode.WorkspaceEdit();
  edit.insert(uri, new vscode.Position(0, 0), typed);
  await vscode.workspace.applyEdit(edit);
  return document;
}

/** Puts settings in force for one piece of work and takes them back. */
export async function withSettings(settings: Record<string, unknown>, work: () => Promise<void>): Promise<void> {
  const configuration = vscode.workspace.getConfiguration();
  const update = async (values: Record<string, unknown>): Promise<void> => {
    for (const [name, value] of Object.entries(values)) {
      await configuration.update(name, value, vscode.ConfigurationTarget.Global);
    }
  };
  await update(settings);
  try {
    await work();
  } finally {
    await update(Object.fromEntries(Object.keys(settings).map((name) => [name, undefined])));
  }
}

/** The outcome of a call that asks in our own question, which the window of these tests refuses to show. */
export const ASKED =
  /^Error \(denied\): \w+ needs the user's permission, and asking failed\. Nothing was done\.\n.*Contents: .+\?/;
