/** The table of known commands, by name. */
import { buildCommands } from "./build/builders.js";
import { fileCommands } from "./files.js";
import { gitCommand } from "./git.js";
import { inspectCommands } from "./inspect.js";
import { networkCommands } from "./network.js";
import { packageCommands } from "./packages/npm.js";
import { shellCommands } from "./shell.js";
import type { Family } from "./spec.js";
import { systemCommands } from "./system.js";
import { textCommands } from "./text.js";

/** All families. Each name is in one of them. */
export const table: Family = {
  ...fileCommands,
  ...textCommands,
  ...shellCommands,
  ...systemCommands,
  ...gitCommand,
  ...packageCommands,
  ...buildCommands,
  ...networkCommands,
  ...inspectCommands,
};
