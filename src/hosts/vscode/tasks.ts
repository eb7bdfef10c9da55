import { isAbsolute, join } from "node:path";
import * as vscode from "vscode";
import { ToolError } from "../../core/errors.js";
import type { ResolvedTask, TaskName, Tasks, TaskStep } from "../../ports/tasks.js";
import { excerpt } from "../../text/clip.js";
import { parseJsonc } from "../../text/jsonc.js";
import { nearestNames } from "../../text/nearest.js";
import { isCurrentVersion, tasksOfFile, type FileTask, type TaskPlatform, type TaskReference } from "./tasksFile.js";
import { bashWord, processLine, shellLine, type Quoting, type TaskWord } from "./tasksShell.js";
import { expandTaskText, type TaskPlace } from "./tasksVariables.js";

/** Milliseconds the extensions that find tasks are given: VS Code asks all of them, and some run a build tool for it. */
const DETECTION_LIMIT = 5_000;
/** Labels named where none fits. */
const MAX_NAMED = 20;

/** What the tasks are made of. */
export interface VscodeTasksParts {
  /** A place as people write it; undefined outside the workspace. */
  pathOf(uri: vscode.Uri): Promise<string | undefined>;
  /** The environment commands are given. */
  environment(): NodeJS.ProcessEnv;
}

/** A task that somebody names. */
interface KnownTask {
  label: string;
  /** `Workspace`, `User`, `npm`, … */
  source: string;
  folder: vscode.WorkspaceFolder | undefined;
  task: { file: FileTask } | { detected: vscode.Task };
}

/** Steps by the tasks they belong to: a task that several depend on runs once. */
type Stages = Map<KnownTask, TaskStep>[];

/**
 * The window's tasks. Those of tasks.json are read from the file: VS Code's API tells neither what a task depends on nor what has been
 * written a moment ago. Those that extensions find come from the API.
 */
export class VscodeTasks implements Tasks {
  readonly #parts: VscodeTasksParts;

  constructor(parts: VscodeTasksParts) {
    this.#parts = parts;
  }

