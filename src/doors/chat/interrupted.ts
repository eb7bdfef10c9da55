import * as vscode from "vscode";
import { isRecord } from "../../core/jsonSchema.js";
import type { SessionLog } from "../../features/sessions/sessionLog.js";
import { LINK_COMMAND, UNDO_COMMAND } from "../../names/contributed.js";
import { oneLine, shorten } from "../../text/clip.js";
import { plain } from "../../text/plainText.js";
import { count } from "../../text/words.js";
import { changesOf, type SummaryHost } from "./changesSummary.js";
import type { Keeper } from "./lostTurns.js";

const KEY = "toolhost.chat.runningTurns";
/** Maximum characters of the user's message in the notice. */
const MAX_PROMPT = 60;
/** How often, and how many times, to look whether the window that ran a turn has ended, in ms. */
const INTERVAL = 2_000;
const LOOKS = 60;
const CONTINUE = "Continue";
const REVIEW = "Review";

/** A turn of a chat while it runs. */
interface RunningTurn {
  session: string;
  turn: string;
  prompt: string;
}

/** Remembers which turns are running, so that the next window can say which ones its end interrupted. */
export class RunningTurns {
  readonly #keeper: Keeper;
  readonly #left: readonly RunningTurn[];

  constructor(keeper: Keeper) {
    this.#keeper = keeper;
    this.#left = this.#all();
  }

  /** The turns that were running when the window opened. */
  get left(): readonly RunningTurn[] {
    return this.#left;
  }

  begin(turn: RunningTurn): void {
    this.#keep([...this.#all(), turn]);
  }

  end(turn: string): void {
    this.#keep(this.#all().filter((each) => each.turn !== turn));
  }

  #keep(turns: readonly RunningTurn[]): void {
    // A closing window can no longer write.
    this.#keeper.update(KEY, turns).then(undefined, () => undefined);
  }

  #all(): RunningTurn[] {
    const kept = this.#keeper.get(KEY);
    return Array.isArray(kept) ? kept.filter(isRunningTurn) : [];
  }
}

function isRunningTurn(value: unknown): value is RunningTurn {
  return isRecord(value) && ["session", "turn", "prompt"].every((key) => typeof value[key] === "string");
}

export interface InterruptedHost extends Pick<SummaryHost, "changes"> {
  running: RunningTurns;
  log(): Promise<Pick<SessionLog, "status">>;
}

/** Says which turns the end of an earlier window interrupted, and offers to continue them and to review their changes. */
export async function tellInterrupted(host: InterruptedHost, signal: AbortSignal): Promise<void> {
  await Promise.all(host.running.left.map((turn) => tellTurn(host, turn, signal)));
}

async function tellTurn(
  host: InterruptedHost,
  { session, turn, prompt }: RunningTurn,
  signal: AbortSignal,
): Promise<void> {
  const state = await stateAtRest(host, session, signal);
  if (state !== undefined) {
    host.running.end(turn);
  }
  if (state !== "interrupted") {
    return;
  }
  const key = { session, turn };
  const changed = await changesOf(host, key);
  const after = changed === undefined ? "" : ` after it changed ${count(changed.files.length, "file")}`;
  const pressed = await vscode.window.showWarningMessage(
    plain(`@toolhost's turn “${shorten(oneLine(prompt), MAX_PROMPT)}” was interrupted${after}.`),
    ...[CONTINUE, ...(changed === undefined ? [] : [REVIEW])],
  );
  if (pressed === CONTINUE) {
    await vscode.commands.executeCommand(LINK_COMMAND.openSession, session);
  } else if (pressed === REVIEW) {
    await vscode.commands.executeCommand(UNDO_COMMAND.review, key);
  }
}

/**
 * Waits until a session's turn is known to have ended: another window may still be running it. Returns undefined if that
 * window goes on.
 */
async function stateAtRest(
  host: InterruptedHost,
  session: string,
  signal: AbortSignal,
): Promise<"idle" | "interrupted" | undefined> {
  for (let look = 0; look < LOOKS && !signal.aborted; look++) {
    try {
      const { state } = await (await host.log()).status(session);
      if (state !== "active") {
        return state;
      }
    } catch {
      // Nothing is known of a session that was not logged.
      return "idle";
    }
    await new Promise((resolve) => setTimeout(resolve, INTERVAL));
  }
  return undefined;
}
