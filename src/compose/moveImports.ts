// What keeps imports working when files move, as a bundle of its own, which is loaded with the first move.
export { ImportUpdater } from "../features/changes/importUpdates.js";
