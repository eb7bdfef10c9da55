import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";
import { ToolError } from "../../core/errors.js";
import type { CommandCall } from "../../ports/effects.js";
import type { Files } from "../../ports/files.js";
import type { Patterns } from "../../ports/patterns.js";
import type { ManagedProcess, Processes, ProcessOwner } from "../../ports/processes.js";
import type { ResolvedTask, TaskStep } from "../../ports/tasks.js";
import { commandData } from "../../features/processes/commandData.js";
import { describeCommand } from "../../features/processes/commandResult.js";
import { joinWhole, wholeOutput } from "../../features/processes/wholeOutput.js";
import {
  BACKGROUND_LOOK,
  DEFAULT_TIMEOUT,
  DEFAULT_WAIT as READY_WAIT,
  MAX_BACKGROUND_OUTPUT,
  MAX_OUTPUT,
  outputSize,
} from "./limits.js";
import { shownScript } from "./script.js";
import { matcher, waitUntil } from "./waitForOutput.js";
import { STOP_GRACE } from "../../features/processes/limits.js";
import { untilEnded } from "../../features/processes/untilEnded.js";

export const runTask = defineTool({
  name: "run_task",
  group: "runtime",
  title: "Run task",
  description:
    `Run a workspace task by its label, from tasks.json or as detected by VS Code (npm: build). Its dependencies run first. ` +
    `Each step runs as in exec, with exit code and output; a background task, or a last step that takes long, goes on: follow it with process.`,
  input: () => z.object({ label: z.string().min(1).describe("The task's label, as VS Code lists it.") }),
  aliases: { task: "label", name: "label", id: "label" },
  output: () =>
    z.object({
      label: z.string(),
      steps: z.array(commandData().extend({ label: z.string(), command: z.string() })),
    }),
  needs: ["files", "processes", "results", "tasks", "patterns"],
  paged: true,
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  positional: ["label"],
  // A task's definition can change at any time: the preview resolves it, and exactly the resolved steps run.
  touches: ({ label }) => [{ kind: "command", command: label, as: "task" }],
  summary: ({ label }) => `Run task ${label}`,
  preview: async ({ label }, { tasks, signal }) => {
    const plan = await tasks.resolve(label, signal);
    return { language: "bash", text: scriptOf(plan), plan };
  },
  timeout: () => (DEFAULT_TIMEOUT + 30) * 1_000,
  grace: STOP_GRACE,
  expose: "optional",
  execute: async (
    { label },
    {
      files,
      processes,
      results,
      tasks,
      patterns,
      signal,
      session,
      callId,
      report,
      readsData,
      byPerson,
      origin,
      answerSize,
    },
    shown: ResolvedTask | undefined,
  ) => {
    const plan = shown ?? (await tasks.resolve(label, signal));
    const ran: Ran[] = [];
    const handOver = byPerson || readsData ? undefined : processes.handOver;
    const until = Date.now() + DEFAULT_TIMEOUT * 1_000;
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(DEFAULT_TIMEOUT * 1_000)]);
    for (const stage of plan.stages) {
      report({ message: stage.map((step) => step.label).join(", ") });
      const running = await startAll(stage, {
        files,
        processes,
        apart: readsData,
        watched: origin,
        owner: { session, callId },
      });
      ran.push(...running);
      // What comes next needs the end of the others.
      const mayTakeLong = stage !== plan.stages.at(-1);
      await Promise.all(
        running.map(async (each) => {
          const { step, process } = each;
          if (step.background) {
            each.goesOn = await settle(each, patterns, deadline);
            return;
          }
          const limits = { limit: Math.max(0, until - Date.now()), mayTakeLong, handOver };
          each.goesOn = await untilEnded(process, limits, signal, ({ message }) =>
            report({ message: `${step.label}: ${message}` }),
          );
        }),
      );
      // After the deadline, stop even if a step exited with 0 when asked to end.
      if (deadline.aborted || running.some(({ process: { end } }) => end !== undefined && end.exitCode !== 0)) {
        break;
      }
    }
    const now = Date.now();
    // The steps share the room of one answer.
    const share = Math.floor(outputSize(MAX_OUTPUT, answerSize) / Math.max(1, ran.length));
    const told = await Promise.all(
      ran.map(async ({ step, process, goesOn }) => {
        const max = Math.min(share, process.background ? MAX_BACKGROUND_OUTPUT : MAX_OUTPUT);
        const { text, data } = await describeCommand(process, max, now, results);
        return { step, data, text: goesOn === undefined ? text : `${goesOn}\n${text}` };
      }),
    );
    const left = plan.stages
      .flat()
      .slice(ran.length)
      .map((step) => step.label);
    return {
      text: [
        ...told.map(({ step, text }) => `${step.label}: ${step.command}\n${text}`),
        ...(left.length === 0
          ? []
          : [
              `Not run because ${deadline.aborted ? "the task was stopped" : "an earlier step failed"}: ${left.join(", ")}.`,
            ]),
      ].join("\n\n"),
      data: {
        label: plan.label,
        steps: told.map(({ step, data }) => ({ ...data, label: step.label, command: step.command })),
      },
      whole: joinWhole(ran.map(({ step, process }) => ({ name: step.label, whole: wholeOutput(process, results) }))),
    };
  },
});

