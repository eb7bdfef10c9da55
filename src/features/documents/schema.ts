/** The state's tables for documents. Never edited once released: see `hosts/node/state/storeSchema.ts`. */
export const DOCUMENTS_SCHEMA = `
-- Documents that a worker has taken: while its process lives, nobody else may.
CREATE TABLE claims (
  document TEXT PRIMARY KEY,
  worker TEXT NOT NULL,
  owner_pid INTEGER NOT NULL,
  owner_started TEXT NOT NULL,
  at INTEGER NOT NULL
);

-- What the user approved, by its exact content.
CREATE TABLE approvals (
  document TEXT NOT NULL,
  hash TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (document, hash)
);
`;

/** The state's tables for running schedules. Never edited once released. */
export const SCHEDULES_SCHEMA = `
-- Up to which moment the times of a schedule are dealt with: of many processes, the one that moves it on runs it.
CREATE TABLE schedule_runs (
  document TEXT PRIMARY KEY,
  hash TEXT NOT NULL,
  since INTEGER NOT NULL
);

-- The sessions in which schedules are said.
CREATE TABLE schedule_sessions (
  name TEXT PRIMARY KEY,
  session TEXT NOT NULL
);
`;
