/** The participant as package.json contributes it and code registers it. */
export const PARTICIPANT = {
  id: "toolhost.participant",
  /** What a user types after @. */
  name: "toolhost",
  fullName: "Toolhost",
  description: "Read, search and change this workspace with Toolhost's tools",
  commands: [
    { name: "tools", description: "List the tools and what they do" },
    { name: "run", description: "Run one tool, with no model: /run grep {\"pattern\": \"TODO\"}" },
    { name: "undo", description: "Take back the last turn of this chat that changed files" },
  ],
} as const;

/** The vendor of the stand-in model (standInModel.ts), as package.json contributes it and code registers it. */
export const STAND_IN_VENDOR = "toolhost";