/** A step that was started. */
interface Ran {
  step: TaskStep;
  process: ManagedProcess;
  /** Why a step that was to end goes on, or whether a background step is ready. */
  goesOn?: string | undefined;
}

/** What starts the steps of a call. */
interface Starter {
  files: Files;
  processes: Processes;
  /** Whether to keep the streams of steps that end apart. */
  apart: boolean;
  /** As in `CommandRequest`. */
  watched: CommandCall | undefined;
  owner: ProcessOwner;
}

/** Starts all steps of a stage; if one cannot be started, stops the others. */
async function startAll(stage: readonly TaskStep[], starter: Starter): Promise<Ran[]> {
  const starts = await Promise.allSettled(stage.map(async (step) => ({ step, process: await start(step, starter) })));
  const running = starts.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const failed = starts.find((each) => each.status === "rejected");
  if (failed !== undefined) {
    await Promise.all(running.map(({ process }) => process.stop("cancelled")));
    throw failed.reason;
  }
  return running;
}

async function start(step: TaskStep, { files, processes, apart, watched, owner }: Starter): Promise<ManagedProcess> {
  const workdir = await files.resolve(step.workdir);
  if (workdir.root === undefined) {
    throw new ToolError("unsupported", `${step.label} does not say which workspace folder it runs in.`);
  }
  return processes.start(
    {
      ...{ command: step.command, workdir, env: step.env, interactive: step.background, title: step.label },
      apart: apart && !step.background,
      ...(watched && { watched }),
    },
    step.background,
    owner,
  );
}

/**
 * Waits until a background step says that it is ready; one that does not say so is watched briefly, so that an immediate
 * failure is reported.
 *
 * @returns the remark if it did not say it in time
 */
async function settle({ step, process }: Ran, patterns: Patterns, deadline: AbortSignal): Promise<string | undefined> {
  if (step.ready === undefined) {
    await Promise.race([process.ended, aborted(AbortSignal.any([deadline, AbortSignal.timeout(BACKGROUND_LOOK)]))]);
    return undefined;
  }
  const matches = matcher(step.ready, patterns, deadline);
  try {
    // Without output, an invalid expression would not be noticed.
    await matches("", 0);
    const isReady = await waitUntil(process, 0, matches, READY_WAIT, deadline);
    return isReady || process.end !== undefined
      ? undefined
      : `It did not say within ${READY_WAIT} s that it is ready, by its problem matcher: ${step.ready}`;
  } catch (error) {
    if (!(error instanceof ToolError)) {
      throw error;
    }
    return `Its problem matcher's endsPattern cannot be matched here, so nobody knows whether it is ready: ${error.message}`;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
    } else {
      signal.addEventListener("abort", () => resolve(), { once: true });
    }
  });
}

/** Returns what will run, step by step. */
function scriptOf({ stages }: ResolvedTask): string {
  return stages
    .flat()
    .map(({ label, command, workdir, env, background }) =>
      shownScript(command, env, [`${label}, in ${workdir}${background ? ", in the background" : ""}`]),
    )
    .join("\n");
}
