import { realpathSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import type { ServerStart } from "../../features/connect/clients.js";
import { PipelineTools, type PipelineToolsHost } from "../../doors/mcp/pipelineTools.js";
import { WindowServer } from "../../doors/mcp/window/windowServer.js";
import { makeLauncher, refreshLauncher } from "../../hosts/node/state/launcher.js";
import { thisProcess } from "../../hosts/node/state/owner.js";
import { makeWindowNotes, stateVariables } from "../../hosts/node/state/stateFolder.js";
import { usersNode } from "../../hosts/node/usersNode.js";
import { offerMcpServer } from "../../hosts/vscode/mcpOffer.js";
import type { SeenFolder } from "../../core/permission/rules/patterns.js";
import { hostPath, type FolderRoot } from "../../hosts/vscode/roots.js";
import { connectCommands } from "../../views/outside/connect.js";
import { OutsideStatus } from "../../views/outside/status.js";
import type { Commands } from "../../views/shared/commandTable.js";
import { messageOf } from "../../text/words.js";
import { planConnection } from "../connect.js";
import type { WindowFiles } from "./files.js";
import { openFolderView, type FolderView, type FolderViewParts } from "./folderView.js";

export interface OutsideParts extends FolderViewParts {
  log: vscode.LogOutputChannel;
}

/** What an agent sees of a window. */
type Seen = Pick<PipelineToolsHost, "pipeline" | "registry" | "release" | "folderName">;

/** What a window does for agents of other systems. */
interface Outside extends vscode.Disposable {
  commands: Commands;
}

/**
 * Lets agents of other systems use this window's tools, by `toolhost mcp` in its folder; its user is asked here, and sees
 * who is connected. Offers them to VS Code's own agents the same way.
 */
export function serveOutside(parts: OutsideParts): Outside {
  const { registry, files, state, pipeline: shared, shipped, log } = parts;
  const { confirm, person } = shared;
  const whole = { pipeline: shared.pipeline, registry, release: (each: string) => state.changes.release(each) };
  /** By version, of folders in which agents worked. */
  const views = new Map<string, FolderView>();
  const seenFrom = (folder: string | undefined): Seen => {
    if (folder === undefined || files.files.roots().length === 1) {
      return whole;
    }
    const open = openFolders(files).get(folder);
    if (open === undefined) {
      throw new Error(`${folder} is not open here.`);
    }
    const view = views.get(open.version) ?? openFolderView(open, parts);
    views.set(open.version, view);
    const { pipeline, registry: own, release, folderName } = view;
    return { pipeline, registry: own, release, folderName };
  };
  const shippedNames = new Set(shipped.map(({ name }) => name));
  const unreachable = (why: string): void => log.warn(`toolhost mcp cannot reach this window: ${why}`);
  let server: WindowServer | undefined;
  const script = join(files.folder, "cli.js");
  refreshLauncher(script);
  const status = new OutsideStatus();
  const commands = connectCommands({
    confirm,
    folders: () => [...openFolders(files)].map(([path, { root }]) => ({ name: root.name, path })),
    plan: async (client, folder = "/", isOn) =>
      planConnection(client, { folder, start: isOn ? { ...(await serverStart(script)), flags: [] } : undefined }),
  });
  try {
    server = new WindowServer(
      {
        notes: makeWindowNotes(),
        owner: thisProcess(),
        folders: () => new Map([...openFolders(files)].map(([path, { version }]) => [path, version])),
        onClients: (names) => status.show(names),
        open: ({ planOnly, sendsData, served, folder }, session) =>
          new PipelineTools({
            ...{ ...seenFrom(folder), folder, session, confirm, person },
            ...{ planOnly, sendsData, results: state.state.results, shipped },
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
    answered: async () => server?.answered(),
    place: () => server && (files.files.roots().find(({ uri }) => uri.scheme === "file")?.uri.fsPath ?? files.folder),
  });
  const listening = vscode.workspace.onDidChangeWorkspaceFolders(() => {
    server?.update();
    const versions = new Set([...openFolders(files).values()].map(({ version }) => version));
    for (const [version, view] of views) {
      if (!versions.has(version)) {
        views.delete(version);
        view.dispose();
      }
    }
  });
  return {
    commands,
    dispose: () => [offer, listening, server, status, ...views.values()].forEach((each) => void each?.dispose()),
  };
}

/** Returns how agents start the command line: with the user's Node, or with the one in VS Code where that is missing or too old. */
async function serverStart(script: string): Promise<Omit<ServerStart, "flags">> {
  const node = await usersNode(script);
  const env = { ...(node === undefined ? { ELECTRON_RUN_AS_NODE: "1" } : {}), ...stateVariables() };
  return {
    ...{ command: node ?? process.execPath, script: makeLauncher(script) },
    ...(Object.keys(env).length > 0 && { env }),
  };
}

/** A folder of the window that an agent may work in. */
interface OpenFolder {
  root: FolderRoot;
  /** The window's folders in it. */
  inner: readonly SeenFolder[];
  /** Changes with what an agent sees that works there, and with the names that rules give it. */
  version: string;
}

/** Returns the window's folders on this machine's disk that exist, by their real paths. */
function openFolders(files: WindowFiles): Map<string, OpenFolder> {
  const roots = files.files.roots();
  const found = new Map<string, OpenFolder>();
  for (const root of roots) {
    const real = root.scheme === "file" ? realPathOf(root) : undefined;
    // Of two names for one folder, its own counts.
    if (real !== undefined && (!found.has(real) || root.path === hostPath(vscode.Uri.file(real)))) {
      const inner = roots.flatMap(({ name, path, scheme }) =>
        scheme === "file" && path.startsWith(`${root.path}/`) ? [{ name, at: path.slice(root.path.length + 1) }] : [],
      );
      found.set(real, { root, inner, version: JSON.stringify([root.path, root.name, inner, roots.length === 1]) });
    }
  }
  return found;
}

function realPathOf({ uri }: FolderRoot): string | undefined {
  try {
    return realpathSync(uri.fsPath);
  } catch {
    // It may come back.
    return undefined;
  }
}
