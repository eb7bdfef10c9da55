// The table of docs/mcp.md: what each agent did with our tools.

export interface Row {
  name: string;
  version: string;
  /** Of MCP, as agreed on. */
  revision: string | undefined;
  /** What was seen to work without a window, in the order of the script. */
  worked: string[];
  /** The name under which its changes are listed. */
  listedAs?: string;
  /** As `worked`, in a window. */
  inWindow: string[];
  /** Milliseconds from the answer of the model with a call to the next request. */
  times: { read: number[]; edit: number[] };
  /** Why the script ended early. */
  problem?: string;
}

/** Returns the table with a line about what was measured. */
export function pageOf(
  rows: readonly Row[],
  { rounds, machine, date }: Record<"machine" | "date", string> & { rounds: number },
): string {
  return [
    `Written by \`npm run agents\` on ${date} (${machine}): each agent comes from the npm registry and has a scripted model on the same machine.`,
    "`toolhost connect` has written the entry into its own configuration file. It may use all its tools unasked, so that Toolhost alone decides.",
    "",
    "| Agent | Revision of MCP | Without a window | In a window, on a file with unsaved changes | read | edit |",
    "|---|---|---|---|---|---|",
    ...rows.map(({ name, version, revision, worked, inWindow, times, problem }) =>
      cells([
        `${name} ${version}`,
        revision ?? "not seen",
        worked.join(", ") || "nothing",
        [inWindow.join(", ") || "nothing", ...(problem === undefined ? [] : [`it ended ${problem}`])].join("; "),
        median(times.read),
        median(times.edit),
      ]),
    ),
    "",
    `*read* and *edit* are milliseconds from the call of the model to the agent's next request, which has the result, without a window: the median of ${rounds} calls, most of it the agent's own time.`,
  ].join("\n");
}

function cells(texts: readonly string[]): string {
  return `| ${texts.map((text) => text.replace(/\s+/g, " ").replaceAll("|", "\\|")).join(" | ")} |`;
}

function median(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? "–" : String(Math.round((low + high) / 2));
}
