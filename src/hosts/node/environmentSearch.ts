import { chosenSearch } from "../../features/webSearch/chosenSearch.js";
import type { WebSearch } from "../../ports/webSearch.js";
import { secretVariable } from "./messages/channels.js";

/** Returns the service that variables name for the command line; undefined if they name none. */
export function environmentSearch(environment: NodeJS.ProcessEnv): WebSearch | undefined {
  return chosenSearch(
    { provider: environment["TOOLHOST_WEB_SEARCH"], url: environment["TOOLHOST_WEB_SEARCH_URL"] },
    async (provider) => environment[secretVariable(provider)],
    (provider) => `Set the environment variable ${secretVariable(provider)}.`,
  );
}
