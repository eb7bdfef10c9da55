import type { ActivityEntry } from "../core/activity.js";

/** A call as one line of the log: no file contents, no inputs. */
export function activityLine({ door, tool, outcome, duration, characters, callId }: ActivityEntry): string {
  return `${door} ${tool} ${outcome} ${Math.round(duration)} ms, ${characters} characters, call ${callId}`;
}
