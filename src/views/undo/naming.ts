/** The commands of undo, as package.json contributes them and code registers them. */
export const UNDO_COMMAND = {
  lastTurn: "toolhost.undoLastTurn",
  change: "toolhost.undoChange",
  review: "toolhost.reviewChanges",
} as const;

/** Says no more that changes of messages taken back are still in files; not in the palette. */
export const HIDE_STANDING_COMMAND = "toolhost.hideTakenBack";

/** Takes an undo back, for buttons that know which; not in the palette. */
export const BRING_BACK_COMMAND = "toolhost.bringBack";

/** Takes a whole turn back, for buttons that know which; not in the palette. */
export const UNDO_TURN_COMMAND = "toolhost.undoTurn";
