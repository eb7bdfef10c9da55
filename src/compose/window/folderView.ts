import type { Tool } from "../../core/contract.js";
import type { Pipeline } from "../../core/pipeline/pipeline.js";
import { FolderRules } from "../../core/permission/rules/folderRules.js";
import type { SeenFolder } from "../../core/permission/rules/patterns.js";
import { Registry, type Disposable } from "../../core/registry.js";
import type { FolderRoot } from "../../hosts/vscode/roots.js";
import type { CustomTools } from "./customTools.js";
import { codeFollower, syntaxCode } from "../pipeline.js";
import { windowCode } from "./code.js";
import { openOnly } from "./files.js";
import type { WindowParts, WindowPipeline } from "./pipeline.js";

export interface FolderViewParts extends Pick<WindowParts, "registry" | "files" | "state" | "running"> {
  pipeline: WindowPipeline;
  custom: CustomTools;
  shipped: readonly Tool[];
}

/** A folder, and the window's folders in it. */
interface ViewedFolder {
  root: FolderRoot;
  inner: readonly SeenFolder[];
}

/** The tools of a window with several folders as an agent has them that works in one of these folders. */
export interface FolderView extends Disposable {
  pipeline: Pipeline;
  registry: Registry;
  folderName: string;
  /** Lets another process go on with a session. */
  release: (session: string) => Promise<void>;
}

/**
 * Opens a view of one folder: paths are relative to it, and the window's other folders are out of reach. Documents, the
 * user's rules and questions, results and the undo journal are the window's.
 */
export function openFolderView({ root, inner }: ViewedFolder, parts: FolderViewParts): FolderView {
  const { registry: whole, files, state, running, pipeline: shared, custom, shipped } = parts;
  const seen = openOnly(files, root.path);
  const { changes, imports, problems } = state.inFolder(seen);
  const { processes, tasks } = running.inFolder(root.path, seen.files);
  const index = state.state.knowledgeOf(seen.files, root.uri.fsPath);
  const code = state.state.codeIndexOf(seen.files, codeFollower(files.folder, seen), root.uri.fsPath);
  const registry = new Registry(shipped);
  const own = custom.follow(registry, seen.files, root.name);
  const others = followOthers(registry, whole, (tool) => shipped.includes(tool) || custom.has(tool));
  const pipeline = shared.pipelineOf(registry, {
    capabilities: {
      ...{ ...seen, imports, processes, tasks, knowledge: index.knowledge, codeIndex: code.codeIndex },
      ...windowCode(syntaxCode(files.folder, seen.files, seen.search), seen),
    },
    changes,
    rules: new FolderRules(shared.rules, root.name, inner),
  });
  return {
    ...{ pipeline, registry, folderName: root.name },
    release: (session) => changes.release(session),
    dispose: () => {
      own.dispose();
      others.dispose();
      problems.dispose();
      index.close();
      code.close();
    },
  };
}

/** Keeps in a registry what another one has from elsewhere: the tools of other extensions. */
function followOthers(registry: Registry, whole: Registry, isKnown: (tool: Tool) => boolean): Disposable {
  const added = new Map<Tool, Disposable>();
  const follow = (): void =>
    registry.batch(() => {
      const now = new Set(whole.list().filter((tool) => !isKnown(tool)));
      for (const [tool, entry] of added) {
        if (!now.has(tool)) {
          added.delete(tool);
          entry.dispose();
        }
      }
      for (const tool of now) {
        if (!added.has(tool) && registry.nameProblem(tool.name) === undefined) {
          added.set(tool, registry.register(tool));
        }
      }
    });
  follow();
  return whole.onDidChange(follow);
}
