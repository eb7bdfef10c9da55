/** A step of a task: a command that runs as `exec` runs one. */
export interface TaskStep {
  label: string;
  command: string;
  /** As people write it: relative to the workspace, or absolute. */
  workdir: string;
  env: Readonly<Record<string, string>>;
  /** It goes on until it is stopped (a dev server, a watcher): steps after it do not wait for its end. */
  background: boolean;
}

/** A task of the workspace with all that it depends on, resolved. */
export interface ResolvedTask {
  label: string;
  /** In the order they run; those of one stage run side by side. */
  stages: TaskStep[][];
}

export interface TaskName {
  label: string;
  /** `Workspace`, `npm`, `gulp`: who says that there is such a task. */
  source: string;
}

/** The workspace's tasks: those of tasks.json, and those that extensions find. */
export interface Tasks {
  list(signal: AbortSignal): Promise<TaskName[]>;
  /**
   * Resolves a task's command, folder, environment and what it depends on. Throws `ToolError`: `not_found` with the
   * nearest labels,
   * `not_unique`, `unsupported` for what only VS Code itself can run (an input that a person must give).
   */
  resolve(label: string, signal: AbortSignal): Promise<ResolvedTask>;
}
