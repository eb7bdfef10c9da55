import { openToolhost } from "./compose/library.js";
import type { CreateToolhost } from "./doors/library/types.js";

/** Toolhost as a library for Node: `import { createToolhost } from "toolhost"`. */
export const createToolhost: CreateToolhost = (options) =>
  openToolhost(options, __dirname, (message) => process.emitWarning(message, "ToolhostWarning"));
