// What changes the text of an agent's configuration, as a bundle of its own, which is loaded when one is connected.
export { changeEntry } from "../features/connect/entryText.js";
