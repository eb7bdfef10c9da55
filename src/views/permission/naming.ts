/** The commands of permission, as package.json contributes them and code registers them. */
export const PERMISSION_COMMAND = {
  rules: "toolhost.permissions",
  explain: "toolhost.explainPermission",
} as const;

/** Read-only documents that hold the whole of a question, and the command above them that goes back to it. */
export const WHOLE_QUESTION = { scheme: "toolhost-question", command: "toolhost.answerQuestion" } as const;
