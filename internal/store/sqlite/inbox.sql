-- The questions that are open, and those that are closed and not in the history yet. Times are in milliseconds, 0 being none.

CREATE TABLE sessions (
  id       TEXT PRIMARY KEY,
  document BLOB,
  closed   INTEGER NOT NULL,
  used_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE questions (
  ord       INTEGER PRIMARY KEY AUTOINCREMENT,
  id        TEXT NOT NULL UNIQUE,
  session   TEXT REFERENCES sessions (id),
  state     TEXT NOT NULL,
  collected INTEGER NOT NULL,
  guided_by TEXT NOT NULL,
  deadline  INTEGER NOT NULL,
  asked_at  INTEGER NOT NULL,
  tool      TEXT NOT NULL,
  stream    TEXT NOT NULL,
  call_id   TEXT NOT NULL,
  agent     TEXT NOT NULL,
  workspace TEXT NOT NULL,
  recipient TEXT NOT NULL,
  source    TEXT NOT NULL,
  text      TEXT NOT NULL,
  guidance  BLOB,
  call      BLOB
) STRICT;
CREATE INDEX questions_session ON questions (session) WHERE session IS NOT NULL;

CREATE TABLE drafts (
  id       TEXT PRIMARY KEY REFERENCES questions (id) ON DELETE CASCADE,
  document BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE outcomes (
  id         TEXT PRIMARY KEY REFERENCES questions (id) ON DELETE CASCADE,
  outcome    TEXT NOT NULL,
  provenance TEXT NOT NULL,
  closed_at  INTEGER NOT NULL,
  images     INTEGER NOT NULL,
  text       TEXT NOT NULL,
  answer     BLOB
) STRICT, WITHOUT ROWID;

-- The images of drafts and of outcomes.
CREATE TABLE images (
  id   TEXT NOT NULL REFERENCES questions (id) ON DELETE CASCADE,
  n    INTEGER NOT NULL,
  hash TEXT NOT NULL,
  mime TEXT NOT NULL,
  data BLOB NOT NULL,
  UNIQUE (id, n)
) STRICT;

-- Questions in the history whose agents have got the answers since.
CREATE TABLE collected (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

-- Where the outcomes of questions are to be delivered, until they are.
CREATE TABLE callbacks (
  id      TEXT PRIMARY KEY,
  url     TEXT NOT NULL,
  secret  TEXT NOT NULL,
  private INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- How many edits of accounts there were. An edit locks the row, so that one comes after the other.
CREATE TABLE account_edits (n INTEGER NOT NULL) STRICT;
INSERT INTO account_edits VALUES (0);

-- Accounts of a hub, as JSON.
CREATE TABLE accounts (
  team     TEXT NOT NULL,
  name     TEXT NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (team, name)
) STRICT, WITHOUT ROWID;

-- The key that push messages are signed with, and the browsers that receive them, as JSON.
CREATE TABLE push_key (key TEXT NOT NULL) STRICT;
CREATE TABLE subscriptions (
  id       TEXT PRIMARY KEY,
  document TEXT NOT NULL
) STRICT, WITHOUT ROWID;
