/** What the tools of each group are for, as people read it. */
export const GROUP_WORDS: Readonly<Record<string, string>> = {
  fs: "Files",
  code: "Symbols, code search and problems",
  runtime: "Commands, processes and their results",
  context: "Stored texts, and questions about documents",
  memory: "Memory",
  sessions: "Subagents and other sessions",
  automation: "Schedules and messages",
  task: "Ending a task",
  tools: "MCP servers, and what can be done here",
  web: "Pages of the web",
  documents: "Skills, prompts, tasks and schedules",
  custom: "Your own tools",
  openapi: "Services described by OpenAPI",
  extensions: "Other extensions",
};

/** What people call the groups, as short as a heading. */
export const GROUP_NAMES: Readonly<Record<string, string>> = {
  fs: "Files",
  code: "Symbols",
  runtime: "Commands",
  context: "Context",
  memory: "Memory",
  sessions: "Sessions",
  automation: "Schedules and Messages",
  tools: "Other Tools",
  web: "Web",
  documents: "Documents",
  custom: "Your Own Tools",
  openapi: "OpenAPI Services",
  extensions: "Other Extensions",
};
