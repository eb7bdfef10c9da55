import { ToolError } from "../core/errors.js";
import type { Patterns } from "../ports/patterns.js";
import { badRequest, type Ripgrep } from "./ripgrep.js";

/** Regular expressions by ripgrep, as grep takes them: JavaScript's own could hang the thread it runs on. */
export function ripgrepPatterns(run: Ripgrep, cwd: string): Patterns {
  return {
    matches: async (pattern, text, signal) => {
      const { exitCode, errors } = await run({ args: ["--no-config", "--quiet", "--crlf", "--text", `--regexp=${pattern}`, "--", "-"], cwd, input: text, signal, onLine: () => undefined });
      if (exitCode === 2) {
        throw badRequest(errors) ?? new ToolError("io_error", `ripgrep failed: ${errors.trim()}`);
      }
      return exitCode === 0;
    },
  };
}
