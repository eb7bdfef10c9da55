import type { Approvals } from "./approvals.js";
import type { Claims } from "./claims.js";
import type { ScheduleRuns } from "./scheduleRuns.js";

/**
 * What is kept of the work that goes on in a workspace: who works on what, what the user approved, and how far
 * schedules are.
 */
export interface WorkState {
  claims: Claims;
  approvals: Approvals;
  runs: ScheduleRuns;
}
