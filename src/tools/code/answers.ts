import { ToolError } from "../../core/errors.js";
import type { CodeAnswer, CodeSource } from "../../ports/code.js";

/** Time limit of a call, in ms: a server loads a whole project before its first answer. */
export const SERVER_TIMEOUT = 90_000;

type Answered<T> = Extract<CodeAnswer<T>, { state: "answered" }>;

/**
 * Returns an answer with a value, also if that is empty.
 *
 * @throws ToolError `unavailable` if the language server is not ready, `unsupported` if nothing knows the language
 */
export function theAnswer<T>(answer: CodeAnswer<T>): Answered<T> {
  switch (answer.state) {
    case "answered":
      return answer;
    case "not_ready":
      throw new ToolError(
        "unavailable",
        `${answer.why} So it is not known.`,
        "Call again in a few seconds, or use grep.",
      );
    case "no_server":
      throw new ToolError("unsupported", `${answer.why} So it is not known.`, "Use grep and read.");
  }
}

/** Returns a remark on who answered, and on what may be missing; none about a server that told everything. */
export function sourceRemarks(by: CodeSource, partial?: string): string[] {
  return [
    ...(by === "syntax" ? ["[By syntax: names were compared, types are not known.]"] : []),
    ...(partial === undefined ? [] : [`[${partial} There may be more.]`]),
  ];
}
