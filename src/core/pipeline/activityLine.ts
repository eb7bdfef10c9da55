import type { ActivityEntry } from "./activity.js";

/** Formats a call as one line of the log: no file contents, no inputs. */
export function activityLine({ door, tool, outcome, duration, bytes, callId }: ActivityEntry): string {
  return `${door} ${tool} ${outcome} ${Math.round(duration)} ms, ${bytes} bytes, call ${callId}`;
}
