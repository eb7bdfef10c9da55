/**
 * The ledger's table, as the first version of the state has it. Never edited: see `hosts/node/state/storeSchema.ts`.
 */
export const LEDGER_SCHEMA = `
CREATE TABLE reads (
  session TEXT NOT NULL,
  absolute TEXT NOT NULL,
  version TEXT,
  -- The text that was read, in blobs; NULL when it is not kept.
  hash TEXT, form TEXT, size INTEGER,
  file_size INTEGER,
  modified REAL,
  -- Grows with every note: the smallest is the oldest.
  at INTEGER NOT NULL,
  PRIMARY KEY (session, absolute)
);
CREATE INDEX reads_at ON reads (at);
`;
