CREATE TABLE meta (
  name  TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

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

-- outcome is the key in outcomes; 0 while the question is open.
CREATE TABLE questions (
  ord       INTEGER PRIMARY KEY AUTOINCREMENT,
  id        TEXT NOT NULL UNIQUE,
  session   TEXT REFERENCES sessions (id),
  state     INTEGER NOT NULL,
  outcome   INTEGER NOT NULL DEFAULT 0,
  collected INTEGER NOT NULL DEFAULT 0,
  owner     TEXT NOT NULL,
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
CREATE INDEX questions_open ON questions (ord) WHERE outcome = 0;

CREATE TABLE drafts (
  ord   INTEGER PRIMARY KEY REFERENCES questions (ord),
  text  TEXT NOT NULL,
  picks BLOB
) STRICT;

-- key grows with closed_at, in milliseconds: closed_at * 1024 and what tells those of one millisecond apart.
CREATE TABLE outcomes (
  key        INTEGER PRIMARY KEY,
  ord        INTEGER NOT NULL,
  outcome    TEXT NOT NULL,
  provenance TEXT NOT NULL,
  closed_at  INTEGER NOT NULL,
  deleted_at INTEGER,
  images     INTEGER NOT NULL,
  text       TEXT NOT NULL,
  answer     BLOB
) STRICT;
CREATE INDEX outcomes_deleted ON outcomes (deleted_at) WHERE deleted_at IS NOT NULL;

-- role tells a draft's images from an answer's.
CREATE TABLE images (
  ord  INTEGER NOT NULL REFERENCES questions (ord),
  role TEXT NOT NULL,
  n    INTEGER NOT NULL,
  mime TEXT NOT NULL,
  hash BLOB NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (ord, role, n)
) STRICT;

-- What was written, newest last; the newest revision is never removed. What does not apply is 0 or empty.
CREATE TABLE log (
  rev     INTEGER PRIMARY KEY,
  ord     INTEGER NOT NULL,
  session TEXT NOT NULL,
  owner   TEXT NOT NULL
) STRICT;

-- Leases: a process lives until then, as far as the others know.
CREATE TABLE owners (
  owner TEXT PRIMARY KEY,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO log (rev, ord, session, owner) VALUES (1, 0, '', '');
INSERT INTO meta (name, value) VALUES ('scrub', 0), ('touched', 0);
