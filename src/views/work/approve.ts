import * as vscode from "vscode";
import { approveSchedule, inertSchedules } from "../../agent/work/approveSchedule.js";
import { ToolError } from "../../core/errors.js";
import { oneLine, shorten } from "../../text/clip.js";
import { plain } from "../../text/plainText.js";
import { shownSchedule, type ScheduleFile } from "../../tools/automation/scheduleFiles.js";
import type { WindowWorkHost } from "./host.js";
import { messageOf } from "../../text/words.js";

/** Maximum characters of a prompt in the list. */
const MAX_PROMPT = 100;

interface ScheduleItem extends vscode.QuickPickItem {
  file: ScheduleFile;
}

/**
 * Lets the user pick schedules that wait for approval, and shows each in full before approving it.
 *
 * @param only the name of the schedule to approve
 */
export async function approveSchedules(host: WindowWorkHost, only?: string): Promise<void> {
  const { files, approvals, confirm } = host;
  const { signal } = new AbortController();
  try {
    if (!host.isTrusted()) {
      throw new ToolError("untrusted", "Schedules do not run in an untrusted workspace.");
    }
    const inert = (await inertSchedules(files, approvals, signal)).filter(
      ({ name }) => only === undefined || name === only,
    );
    if (inert.length === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t("No schedule is waiting for your approval."));
      return;
    }
    const file =
      inert.length === 1
        ? inert[0]
        : (
            await vscode.window.showQuickPick(inert.map(itemOf), {
              title: vscode.l10n.t("Approve Schedules"),
              placeHolder: vscode.l10n.t("Choose one to see exactly what it would do"),
            })
          )?.file;
    if (file === undefined || !(await approveSchedule(file, confirm, approvals, files, host.now(), signal))) {
      return;
    }
    host.note(`Schedule ${file.name}: approved`);
    void vscode.window.showInformationMessage(
      plain(vscode.l10n.t("The schedule “{0}” is approved, exactly as it is now.", shorten(oneLine(file.name), 80))),
    );
    if (inert.length > 1) {
      await approveSchedules(host);
    }
  } catch (error) {
    void vscode.window.showErrorMessage(plain(messageOf(error)));
  }
}

function itemOf(file: ScheduleFile): ScheduleItem {
  const { parsed } = file;
  const short = (text: string): string => plain(shorten(oneLine(text), MAX_PROMPT));
  return {
    file,
    label: short(file.name),
    description: parsed.ok ? shownSchedule(parsed.document.fields.schedule) : "",
    detail: parsed.ok ? short(parsed.document.body) : "",
  };
}
