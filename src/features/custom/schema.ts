/** The state's table for files of tools. Never edited once released: see `hosts/node/state/storeSchema.ts`. */
export const CUSTOM_SCHEMA = `
-- The files of tools that the user approved: the last approved text of each, to show what has changed since.
CREATE TABLE tool_files (
  file TEXT PRIMARY KEY,
  hash TEXT NOT NULL,
  text TEXT NOT NULL,
  at INTEGER NOT NULL
);
`;
