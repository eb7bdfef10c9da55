import { ToolError } from "../../core/errors.js";
import { count } from "../../text/words.js";
import { effectInWords } from "../../features/processes/effectInWords.js";
import type { TitledDetail } from "../../ports/confirm.js";
import type { Effect, FileEffect } from "../../ports/effects.js";
import type { CommandEnd, CommandRequest, ProcessOwner, Processes, RehearsedCommand } from "../../ports/processes.js";
import { mayMissSomething, missesNetwork, wantedInWords } from "./missed.js";

/** How long a command is tried before the question is asked, in ms. */
const LIMIT = 10_000;
/** How much of the end of its output is shown with the question. */
const MAX_LINES = 10;
const MAX_CHARACTERS = 1_000;

const WHERE = "in a sandbox, without network, home and secrets";

/** What is known of a command before the question about it is answered. */
export interface Rehearsed {
  /** Sentences for the question. */
  remarks: string[];
  /** Shown below the command. */
  outcome: TitledDetail[];
  plan: RehearsalPlan;
}

/** What a yes does: it keeps the result, or runs the command. */
type RehearsalPlan = { kept: RehearsedCommand } | { again: string };

/**
 * Tries a command that a person is about to be asked about, contained: nothing outside of its view changes.
 *
 * @param request contained as a rehearsal
 * @param room characters of output that an answer has room for
 * @returns undefined if it cannot be tried
 * @throws the signal's reason once it is aborted
 */
export async function rehearsed(
  request: CommandRequest,
  owner: ProcessOwner,
  processes: Processes,
  room: number,
  signal: AbortSignal,
): Promise<Rehearsed | undefined> {
  let tried: RehearsedCommand | undefined;
  try {
    tried = await processes.rehearse?.(request, owner, LIMIT, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ToolError) {
      return undefined;
    }
    throw error;
  }
  return processes.rehearse === undefined ? undefined : tried === undefined ? stopped() : told(tried, room);
}

function stopped(): Rehearsed {
  const seconds = LIMIT / 1_000;
  return {
    remarks: [`It was tried ${WHERE}, and stopped after ${seconds} s: what it does is not known.`],
    outcome: [],
    plan: { again: `it took longer than ${seconds} s there` },
  };
}

function told(tried: RehearsedCommand, room: number): Rehearsed {
  const { process, rehearsal } = tried;
  const { text, omitted } = process.summary(room);
  const { effect, diff } = rehearsal;
  const wanted = wantedInWords(process.end?.wanted);
  const again =
    whyAgain(process.end, text) ??
    wanted ??
    (omitted === undefined ? undefined : "its output was too long to keep") ??
    (effect.dropped === undefined ? undefined : `its changes cannot be kept: ${effect.dropped.replace(/\.$/, "")}`);
  return {
    remarks: [
      `It was tried ${WHERE}: ${endOf(process.end)}; ${effectOf(effect)}.`,
      ...(wanted !== undefined
        ? [`${wanted.replace(/^it/, "It")}.`]
        : missesNetwork(text)
          ? ["Its output says that it missed the network."]
          : []),
      again === undefined
        ? "Yes makes exactly these changes. It is not run again."
        : `Yes runs it outside of the sandbox, since ${again}.`,
    ],
    outcome: [
      { title: "What it changed in the sandbox", language: "diff", text: diff },
      { title: "The end of its output there", language: "text", text: endOfText(text) },
    ].filter((each) => each.text.trim() !== ""),
    plan: again === undefined ? { kept: tried } : { again },
  };
}

/** Returns why the result of a command may not be what it would be outside. */
function whyAgain(end: CommandEnd | undefined, output: string): string | undefined {
  if (end?.status !== "exited") {
    return end?.status === "limited" ? "it exceeded a limit there" : "it was ended there";
  }
  return end.exitCode !== 0 || end.pipeExitCodes !== undefined
    ? "it failed there"
    : mayMissSomething(output)
      ? "its output says that it missed something there"
      : undefined;
}

function endOf(end: CommandEnd | undefined): string {
  return end?.exitCode === undefined ? (end?.limit ?? "it was ended") : `exit code ${end.exitCode}`;
}

function effectOf(effect: Effect): string {
  if (effect.dropped !== undefined) {
    return "what it would change is not known exactly";
  }
  const of = (kinds: readonly FileEffect["kind"][], does: string): string[] => {
    const number = effect.changes.filter(({ kind }) => kinds.includes(kind)).length;
    return number === 0 ? [] : [`${number} ${does}`];
  };
  const counts = [
    ...of(["created"], "created"),
    ...of(["changed", "mode", "moved"], "changed"),
    ...of(["deleted"], "deleted"),
    ...(effect.more > 0 ? [`${count(effect.more, "more change")}`] : []),
  ];
  return counts.length === 0
    ? "nothing in the workspace changed"
    : `${counts.join(", ")} (${effectInWords(effect)?.replace(/^Changed: /, "") ?? ""})`;
}

function endOfText(text: string): string {
  return text.trimEnd().slice(-MAX_CHARACTERS).split("\n").slice(-MAX_LINES).join("\n");
}
