-- A store of schema 1, with something of everything in it.
PRAGMA application_id = 1181513072;
PRAGMA user_version = 1;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE meta (
  name  TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES('scrub',0);
INSERT INTO meta VALUES('touched',0);
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
INSERT INTO sessions VALUES('s1','Roo','chat:1',X'5b2266696c653a2f2f2f77225d','fr',X'7b22737472696374223a747275657d',2,3,'',0,1741064767000);
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
INSERT INTO questions VALUES(1,'q1','s1',5,1782850322432000,1,'A','',0,1741064767000,'ask_followup_question','','c1','Roo','file:///w','','Which café?',NULL,X'7b227061796c6f6164223a7b227175657374696f6e223a22576869636820636166c3a93f222c2273756767657374223a5b5d7d7d');
INSERT INTO questions VALUES(2,'q2','s1',5,1782850323456000,0,'A','',0,1741064768000,'ask_followup_question','st','','Roo','file:///w','','部署到哪里？',NULL,X'7b7d');
INSERT INTO questions VALUES(3,'q3','s1',2,0,0,'A','',1741064800000,1741064769000,'ask_followup_question','','','Roo','file:///w','','And then?',NULL,X'7b7d');
INSERT INTO questions VALUES(4,'q4','s1',3,0,0,'A','',0,1741064770000,'ask_followup_question','','','Roo','file:///w','','Queued',NULL,X'7b7d');
CREATE TABLE drafts (
  ord   INTEGER PRIMARY KEY REFERENCES questions (ord),
  text  TEXT NOT NULL,
  picks BLOB
) STRICT;
INSERT INTO drafts VALUES(3,'half',X'5b315d');
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
INSERT INTO outcomes VALUES(1782850322432000,1,'answered','typed',1741064768000,NULL,1,'The one at the corner',X'7b2274657874223a22546865206f6e652061742074686520636f726e6572227d');
INSERT INTO outcomes VALUES(1782850323456000,2,'dismissed','',1741064769000,NULL,0,'',NULL);
CREATE TABLE images (
  ord  INTEGER NOT NULL REFERENCES questions (ord),
  role TEXT NOT NULL,
  n    INTEGER NOT NULL,
  mime TEXT NOT NULL,
  hash BLOB NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (ord, role, n)
) STRICT;
INSERT INTO images VALUES(1,'answer',0,'image/gif',X'00',X'474946383961');
INSERT INTO images VALUES(3,'draft',0,'image/gif',X'01',X'474946383961');
CREATE TABLE log (
  rev     INTEGER PRIMARY KEY,
  ord     INTEGER NOT NULL,
  session TEXT NOT NULL,
  owner   TEXT NOT NULL
) STRICT;
INSERT INTO log VALUES(1,0,'','');
INSERT INTO log VALUES(2,1,'','A');
INSERT INTO log VALUES(3,2,'','A');
INSERT INTO log VALUES(4,3,'','A');
CREATE TABLE owners (
  owner TEXT PRIMARY KEY,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO owners VALUES('A',1741064797000);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('questions',4);
CREATE INDEX questions_session ON questions (session) WHERE session IS NOT NULL;
CREATE INDEX questions_open ON questions (ord) WHERE outcome = 0;
CREATE INDEX outcomes_deleted ON outcomes (deleted_at) WHERE deleted_at IS NOT NULL;
COMMIT;
