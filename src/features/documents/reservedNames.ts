/** Commands of a chat after a `/`: a skill or prompt with such a name could not be called. */
export const CHAT_COMMANDS: readonly string[] = ["help", "skills", "clear", "exit"];
