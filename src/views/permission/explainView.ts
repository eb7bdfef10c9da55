import * as vscode from "vscode";
import { ToolError } from "../../core/errors.js";
import { newId, type Caller, type Pipeline, type PipelineSettings } from "../../core/pipeline/pipeline.js";
import { isRecord } from "../../core/jsonSchema.js";
import { shorten } from "../../text/clip.js";
import { editorName } from "../../text/editorName.js";
import { visibleLine } from "../../text/showHidden.js";
import { plain } from "../../text/plainText.js";
import { SCHEME } from "../../names/contributed.js";
import type { Asked, ChoiceHost } from "./explainChoice.js";

/** Number of explanations kept for open previews; the oldest are dropped first. */
const MAX_KEPT = 20;
/** Maximum characters of a command in a tab's name. */
const MAX_SUBJECT = 30;

export interface ExplainHost extends ChoiceHost {
  pipeline: Pipeline;
  settings(): Pick<PipelineSettings, "mode" | "trusted">;
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
    const { chooseCall, explanationPage } = await import("./explanation.js");
    const asked: Asked | undefined = isGiven(given)
      ? { tool: given.tool, input: given.input }
      : await chooseCall(this.#host);
    if (asked === undefined) {
      return;
    }
    try {
      const caller = this.#caller(asked.session ?? newId());
      const explanation = await this.#host.pipeline.explain(asked.tool, asked.input, caller);
      await this.#open(subjectOf(asked), explanationPage({ ...asked, ...this.#host.settings() }, explanation));
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

  /** @param subject what VS Code names the tab by, after “Preview” */
  async #open(subject: string, page: string): Promise<void> {
    const uri = vscode.Uri.from({
      scheme: SCHEME.explanation,
      path: `/${editorName(vscode.l10n.t("Permission for"), subject)}`,
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

/** Returns a command as it is, and another call by its tool. */
function subjectOf({ tool, input }: Asked): string {
  const { command = undefined } = tool === "exec" && isRecord(input) ? input : {};
  return typeof command === "string" ? shorten(visibleLine(command), MAX_SUBJECT) : tool;
}

function isGiven(value: unknown): value is Pick<Asked, "tool" | "input"> {
  return (
    typeof value === "object" && value !== null && "tool" in value && typeof value.tool === "string" && "input" in value
  );
}
