import { Option, type Command } from "commander";
import type { Tool } from "../../core/contract.js";
import { WORK_PLACES } from "../../features/documents/fields.js";
import type { PlacedRule } from "../../ports/rules.js";
import { ALLOW_ALL, ALLOW_FORMS, readAllowedRules } from "./allow.js";
import { collect } from "./collect.js";

/** A request to `toolhost work`. */
export interface WorkRequest {
  /** Whether to look only once: do at most one task, and run the schedules that are due now. */
  once: boolean;
  tasks: boolean;
  schedules: boolean;
  /** Names of schedules to approve; if given, nothing runs. */
  approve: readonly string[];
  model: string | undefined;
  baseUrl: string | undefined;
  apiKey: string | undefined;
  /** Allow rules for this run only. */
  rules: readonly PlacedRule[];
  /** Whether each task and schedule works in a copy of the folder, and how many tasks are done at once. */
  inCopies: boolean;
  parallel: number;
  /** Whether calls are decided on in mode bypass. */
  allowAll: boolean;
  json: boolean;
}

/** What the command needs from the command line. */
export interface WorkDoor {
  /** All tools of Toolhost that a rule may name. */
  tools: readonly Tool[];
  /** Reads the user's own tools, which a rule may name, too. */
  ownTools(): Promise<readonly Tool[]>;
  /** Does the work. Returns the exit code. */
  run(request: WorkRequest): Promise<number>;
  /** Creates an error about wrong usage. */
  usage(message: string): Error;
  finish(exitCode: number): void;
}

interface Given {
  once?: boolean;
  tasksOnly?: boolean;
  schedulesOnly?: boolean;
  sandbox?: string;
  parallel?: string;
  approve?: string[];
  model?: string;
  baseUrl?: string;
  apiKey?: string;
  allow?: string[];
  allowAll?: boolean;
  json?: boolean;
}

/** Adds `toolhost work`: does the folder's tasks and runs its schedules until stopped. */
export function addWorkCommand(program: Command, door: WorkDoor): void {
  program
    .command("work")
    .description("work on the folder's tasks and schedules, each in its own session, until stopped")
    .option("--once", "do the next task, if any, and run the schedules that are due now; then end")
    .addOption(new Option("--tasks-only", "do not run schedules").conflicts("schedulesOnly"))
    .option("--schedules-only", "do not do tasks")
    .addOption(
      new Option(
        "--sandbox <kind>",
        "worktree: do each task and schedule in a copy of the folder, and merge its changes when it is done (default: those whose files say so)",
      ).choices(WORK_PLACES),
    )
    .option("--parallel <number>", `do so many tasks at once, each in its copy (up to ${MAX_PARALLEL})`)
    .option("--approve <id>", "show a schedule and approve exactly what its file says; then end (repeatable)", collect)
    .option(
      "--model <id>",
      "the model (default: OPENAI_MODEL, else the server's only one); a schedule may name its own",
    )
    .option("--base-url <url>", "the OpenAI-compatible server, up to /v1 (default: OPENAI_BASE_URL)")
    .option("--api-key <key>", "its API key (default: OPENAI_API_KEY, which other users of this machine cannot see)")
    .option("--allow <rule>", `allow instead of asking: ${ALLOW_FORMS} (repeatable)`, collect)
    .option("--allow-all", ALLOW_ALL)
    .option("--json", "print every event as a line of JSON")
    .addHelpText(
      "after",
      "\nCalls that need permission ask on the terminal for up to ten minutes; without a terminal they are denied unless --allow covers them or --allow-all is given (docs/permissions.md)." +
        "\nA schedule runs once you have approved exactly what its file says. Several workers and windows on one folder share the work." +
        "\nExit code 0: done, or stopped (Ctrl+C) while nothing ran; 1: a task or schedule of --once failed, or nothing can run here; 2: the command line is wrong; 130: stopped while something ran.",
    )
    .action(async (options: Given) => {
      const own = options.allow === undefined ? [] : await door.ownTools();
      door.finish(await door.run(readRequest({ ...door, tools: [...door.tools, ...own] }, options)));
    });
}

/** Maximum number of tasks that one command does at once. */
const MAX_PARALLEL = 16;

function readParallel(given: string | undefined, inCopies: boolean, door: WorkDoor): number {
  const parallel = Number(given ?? 1);
  if (!/^\d+$/.test(given ?? "1") || parallel < 1 || parallel > MAX_PARALLEL) {
    throw door.usage(`--parallel ${given}: expected a number from 1 to ${MAX_PARALLEL}.`);
  }
  if (parallel > 1 && !inCopies) {
    throw door.usage(
      "--parallel: tasks at once would change the same files under each other. Give each a copy of the folder: --sandbox worktree.",
    );
  }
  return parallel;
}

function readRequest(door: WorkDoor, options: Given): WorkRequest {
  const rules = readAllowedRules(options.allow, door);
  const inCopies = options.sandbox !== undefined;
  return {
    once: options.once === true,
    tasks: options.schedulesOnly !== true,
    schedules: options.tasksOnly !== true,
    ...{ inCopies, parallel: readParallel(options.parallel, inCopies, door) },
    approve: options.approve ?? [],
    ...{ model: options.model, baseUrl: options.baseUrl, apiKey: options.apiKey },
    rules,
    allowAll: options.allowAll === true,
    json: options.json === true,
  };
}
