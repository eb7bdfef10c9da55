/** A step of a task: a command that runs as in `exec`. */
export interface TaskStep {
  label: string;
  command: string;
  /** As people write it: relative to the workspace, or absolute. */
  workdir: string;
  env: Readonly<Record<string, string>>;
  /** Whether it runs until it is stopped (a dev server, a watcher): later steps do not wait for it to end. */
  background: boolean;
  /** The regular expression of the line with which a background step says that it is ready; undefined if it does not. */
  ready?: string;
}

/** A workspace task with its dependencies, resolved. */
export interface ResolvedTask {
  label: string;
  /** In execution order; the steps of one stage run in parallel. */
  stages: TaskStep[][];
}

export interface TaskName {
  label: string;
  /** Where the task is defined: `Workspace`, `npm`, `gulp`. */
  source: string;
}

/** The workspace's tasks, from tasks.json and detected by extensions. */
export interface Tasks {
  list(signal: AbortSignal): Promise<TaskName[]>;
  /**
   * Resolves a task's command, folder, environment and dependencies. Throws `ToolError`: `not_found` with the nearest
   * labels, `not_unique`, `unsupported` for tasks that only VS Code itself can run (such as one that prompts for an
   * input).
   */
  resolve(label: string, signal: AbortSignal): Promise<ResolvedTask>;
}
