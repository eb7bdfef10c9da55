import { ToolError } from "../../core/errors.js";
import { ModelError } from "../../features/models/modelError.js";
import { errorText } from "../../core/outcome.js";

/** Describes an error for the terminal. */
export function tellFailure(error: unknown): string {
  if (error instanceof ModelError) {
    return error.message;
  }
  if (error instanceof ToolError) {
    const { type, message, hint } = error;
    return errorText({ type, message, ...(hint === undefined ? {} : { hint }) });
  }
  return `Toolhost failed: ${String(error)}`;
}
