import * as vscode from "vscode";
import { ToolError } from "../../core/errors.js";
import type { ApprovedFiles } from "../../features/custom/approvedFiles.js";
import type { ToolFile } from "../../features/custom/toolFiles.js";
import type { Confirm } from "../../ports/confirm.js";
import { fileDiff } from "../../text/diff/fileDiff.js";
import { plain } from "../../text/plainText.js";
import { messageOf } from "../../text/words.js";

/** What approving files of tools needs. */
export interface ApproveHost {
  isTrusted: () => boolean;
  /** Reads the files as they are now. */
  refresh: () => Promise<readonly ToolFile[]>;
  approved: () => Promise<ApprovedFiles>;
  confirm: Confirm;
  note: (message: string) => void;
}

/** Shows each file of tools that is not approved, or what has changed in it, and approves exactly that text. */
export async function approveTools(host: ApproveHost): Promise<void> {
  try {
    if (!host.isTrusted()) {
      throw new ToolError("untrusted", "The tools of an untrusted workspace cannot be approved.");
    }
    const waiting = (await host.refresh()).filter(({ isApproved, text }) => !isApproved && text !== undefined);
    if (waiting.length === 0) {
      void vscode.window.showInformationMessage("No file of tools is waiting for your approval.");
      return;
    }
    for (const file of waiting) {
      await approveFile(file, host);
    }
  } catch (error) {
    void vscode.window.showErrorMessage(plain(messageOf(error)));
  } finally {
    await host.refresh();
  }
}

async function approveFile({ path, text, lastApproved }: ToolFile, host: ApproveHost): Promise<void> {
  const approved = await host.approved();
  if (text === undefined) {
    return;
  }
  const question = {
    tool: "tools",
    title: `Approve the tools of ${path}?`,
    reasons: [
      lastApproved === undefined
        ? "They run commands on this machine, and models can call them. Any change of the file needs a new approval."
        : "The file has changed since you approved it.",
    ],
    detail: { language: "diff", text: fileDiff(path, lastApproved, text) },
    derived: [],
    accept: "Approve",
  };
  if ((await host.confirm.ask(question, new AbortController().signal)) === "no") {
    return;
  }
  const now = (await host.refresh()).find((file) => file.path === path);
  if (now?.text !== text) {
    throw new ToolError(
      "conflict",
      `${path} changed while you were reading it. Nothing was approved.`,
      "Review it again.",
    );
  }
  await approved.approve(path, text);
  host.note(`${path}: approved`);
}
