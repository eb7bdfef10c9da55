import * as vscode from "vscode";
import { ToolError } from "../../core/errors.js";
import type { ApprovedFiles } from "../../features/custom/approvedFiles.js";
import { overviewOf } from "../../features/custom/overview.js";
import {
  approveService,
  describeService,
  loadService,
  sizeWords,
  whyApprove,
  type ApiLoader,
  type Service,
} from "../../features/custom/services.js";
import type { ToolFile } from "../../features/custom/toolFiles.js";
import type { Confirm } from "../../ports/confirm.js";
import { fileDiff } from "../../text/diff/fileDiff.js";
import { plain } from "../../text/plainText.js";
import { messageOf } from "../../text/words.js";
import { toAbortSignal } from "../shared/abortSignal.js";

/** What approving files of tools needs. */
export interface ApproveHost {
  isTrusted: () => boolean;
  /** Reads the files as they are now. */
  refresh: () => Promise<readonly ToolFile[]>;
  approved: () => Promise<ApprovedFiles>;
  api: ApiLoader;
  /** Whether a name belongs to a tool that a description must not replace. */
  reserved: (name: string) => boolean;
  confirm: Confirm;
  note: (message: string) => void;
}

/**
 * Shows each file of tools that is not approved, or what has changed in it, and approves exactly that text. Then the same
 * for the OpenAPI descriptions of approved files; those at an address are fetched again.
 */
export async function approveTools(host: ApproveHost): Promise<void> {
  try {
    if (!host.isTrusted()) {
      throw new ToolError("untrusted", "The tools of an untrusted workspace cannot be approved.");
    }
    const waiting = (await host.refresh()).filter(({ isApproved, text }) => !isApproved && text !== undefined);
    for (const file of waiting) {
      await approveFile(file, host);
    }
    let asked = waiting.length;
    for (const service of (await host.refresh()).flatMap((file) => (file.isApproved ? file.services : []))) {
      asked += (await approveDescription(service, host)) ? 1 : 0;
    }
    if (asked === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t("No file of tools is waiting for your approval."));
    }
  } catch (error) {
    void vscode.window.showErrorMessage(plain(messageOf(error)));
  } finally {
    await host.refresh();
  }
}

async function approveFile(file: ToolFile, host: ApproveHost): Promise<void> {
  const { path, text, lastApproved } = file;
  const approved = await host.approved();
  if (text === undefined) {
    return;
  }
  const question = {
    tool: "tools",
    title: vscode.l10n.t("Approve the tools of {0}?", path),
    reasons: [
      lastApproved === undefined
        ? vscode.l10n.t(
            "They run commands on this machine, and models can call them. Any change of the file needs a new approval.",
          )
        : vscode.l10n.t("The file has changed since you approved it."),
    ],
    detail: {
      language: lastApproved === undefined ? "plain" : "diff",
      text: [...overviewOf(file), "", lastApproved === undefined ? text : fileDiff(path, lastApproved, text)].join(
        "\n",
      ),
    },
    derived: [],
    accept: vscode.l10n.t("Approve"),
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

/** Fetches a description while a notification shows how much there is. Returns undefined if the user cancels it. */
async function fetchText({ entry, source }: Service, api: ApiLoader): Promise<string | undefined> {
  const title = plain(vscode.l10n.t("Fetching the description of {0}", source));
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (progress, token) => {
      const { signal, dispose } = toAbortSignal(token);
      try {
        return await api.fetchText(entry, signal, (bytes) => progress.report({ message: `(${sizeWords(bytes)})` }));
      } catch (error) {
        if (signal.aborted) {
          return undefined;
        }
        throw error;
      } finally {
        dispose();
      }
    },
  );
}

/** Returns whether a description was shown to the user. One that cannot be read is a problem of its file. */
async function approveDescription(
  service: Service,
  { api, approved, confirm, reserved, note }: ApproveHost,
): Promise<boolean> {
  const { source, address, lastApproved, isApproved } = service;
  const signal = new AbortController().signal;
  try {
    const text = address === undefined ? service.text : await fetchText(service, api);
    if (text === undefined || (address === undefined ? isApproved : text === lastApproved)) {
      // A user who cancelled a fetch knows that it was not approved.
      return text === undefined && address !== undefined;
    }
    const shown = { ...service, text };
    const question = {
      tool: "tools",
      title: vscode.l10n.t("Approve the tools of {0}?", source),
      reasons: [whyApprove(service)],
      detail: { language: "diff", text: await describeService(shown, await loadService(api, shown, reserved)) },
      derived: [],
      accept: vscode.l10n.t("Approve"),
    };
    if ((await confirm.ask(question, signal)) !== "no") {
      await approveService(await approved(), service, text);
      note(`${source}: approved`);
    }
  } catch (error) {
    void vscode.window.showErrorMessage(plain(`${source}: ${messageOf(error)}`));
  }
  return true;
}
