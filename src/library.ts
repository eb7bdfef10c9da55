import { openToolhost } from "./compose/library.js";
import { InMemorySandboxClient } from "./hosts/sandbox/memoryClient.js";
import type { CreateInMemorySandbox, CreateToolhost } from "./doors/library/types.js";

/** A sandbox in this process's memory, for `useSandbox`: for tests, and to try things out. */
export const inMemorySandbox: CreateInMemorySandbox = (options) => new InMemorySandboxClient(options);

/** Toolhost as a library for Node: `import { createToolhost } from "toolhost"`. */
export const createToolhost: CreateToolhost = (options) =>
  openToolhost(options, __dirname, (message) => process.emitWarning(message, "ToolhostWarning"));
