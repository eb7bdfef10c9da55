/** The commands of work that goes on, as package.json contributes them and code registers them. */
export const WORK_COMMAND = {
  runTask: "toolhost.runNextTask",
  approve: "toolhost.approveSchedules",
} as const;

/** Lists what runs, behind the status bar item; not in the palette. */
export const SHOW_WORK_COMMAND = "toolhost.showWork";
