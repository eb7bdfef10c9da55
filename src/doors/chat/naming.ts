/** The participant as package.json contributes it and code registers it. */
export const PARTICIPANT = {
  id: "toolhost.participant",
  /** What a user types after @. */
  name: "toolhost",
  fullName: "Toolhost",
  description: "Read, search and change this workspace with Toolhost's tools",
  commands: [
    { name: "plan", description: "Look only, and lay out a plan: nothing is changed" },
    { name: "sessions", description: "List earlier sessions, or go on with one: /sessions 2" },
    { name: "remember", description: "Keep a note for every later session: /remember we use pnpm" },
    { name: "capabilities", description: "Make the list of what can be done here anew, for the system prompt" },
    { name: "undo", description: "Take back the last turn of this chat that changed files" },
    { name: "tools", description: "List the tools and what they do" },
    { name: "run", description: 'Run one tool, with no model: /run grep {"pattern": "TODO"}' },
  ],
} as const;

/** The vendor of the stand-in model (standInModel.ts), as package.json contributes it and code registers it. */
export const STAND_IN_VENDOR = "toolhost";
export const STAND_IN_ID = "none";

/**
 * Goes on with a session in the chat, for links in a list of sessions; not in the palette. Its argument is the
 * session's id.
 */
export const OPEN_SESSION_COMMAND = "toolhost.openSession";
