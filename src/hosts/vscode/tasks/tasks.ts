import type * as vscode from "vscode";
import { ToolError } from "../../../core/errors.js";
import type { ResolvedTask, TaskName, Tasks, TaskStep } from "../../../ports/tasks.js";
import { excerpt } from "../../../text/clip.js";
import { nearestNames } from "../../../text/nearest.js";
import type { TaskReference } from "./file.js";
import { KnownTasks, sameJson, type KnownTask } from "./known.js";
import { TaskSteps, type VscodeTasksParts } from "./steps.js";

/** Maximum labels named if none fits. */
const MAX_NAMED = 20;

/** Steps by the task they belong to: a task that several depend on runs once. */
type Stages = Map<KnownTask, TaskStep>[];

/** The window's tasks, by the labels that VS Code shows. */
export class VscodeTasks implements Tasks {
  readonly #parts: VscodeTasksParts;

  constructor(parts: VscodeTasksParts) {
    this.#parts = parts;
  }

  async list(signal: AbortSignal): Promise<TaskName[]> {
    const known = await new TaskLookup(this.#parts, signal).all();
    return known.map((task) => ({
      label: known.some((other) => other !== task && other.label === task.label) ? qualified(task) : task.label,
      source: task.source,
    }));
  }

  async resolve(label: string, signal: AbortSignal): Promise<ResolvedTask> {
    const lookup = new TaskLookup(this.#parts, signal);
    const task = await lookup.find(label);
    const stages = await lookup.stages(task, []);
    if (stages.length === 0) {
      throw new ToolError("unsupported", `${excerpt(label)} has no command, and depends on no task that has one.`);
    }
    return { label: task.label, stages: stages.map((stage) => [...stage.values()]) };
  }
}

/** Finds tasks by their labels, and the steps that each depends on. */
class TaskLookup {
  readonly #planned = new Map<KnownTask, Stages>();
  readonly #known: KnownTasks;
  readonly #steps: TaskSteps;

  constructor(parts: VscodeTasksParts, signal: AbortSignal) {
    this.#known = new KnownTasks((uri) => parts.pathOf(uri), signal, parts.only);
    this.#steps = new TaskSteps(parts, this.#known);
  }

  async all(): Promise<KnownTask[]> {
    const files = await this.#known.ofFiles();
    const labels = new Set(files.map(({ label, folder }) => `${label}\n${folder?.uri.toString() ?? ""}`));
    return [
      ...files,
      ...(await this.#known.ofExtensions()).filter(
        ({ label, folder }) => !labels.has(`${label}\n${folder?.uri.toString() ?? ""}`),
      ),
    ];
  }

  /** @throws ToolError `not_found`, `not_unique` */
  async find(label: string): Promise<KnownTask> {
    return (await this.#named(label, undefined)) ?? this.#unknown(label);
  }

  /**
   * Returns the stages that run before a task, and the task itself as the last.
   *
   * @param path the tasks that depend on it
   */
  async stages(task: KnownTask, path: readonly KnownTask[]): Promise<Stages> {
    if (path.includes(task)) {
      const cycle = [...path.slice(path.indexOf(task)), task].map(({ label }) => label);
      throw new ToolError(
        "unsupported",
        `${cycle[0] ?? task.label} depends on itself: ${cycle.join(" → ")}.`,
        "Remove one of these from dependsOn in .vscode/tasks.json.",
      );
    }
    const planned = this.#planned.get(task);
    if (planned !== undefined) {
      return planned;
    }
    const before: Stages[] = [];
    if ("file" in task.task) {
      for (const reference of task.task.file.dependsOn) {
        before.push(await this.stages(await this.#dependency(reference, task), [...path, task]));
      }
    }
    const isSequence = "file" in task.task && task.task.file.order === "sequence";
    const own = await this.#steps.step(task);
    const stages = once([
      ...(isSequence ? before.flat() : sideBySide(before)),
      ...(own === undefined ? [] : [new Map([[task, own]])]),
    ]);
    this.#planned.set(task, stages);
    return stages;
  }

  /** Finds a task by the label VS Code shows; a detected one also without its type. */
  async #named(label: string, near: vscode.WorkspaceFolder | undefined): Promise<KnownTask | undefined> {
    const files = await this.#known.ofFiles();
    const written = files.filter((task) => task.label === label || qualified(task) === label);
    if (written.length > 0) {
      return this.#only(label, written, near);
    }
    const detected = await this.#known.ofExtensions();
    const listed = detected.filter((task) => task.label === label || qualified(task) === label);
    return this.#only(
      label,
      listed.length > 0 ? listed : detected.filter(({ task }) => "detected" in task && task.detected.name === label),
      near,
    );
  }

  #only(label: string, found: readonly KnownTask[], near: vscode.WorkspaceFolder | undefined): KnownTask | undefined {
    const own = near === undefined || found.length < 2 ? found : found.filter(({ folder }) => folder === near);
    const tasks = own.length === 0 ? found : own;
    if (tasks.length > 1) {
      const names = [...new Set(tasks.map((task) => `${qualified(task)} of ${task.source}`))];
      const isSame = names.length === 1;
      throw new ToolError(
        "not_unique",
        `${excerpt(label)}: ${tasks.length} tasks have this label: ${names.join(", ")}.`,
        isSame
          ? "Give them different labels in .vscode/tasks.json."
          : `Give the label with its type or folder, for example ${qualified(tasks[0] as KnownTask)}.`,
      );
    }
    return tasks[0];
  }

  async #unknown(label: string): Promise<never> {
    const labels = (await this.all()).map((task) => task.label);
    const near = nearestNames(label, labels);
    const all =
      labels.length === 0
        ? "The workspace has no tasks."
        : `The tasks are: ${labels.slice(0, MAX_NAMED).join(", ")}${labels.length > MAX_NAMED ? ` and ${labels.length - MAX_NAMED} more` : ""}.`;
    throw new ToolError(
      "not_found",
      [`${excerpt(label)}: there is no such task.`, ...this.#known.missing].join(" "),
      near.length > 0 ? `Did you mean ${near.join(" or ")}?` : all,
    );
  }

  async #dependency(reference: TaskReference, task: KnownTask): Promise<KnownTask> {
    const found =
      typeof reference === "string" ? await this.#named(reference, task.folder) : await this.#defined(reference, task);
    if (found === undefined) {
      const name = typeof reference === "string" ? reference : JSON.stringify(reference);
      throw new ToolError(
        "not_found",
        [`${task.label} depends on ${excerpt(name)}, and there is no such task.`, ...this.#known.missing].join(" "),
        "Correct its dependsOn in .vscode/tasks.json.",
      );
    }
    return found;
  }

  /** Finds a task by its type's own properties: `{ "type": "npm", "script": "build" }`. */
  async #defined(definition: Readonly<Record<string, unknown>>, { folder }: KnownTask): Promise<KnownTask | undefined> {
    const written = (await this.#known.ofFiles()).find(
      ({ task, folder: own }) =>
        own === folder &&
        "file" in task &&
        Object.entries(definition).every(([key, value]) => sameJson(task.file.definition[key], value)),
    );
    const detected = await this.#known.matching(definition, folder);
    return written ?? (detected && this.#known.known(detected));
  }
}

/** Returns the label by which VS Code distinguishes tasks with the same label in several folders. */
function qualified({ label, folder, source, task }: KnownTask): string {
  const name = "detected" in task || folder !== undefined ? label : `${label} of ${source}`;
  return folder === undefined ? name : `${name} (${folder.name})`;
}

/** Runs all the first stages together, then the second ones, and so on. */
function sideBySide(plans: readonly Stages[]): Stages {
  const length = Math.max(0, ...plans.map((stages) => stages.length));
  return Array.from({ length }, (_, at) => new Map(plans.flatMap((stages) => [...(stages[at] ?? [])])));
}

/** Keeps every task only where it occurs first. */
function once(stages: Stages): Stages {
  const seen = new Set<KnownTask>();
  const left = stages.map((stage) => {
    const fresh = new Map([...stage].filter(([task]) => !seen.has(task)));
    fresh.forEach((_, task) => seen.add(task));
    return fresh;
  });
  return left.filter(({ size }) => size > 0);
}
