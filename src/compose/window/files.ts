import * as vscode from "vscode";
import { NodeDisk } from "../../hosts/node/disk/disk.js";
import { createRipgrep, ripgrepOfVscode, ripgrepOnPath } from "../../hosts/node/ripgrep/run.js";
import type { Ripgrep } from "../../hosts/ripgrep/ripgrep.js";
import { searchEncoding } from "../../hosts/vscode/files/encoding.js";
import { VscodeFiles } from "../../hosts/vscode/files/files.js";
import { WorkspaceScan } from "../../hosts/search/workspaceScan.js";
import { WorkspaceSearch } from "../../hosts/search/workspaceSearch.js";
import { searchLocal } from "../files.js";

/** The files of a window and their search. */
export interface WindowFiles {
  /** The bundle's folder, for programs that are loaded later. */
  folder: string;
  disk: NodeDisk;
  files: VscodeFiles;
  run: Ripgrep;
  search: WorkspaceSearch;
}

/** Opens files on this machine and in VS Code's other file systems. */
export function openFiles(context: vscode.ExtensionContext): WindowFiles {
  const folder = context.asAbsolutePath("dist");
  const disk = new NodeDisk();
  const files = new VscodeFiles(disk);
  const run = createRipgrep(ripgrepOfVscode(vscode.env.appRoot) ?? ripgrepOnPath());
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
  return { folder, disk, files, run, search };
}
