import * as vscode from "vscode";
import { parseJsonc } from "../../../text/jsonc.js";
import { isCurrentVersion, tasksOfFile, type FileTask, type TaskPlatform } from "./file.js";
import { messageOf } from "../../../text/words.js";
import { hostPath } from "../roots.js";

/** How long extensions may take to find tasks, in ms: VS Code asks all of them, and some run a build tool for it. */
const DETECTION_LIMIT = 5_000;

/** A task and the names that refer to it. */
export interface KnownTask {
  label: string;
  /** `Workspace`, `User`, `npm`, … */
  source: string;
  folder: vscode.WorkspaceFolder | undefined;
  task: { file: FileTask } | { detected: vscode.Task };
}

/**
 * A snapshot of all tasks of the window. Those of tasks.json are read from the file: VS Code's API reports neither a
 * task's dependencies nor changes written a moment ago. Tasks that extensions find come from the API.
 */
export class KnownTasks {
  readonly #pathOf: (uri: vscode.Uri) => Promise<string | undefined>;
  readonly #signal: AbortSignal;
  readonly #folders: readonly vscode.WorkspaceFolder[];
  readonly #missing: string[] = [];
  #files: Promise<KnownTask[]> | undefined;
  #detected: Promise<vscode.Task[]> | undefined;

  /**
   * @param pathOf returns a place as people write it; undefined outside the workspace
   * @param only the path of the only folder whose tasks there are
   */
  constructor(pathOf: (uri: vscode.Uri) => Promise<string | undefined>, signal: AbortSignal, only?: string) {
    this.#pathOf = pathOf;
    this.#signal = signal;
    const all = vscode.workspace.workspaceFolders ?? [];
    this.#folders = only === undefined ? all : all.filter(({ uri }) => hostPath(uri) === only);
  }

  /** Returns descriptions, for people, of the tasks that could not be read. */
  get missing(): readonly string[] {
    return this.#missing;
  }

  /** Returns the tasks written in tasks.json or the settings. */
  ofFiles(): Promise<KnownTask[]> {
    return (this.#files ??= this.#readFiles());
  }

  async ofExtensions(): Promise<KnownTask[]> {
    return (await this.#fetched())
      .filter(({ source }) => source !== "Workspace" && source !== "User")
      .map((task) => this.known(task));
  }

  /** Returns a task of an extension with its names. */
  known(task: vscode.Task): KnownTask {
    return {
      label: `${task.source}: ${task.name}`,
      source: task.source,
      folder: this.#folderOf(task),
      task: { detected: task },
    };
  }

  /** Returns an extension's task for a definition, whether or not tasks.json changes something about it. */
  async matching(
    definition: Readonly<Record<string, unknown>>,
    folder: vscode.WorkspaceFolder | undefined,
  ): Promise<vscode.Task | undefined> {
    return (await this.#fetched()).find(
      (task) =>
        (folder === undefined || this.#folderOf(task)?.uri.toString() === folder.uri.toString()) &&
        Object.entries(task.definition).every(
          ([key, value]) => value === undefined || sameJson(definition[key], value),
        ),
    );
  }

  #fetched(): Promise<vscode.Task[]> {
    return (this.#detected ??= this.#fetch());
  }

  async #fetch(): Promise<vscode.Task[]> {
    const limit = AbortSignal.any([this.#signal, AbortSignal.timeout(DETECTION_LIMIT)]);
    const late = new Promise<undefined>((resolve) =>
      limit.aborted ? resolve(undefined) : limit.addEventListener("abort", () => resolve(undefined), { once: true }),
    );
    // One extension that fails makes the whole call fail.
    const fetched = vscode.tasks.fetchTasks().then(
      (tasks) => ({ tasks }),
      (error: unknown) => ({
        why: `could not be requested: ${messageOf(error)}`,
      }),
    );
    const answer = await Promise.race([fetched, late]);
    if (answer !== undefined && "tasks" in answer) {
      return answer.tasks.filter(({ scope }) => typeof scope !== "object" || this.#folderAt(scope) !== undefined);
    }
    const why = answer?.why ?? `did not arrive within ${DETECTION_LIMIT / 1_000} s`;
    this.#missing.push(`(Tasks found by extensions are missing: they ${why}.)`);
    return [];
  }

  async #readFiles(): Promise<KnownTask[]> {
    const folders = this.#folders;
    const found: KnownTask[] = [];
    for (const folder of folders) {
      const content = await this.#readFile(folder);
      found.push(
        ...tasksOfFile(content, platform()).map((file) => ({
          label: file.label,
          source: "Workspace",
          folder,
          task: { file },
        })),
      );
    }
    // The user's tasks, and a workspace file's, are only available from the settings.
    const folder = folders.length === 1 ? folders[0] : undefined;
    const settings = vscode.workspace.getConfiguration("tasks").inspect<unknown>("tasks");
    const more = [
      {
        source: "Workspace",
        tasks: vscode.workspace.workspaceFile === undefined ? undefined : settings?.workspaceValue,
      },
      { source: "User", tasks: settings?.globalValue },
    ];
    for (const { source, tasks } of more) {
      for (const file of tasksOfFile({ tasks }, platform())) {
        // The nearest one with the same label wins, as in VS Code.
        if (!found.some(({ label }) => label === file.label)) {
          found.push({ label: file.label, source, folder, task: { file } });
        }
      }
    }
    return found;
  }

  #folderOf({ scope }: vscode.Task): vscode.WorkspaceFolder | undefined {
    return typeof scope === "object"
      ? this.#folderAt(scope)
      : this.#folders.length === 1
        ? this.#folders[0]
        : undefined;
  }

  #folderAt(scope: vscode.WorkspaceFolder): vscode.WorkspaceFolder | undefined {
    return this.#folders.find(({ uri }) => uri.toString() === scope.uri.toString());
  }

  async #readFile(folder: vscode.WorkspaceFolder): Promise<unknown> {
    const uri = vscode.Uri.joinPath(folder.uri, ".vscode", "tasks.json");
    const name = (await this.#pathOf(uri)) ?? uri.fsPath;
    try {
      const content = parseJsonc(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
      if (content !== undefined && !isCurrentVersion(content)) {
        this.#missing.push(`(${name} is not version 2.0.0, so its tasks are missing.)`);
        return undefined;
      }
      return content;
    } catch (error) {
      if (error instanceof vscode.FileSystemError && error.code === "FileNotFound") {
        return undefined;
      }
      this.#missing.push(`(${name} cannot be read: ${messageOf(error)})`);
      return undefined;
    }
  }
}

function platform(): TaskPlatform {
  return process.platform === "win32" ? "windows" : process.platform === "darwin" ? "osx" : "linux";
}

/** Whether two JSON values are equal. */
export function sameJson(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
