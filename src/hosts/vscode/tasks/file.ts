import type { Quoting, TaskWord } from "./shell.js";

/** Platforms for which tasks.json may have separate values. */
export type TaskPlatform = "windows" | "osx" | "linux";

/** How a task refers to another one: by its label, or by its type's own properties. */
export type TaskReference = string | Readonly<Record<string, unknown>>;

/** A task from tasks.json, with variables not replaced yet. */
export interface FileTask {
  label: string;
  /** `shell`, `process`, undefined if not given, or a type that an extension provides. */
  type: string | undefined;
  /** Undefined if an extension provides it, or the task only groups others. */
  command: TaskWord | undefined;
  args: TaskWord[];
  cwd: string | undefined;
  /** null removes a variable. */
  env: Record<string, string | null>;
  shell: { executable: string; args: string[] } | undefined;
  dependsOn: TaskReference[];
  order: "parallel" | "sequence";
  background: boolean;
  /** Entries of the file's `inputs`, as they stand: what `${input:…}` asks for. */
  inputs: readonly unknown[];
  /** The whole entry in the file. */
  definition: Readonly<Record<string, unknown>>;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the tasks of a tasks.json of version 2.0.0 (https://code.visualstudio.com/docs/reference/tasks-appendix). An
 * entry that is not a task is skipped, as in VS Code; a property with the wrong shape counts as absent.
 *
 * @param content parsed
 */
export function tasksOfFile(content: unknown, platform: TaskPlatform): FileTask[] {
  const file = fields(content);
  const general = [file, fields(file[platform])];
  return list(file.tasks).flatMap((task) => {
    const own = fields(task);
    return Object.keys(own).length === 0 ? [] : [toTask(own, fields(own[platform]), general)];
  });
}

/**
 * Whether a file has the version in use since 2017. Without a version, VS Code treats it as the old one and says so.
 */
export function isCurrentVersion(content: unknown): boolean {
  return fields(content).version === "2.0.0";
}

function toTask(own: Fields, here: Fields, general: readonly Fields[]): FileTask {
  const merged = { ...own, ...here };
  const type = text(own.type);
  // The nearest level wins; variables of all levels are combined.
  const options = [...general, own, here].map((level) => fields(level.options));
  const shells = options.map(({ shell }) => fields(shell)).filter(({ executable }) => text(executable) !== undefined);
  const shell = shells.at(-1);
  return {
    label: text(own.label) ?? text(own.taskName) ?? defaultLabel(own, type),
    type,
    command: word(merged.command),
    args: list(merged.args).flatMap((arg) => word(arg) ?? []),
    cwd: options.map(({ cwd }) => text(cwd)).findLast((cwd) => cwd !== undefined),
    env: Object.assign({}, ...options.map(({ env }) => variables(env))) as Record<string, string | null>,
    shell: shell && {
      executable: text(shell.executable) ?? "",
      args: list(shell.args).flatMap((arg) => text(arg) ?? []),
    },
    dependsOn: (Array.isArray(own.dependsOn) ? list(own.dependsOn) : [own.dependsOn]).flatMap(reference),
    order: own.dependsOrder === "sequence" ? "sequence" : "parallel",
    background: merged.isBackground === true,
    inputs: general.flatMap(({ inputs }) => (Array.isArray(inputs) ? (inputs as unknown[]) : [])),
    definition: own,
  };
}

/** Returns VS Code's name for a task without a label: its type and the property that identifies it within the type. */
function defaultLabel(own: Fields, type: string | undefined): string {
  const what = text(own.script) ?? text(own.task) ?? text(own.command) ?? "";
  return type === undefined ? what : `${type}: ${what}`;
}

function reference(value: unknown): TaskReference[] {
  const definition = fields(value);
  return typeof value === "string" ? [value] : Object.keys(definition).length > 0 ? [definition] : [];
}

function word(value: unknown): TaskWord | undefined {
  if (isPlain(value)) {
    return String(value);
  }
  const { value: given, quoting } = fields(value);
  // A value may be split into pieces.
  const whole = Array.isArray(given) ? given.filter((piece) => typeof piece === "string").join(" ") : text(given);
  if (whole === undefined) {
    return undefined;
  }
  return isQuoting(quoting) ? { value: whole, quoting } : whole;
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function isQuoting(value: unknown): value is Quoting {
  return value === "escape" || value === "strong" || value === "weak";
}

function variables(value: unknown): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(fields(value)).flatMap(([name, given]): [string, string | null][] =>
      given === null ? [[name, null]] : isPlain(given) ? [[name, String(given)]] : [],
    ),
  );
}

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
