import { FOREGROUND_ANSWER } from "../../features/processes/limits.js";

/** Seconds a command may take by default. */
export const DEFAULT_TIMEOUT = 1_800;
/**
 * Minimum seconds. A shorter limit would end a command before it gets going, and most likely means that the caller
 * confused the unit.
 */
export const MIN_TIMEOUT = 10;
/** Maximum seconds: longer work belongs in the background. */
export const MAX_TIMEOUT = 86_400;
/**
 * Maximum characters of output shown in an answer, about 6,000 tokens; the result store has all of it. With the lines
 * that say how a command ended and what is omitted, an answer has at most 24,000.
 */
export const MAX_OUTPUT = FOREGROUND_ANSWER;
/** The same for a command still running in the background. */
export const MAX_BACKGROUND_OUTPUT = 10_000;
/** What an answer has in addition to the output: how the command ended, and what is omitted. */
const BESIDE_OUTPUT = 800;

/** Returns how many characters of output are shown to a caller. @param answerSize what it can take, if that is less than ours */
export function outputSize(most: number, answerSize: number | undefined): number {
  return answerSize === undefined ? most : Math.min(most, answerSize - BESIDE_OUTPUT);
}
/** How long to watch a background command before answering, in ms, so that an immediate failure is reported. */
export const BACKGROUND_LOOK = 500;
/** Seconds `wait_for` waits by default, and at most. */
export const DEFAULT_WAIT = 30;
export const MAX_WAIT = 600;
