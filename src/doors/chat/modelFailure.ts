import { SERVER_COMMAND, SET_SERVER_KEY } from "../../names/contributed.js";
import { SETTING } from "../../names/settings.js";
import { escapeMarkdown } from "../../text/fence.js";
import type { ChatOutput } from "./output.js";

const CHOOSE_MODEL = { command: "workbench.action.chat.openModelPicker", title: "Choose Another Model…" };

/** What a failure's text can name as the next step, and the button that takes it. */
const REMEDIES: readonly { named: string; button: { command: string; title: string; arguments?: unknown[] } }[] = [
  { named: SET_SERVER_KEY, button: { command: SERVER_COMMAND.setKey, title: "Set Key…" } },
  {
    named: SETTING.modelServers,
    button: { command: "workbench.action.openSettings", title: "Open Setting", arguments: [SETTING.modelServers] },
  },
];

/**
 * Says in an answer why the model failed, with the step that its text names as a button. VS Code's own block for errors
 * is not used: it would stand below the button, and say the same again.
 *
 * @param message why, for the user
 * @param hasAnswer whether the model had said or done something before
 */
export function tellFailure(
  output: Pick<ChatOutput, "own" | "button">,
  message: string | undefined,
  hasAnswer: boolean,
): void {
  const what = hasAnswer ? "The model did not finish." : "The model did not answer.";
  const remedy = message === undefined ? undefined : REMEDIES.find(({ named }) => message.includes(named));
  const other = remedy === undefined ? "" : ` Or [choose another model](command:${CHOOSE_MODEL.command}).`;
  const why = message === undefined ? "" : ` ${escapeMarkdown(message)}`;
  output.own(`\n\n$(error) **${what}**${why}${other}\n\n`, remedy === undefined ? [] : [CHOOSE_MODEL.command]);
  output.button(remedy?.button ?? CHOOSE_MODEL);
}
