// The page of the activity, as a bundle of its own, which is loaded when somebody opens it.
import * as vscode from "vscode";
import { l10n } from "../views/shared/l10n.js";

export { ActivityPanel } from "../views/activity/activityPanel.js";

// A bundle of its own has translations of its own.
l10n.use(vscode.l10n.t);
