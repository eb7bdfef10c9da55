// The form for a tool of the user's own, as a bundle of its own, which is loaded when somebody adds one.
export { addTool } from "../features/custom/add/addTool.js";
export { openTarget, saveEntry } from "../features/custom/add/saveEntry.js";
