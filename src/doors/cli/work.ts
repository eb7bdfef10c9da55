import { Option, type Command } from "commander";
import type { Tool } from "../../core/contract.js";
import type { PlacedRule } from "../../ports/rules.js";
import { ALLOW_FORMS, readAllowedRules } from "./allow.js";

/** What `toolhost work` is to do. */
export interface WorkRequest {
  /** One look: a task at most, and the schedules that are due now. */
  once: boolean;
  tasks: boolean;
  schedules: boolean;
  /** Names of schedules to approve; then nothing runs. */
  approve: readonly string[];
  model: string | undefined;
  baseUrl: string | undefined;
  apiKey: string | undefined;
  /** Rules that allow, for this run alone. */
  rules: readonly PlacedRule[];
  json: boolean;
}

/** What the command needs of the command line. */
export interface WorkDoor {
  /** All tools that a rule may name. */
  tools: readonly Tool[];
  /** Works, and gives the exit code. */
  run(request: WorkRequest): Promise<number>;
  /** Makes an error that says the command line is wrong. */
  usage(message: string): Error;
  finish(exitCode: number): void;
}

interface Given {
  once?: boolean;
  tasksOnly?: boolean;
  schedulesOnly?: boolean;
  approve?: string[];
  model?: string;
  baseUrl?: string;
  apiKey?: string;
  allow?: string[];
  json?: boolean;
}

/** `toolhost work`: does the tasks of the folder and says its schedules, until it is stopped. */
export function addWorkCommand(program: Command, door: WorkDoor): void {
  program
    .command("work")
    .description("do the tasks of the folder and run its schedules, each in a session of its own, until it is stopped")
    .option("--once", "do the next task, if there is one, and what schedules are due now; then end")
    .addOption(new Option("--tasks-only", "leave schedules alone").conflicts("schedulesOnly"))
    .option("--schedules-only", "leave tasks alone")
    .option("--approve <id>", "show a schedule and approve exactly what its file says; then end (repeatable)", collect)
    .option(
      "--model <id>",
      "the model (default: OPENAI_MODEL, else the server's only one); a schedule may name its own",
    )
    .option("--base-url <url>", "the OpenAI-compatible server, up to /v1 (default: OPENAI_BASE_URL)")
    .option("--api-key <key>", "its key (default: OPENAI_API_KEY, which other users of this machine do not see)")
    .option("--allow <rule>", `allow what would be asked: ${ALLOW_FORMS} (repeatable)`, collect)
    .option("--json", "print every event as a line of JSON")
    .addHelpText(
      "after",
      "\nWhat needs permission is asked on the terminal for ten minutes; without one it is denied unless --allow covers it (docs/permissions.md)." +
        "\nA schedule runs once you have approved exactly what its file says. Several workers and windows on one folder share the work." +
        "\nExit code 0: done, or stopped (Ctrl+C) while nothing ran; 1: a task or schedule of --once failed, or nothing can run here; 2: the command line is wrong; 130: stopped in the middle.",
    )
    .action(async (options: Given) => door.finish(await door.run(readRequest(door, options))));
}

function readRequest(door: WorkDoor, options: Given): WorkRequest {
  const rules = readAllowedRules(options.allow, door);
  return {
    once: options.once === true,
    tasks: options.schedulesOnly !== true,
    schedules: options.tasksOnly !== true,
    approve: options.approve ?? [],
    ...{ model: options.model, baseUrl: options.baseUrl, apiKey: options.apiKey },
    rules,
    json: options.json === true,
  };
}

function collect(word: string, before: string[] | undefined): string[] {
  return [...(before ?? []), word];
}
