/** The journal's tables as of the first version of the state. Never edited: see `hosts/node/state/storeSchema.ts`. */
export const JOURNAL_SCHEMA = `
-- Contents by their SHA-256, each once; gone with the last reference.
CREATE TABLE blobs (
  hash TEXT PRIMARY KEY,
  size INTEGER NOT NULL,
  refs INTEGER NOT NULL,
  data BLOB NOT NULL
);
CREATE INDEX blobs_size ON blobs (size);

CREATE TABLE calls (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session TEXT NOT NULL,
  turn TEXT NOT NULL,
  call_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  door TEXT NOT NULL,
  summary TEXT NOT NULL,
  at INTEGER NOT NULL,
  pending INTEGER NOT NULL,
  -- The process that makes the changes: while it lives and this is pending, nobody else may.
  owner_pid INTEGER NOT NULL,
  owner_started TEXT NOT NULL
);
CREATE INDEX calls_turn ON calls (session, turn);
CREATE INDEX calls_pending ON calls (pending) WHERE pending = 1;

CREATE TABLE changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  call INTEGER NOT NULL REFERENCES calls (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  path TEXT NOT NULL,
  absolute TEXT NOT NULL,
  to_path TEXT,
  to_absolute TEXT,
  -- An image is the content and how to read it; NULL for a file that is not there.
  before_hash TEXT, before_form TEXT, before_size INTEGER, before_encoding TEXT, before_unsaved INTEGER,
  after_hash TEXT, after_form TEXT, after_size INTEGER, after_encoding TEXT, after_unsaved INTEGER,
  folders_made INTEGER NOT NULL,
  state TEXT NOT NULL,
  undone_by INTEGER
);
CREATE INDEX changes_call ON changes (call);

-- What an undo takes back, also after it was taken back itself.
CREATE TABLE undoes (
  call INTEGER NOT NULL REFERENCES calls (id) ON DELETE CASCADE,
  -- The change of that call that did it; NULL when the file was so already.
  change INTEGER,
  target INTEGER NOT NULL
);
CREATE INDEX undoes_call ON undoes (call);
CREATE INDEX undoes_change ON undoes (change);
CREATE INDEX undoes_target ON undoes (target);

-- Files that are being changed now, by the call that does it.
CREATE TABLE locks (
  absolute TEXT PRIMARY KEY,
  call INTEGER NOT NULL REFERENCES calls (id) ON DELETE CASCADE
);
CREATE INDEX locks_call ON locks (call);

-- What was forgotten for want of room, by turn.
CREATE TABLE dropped (
  session TEXT NOT NULL,
  turn TEXT NOT NULL,
  calls INTEGER NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (session, turn)
);
`;

/**
 * How to roll back a change whose process is killed: its writer's notes, one JSON each, in the order in which the files
 * are changed.
 */
export const STAGED_SCHEMA = `
CREATE TABLE staged (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  call INTEGER NOT NULL REFERENCES calls (id) ON DELETE CASCADE,
  note TEXT NOT NULL
);
CREATE INDEX staged_call ON staged (call);
`;

/** Permission bits of a file that a command deleted; NULL for new files' own. */
export const MODE_SCHEMA = "ALTER TABLE changes ADD COLUMN mode INTEGER;";

/** Images may be links, folders and modes: a version that does not know these forms must not undo with them. */
export const ENTRIES_SCHEMA = "-- No new table.";

/** Images may be large files, whose contents are beside the journal, as above. */
export const LARGE_SCHEMA = "-- No new table.";

/** Sentences for people who undo a call, as JSON; NULL if there are none. */
export const NOTES_SCHEMA = "ALTER TABLE calls ADD COLUMN notes TEXT;";

/** Whether others may have made the changes of a call, which a version that does not know it would take back. */
export const OTHERS_SCHEMA = "ALTER TABLE calls ADD COLUMN perhaps_others INTEGER;";

/** The ledger's table, also as of the first version of the state. */
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