  async list(signal: AbortSignal): Promise<TaskName[]> {
    const known = await new TaskLookup(this.#parts, signal).all();
    return known.map((task) => ({ label: known.some((other) => other !== task && other.label === task.label) ? qualified(task) : task.label, source: task.source }));
  }

  async resolve(label: string, signal: AbortSignal): Promise<ResolvedTask> {
    const lookup = new TaskLookup(this.#parts, signal);
    const task = await lookup.find(label);
    const stages = await lookup.stages(task, []);
    if (stages.length === 0) {
      throw new ToolError("unsupported", `${excerpt(label)}: has no command, and depends on no task that has one.`);
    }
    return { label: task.label, stages: stages.map((stage) => [...stage.values()]) };
  }
}

/** One look at all tasks. */
class TaskLookup {
  readonly #planned = new Map<KnownTask, Stages>();
  /** What could not be looked at, for people. */
  readonly #missing: string[] = [];
  #files: Promise<KnownTask[]> | undefined;
  #detected: Promise<vscode.Task[]> | undefined;

  constructor(
    readonly parts: VscodeTasksParts,
    readonly signal: AbortSignal,
  ) {}

  async all(): Promise<KnownTask[]> {
    const files = await this.#ofFiles();
    const labels = new Set(files.map(({ label, folder }) => `${label}\n${folder?.uri.toString() ?? ""}`));
    return [...files, ...(await this.#ofExtensions()).filter(({ label, folder }) => !labels.has(`${label}\n${folder?.uri.toString() ?? ""}`))];
  }

  /** @throws ToolError `not_found`, `not_unique` */
  async find(label: string): Promise<KnownTask> {
    return (await this.#named(label, undefined)) ?? this.#unknown(label);
  }

  /**
   * What runs before a task and the task itself.
   *
   * @param path the tasks that wait for it
   */
  async stages(task: KnownTask, path: readonly KnownTask[]): Promise<Stages> {
    if (path.includes(task)) {
      const cycle = [...path.slice(path.indexOf(task)), task].map(({ label }) => label);
      throw new ToolError("unsupported", `${cycle[0] ?? task.label}: depends on itself: ${cycle.join(" → ")}.`, "Take one of these out of dependsOn in .vscode/tasks.json.");
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
    const own = await this.#step(task);
    const stages = once([...(isSequence ? before.flat() : sideBySide(before)), ...(own === undefined ? [] : [new Map([[task, own]])])]);
    this.#planned.set(task, stages);
    return stages;
  }

  /** The task of a label as VS Code shows it, of a detected one also without its type. */
  async #named(label: string, near: vscode.WorkspaceFolder | undefined): Promise<KnownTask | undefined> {
    const files = await this.#ofFiles();
    const written = files.filter((task) => task.label === label || qualified(task) === label);
    if (written.length > 0) {
      return this.#only(label, written, near);
    }
    const detected = await this.#ofExtensions();
    const listed = detected.filter((task) => task.label === label || qualified(task) === label);
    return this.#only(label, listed.length > 0 ? listed : detected.filter(({ task }) => "detected" in task && task.detected.name === label), near);
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
        isSame ? "Give them different labels in .vscode/tasks.json." : `Give the label with its type or folder: ${qualified(tasks[0] as KnownTask)}.`,
      );
    }
    return tasks[0];
  }

  async #unknown(label: string): Promise<never> {
    const labels = (await this.all()).map((task) => task.label);
    const near = nearestNames(label, labels);
    const all = labels.length === 0 ? "The workspace has no tasks." : `The tasks are: ${labels.slice(0, MAX_NAMED).join(", ")}${labels.length > MAX_NAMED ? ` and ${labels.length - MAX_NAMED} more` : ""}.`;
    throw new ToolError("not_found", [`${excerpt(label)}: there is no such task.`, ...this.#missing].join(" "), near.length > 0 ? `Did you mean ${near.join(" or ")}?` : all);
  }

  async #dependency(reference: TaskReference, task: KnownTask): Promise<KnownTask> {
    const found = typeof reference === "string" ? await this.#named(reference, task.folder) : await this.#defined(reference, task);
    if (found === undefined) {
      const name = typeof reference === "string" ? reference : JSON.stringify(reference);
      throw new ToolError("not_found", [`${task.label}: depends on ${excerpt(name)}, and there is no such task.`, ...this.#missing].join(" "), "Correct its dependsOn in .vscode/tasks.json.");
    }
    return found;
  }

  /** The task of what its type knows it by: `{ "type": "npm", "script": "build" }`. */
  async #defined(definition: Readonly<Record<string, unknown>>, { folder }: KnownTask): Promise<KnownTask | undefined> {
    const written = (await this.#ofFiles()).find(({ task, folder: own }) => own === folder && "file" in task && Object.entries(definition).every(([key, value]) => same(task.file.definition[key], value)));
    const detected = await this.#matching(definition, folder);
    return written ?? (detected && toKnown(detected));
  }

  /** The task an extension has for a definition, whether or not tasks.json changes something about it. */
  async #matching(definition: Readonly<Record<string, unknown>>, folder: vscode.WorkspaceFolder | undefined): Promise<vscode.Task | undefined> {
    return (await this.#fetched()).find(
      (task) => (folder === undefined || folderOf(task)?.uri.toString() === folder.uri.toString()) && Object.entries(task.definition).every(([key, value]) => value === undefined || same(definition[key], value)),
    );
  }

  async #step(known: KnownTask): Promise<TaskStep | undefined> {
    const { label, folder, task } = known;
    const place: TaskPlace = { label, folder, environment: this.parts.environment() };
    if ("detected" in task) {
      return this.#detectedStep(place, task.detected, task.detected.isBackground);
    }
    const { file } = task;
    if (file.type !== undefined && file.type !== "shell" && file.type !== "process") {
      const detected = await this.#matching(file.definition, folder);
      return detected === undefined ? this.#byType(place, file) : this.#detectedStep(place, detected, file.background || detected.isBackground);
    }
    if (file.command === undefined) {
      if (file.dependsOn.length === 0) {
        throw new ToolError("unsupported", `${label}: has no command.`);
      }
      return undefined;
    }
    const expand = (word: TaskWord): TaskWord => (typeof word === "string" ? expandTaskText(word, place) : { ...word, value: expandTaskText(word.value, place) });
    const [command, args] = [expand(file.command), file.args.map(expand)];
    const line = file.type === "shell" ? shellLine(command, args) : processLine(valueOf(command), args.map(valueOf));
    const shell = file.type === "shell" && file.shell !== undefined ? { executable: expandTaskText(file.shell.executable, place), args: file.shell.args.map((arg) => expandTaskText(arg, place)) } : undefined;
    return this.#toStep(place, { line, shell, cwd: file.cwd, env: file.env, background: file.background });
  }

  /** A task of a type whose extension said nothing of it. Scripts of npm are plain enough without. */
  async #byType(place: TaskPlace, { definition, background, env }: FileTask): Promise<TaskStep> {
    const { type, script, path } = definition;
    if (type !== "npm" || typeof script !== "string") {
      throw new ToolError("unsupported", [`${place.label}: is of the type ${excerpt(String(type))}, and no extension gives its command.`, ...this.#missing].join(" "));
    }
    const line = script === "install" ? "npm install" : processLine("npm", ["run", script]);
    return this.#toStep(place, { line, shell: undefined, cwd: typeof path === "string" ? path : undefined, env, background });
  }

  async #detectedStep(place: TaskPlace, { execution, source }: vscode.Task, background: boolean): Promise<TaskStep> {
    const expand = (word: string | vscode.ShellQuotedString): TaskWord => (typeof word === "string" ? expandTaskText(word, place) : { value: expandTaskText(word.value, place), quoting: QUOTINGS[word.quoting] });
    if (execution instanceof vscode.ProcessExecution) {
      const line = processLine(expandTaskText(execution.process, place), execution.args.map((arg) => expandTaskText(arg, place)));
      return this.#toStep(place, { line, shell: undefined, cwd: execution.options?.cwd, env: execution.options?.env ?? {}, background });
    }
    if (execution instanceof vscode.ShellExecution) {
      const { commandLine, command, args, options } = execution;
      const line = commandLine === undefined ? shellLine(expand(command ?? ""), (args ?? []).map(expand)) : expandTaskText(commandLine, place);
      const shell = options?.executable === undefined ? undefined : { executable: options.executable, args: options.shellArgs ?? [] };
      return this.#toStep(place, { line, shell, cwd: options?.cwd, env: options?.env ?? {}, background });
    }
    throw new ToolError("unsupported", `${place.label}: the extension behind ${source} runs it itself, without a command.`, "Ask the user to run it: Terminal: Run Task.");
  }

  async #toStep(
    place: TaskPlace,
    { line, shell, cwd = "", env, background }: { line: string; shell: { executable: string; args: string[] } | undefined; cwd: string | undefined; env: Record<string, string | null>; background: boolean },
  ): Promise<TaskStep> {
    if (line.trim() === "") {
      throw new ToolError("unsupported", `${place.label}: its command is empty.`);
    }
    const unset = Object.keys(env).filter((name) => env[name] === null && /^[A-Za-z_]\w*$/.test(name));
    const command = shell === undefined ? line : processLine(shell.executable, [...(shell.args.length === 0 ? ["-c"] : shell.args), line]);
    return {
      label: place.label,
      command: unset.length === 0 ? command : `unset ${unset.map(bashWord).join(" ")}\n${command}`,
      workdir: await this.#workdir(place, expandTaskText(cwd, place)),
      env: Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === null ? [] : [[name, expandTaskText(value, place)]]))),
      background,
    };
  }

  async #workdir({ label, folder }: TaskPlace, cwd: string): Promise<string> {
    if (folder === undefined && !isAbsolute(cwd)) {
      throw new ToolError("unsupported", `${label}: does not say in which of the workspace's folders it runs.`, "Give it options.cwd with ${workspaceFolder:name}.");
    }
    const uri = isAbsolute(cwd) || folder === undefined ? vscode.Uri.file(cwd) : vscode.Uri.file(join(folder.uri.fsPath, cwd));
    // Outside the workspace it stays absolute: the gate says so in its own words.
    return (await this.parts.pathOf(uri)) ?? uri.fsPath;
  }

  #ofFiles(): Promise<KnownTask[]> {
    return (this.#files ??= this.#readFiles());
  }

  async #ofExtensions(): Promise<KnownTask[]> {
    return (await this.#fetched()).filter(({ source }) => source !== "Workspace" && source !== "User").map(toKnown);
  }

  #fetched(): Promise<vscode.Task[]> {
    return (this.#detected ??= this.#fetch());
  }

  async #fetch(): Promise<vscode.Task[]> {
    const limit = AbortSignal.any([this.signal, AbortSignal.timeout(DETECTION_LIMIT)]);
    const late = new Promise<undefined>((resolve) => (limit.aborted ? resolve(undefined) : limit.addEventListener("abort", () => resolve(undefined), { once: true })));
    // One extension that fails takes all with it.
    const fetched = vscode.tasks.fetchTasks().then(
      (tasks) => ({ tasks }),
      (error: unknown) => ({ why: `could not be asked for: ${error instanceof Error ? error.message : String(error)}` }),
    );
    const answer = await Promise.race([fetched, late]);
    if (answer !== undefined && "tasks" in answer) {
      return answer.tasks;
    }
    const why = answer?.why ?? `did not come within ${DETECTION_LIMIT / 1_000} s`;
    this.#missing.push(`(The tasks that extensions find are not among them: they ${why}.)`);
    return [];
  }

  async #readFiles(): Promise<KnownTask[]> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const found: KnownTask[] = [];
    for (const folder of folders) {
      const content = await this.#readFile(folder);
      found.push(...tasksOfFile(content, platform()).map((file) => ({ label: file.label, source: "Workspace", folder, task: { file } })));
    }
    // Of the user, and of a workspace file, only the settings tell.
    const folder = folders.length === 1 ? folders[0] : undefined;
    const settings = vscode.workspace.getConfiguration("tasks").inspect<unknown>("tasks");
    const more = [
      { source: "Workspace", tasks: vscode.workspace.workspaceFile === undefined ? undefined : settings?.workspaceValue },
      { source: "User", tasks: settings?.globalValue },
    ];
    for (const { source, tasks } of more) {
      for (const file of tasksOfFile({ tasks }, platform())) {
        // The nearest of the same label wins, as it does in VS Code.
        if (!found.some(({ label }) => label === file.label)) {
          found.push({ label: file.label, source, folder, task: { file } });
        }
      }
    }
    return found;
  }

  async #readFile(folder: vscode.WorkspaceFolder): Promise<unknown> {
    const uri = vscode.Uri.joinPath(folder.uri, ".vscode", "tasks.json");
    const name = (await this.parts.pathOf(uri)) ?? uri.fsPath;
    const bytes = await vscode.workspace.fs.readFile(uri).then(
      (read) => read,
      () => undefined,
    );
    if (bytes === undefined) {
      return undefined;
    }
    try {
      const content = parseJsonc(new TextDecoder().decode(bytes));
      if (content !== undefined && !isCurrentVersion(content)) {
        this.#missing.push(`(${name} is not of version 2.0.0, and its tasks are not among them.)`);
        return undefined;
      }
      return content;
    } catch (error) {
      this.#missing.push(`(${name} cannot be read: ${error instanceof Error ? error.message : String(error)})`);
      return undefined;
    }
  }
}

