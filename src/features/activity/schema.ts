/** The table of calls, which has its own file next to the state: a busy or damaged log must not hold up a change. */
export const ACTIVITY_SCHEMA = `
CREATE TABLE calls (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The session and the turn that the call counts for: a subagent's are those of the agent that spawned it.
  root TEXT NOT NULL,
  turn TEXT NOT NULL,
  session TEXT NOT NULL,
  -- Unique in neither: some model servers begin to count anew with each answer.
  id TEXT NOT NULL,
  parent TEXT,
  door TEXT NOT NULL,
  tool TEXT NOT NULL,
  -- JSON
  input TEXT NOT NULL,
  started REAL NOT NULL,
  -- NULL while it runs.
  duration REAL,
  outcome TEXT,
  failed TEXT,
  bytes INTEGER,
  result TEXT,
  -- The process that runs it.
  owner_pid INTEGER NOT NULL,
  owner_started TEXT NOT NULL,
  UNIQUE (session, turn, id, started)
);
CREATE INDEX calls_root ON calls (root, seq, started, door);
`;
