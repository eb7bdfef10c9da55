import * as vscode from "vscode";

/** The scheme of the files of the user's settings in a window on this machine. */
const USER_DATA = "vscode-userdata";
const SETTINGS = "settings.json";

/** A file of the user's settings. */
export interface SettingsFile {
  uri: vscode.Uri;
  text: string;
}

/**
 * Yields the files that may hold the user's settings for all profiles: VS Code does not tell extensions which one does.
 *
 * @param storage the extension's folder below the user's data, which is another machine's in a remote window
 */
export async function* usersSettingsFiles(storage: vscode.Uri): AsyncGenerator<SettingsFile> {
  const isSettings = ({ scheme, path }: vscode.Uri): boolean => scheme === USER_DATA && path.endsWith(`/${SETTINGS}`);
  const opened = vscode.workspace.textDocuments.filter(({ uri }) => isSettings(uri));
  // <data>/User/globalStorage/<extension>, or <data>/User/profiles/<profile>/globalStorage/<extension>
  const user = storage.path.replace(/(\/profiles\/[^/]+)?\/globalStorage\/[^/]+$/, "");
  const path = `${user}/${SETTINGS}`;
  const uris = [...opened.map(({ uri }) => uri), storage.with({ scheme: USER_DATA, path }), storage.with({ path })];
  for (const uri of uris) {
    try {
      yield { uri, text: new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)) };
    } catch {
      // It is not this one.
    }
  }
}
