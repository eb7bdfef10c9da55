import { ToolError } from "../../../src/core/errors.js";
import type { LanguageServers } from "../../../src/ports/languageServers.js";

/** A window's language servers that answer as a test says. */
export function servers(given: Partial<LanguageServers>): LanguageServers {
  const none = (): Promise<never> => Promise.reject(new ToolError("internal_error", "The test does not expect this."));
  return { rename: none, actions: none, format: none, problems: none, ...given };
}
