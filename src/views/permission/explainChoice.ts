// Which call the user wants explained: one of the latest, or one that they type.
import * as vscode from "vscode";
import type { ActivityEntry } from "../../core/pipeline/activity.js";
import type { Tool } from "../../core/contract.js";
import { describeValue } from "../../core/pipeline/issues.js";
import { isRecord } from "../../core/jsonSchema.js";
import { parseJsonc } from "../../text/jsonc.js";
import { plain } from "../../text/plainText.js";
import { messageOf } from "../../text/words.js";
import { loggedSubject } from "../shared/callSubject.js";
import { doorName, when } from "../shared/words.js";

/** Number of latest calls in the list. */
const MAX_LISTED = 30;

/** What the user chooses from. */
export interface ChoiceHost {
  tools: () => readonly Tool[];
  /** The latest calls, oldest first. */
  activity: { entries(): readonly ActivityEntry[] };
  now(): number;
}

/** The chosen call. */
export interface Asked {
  tool: string;
  input: unknown;
  /** The session whose grants apply; undefined for a new one. */
  session?: string;
}

interface Row extends vscode.QuickPickItem {
  choose?: () => Promise<Asked | undefined>;
}

/** Asks which call is to be explained. @returns undefined if the user chose none */
export async function chooseCall(host: ChoiceHost): Promise<Asked | undefined> {
  const calls = [...host.activity.entries()].reverse().slice(0, MAX_LISTED);
  const rows: Row[] = [
    {
      label: `$(terminal) ${vscode.l10n.t("A Command…")}`,
      description: vscode.l10n.t("as bash would run it"),
      choose: () => typeCommand(),
    },
    {
      label: `$(tools) ${vscode.l10n.t("A Tool and Its Input…")}`,
      description: vscode.l10n.t("as JSON"),
      choose: () => typeInput(host),
    },
    ...(calls.length === 0 ? [] : [{ label: vscode.l10n.t("latest calls"), kind: vscode.QuickPickItemKind.Separator }]),
    ...calls.map((entry) => callRow(entry, host.now())),
  ];
  const picked = await vscode.window.showQuickPick(rows, {
    title: vscode.l10n.t("Toolhost: Explain Permission"),
    placeHolder: vscode.l10n.t("What would be decided, and why? Nothing runs."),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.choose?.();
}

async function typeCommand(): Promise<Asked | undefined> {
  const command = await vscode.window.showInputBox({
    title: vscode.l10n.t("Toolhost: Explain Permission"),
    prompt: vscode.l10n.t("A command line. It is not executed."),
    placeHolder: "git log --oneline | head",
    ignoreFocusOut: true,
  });
  return command === undefined || command.trim() === "" ? undefined : { tool: "exec", input: { command } };
}

async function typeInput(host: ChoiceHost): Promise<Asked | undefined> {
  const items = host.tools().map(({ name, title }) => ({ label: name, description: title }));
  const tool = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t("Toolhost: Explain Permission"),
    placeHolder: vscode.l10n.t("Which tool?"),
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  if (tool === undefined) {
    return undefined;
  }
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t("Toolhost: Explain Permission for {0}", tool.label),
    prompt: vscode.l10n.t("The input as JSON. The tool is not run."),
    placeHolder: '{"path": "src/main.ts"}',
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === ""
        ? undefined
        : inputProblem(
            host.tools().find(({ name }) => name === tool.label),
            text,
          ),
  });
  return typed === undefined ? undefined : { tool: tool.label, input: parseJsonc(typed) ?? {} };
}

/** Finds a problem in a typed input before explaining it. */
function inputProblem(tool: Tool | undefined, text: string): string | undefined {
  try {
    const input = parseJsonc(text);
    if (!isRecord(input)) {
      return vscode.l10n.t("Expected an object, got {0}.", describeValue(input));
    }
    const parsed = tool?.parse(input);
    return parsed === undefined || parsed.ok
      ? undefined
      : parsed.issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ");
  } catch (error) {
    return messageOf(error);
  }
}

function callRow(entry: ActivityEntry, now: number): Row {
  const { tool, input, session, door, started, outcome } = entry;
  const isWhole = !isCut(input);
  return {
    label: plain(`${tool} ${loggedSubject(JSON.stringify(input) ?? "")}`.trim()),
    description: isWhole ? outcome : `${outcome} · too long to be kept whole`,
    detail: `${doorName(door)}, ${when(started, now)}`,
    choose: async () => {
      if (!isWhole) {
        // An answer about part of the input would be wrong.
        void vscode.window.showInformationMessage(
          vscode.l10n.t("The input of this call was too long to be kept whole, so its permission cannot be explained."),
        );
        return undefined;
      }
      return { tool, input, session };
    },
  };
}

/** Whether the log cut an input (core/pipeline/activity.ts): it shortens long texts and counts the omitted part. */
function isCut(input: unknown): boolean {
  return /\(and \d+ more characters\)|"…|… \d+ more/.test(JSON.stringify(input) ?? "");
}
