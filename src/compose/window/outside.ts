import { realpathSync } from "node:fs";
import { join } from "node:path";
import type * as vscode from "vscode";
import type { Tool } from "../../core/contract.js";
import type { Registry } from "../../core/registry.js";
import { PipelineTools } from "../../doors/mcp/pipelineTools.js";
import { WindowServer } from "../../doors/mcp/window/windowServer.js";
import { thisProcess } from "../../hosts/node/state/owner.js";
import { makeWindowNotes } from "../../hosts/node/state/stateFolder.js";
import { offerMcpServer } from "../../hosts/vscode/mcpOffer.js";
import { messageOf } from "../../text/words.js";
import type { WindowFiles } from "./files.js";
import type { WindowPipeline } from "./pipeline.js";
import type { WindowState } from "./state.js";

export interface OutsideParts {
  registry: Registry;
  files: WindowFiles;
  state: WindowState;
  pipeline: WindowPipeline;
  shipped: readonly Tool[];
  log: vscode.LogOutputChannel;
}

/** Lets agents of other systems use this window's tools, by `toolhost mcp` in its folder; its user is asked here, and offers them to VS Code's own agents the same way. */
export function serveOutside({
  registry,
  files,
  state,
  pipeline: shared,
  shipped,
  log,
}: OutsideParts): vscode.Disposable {
  const { pipeline, confirm, person } = shared;
  const shippedNames = new Set(shipped.map(({ name }) => name));
  const unreachable = (why: string): void => log.warn(`toolhost mcp cannot reach this window: ${why}`);
  let server: WindowServer | undefined;
  try {
    server = new WindowServer(
      {
        notes: makeWindowNotes(),
        owner: thisProcess(),
        folder: () => onlyFolder(files),
        open: ({ planOnly, sendsData, served }) =>
          new PipelineTools({
            ...{ folder: onlyFolder(files) ?? "", pipeline, registry, confirm, person },
            ...{ planOnly, sendsData, results: state.state.results, now: Date.now },
            isServed: ({ name }) => served.includes(name) || !shippedNames.has(name),
          }),
      },
      unreachable,
    );
  } catch (error) {
    unreachable(messageOf(error));
  }
  const offer = offerMcpServer({
    ...{ registry, shipped, script: join(files.folder, "cli.js"), version: __TOOLHOST_VERSION__ },
    window: server?.id ?? "",
    folder: () => (server === undefined ? undefined : onlyFolder(files)),
  });
  return { dispose: () => [offer, server].forEach((each) => void each?.dispose()) };
}

/** Returns the folder to which the paths of calls are relative; with several, an outside agent cannot know. */
function onlyFolder(files: WindowFiles): string | undefined {
  const [root, ...others] = files.files.roots();
  return root === undefined || others.length > 0 || root.uri.scheme !== "file"
    ? undefined
    : realpathSync(root.uri.fsPath);
}
