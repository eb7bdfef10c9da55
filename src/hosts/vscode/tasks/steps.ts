import { isAbsolute, join } from "node:path";
import * as vscode from "vscode";
import { ToolError } from "../../../core/errors.js";
import type { TaskStep } from "../../../ports/tasks.js";
import { excerpt } from "../../../text/clip.js";
import type { FileTask } from "./file.js";
import type { KnownTask, KnownTasks } from "./known.js";
import { readyPattern } from "./ready.js";
import { bashWord, processLine, shellLine, type Quoting, type TaskWord } from "./shell.js";
import { expandTaskText, type TaskPlace } from "./variables.js";

const QUOTINGS: Record<vscode.ShellQuoting, Quoting> = {
  [vscode.ShellQuoting.Escape]: "escape",
  [vscode.ShellQuoting.Strong]: "strong",
  [vscode.ShellQuoting.Weak]: "weak",
};

/** What a window provides for its tasks. */
export interface VscodeTasksParts {
  /** Returns a place as people write it; undefined outside the workspace. */
  pathOf(uri: vscode.Uri): Promise<string | undefined>;
  /** The path of the only folder whose tasks there are; all of the window's folders if absent. */
  only?: string | undefined;
  /** The environment that commands get. */
  environment(): NodeJS.ProcessEnv;
}

/** The commands that tasks run: each with its folder and environment, and VS Code's variables replaced. */
export class TaskSteps {
  readonly #parts: VscodeTasksParts;
  readonly #known: KnownTasks;

  constructor(parts: VscodeTasksParts, known: KnownTasks) {
    this.#parts = parts;
    this.#known = known;
  }

