CREATE TABLE meta (
  name  TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO meta (name, value) VALUES ('scrub', 0), ('touched', 0), ('rebuilt', 0);

CREATE TABLE sessions (
  id            TEXT PRIMARY KEY,
  agent         TEXT NOT NULL,
  key           TEXT NOT NULL,
  folders       BLOB,
  locale        TEXT NOT NULL,
  options       BLOB,
  mistakes      INTEGER NOT NULL,
  mistake_limit INTEGER NOT NULL,
  guidance      TEXT NOT NULL,
  closed        INTEGER NOT NULL,
  used_at       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- outcome is the key in outcomes, or 0 while the question is open.
CREATE TABLE questions (
  ord       INTEGER PRIMARY KEY AUTOINCREMENT,
  id        TEXT NOT NULL UNIQUE,
  session   TEXT REFERENCES sessions (id),
  state     INTEGER NOT NULL,
  outcome   INTEGER NOT NULL DEFAULT 0,
  collected INTEGER NOT NULL DEFAULT 0,
  guided_by TEXT NOT NULL,
  deadline  INTEGER NOT NULL,
  asked_at  INTEGER NOT NULL,
  tool      TEXT NOT NULL,
  stream    TEXT NOT NULL,
  call_id   TEXT NOT NULL,
  agent     TEXT NOT NULL,
  workspace TEXT NOT NULL,
  source    TEXT NOT NULL,
  text      TEXT NOT NULL,
  guidance  BLOB,
  call      BLOB
) STRICT;
CREATE INDEX questions_session ON questions (session) WHERE session IS NOT NULL;

-- Every open question, and recently closed ones until maintenance removes them. A partial index on questions would be one
-- more page for an answer to change and wait for.
CREATE TABLE opened (ord INTEGER PRIMARY KEY) STRICT;

CREATE TABLE drafts (
  ord   INTEGER PRIMARY KEY REFERENCES questions (ord),
  text  TEXT NOT NULL,
  picks BLOB
) STRICT;

-- key is closed_at (milliseconds) * 1024 plus a counter within the millisecond, so it sorts by time.
CREATE TABLE outcomes (
  key        INTEGER PRIMARY KEY,
  ord        INTEGER NOT NULL,
  outcome    TEXT NOT NULL,
  provenance TEXT NOT NULL,
  closed_at  INTEGER NOT NULL,
  deletion   INTEGER,
  images     INTEGER NOT NULL,
  text       TEXT NOT NULL,
  answer     BLOB
) STRICT;
CREATE INDEX outcomes_deleted ON outcomes (deletion) WHERE deletion IS NOT NULL;

-- Deletions that can still be undone. at is when the last row was marked; everything says that no row was left out.
CREATE TABLE deletions (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  at         INTEGER NOT NULL,
  everything INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Each image is stored once, however many drafts and answers contain it. role separates drafts from answers.
CREATE TABLE blobs (
  hash TEXT PRIMARY KEY,
  mime TEXT NOT NULL,
  data BLOB NOT NULL
) STRICT;
CREATE TABLE images (
  ord  INTEGER NOT NULL REFERENCES questions (ord),
  role TEXT NOT NULL,
  n    INTEGER NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (ord, role, n)
) STRICT;
CREATE INDEX images_hash ON images (hash);

-- Outcomes that are not in the search index yet.
CREATE TABLE unindexed (key INTEGER PRIMARY KEY) STRICT;

-- The search index. The program makes the tokens, so the tokenizer only splits at spaces. The index keeps no text: the same
-- tokens remove a row again. Its rowids are the outcomes' keys.
CREATE VIRTUAL TABLE search USING fts5 (
  tokens, content = '', columnsize = 0, detail = none, tokenize = 'ascii', prefix = '1 2 3 4 5'
);
INSERT INTO search (search, rank) VALUES ('secure-delete', 1), ('automerge', 0), ('crisismerge', 1000), ('usermerge', 4);

-- The tokens of each indexed outcome, needed to remove it from the index.
CREATE TABLE tokens (
  key    INTEGER PRIMARY KEY,
  tokens TEXT NOT NULL
) STRICT;

-- Outcomes that are being removed from the index, in the order of their tokens; out counts the tokens removed so far.
CREATE TABLE leaving (
  key INTEGER PRIMARY KEY,
  out INTEGER NOT NULL
) STRICT;

-- Every word in the index, to expand a prefix without scanning the index.
CREATE TABLE words (word TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

-- Every value that the history can be filtered by.
CREATE TABLE facets (
  kind  TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (kind, value)
) STRICT, WITHOUT ROWID;

-- Words (with an empty kind) and facets of removed texts that may now be unused.
CREATE TABLE forgotten (
  kind  TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (kind, value)
) STRICT, WITHOUT ROWID;

-- Accounts of a hub. groups and former are JSON arrays; former lists earlier groups, so that a group without members can
-- still be reached. token is a hash, or null once revoked.
CREATE TABLE accounts (
  name     TEXT PRIMARY KEY,
  agent    INTEGER NOT NULL,
  "groups" TEXT NOT NULL,
  tokens   TEXT NOT NULL,
  at       INTEGER NOT NULL,
  former   TEXT NOT NULL DEFAULT '[]'
) STRICT, WITHOUT ROWID;
