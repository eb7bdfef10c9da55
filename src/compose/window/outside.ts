import { realpathSync } from "node:fs";
import { join } from "node:path";
import type * as vscode from "vscode";
import type { Tool } from "../../core/contract.js";
import type { Registry } from "../../core/registry.js";
import { ToolError } from "../../core/errors.js";
import type { ServerStart } from "../../features/connect/clients.js";
import { PipelineTools } from "../../doors/mcp/pipelineTools.js";
import { WindowServer } from "../../doors/mcp/window/windowServer.js";
import { makeLauncher, refreshLauncher } from "../../hosts/node/state/launcher.js";
import { thisProcess } from "../../hosts/node/state/owner.js";
import { makeWindowNotes } from "../../hosts/node/state/stateFolder.js";
import { usersNode } from "../../hosts/node/usersNode.js";
import { offerMcpServer } from "../../hosts/vscode/mcpOffer.js";
import { connectCommands } from "../../views/outside/connect.js";
import { OutsideStatus } from "../../views/outside/status.js";
import type { Commands } from "../../views/shared/commandTable.js";
import { messageOf } from "../../text/words.js";
import { planConnection } from "../connect.js";
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

/** What a window does for agents of other systems. */
interface Outside extends vscode.Disposable {
  commands: Commands;
}

/**
 * Lets agents of other systems use this window's tools, by `toolhost mcp` in its folder; its user is asked here, and sees
 * who is connected. Offers them to VS Code's own agents the same way.
 */
export function serveOutside({ registry, files, state, pipeline: shared, shipped, log }: OutsideParts): Outside {
  const { pipeline, confirm, person } = shared;
  const shippedNames = new Set(shipped.map(({ name }) => name));
  const unreachable = (why: string): void => log.warn(`toolhost mcp cannot reach this window: ${why}`);
  let server: WindowServer | undefined;
  const script = join(files.folder, "cli.js");
  refreshLauncher(script);
  const status = new OutsideStatus();
  const commands = connectCommands({
    confirm,
    plan: async (client, isOn) => {
      const folder = onlyFolder(files);
      if (folder === undefined && !client.where.startsWith("~")) {
        throw new ToolError(
          "unavailable",
          `The configuration of ${client.title} is in the folder that it works in, and this window has not exactly one on this machine.`,
          "Open that folder alone, or use toolhost connect there.",
        );
      }
      return planConnection(client, {
        folder: folder ?? "/",
        start: isOn ? { ...(await serverStart(script)), flags: [] } : undefined,
      });
    },
  });
  try {
    server = new WindowServer(
      {
        notes: makeWindowNotes(),
        owner: thisProcess(),
        folder: () => onlyFolder(files),
        onClients: (names) => status.show(names),
        open: ({ planOnly, sendsData, served, isOffered }, session) =>
          new PipelineTools({
            ...{
              folder: isOffered === true ? undefined : onlyFolder(files),
              session,
              pipeline,
              registry,
              confirm,
              person,
            },
            ...{ planOnly, sendsData, results: state.state.results },
            release: (each) => state.changes.release(each),
            shipped,
            isServed: ({ name }) => served.includes(name) || !shippedNames.has(name),
          }),
      },
      unreachable,
    );
  } catch (error) {
    unreachable(messageOf(error));
  }
  const offer = offerMcpServer({
    ...{ registry, shipped, script, version: __TOOLHOST_VERSION__ },
    window: server?.id ?? "",
    place: () => server && (files.files.roots().find(({ uri }) => uri.scheme === "file")?.uri.fsPath ?? files.folder),
  });
  return { commands, dispose: () => [offer, server, status].forEach((each) => void each?.dispose()) };
}

/** Returns how agents start the command line: with the user's Node, or with the one in VS Code where that is missing or too old. */
async function serverStart(script: string): Promise<Omit<ServerStart, "flags">> {
  const node = await usersNode(script);
  // Where the tests' windows keep their state, `toolhost mcp` must look for them.
  const state = process.env["TOOLHOST_STATE"];
  const env = {
    ...(node === undefined ? { ELECTRON_RUN_AS_NODE: "1" } : {}),
    ...(state === undefined ? {} : { TOOLHOST_STATE: state }),
  };
  return {
    ...{ command: node ?? process.execPath, script: makeLauncher(script) },
    ...(Object.keys(env).length > 0 && { env }),
  };
}

/** Returns the folder to which the paths of calls are relative; with several, an outside agent cannot know. */
function onlyFolder(files: WindowFiles): string | undefined {
  const [root, ...others] = files.files.roots();
  return root === undefined || others.length > 0 || root.uri.scheme !== "file"
    ? undefined
    : realpathSync(root.uri.fsPath);
}