  /**
   * Returns a task's command.
   *
   * @returns undefined for a task that only depends on others
   * @throws ToolError `unsupported`
   */
  async step(known: KnownTask): Promise<TaskStep | undefined> {
    const { label, folder, task } = known;
    const place: TaskPlace = {
      label,
      folder,
      environment: this.#parts.environment(),
      inputs: "file" in task ? task.file.inputs : [],
    };
    if ("detected" in task) {
      const { isBackground, problemMatchers } = task.detected;
      return withReady(await this.#detectedStep(place, task.detected, isBackground), problemMatchers);
    }
    const { file } = task;
    if (file.type !== undefined && file.type !== "shell" && file.type !== "process") {
      const detected = await this.#known.matching(file.definition, folder);
      return withReady(
        detected === undefined
          ? await this.#byType(place, file)
          : await this.#detectedStep(place, detected, file.background || detected.isBackground),
        file.definition["problemMatcher"] ?? detected?.problemMatchers,
      );
    }
    if (file.command === undefined) {
      if (file.dependsOn.length === 0) {
        throw new ToolError("unsupported", `${label} has no command.`);
      }
      return undefined;
    }
    const expand = (word: TaskWord): TaskWord =>
      typeof word === "string" ? expandTaskText(word, place) : { ...word, value: expandTaskText(word.value, place) };
    const [command, args] = [expand(file.command), file.args.map(expand)];
    const line = file.type === "shell" ? shellLine(command, args) : processLine(valueOf(command), args.map(valueOf));
    const shell =
      file.type === "shell" && file.shell !== undefined
        ? {
            executable: expandTaskText(file.shell.executable, place),
            args: file.shell.args.map((arg) => expandTaskText(arg, place)),
          }
        : undefined;
    return withReady(
      await this.#toStep(place, { line, shell, cwd: file.cwd, env: file.env, background: file.background }),
      file.definition["problemMatcher"],
    );
  }

  /** Handles a task of a type whose extension did not report it. npm scripts are simple enough without one. */
  async #byType(place: TaskPlace, { definition, background, env }: FileTask): Promise<TaskStep> {
    const { type, script, path } = definition;
    if (type !== "npm" || typeof script !== "string") {
      throw new ToolError(
        "unsupported",
        [
          `${place.label} has the type ${excerpt(String(type))}, and no extension provides its command.`,
          ...this.#known.missing,
        ].join(" "),
      );
    }
    const line = script === "install" ? "npm install" : processLine("npm", ["run", script]);
    return this.#toStep(place, {
      line,
      shell: undefined,
      cwd: typeof path === "string" ? path : undefined,
      env,
      background,
    });
  }

  async #detectedStep(place: TaskPlace, { execution, source }: vscode.Task, background: boolean): Promise<TaskStep> {
    const expand = (word: string | vscode.ShellQuotedString): TaskWord =>
      typeof word === "string"
        ? expandTaskText(word, place)
        : { value: expandTaskText(word.value, place), quoting: QUOTINGS[word.quoting] };
    if (execution instanceof vscode.ProcessExecution) {
      const line = processLine(
        expandTaskText(execution.process, place),
        execution.args.map((arg) => expandTaskText(arg, place)),
      );
      return this.#toStep(place, {
        line,
        shell: undefined,
        cwd: execution.options?.cwd,
        env: execution.options?.env ?? {},
        background,
      });
    }
    if (execution instanceof vscode.ShellExecution) {
      const { commandLine, command, args, options } = execution;
      const line =
        commandLine === undefined
          ? shellLine(expand(command ?? ""), (args ?? []).map(expand))
          : expandTaskText(commandLine, place);
      const shell =
        options?.executable === undefined
          ? undefined
          : { executable: options.executable, args: options.shellArgs ?? [] };
      return this.#toStep(place, { line, shell, cwd: options?.cwd, env: options?.env ?? {}, background });
    }
    throw new ToolError(
      "unsupported",
      `${place.label}: the extension behind ${source} runs it itself, without a command.`,
      "Ask the user to run it: Terminal: Run Task.",
    );
  }

  async #toStep(
    place: TaskPlace,
    {
      line,
      shell,
      cwd = "",
      env,
      background,
    }: {
      line: string;
      shell: { executable: string; args: string[] } | undefined;
      cwd: string | undefined;
      env: Record<string, string | null>;
      background: boolean;
    },
  ): Promise<TaskStep> {
    if (line.trim() === "") {
      throw new ToolError("unsupported", `${place.label}: its command is empty.`);
    }
    const unset = Object.keys(env).filter((name) => env[name] === null && /^[A-Za-z_]\w*$/.test(name));
    const command =
      shell === undefined
        ? line
        : processLine(shell.executable, [...(shell.args.length === 0 ? ["-c"] : shell.args), line]);
    return {
      label: place.label,
      command: unset.length === 0 ? command : `unset ${unset.map(bashWord).join(" ")}\n${command}`,
      workdir: await this.#workdir(place, expandTaskText(cwd, place)),
      env: Object.fromEntries(
        Object.entries(env).flatMap(([name, value]) => (value === null ? [] : [[name, expandTaskText(value, place)]])),
      ),
      background,
    };
  }

  async #workdir({ label, folder }: TaskPlace, cwd: string): Promise<string> {
    if (folder === undefined && !isAbsolute(cwd)) {
      throw new ToolError(
        "unsupported",
        `${label} does not say which workspace folder it runs in.`,
        "Give it options.cwd with ${workspaceFolder:name}.",
      );
    }
    const uri =
      isAbsolute(cwd) || folder === undefined ? vscode.Uri.file(cwd) : vscode.Uri.file(join(folder.uri.fsPath, cwd));
    // A path outside the workspace stays absolute: the gate reports that itself.
    return (await this.#parts.pathOf(uri)) ?? uri.fsPath;
  }
}

/** Adds to a background step how it says that it is ready. */
function withReady(step: TaskStep, matcher: unknown): TaskStep {
  const ready = step.background ? readyPattern(matcher, contributedMatcher) : undefined;
  return ready === undefined ? step : { ...step, ready };
}

/** Returns the problem matcher that an extension contributes under a name. */
function contributedMatcher(name: string): unknown {
  return vscode.extensions.all
    .flatMap(({ packageJSON }) => {
      const { contributes } = packageJSON as { contributes?: { problemMatchers?: unknown } };
      return Array.isArray(contributes?.problemMatchers) ? (contributes.problemMatchers as { name?: unknown }[]) : [];
    })
    .find((matcher) => matcher.name === name);
}

function valueOf(word: TaskWord): string {
  return typeof word === "string" ? word : word.value;
}
