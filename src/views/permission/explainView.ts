import * as vscode from "vscode";
import type { ActivityEntry } from "../../core/pipeline/activity.js";
import type { Tool } from "../../core/contract.js";
import { ToolError } from "../../core/errors.js";
import { describeValue } from "../../core/pipeline/issues.js";
import { isRecord } from "../../core/jsonSchema.js";
import { newId, type Caller, type Pipeline, type PipelineSettings } from "../../core/pipeline/pipeline.js";
import { parseJsonc } from "../../text/jsonc.js";
import { visibleLine } from "../../text/showHidden.js";
import { plain } from "../../text/plainText.js";
import { doorName, when } from "../shared/words.js";
import { messageOf } from "../../text/words.js";
import { SCHEME } from "../../names/contributed.js";

/** Number of explanations kept for open previews; the oldest are dropped first. */
const MAX_KEPT = 20;
/** Number of latest calls in the list. */
const MAX_LISTED = 30;
/** Maximum characters of a call in the list. */
const MAX_SHOWN = 100;

export interface ExplainHost {
  pipeline: Pipeline;
  tools: () => readonly Tool[];
  /** The latest calls, oldest first. */
  activity: { entries(): readonly ActivityEntry[] };
  settings(): Pick<PipelineSettings, "mode" | "trusted">;
  now(): number;
}

interface Asked {
  tool: string;
  input: unknown;
  /** The session whose grants apply. */
  session: string;
}

interface Row extends vscode.QuickPickItem {
  choose?: () => Promise<Asked | undefined>;
}

/** “Toolhost: Explain Permission…”: shows what would be decided on a call, and why. Runs nothing. */
export class ExplainView implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #host: ExplainHost;
  readonly #pages = new Map<string, string>();
  readonly #registration: vscode.Disposable;
  #shown = 0;

  constructor(host: ExplainHost) {
    this.#host = host;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME.explanation, this);
  }

  /** @param given `{"tool", "input"}` from a key binding or another extension; if absent, the user chooses */
  async show(given?: unknown): Promise<void> {
    const asked = isGiven(given) ? { ...given, session: newId() } : await this.#choose();
    if (asked === undefined) {
      return;
    }
    try {
      const explanation = await this.#host.pipeline.explain(asked.tool, asked.input, this.#caller(asked.session));
      const { explanationPage } = await import("./explanationPage.js");
      await this.#open(asked.tool, explanationPage({ ...asked, ...this.#host.settings() }, explanation));
    } catch (error) {
      const text =
        error instanceof ToolError
          ? [error.message, error.hint].filter((part) => part !== undefined).join(" ")
          : String(error);
      void vscode.window.showWarningMessage(plain(visibleLine(text)));
    }
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return (
      this.#pages.get(uri.toString()) ??
      vscode.l10n.t("This explanation is no longer kept. Run *Toolhost: Explain Permission…* again.")
    );
  }

  dispose(): void {
    this.#registration.dispose();
  }

  /** Acts like a call from a model. */
  #caller(session: string): Caller {
    return { door: "lm", session, signal: new AbortController().signal, authority: "model", reads: "ask" };
  }

  async #choose(): Promise<Asked | undefined> {
    const calls = [...this.#host.activity.entries()].reverse().slice(0, MAX_LISTED);
    const rows: Row[] = [
      { label: "$(terminal) A Command…", description: "as bash would run it", choose: () => this.#typeCommand() },
      { label: "$(tools) A Tool and Its Input…", description: "as JSON", choose: () => this.#typeInput() },
      ...(calls.length === 0 ? [] : [{ label: "latest calls", kind: vscode.QuickPickItemKind.Separator }]),
      ...calls.map((entry) => callRow(entry, this.#host.now())),
    ];
    const picked = await vscode.window.showQuickPick(rows, {
      title: vscode.l10n.t("Toolhost: Explain Permission"),
      placeHolder: vscode.l10n.t("What would be decided, and why? Nothing runs."),
      matchOnDescription: true,
      matchOnDetail: true,
    });
    return picked?.choose?.();
  }

  async #typeCommand(): Promise<Asked | undefined> {
    const command = await vscode.window.showInputBox({
      title: vscode.l10n.t("Toolhost: Explain Permission"),
      prompt: vscode.l10n.t("A command line. It is not executed."),
      placeHolder: "git log --oneline | head",
      ignoreFocusOut: true,
    });
    return command === undefined || command.trim() === ""
      ? undefined
      : { tool: "exec", input: { command }, session: newId() };
  }

  async #typeInput(): Promise<Asked | undefined> {
    const items = this.#host.tools().map(({ name, title }) => ({ label: name, description: title }));
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
              this.#host.tools().find(({ name }) => name === tool.label),
              text,
            ),
    });
    return typed === undefined ? undefined : { tool: tool.label, input: parseJsonc(typed) ?? {}, session: newId() };
  }

  async #open(tool: string, page: string): Promise<void> {
    const uri = vscode.Uri.from({
      scheme: SCHEME.explanation,
      path: `/Permission for ${tool}.md`,
      query: String(++this.#shown),
    });
    this.#pages.set(uri.toString(), page);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > MAX_KEPT && oldest !== undefined) {
      this.#pages.delete(oldest);
    }
    await vscode.commands.executeCommand("markdown.showPreview", uri);
  }
}

function isGiven(value: unknown): value is { tool: string; input: unknown } {
  return (
    typeof value === "object" && value !== null && "tool" in value && typeof value.tool === "string" && "input" in value
  );
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
    label: plain(`${tool} ${visibleLine(excerptOf(input))}`),
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

/** Summarizes an input: its only text, or its JSON. */
function excerptOf(input: unknown): string {
  const values: unknown[] = typeof input === "object" && input !== null ? Object.values(input) : [];
  const [only] = values;
  const text = values.length === 1 && typeof only === "string" ? only : (JSON.stringify(input) ?? "");
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** Whether the log cut an input (core/pipeline/activity.ts): it shortens long texts and counts the omitted part. */
function isCut(input: unknown): boolean {
  return /\(and \d+ more characters\)|"…|… \d+ more/.test(JSON.stringify(input) ?? "");
}
