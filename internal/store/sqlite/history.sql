-- The closed questions. key is closed_at (milliseconds) * 1024 plus a counter within the millisecond, so it sorts by time.
CREATE TABLE entries (
  key        INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  ord        INTEGER NOT NULL,
  session    TEXT,
  collected  INTEGER NOT NULL,
  guided_by  TEXT NOT NULL,
  deadline   INTEGER NOT NULL,
  asked_at   INTEGER NOT NULL,
  tool       TEXT NOT NULL,
  stream     TEXT NOT NULL,
  call_id    TEXT NOT NULL,
  agent      TEXT NOT NULL,
  workspace  TEXT NOT NULL,
  recipient  TEXT NOT NULL,
  source     TEXT NOT NULL,
  text       TEXT NOT NULL,
  guidance   BLOB,
  call       BLOB,
  outcome    TEXT NOT NULL,
  provenance TEXT NOT NULL,
  closed_at  INTEGER NOT NULL,
  images     INTEGER NOT NULL,
  said       TEXT NOT NULL,
  answer     BLOB
) STRICT;
CREATE INDEX entries_session ON entries (session) WHERE session IS NOT NULL;

CREATE TABLE entry_images (
  key  INTEGER NOT NULL,
  n    INTEGER NOT NULL,
  mime TEXT NOT NULL,
  data BLOB NOT NULL,
  UNIQUE (key, n)
) STRICT;

-- Deletions, and the entries of those that are not purged yet. everything says that no entry was left out. request is the caller's id, by
-- which a repetition is recognised; ended is empty while the deletion can be undone or is not purged yet, then 'restored' or 'purged'.
CREATE TABLE deletions (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  at         INTEGER NOT NULL,
  everything INTEGER NOT NULL,
  request    TEXT UNIQUE,
  entries    INTEGER NOT NULL DEFAULT 0,
  ended      TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE deleted (
  key      INTEGER PRIMARY KEY,
  deletion INTEGER NOT NULL
) STRICT;
CREATE INDEX deleted_by ON deleted (deletion);

-- The search. The program makes the tokens, so the tokenizer only splits at spaces. Its rowids are the entries' keys.
CREATE VIRTUAL TABLE search USING fts5 (
  tokens, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii', prefix = '1 2 3 4 5'
);
-- A purge ends with a merge of everything, so its steps need not merge on their own.
INSERT INTO search (search, rank) VALUES ('deletemerge', 0);

-- Values that the history can be filtered by, and the tokens that find them.
CREATE TABLE facets (
  token TEXT PRIMARY KEY,
  kind  TEXT NOT NULL,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
