import * as vscode from "vscode";
import { ToolError } from "../../core/errors.js";
import { plain } from "../../text/plainText.js";
import { messageOf } from "../../text/words.js";
import { showFailure } from "../shared/failureNotice.js";

/** Tells the user why a command for changes did nothing. */
export function tellFailure(error: unknown): void {
  if (!(error instanceof ToolError)) {
    void showFailure({ type: "internal_error", message: vscode.l10n.t("Toolhost failed: {0}", messageOf(error)) });
  } else if (error.type === "not_found") {
    // Having nothing to do is not a failure.
    void vscode.window.showInformationMessage(failureText(error));
  } else {
    void showFailure(error);
  }
}

/** Returns an error in words for a message, with what to do next. */
export function failureText({ message, hint }: ToolError): string {
  return plain(hint === undefined ? message : `${message} ${hint}`);
}
