import { ChannelMessages, secretVariable } from "./channels.js";

/** The environment variable that holds the channels of the command line, as JSON. */
const VARIABLE = "TOOLHOST_MESSAGE_CHANNELS";

/**
 * The channels of the command line: those of `TOOLHOST_MESSAGE_CHANNELS`, their secrets in variables of their own. None
 * where it is not set.
 */
export function environmentMessages(environment: NodeJS.ProcessEnv): ChannelMessages | undefined {
  const text = environment[VARIABLE];
  if (text === undefined || text.trim() === "") {
    return undefined;
  }
  return new ChannelMessages({
    setting: () => parsed(text),
    place: VARIABLE,
    secret: async (name) => environment[secretVariable(name)],
    secretAdvice: (name) => `Set the environment variable ${secretVariable(name)}.`,
  });
}

/** What is no JSON is a text, which is then said to be no object of channels. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
