/** The table of known commands, by name. */
import { builders } from "./build/builders.js";
import { checkers } from "./build/checkers.js";
import { compilerCommands } from "./build/compilers.js";
import { goCommands } from "./build/go.js";
import { interpreters } from "./build/interpreters.js";
import { jvmCommands } from "./build/jvm.js";
import { pythonCommands } from "./build/python.js";
import { rustCommands } from "./build/rust.js";
import { fileCommands } from "./files.js";
import { gitCommand } from "./git.js";
import { inspectCommands } from "./inspect.js";
import { networkCommands } from "./network.js";
import { npmCommands } from "./packages/npm.js";
import { pipCommands } from "./packages/pip.js";
import { projectToolCommands } from "./packages/projectTools.js";
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
  ...npmCommands,
  ...pipCommands,
  ...projectToolCommands,
  ...builders,
  ...jvmCommands,
  ...rustCommands,
  ...goCommands,
  ...compilerCommands,
  ...pythonCommands,
  ...checkers,
  ...interpreters,
  ...networkCommands,
  ...inspectCommands,
};
