import { ChannelMessages, secretVariable } from "./channels.js";

/** The environment variable that holds the channels of the command line, as JSON. */
const VARIABLE = "TOOLHOST_MESSAGE_CHANNELS";

/**
 * Reads the command line's channels from `TOOLHOST_MESSAGE_CHANNELS`; their secrets are in separate variables.
 * Undefined if it is not set.
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

/** Parses JSON; returns any other text as a string, which is then reported as not being an object of channels. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
