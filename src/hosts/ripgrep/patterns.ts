import { ToolError } from "../../core/errors.js";
import type { Patterns } from "../../ports/patterns.js";
import { utf8Length } from "../../text/page.js";
import { anyReading, type Reading } from "./engines.js";
import { badRequest, type Ripgrep } from "./ripgrep.js";

/** Maximum bytes shown of a line that a search of a file finds. */
const MAX_COLUMNS = 500;

/** Matches regular expressions with ripgrep, as grep reads them: JavaScript's own could hang the thread it runs on. */
export function ripgrepPatterns(run: Ripgrep, cwd: string): Patterns {
  return {
    matches: async (pattern, text, from, signal) => {
      const start = utf8Length(text.slice(0, from));
      let isBehind = start === 0;
      const onLine = (line: string): void => {
        isBehind ||= reachesBehind(line, start);
      };
      // If every match counts, the first one is enough.
      const output = isBehind ? ["--quiet"] : ["--only-matching", "--byte-offset"];
      const search = async ({ pattern: read, engine }: Reading): Promise<number | undefined> => {
        const { exitCode, errors } = await run({
          args: ["--no-config", ...flags(engine), ...output, "--crlf", "--text", `--regexp=${read}`, "--", "-"],
          cwd,
          input: text,
          signal,
          onLine,
        });
        if (exitCode === 2) {
          throw badRequest(errors) ?? new ToolError("io_error", `ripgrep failed: ${errors.trim()}`);
        }
        return exitCode;
      };
      return (await anyReading(pattern, search)).found === 0 && isBehind;
    },
    search: async (pattern, path, context, signal, onLine) => {
      const output = ["--line-number", `--context=${context}`, `--max-columns=${MAX_COLUMNS}`, "--max-columns-preview"];
      const search = async ({ pattern: read, engine }: Reading): Promise<number | undefined> => {
        const { exitCode, errors } = await run({
          args: ["--no-config", ...flags(engine), ...output, "--crlf", "--text", `--regexp=${read}`, "--", path],
          cwd,
          signal,
          onLine,
        });
        if (exitCode === 2) {
          throw badRequest(errors) ?? new ToolError("io_error", `ripgrep failed: ${errors.trim()}`);
        }
        return exitCode;
      };
      const { found, as } = await anyReading(pattern, search);
      return { complete: found !== undefined, ...(as.asText === undefined ? {} : { asText: as.asText }) };
    },
  };
}

function flags(engine: Reading["engine"]): string[] {
  return engine === undefined ? [] : [`--${engine}`];
}

/**
 * Whether a match, given as its offset and its text, ends after an offset, or is empty and starts at or after it. All
 * in bytes.
 */
function reachesBehind(line: string, from: number): boolean {
  const [, at, match = ""] = /^(\d+):(.*?)\r?$/s.exec(line) ?? [];
  const start = Number(at);
  return start >= from || start + utf8Length(match) > from;
}