const QUOTINGS: Record<vscode.ShellQuoting, Quoting> = {
  [vscode.ShellQuoting.Escape]: "escape",
  [vscode.ShellQuoting.Strong]: "strong",
  [vscode.ShellQuoting.Weak]: "weak",
};

/** As VS Code tells tasks of the same label in several folders apart. */
function qualified({ label, folder, source, task }: KnownTask): string {
  const name = "detected" in task || folder !== undefined ? label : `${label} of ${source}`;
  return folder === undefined ? name : `${name} (${folder.name})`;
}

function toKnown(task: vscode.Task): KnownTask {
  return { label: `${task.source}: ${task.name}`, source: task.source, folder: folderOf(task), task: { detected: task } };
}

function folderOf({ scope }: vscode.Task): vscode.WorkspaceFolder | undefined {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (typeof scope === "object") {
    return folders.find(({ uri }) => uri.toString() === scope.uri.toString());
  }
  return folders.length === 1 ? folders[0] : undefined;
}

function platform(): TaskPlatform {
  return process.platform === "win32" ? "windows" : process.platform === "darwin" ? "osx" : "linux";
}

function valueOf(word: TaskWord): string {
  return typeof word === "string" ? word : word.value;
}

/** The first stages of all together, then the second ones. */
function sideBySide(plans: readonly Stages[]): Stages {
  const length = Math.max(0, ...plans.map((stages) => stages.length));
  return Array.from({ length }, (_, at) => new Map(plans.flatMap((stages) => [...(stages[at] ?? [])])));
}

/** Every task where it comes first. */
function once(stages: Stages): Stages {
  const seen = new Set<KnownTask>();
  const left = stages.map((stage) => {
    const fresh = new Map([...stage].filter(([task]) => !seen.has(task)));
    fresh.forEach((_, task) => seen.add(task));
    return fresh;
  });
  return left.filter(({ size }) => size > 0);
}

/** Whether two values of JSON are the same. */
function same(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
