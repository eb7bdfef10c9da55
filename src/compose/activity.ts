// The page of the activity, as a bundle of its own, which is loaded when somebody opens it.
export { ActivityPanel } from "../views/activity/activityPanel.js";
