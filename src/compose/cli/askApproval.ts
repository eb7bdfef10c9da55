import { ToolError } from "../../core/errors.js";
import { TerminalQuestion } from "../../doors/cli/terminalQuestion.js";
import type { openLineTerminal } from "../../hosts/node/lineTerminal.js";
import { showHidden } from "../../text/showHidden.js";

/** How the user of a command line is asked to approve something. */
export interface Asker {
  yes: boolean;
  out: (line: string) => void;
  signal: AbortSignal;
  terminal: ReturnType<typeof openLineTerminal>;
}

/** Shows what would be approved, and asks. @throws ToolError `denied` if there is no terminal to ask on */
export async function isYes(
  what: string,
  reason: string,
  detail: { language: string; text: string },
  { yes, out, signal, terminal }: Asker,
): Promise<boolean> {
  if (yes) {
    out(showHidden(detail.text, true).text);
    return true;
  }
  if (terminal === undefined) {
    out(showHidden(detail.text, true).text);
    throw new ToolError(
      "denied",
      `${what} was not approved: there is no terminal to ask on.`,
      "The text above is what would be approved. If it is right, approve it with --yes.",
    );
  }
  const question = {
    tool: "tools",
    title: `Approve ${what}`,
    reasons: [reason],
    detail,
    derived: [],
    accept: "Approve",
  };
  if ((await new TerminalQuestion(terminal).ask(question, signal)) === "no") {
    out(`${what} was not approved.`);
    return false;
  }
  return true;
}
