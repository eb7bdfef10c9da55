import type * as vscode from "vscode";
import type { WorkHost } from "../../agent/work/workHost.js";
import type { ChangeKeeper } from "../../features/changes/changes.js";
import type { ApprovedDocuments } from "../../ports/approvals.js";
import type { Confirm } from "../../ports/confirm.js";
import type { Models } from "../../ports/models.js";

/** What work in a window needs, in addition to what every host of work provides. */
export interface WindowWorkHost extends Omit<WorkHost, "onEvent" | "model" | "door"> {
  changes: Pick<ChangeKeeper, "forCall" | "journal">;
  models: Models;
  /** Returns the model that the user chose for agents; undefined for none. */
  chosenModel: () => string | undefined;
  approvals: ApprovedDocuments;
  confirm: Confirm;
  /** Whether schedules run here, that is, their tools are not turned off. */
  hasSchedules(): boolean;
  /** Returns the URI of a workspace file. */
  addressOf(path: string): Promise<vscode.Uri | undefined>;
  /** Writes a line to the output channel. */
  note(message: string): void;
}
