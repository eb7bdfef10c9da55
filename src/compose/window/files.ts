import * as vscode from "vscode";
import { NodeDisk } from "../../hosts/node/disk/disk.js";
import { createRipgrep, ripgrepOfVscode, ripgrepOnPath } from "../../hosts/node/ripgrep/run.js";
import type { Ripgrep } from "../../hosts/ripgrep/ripgrep.js";
import { searchEncoding } from "../../hosts/vscode/files/encoding.js";
import { VscodeFiles } from "../../hosts/vscode/files/files.js";
import { WorkspaceScan } from "../../hosts/search/workspaceScan.js";
import { WorkspaceSearch } from "../../hosts/search/workspaceSearch.js";
import { searchLocal } from "../files.js";

/** Files of a window and their search. */
export interface SeenFiles {
  files: VscodeFiles;
  search: WorkspaceSearch;
}

/** The files of a window and their search. */
export interface WindowFiles extends SeenFiles {
  /** The bundle's folder, for programs that are loaded later. */
  folder: string;
  disk: NodeDisk;
  run: Ripgrep;
}

/** Opens files on this machine and in VS Code's other file systems. */
export function openFiles(context: vscode.ExtensionContext): WindowFiles {
  const disk = new NodeDisk();
  const run = createRipgrep(ripgrepOfVscode(vscode.env.appRoot) ?? ripgrepOnPath());
  return { folder: context.asAbsolutePath("dist"), disk, run, ...see(disk, run) };
}

/** Opens one folder of a window, as if it were the only one. @param path as the window's roots have it */
export function openOnly({ disk, run }: WindowFiles, path: string): SeenFiles {
  return see(disk, run, path);
}

function see(disk: NodeDisk, run: Ripgrep, only?: string): SeenFiles {
  const files = new VscodeFiles(disk, only);
  const search = new WorkspaceSearch({
    files,
    run,
    local: searchLocal(files, run, {
      unsaved: () => files.unsaved(),
      encodingOf: ({ path }) => Promise.resolve(searchEncoding(path)),
    }),
    scan: new WorkspaceScan({ files, run }),
    untitled: () => files.untitled(),
  });
  return { files, search };
}
