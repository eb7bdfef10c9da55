import { SETTING } from "../../names/settings.js";
import type { AllowedHosts } from "../../text/hosts/allowedHosts.js";
import { userValue } from "./userSettings.js";

let current: AllowedHosts | undefined;

/** Returns the hosts that contained commands may reach, as they were last read. None if undefined. */
export function sandboxHosts(): AllowedHosts | undefined {
  return current;
}

/**
 * Reads them from the user's own settings: a workspace must not open the network for its code.
 *
 * @returns what is wrong with the list, as sentences
 */
export async function readSandboxHosts(): Promise<string[]> {
  if (isEmpty(userValue(SETTING.sandboxHosts))) {
    current = undefined;
    return [];
  }
  const { readHosts } = await import("../../text/hosts/allowedHosts.js");
  const { hosts, problems } = readHosts(userValue(SETTING.sandboxHosts));
  current = hosts;
  return problems;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}
