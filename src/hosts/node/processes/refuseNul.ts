import { ToolError } from "../../../core/errors.js";
import type { SpawnRequest } from "../../../features/processes/spawner.js";

/** @throws ToolError `invalid_input` for what no process can be given: a NUL, or a variable that is none */
export function refuseNul({ command, env, program }: SpawnRequest): void {
  if (program?.args.some((arg) => arg.includes("\0")) === true) {
    throw new ToolError("invalid_input", "An argument contains a NUL character, which no argument may.");
  }
  if (program === undefined && command.includes("\0")) {
    throw new ToolError(
      "invalid_input",
      "command: contains a NUL character, which no command may.",
      "Write it as an escape: printf '\\0'.",
    );
  }
  for (const [name, value] of Object.entries(env)) {
    if (name === "" || /[=\0]/.test(name) || value?.includes("\0") === true) {
      throw new ToolError(
        "invalid_input",
        `env: ${JSON.stringify(name)} is not a variable: names cannot contain =, and neither names nor values a NUL.`,
      );
    }
  }
}
