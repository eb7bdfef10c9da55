// For tests inside the extension host: paths, and the rig.
import * as vscode from "vscode";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import type { HostContext } from "./host-context";
import type { RigApi } from "./rig/extension";

import { poll } from "./poll";

export { poll };
export { SCRIPTED_MODEL } from "./rig/protocol";

/** Set by the bundler, see host-runner.ts. */
declare const __HOST_CONTEXT__: HostContext;

export const hostContext: HostContext = __HOST_CONTEXT__;

/** @returns the absolute path of the window's folder: a temp copy of test/fixtures/sample, free to change */
export function workspaceFolder(index = 0): string {
  const folder = hostContext.folders[index];
  if (folder === undefined)
    throw new Error(`The window "${hostContext.window}" has ${hostContext.folders.length} folders, not ${index + 1}.`);
  return folder;
}

/** @returns a new empty folder outside the workspace */
export function temporaryFolder(name = "extra"): string {
  return mkdtempSync(join(hostContext.temporary, `${name}-`));
}

/** @returns the rig, with the scripted model: `(await rig()).model.script([…])` */
export async function rig(): Promise<RigApi> {
  const extension = vscode.extensions.getExtension<RigApi>("toolhost-test.rig");
  if (extension === undefined) throw new Error("The rig extension is not installed in this window.");
  return extension.activate();
}

/** @returns the product's exports, activated */
export async function activateProduct<Api>(): Promise<Api> {
  if (hostContext.window === "web") {
    // It runs in another extension host, the browser's: its API is out of reach here, its tools are not.
    await poll("the browser's extension host to have the tools", () =>
      vscode.lm.tools.some(({ name }) => name === "toolhost_read"),
    );
    return undefined as Api;
  }
  const extension = vscode.extensions.getExtension<Api>("toolhost.toolhost");
  if (extension === undefined) throw new Error("Toolhost is not loaded in this window.");
  return extension.activate();
}
