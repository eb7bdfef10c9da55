import type * as vscode from "vscode";
import { SETTING } from "../../names/settings.js";
import type { Commands } from "../../views/shared/commandTable.js";
import { messageCommands } from "../../views/messages/commands.js";
import { ChannelMessages } from "../../hosts/node/messages/channels.js";
import { channelsSetting, NamedSecrets } from "../../hosts/vscode/namedSecrets.js";
import { WindowMessages } from "../../hosts/vscode/windowMessages.js";
import { SET_MESSAGE_SECRET } from "../../names/contributed.js";

/** Sends messages to the channels of the user's settings and shows messages in the window. */
export interface OpenedMessages extends vscode.Disposable {
  messages: ChannelMessages;
  commands: Commands;
}

export function openMessages(secrets: vscode.SecretStorage): OpenedMessages {
  const kept = new NamedSecrets(secrets, "message");
  const shown = new WindowMessages();
  const messages = new ChannelMessages({
    setting: channelsSetting,
    place: SETTING.messageChannels,
    secret: (name) => kept.get(name),
    secretAdvice: () => `The user can set it with the command “Toolhost: ${SET_MESSAGE_SECRET.title}”.`,
    show: (content) => shown.show(content),
  });
  const commands = messageCommands({
    names: () => messages.secretNames(),
    get: (name) => kept.get(name),
    set: (name, value) => kept.set(name, value),
  });
  return { messages, commands, dispose: () => shown.dispose() };
}
