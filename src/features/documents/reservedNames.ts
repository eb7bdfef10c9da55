/** What is a command of a chat when it stands behind a `/`: a skill or prompt of that name could not be called. */
export const CHAT_COMMANDS: readonly string[] = ["help", "skills", "clear", "exit"];
