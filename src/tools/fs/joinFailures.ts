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
    return rest.length === 0 ? first : new ToolError(first.type, [first.message, ...rest].join("\n"), first.hint);
  }
  const hints = new Set(failures.map(({ hint }) => hint));
  // A hint that is not that of all stands with what it is about.
  const [common] = hints.size === 1 ? hints : [];
  const told = failures.map(({ message, hint }) =>
    [
      message.replace(/ Nothing was changed\.$/, "").replace(" Nothing was changed. ", " "),
      ...(hint === undefined || hint === common ? [] : [`Hint: ${hint}`]),
    ].join("\n"),
  );
  return new ToolError(
    first?.type ?? "io_error",
    [`Nothing was changed: ${what}.`, ...told, ...rest].join("\n"),
    common,
  );
}
