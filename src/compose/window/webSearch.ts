import type * as vscode from "vscode";
import { chosenSearch } from "../../features/webSearch/chosenSearch.js";
import { NamedSecrets } from "../../hosts/vscode/namedSecrets.js";
import { userValue } from "../../hosts/vscode/userSettings.js";
import { SET_SEARCH_KEY } from "../../names/contributed.js";
import { SETTING } from "../../names/settings.js";
import { SEARCH_PROVIDERS, type WebSearch } from "../../ports/webSearch.js";
import { searchKeyCommand } from "../../views/messages/commands.js";
import type { Commands } from "../../views/shared/commandTable.js";

/** Returns what gives the service that the user's own settings name as they are now, and the command that sets its key. */
export function openWebSearch(secrets: vscode.SecretStorage): {
  chosen: () => WebSearch | undefined;
  commands: Commands;
} {
  const kept = new NamedSecrets(secrets, "search");
  const advice = `The user can set it with the command “Toolhost: ${SET_SEARCH_KEY.title}”.`;
  return {
    chosen: () =>
      chosenSearch(
        { provider: userValue(SETTING.searchProvider), url: userValue(SETTING.searchUrl) },
        (provider) => kept.get(provider),
        () => advice,
      ),
    commands: searchKeyCommand({
      names: () => SEARCH_PROVIDERS,
      get: (name) => kept.get(name),
      set: (name, value) => kept.set(name, value),
    }),
  };
}
