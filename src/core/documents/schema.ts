/** The tables of documents in the state. Never edited once released: see `hosts/node/storeSchema.ts`. */
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
