import type * as vscode from "vscode";
import { ACTIVITY_COMMAND } from "../../names/contributed.js";
import type { ActivityHost, ActivityPanel } from "../../views/activity/activityPanel.js";
import type { Commands } from "../../views/shared/commandTable.js";

export interface OpenedActivity extends vscode.Disposable {
  /** Shows a session's calls; all calls if there is none. */
  show(session?: string): Promise<void>;
  commands: Commands;
}

/** Opens the page of the activity when it is asked for, and brings it to the front the next time. */
export function openActivity(host: ActivityHost): OpenedActivity {
  let panel: ActivityPanel | undefined;
  const show = async (session = ""): Promise<void> => {
    if (panel !== undefined) {
      panel.show(session);
      return;
    }
    const { ActivityPanel: Panel } = await import("../activity.js");
    panel = new Panel(host, session);
    panel.onDidDispose(() => {
      panel = undefined;
    });
  };
  return { show, commands: { [ACTIVITY_COMMAND.show]: () => show() }, dispose: () => panel?.dispose() };
}
