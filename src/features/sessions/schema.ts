/**
 * The tables of sessions: the second change to the state's schema. Never edited: see `hosts/node/state/storeSchema.ts`.
 */
export const SESSIONS_SCHEMA = `
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  title TEXT NOT NULL,
  parent TEXT,
  -- How many sessions lie above it.
  depth INTEGER NOT NULL,
  model TEXT,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  -- Messages told in lists: neither taken back, nor summaries, nor results alone.
  messages INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  input INTEGER NOT NULL DEFAULT 0,
  output INTEGER NOT NULL DEFAULT 0,
  estimated INTEGER NOT NULL DEFAULT 0,
  cost REAL NOT NULL DEFAULT 0,
  -- Some of what was used has no price.
  unpriced INTEGER NOT NULL DEFAULT 0,
  -- The turn under way, what it is for, and its process; NULL between turns.
  turn TEXT,
  turn_kind TEXT,
  turn_chat TEXT,
  owner_pid INTEGER,
  owner_started TEXT,
  owner_place TEXT
);
CREATE INDEX sessions_updated ON sessions (updated);
CREATE INDEX sessions_turn ON sessions (turn) WHERE turn IS NOT NULL;

CREATE TABLE messages (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  turn TEXT NOT NULL,
  -- What its turn was for.
  kind TEXT NOT NULL,
  -- The chat that its turn was in.
  chat TEXT,
  role TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- JSON; bytes of media are in message_media.
  content TEXT NOT NULL,
  -- Whether it counts in sessions.messages.
  counted INTEGER NOT NULL,
  taken_back INTEGER NOT NULL DEFAULT 0,
  -- Of a summary: the last message it stands for.
  replaces INTEGER
);
CREATE INDEX messages_session ON messages (session, seq);
CREATE INDEX messages_summary ON messages (session, seq) WHERE replaces IS NOT NULL;

CREATE TABLE message_media (
  message INTEGER NOT NULL REFERENCES messages (seq) ON DELETE CASCADE,
  -- Counts the media of its message from 0.
  position INTEGER NOT NULL,
  session TEXT NOT NULL,
  size INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (message, position)
);
CREATE INDEX message_media_session ON message_media (session, message);

-- What was left for a session and not yet taken.
CREATE TABLE left_messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  content TEXT NOT NULL,
  sender TEXT NOT NULL,
  at INTEGER NOT NULL
);
CREATE INDEX left_messages_session ON left_messages (session, id);
`;
