import type { Approvals } from "./approvals.js";
import type { Claims } from "./claims.js";
import type { ScheduleRuns } from "./scheduleRuns.js";

/** The state of work in a workspace: who works on what, what the user approved, and how far schedules have got. */
export interface WorkState {
  claims: Claims;
  approvals: Approvals;
  runs: ScheduleRuns;
}
