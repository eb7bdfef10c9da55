import { join } from "node:path";
import type * as vscode from "vscode";
import { activateWith, type Activated } from "./compose/window/activate.js";
import type { ToolhostApi } from "./doors/api/types.js";
import { requireCached } from "./hosts/node/cachedScript.js";
import type * as windowModule from "./window.js";

let activated: Activated | undefined;

/** Ends everything that tools started. */
export async function deactivate(): Promise<void> {
  await activated?.close();
}

/** Activates the extension, without loading the code of its window (`activateWith`). */
export function activate(context: vscode.ExtensionContext): ToolhostApi {
  activated = activateWith(context, () => {
    const { openWindow } = loadWindow(context);
    return (standIn) => openWindow(context, standIn);
  });
  return activated.api;
}

function loadWindow(context: vscode.ExtensionContext): typeof windowModule {
  const file = context.asAbsolutePath(join("dist", "window.js"));
  return requireCached(file, require, join(context.globalStorageUri.fsPath, "code")) as typeof windowModule;
}
