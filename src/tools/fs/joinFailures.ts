import { ToolError } from "../../core/errors.js";

/**
 * Joins the failures of a change of several files into one error, with the first one's type.
 *
 * @param what the sentence that counts them: `2 files cannot be changed`
 * @param rest more sentences, below the failures
 */
export function joinFailures(failures: readonly ToolError[], what: string, rest: readonly string[] = []): ToolError {
  const [first] = failures;
  if (first !== undefined && failures.length === 1) {
    return first;
  }
  const told = failures.map(({ message }) =>
    message.replace(/ Nothing was changed\.$/, "").replace(" Nothing was changed. ", " "),
  );
  const hints = [...new Set(failures.flatMap(({ hint }) => (hint === undefined ? [] : [hint])))];
  return new ToolError(
    first?.type ?? "io_error",
    [`Nothing was changed: ${what}.`, ...told, ...rest].join("\n"),
    hints.join(" "),
  );
}
