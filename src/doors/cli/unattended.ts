import { ToolError } from "../../core/errors.js";
import type { Answer, Confirm, Question } from "../../ports/confirm.js";
import { allowFlag } from "./allow.js";

/** Denies every question, because there is no terminal, and names the flags that would have allowed the call. */
export class Unattended implements Confirm {
  /** @param command what takes the flags, in words */
  constructor(readonly command = "the command") {}

  async ask({ tool, reasons, derived }: Question): Promise<Answer> {
    const flags = derived.map(allowFlag).join(" ");
    throw new ToolError(
      "denied",
      `${tool} needs the user's permission, and there is no terminal to ask on. Nothing was done. ${reasons.join(" ")}`.trim(),
      flags === ""
        ? "No --allow is suggested for this: the user has to run the command in a terminal, which asks them."
        : `The user can allow it by starting ${this.command} with: ${flags}`,
    );
  }
}
