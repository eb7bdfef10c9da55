import { newId } from "../../core/pipeline/pipeline.js";
import type { Document } from "../../features/documents/document.js";
import type { ScheduleFields } from "../../features/documents/schedule.js";
import { oneLine, shorten } from "../../text/clip.js";
import { agentTools, unwatchedTools } from "../toolSets.js";
import type { TurnRequest, TurnResult } from "../turn.js";
import { hasWorked, type TaskCopy } from "./taskCopies.js";
import { needsCopy, UNATTENDED, type WorkHost } from "./workHost.js";

/** Maximum duration of a run, in ms: a hanging run must not block its schedule forever. */
const MAX_RUN = 2 * 60 * 60_000;
/** Maximum characters of a schedule's name in the prompt: a file may have any name, even with newlines. */
const MAX_NAME = 100;
/** Maximum number of requests per run. */
const MAX_ITERATIONS = 100;

/** The result of a run. */
export interface ScheduleResult extends TurnResult {
  /** What became of its changes, if it worked in a copy of the workspace: sentences for people. */
  copy?: string;
}

/** Runs a schedule in its session, in a copy of the workspace if it needs one. @throws Error if there is no model or copy */
export async function runSchedule(
  host: WorkHost,
  document: Document<ScheduleFields>,
  session: string,
  signal: AbortSignal,
): Promise<ScheduleResult> {
  const model = await host.model(document.fields.model, signal);
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), MAX_RUN);
  const stop = AbortSignal.any([signal, limit.signal]);
  const turn = newId();
  let copy: TaskCopy | undefined;
  try {
    copy = needsCopy(host, document.fields)
      ? await host.copies?.open({ kind: "schedule", name: document.name, session, turn }, stop)
      : undefined;
    const result = await runIn(host, copy ?? host, { document, session, turn, model, signal: stop });
    if (copy === undefined) {
      return result;
    }
    if (hasWorked(result)) {
      // `close` says why nothing was merged if it fails.
      await copy.bringBack().catch(() => undefined);
    }
    return { ...result, copy: await copy.close() };
  } finally {
    clearTimeout(timer);
    await copy?.close();
  }
}

async function runIn(
  { onEvent, tools, isSent }: WorkHost,
  { agents, callTool, instructions }: Pick<WorkHost, "agents" | "callTool"> & Partial<Pick<TaskCopy, "instructions">>,
  {
    document,
    ...turn
  }: { document: Document<ScheduleFields> } & Pick<TurnRequest, "session" | "turn" | "model" | "signal">,
): Promise<TurnResult> {
  return agents.run({
    ...turn,
    kind: "schedule",
    content: [{ type: "text", text: document.body }],
    title: document.name,
    ...agentTools(unwatchedTools(tools()), isSent),
    ...{ callTool, onEvent, maxIterations: MAX_ITERATIONS },
    instructions: [
      `You were started by the schedule ${shorten(oneLine(document.name), MAX_NAME)}.`,
      UNATTENDED,
      ...(instructions === undefined ? [] : [instructions]),
    ],
  });
}
