-- How often a session was written, so that nobody writes over what they have not seen.
ALTER TABLE sessions ADD COLUMN version INTEGER NOT NULL DEFAULT 1;

-- Each image is kept once, however many drafts and answers it is in.
CREATE TABLE blobs (
  hash TEXT PRIMARY KEY,
  mime TEXT NOT NULL,
  data BLOB NOT NULL
) STRICT;
INSERT OR IGNORE INTO blobs SELECT lower(hex(hash)), mime, data FROM images;
ALTER TABLE images RENAME TO images_3;
CREATE TABLE images (
  ord  INTEGER NOT NULL REFERENCES questions (ord),
  role TEXT NOT NULL,
  n    INTEGER NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (ord, role, n)
) STRICT;
INSERT INTO images SELECT ord, role, n, lower(hex(hash)) FROM images_3;
DROP TABLE images_3;
CREATE INDEX images_hash ON images (hash);

-- What of a question was written: see the constants in log.go. Of what was written before, anything may have been.
ALTER TABLE log ADD COLUMN what INTEGER NOT NULL DEFAULT 1;

-- A deletion can be taken back for a while. at is when its last row was marked; everything tells that nothing was left over.
CREATE TABLE deletions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  everything INTEGER NOT NULL DEFAULT 0
) STRICT;
ALTER TABLE outcomes RENAME COLUMN deleted_at TO deletion;
INSERT INTO deletions (id, at) SELECT DISTINCT deletion, deletion FROM outcomes WHERE deletion IS NOT NULL;

-- What the search holds of each outcome: a row is taken out of the index by giving the same tokens again. Those of outcomes before
-- the key "untold" are not kept yet, where an earlier version has indexed them.
CREATE TABLE tokens (
  key    INTEGER PRIMARY KEY,
  tokens TEXT NOT NULL
) STRICT;
INSERT INTO meta (name, value) SELECT 'untold', coalesce(max(key) + 1, 0) FROM outcomes;
INSERT INTO meta (name, value) VALUES ('rebuilt', 0);
INSERT INTO search (search, rank) VALUES ('crisismerge', 1000);

-- What removed texts were found by: words and facets that no other text may hold any more. The kind of a word is empty.
CREATE TABLE forgotten (
  kind  TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (kind, value)
) STRICT, WITHOUT ROWID;
