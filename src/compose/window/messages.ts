import * as vscode from "vscode";
import { SETTING } from "../../names/settings.js";
import { registerMessageCommands } from "../../views/messages/commands.js";
import { ChannelMessages } from "../../hosts/node/messages/channels.js";
import { channelsSetting, MessageSecrets } from "../../hosts/vscode/messageSecrets.js";
import { WindowMessages } from "../../hosts/vscode/windowMessages.js";
import { SET_MESSAGE_SECRET } from "../../names/contributed.js";

/** The channels of the user's settings, and the messages that the window itself shows. */
export function openMessages(secrets: vscode.SecretStorage): { messages: ChannelMessages } & vscode.Disposable {
  const kept = new MessageSecrets(secrets);
  const shown = new WindowMessages();
  const messages = new ChannelMessages({
    setting: channelsSetting,
    place: SETTING.messageChannels,
    secret: (name) => kept.get(name),
    secretAdvice: () => `The user can set it with the command “Toolhost: ${SET_MESSAGE_SECRET.title}”.`,
    show: (content) => shown.show(content),
  });
  const opened = vscode.Disposable.from(
    shown,
    registerMessageCommands({
      names: () => messages.secretNames(),
      get: (name) => kept.get(name),
      set: (name, value) => kept.set(name, value),
    }),
  );
  return { messages, dispose: () => void opened.dispose() };
}
