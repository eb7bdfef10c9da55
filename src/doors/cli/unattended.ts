import { ToolError } from "../../core/errors.js";
import type { Answer, Confirm, Question } from "../../ports/confirm.js";
import { allowFlag } from "./allow.js";

/** Denies every question, because there is no terminal, and names the flags that would have allowed the call. */
export class Unattended implements Confirm {
  /**
   * @param command what takes the flags, in words
   * @param elsewhere who can allow what no flag does, as a sentence
   * @param why why nobody can be asked, as a clause
   */
  constructor(
    readonly command = "the command",
    readonly elsewhere = "The user has to run the command in a terminal, which asks them.",
    readonly why = "there is no terminal to ask on",
  ) {}

  async ask({ tool, reasons, derived, exact = [] }: Question): Promise<Answer> {
    const flags = [...derived, ...exact].map(allowFlag).join(" ");
    throw new ToolError(
      "denied",
      `${tool} needs the user's permission, and ${this.why}. Nothing was done. ${reasons.join(" ")}`.trim(),
      flags === ""
        ? `No --allow covers this. ${this.elsewhere}`
        : `The user can allow ${exact.length > 0 ? "exactly this" : "it"} by starting ${this.command} with: ${flags}`,
    );
  }
}
