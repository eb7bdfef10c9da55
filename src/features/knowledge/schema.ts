import type { KnowledgeArea } from "../../ports/knowledge.js";

/**
 * Returns the tables of a search index of some areas, which has its own file: everything in it can be rebuilt from the indexed files, so it
 * is thrown away if it is damaged or its schema changes (the file then gets another name, see
 * `hosts/node/state/knowledgeStore.ts`).
 */
export const knowledgeSchema = (areas: readonly KnowledgeArea[]): string => `
CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  area TEXT NOT NULL,
  path TEXT NOT NULL,
  size INTEGER NOT NULL,
  modified REAL NOT NULL,
  -- When it was read: a file that changed shortly before may have changed once more at the same time of change.
  checked REAL NOT NULL,
  hash TEXT NOT NULL,
  chunks INTEGER NOT NULL,
  -- Why it is not in the index.
  problem TEXT,
  UNIQUE (area, path)
);
CREATE TABLE chunks (
  -- Never used again: what was found by it may be gone, but is never another one.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  file INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  heading TEXT NOT NULL,
  -- All of a file's chunks in order are its text.
  text TEXT NOT NULL
);
CREATE INDEX chunks_file ON chunks (file, id);
CREATE TABLE vectors (
  chunk INTEGER PRIMARY KEY REFERENCES chunks (id) ON DELETE CASCADE,
  model TEXT NOT NULL,
  vector BLOB NOT NULL
);
${areas
  .map(
    // One index per area: how rare a term is must not depend on another area's content. We make the terms
    // (text/search/tokens.ts); this tokenizer keeps them unchanged: ASCII letters, digits and everything that is not
    // ASCII.
    (area) => `
CREATE VIRTUAL TABLE terms_${area} USING fts5(path, heading, body, content='', contentless_delete=1, tokenize="ascii tokenchars '.'");
CREATE VIRTUAL TABLE vocabulary_${area} USING fts5vocab(terms_${area}, 'row');`,
  )
  .join("")}
`;
