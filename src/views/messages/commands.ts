import * as vscode from "vscode";
import { plain } from "../../text/plainText.js";
import { MIN_NAMED } from "../../text/secrets/named.js";
import { SET_MESSAGE_SECRET, SET_SEARCH_KEY, TOOLS_COMMAND } from "../../names/contributed.js";
import type { Commands } from "../shared/commandTable.js";

/** What a secret command needs. */
export interface SecretCommandHost {
  /** Returns the secret names that are used. */
  names(): readonly string[];
  get(name: string): Promise<string | undefined>;
  /** @param value undefined removes it */
  set(name: string, value: string | undefined): Promise<void>;
}

/** Valid names of a secret. */
const NAME = /^[\w.-]{1,50}$/;

/** How a secret command speaks. */
interface SecretWords {
  title: string;
  /** Where a secret's name is written. */
  named: string;
  sent: string;
}

/** Returns the palette command that sets a secret of a channel. */
export function messageCommands(host: SecretCommandHost): Commands {
  const words = {
    title: vscode.l10n.t("Set Message Secret"),
    named: "as in ${secret:name} in a channel",
    sent: "sent only where your channels name it",
  };
  return { [SET_MESSAGE_SECRET.command]: () => setSecret(host, words) };
}

/** Returns the palette command that sets a secret of the user's own tools. */
export function toolSecretCommand(host: SecretCommandHost): Commands {
  const words = {
    title: vscode.l10n.t("Set Tool Secret"),
    named: 'as in {"secret": "name"} in the env of a tool or the auth of a service',
    sent: "given only to the commands and servers whose tools name it",
  };
  return { [TOOLS_COMMAND.setSecret]: () => setSecret(host, words) };
}

/** Returns the palette command that sets the key of a service that searches the web. */
export function searchKeyCommand(host: SecretCommandHost): Commands {
  const words = {
    title: vscode.l10n.t("Set Web Search Key"),
    named: "the service's name",
    sent: "sent only to the service",
  };
  return { [SET_SEARCH_KEY.command]: () => setSecret(host, words) };
}

async function setSecret(host: SecretCommandHost, words: SecretWords): Promise<void> {
  const name = await pickName(host.names(), words);
  if (name === undefined) {
    return;
  }
  const isSet = (await host.get(name)) !== undefined;
  const value = await vscode.window.showInputBox({
    title: vscode.l10n.t("Secret {0}", name),
    prompt: isSet
      ? vscode.l10n.t("Leave it empty to remove the current value.")
      : vscode.l10n.t("Kept in VS Code's secret storage and {0}.", words.sent),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) =>
      /^[\x20-\x7e]*$/.test(text.trim())
        ? undefined
        : vscode.l10n.t("A secret is one line of letters, digits and punctuation."),
  });
  if (value === undefined) {
    return;
  }
  const secret = value.trim();
  await host.set(name, secret === "" ? undefined : secret);
  const note =
    secret.length < MIN_NAMED ? ` It has fewer than ${MIN_NAMED} characters, so results do not hide it.` : "";
  void vscode.window.showInformationMessage(
    plain(
      secret === ""
        ? vscode.l10n.t("The secret {0} was removed.", name)
        : vscode.l10n.t("The secret {0} is set.{1}", name, note),
    ),
  );
}

async function pickName(names: readonly string[], { title, named }: SecretWords): Promise<string | undefined> {
  if (names.length === 0) {
    return vscode.window.showInputBox({
      title,
      prompt: vscode.l10n.t("The name of the secret, {0}.", named),
      validateInput: (text) =>
        NAME.test(text)
          ? undefined
          : vscode.l10n.t("A name has letters, digits, dots, dashes and underscores, at most 50."),
    });
  }
  return vscode.window.showQuickPick([...names], { placeHolder: vscode.l10n.t("Set or remove which secret?") });
}
