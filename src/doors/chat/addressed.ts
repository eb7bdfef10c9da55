import { PARTICIPANT } from "../../names/contributed.js";

/** A message as VS Code gives it to the participant. */
interface Asked {
  prompt: string;
  command: string | undefined;
}

const AGAIN = new RegExp(String.raw`^\s*@${PARTICIPANT.name}(?=\s|$)\s*`);
const COMMAND = /^\/(\w+)(?=\s|$)\s*/;

/**
 * Returns a message without a second `@toolhost`, with the command behind it. VS Code keeps the name in the chat's input
 * after the first message and reads no other, so that a line that is copied into it has the name twice.
 */
export function withoutSecondName({ prompt, command }: Asked): Asked {
  const rest = prompt.replace(AGAIN, "");
  if (command !== undefined || rest === prompt) {
    return { prompt, command };
  }
  const name = COMMAND.exec(rest)?.[1];
  return PARTICIPANT.commands.some((each) => each.name === name)
    ? { prompt: rest.replace(COMMAND, ""), command: name }
    : { prompt: rest, command };
}
