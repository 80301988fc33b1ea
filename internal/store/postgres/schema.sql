CREATE TABLE schema_version (version integer NOT NULL);

-- Texts from outside are written as text.go has it, JSON as the caller's bytes, times in milliseconds, 0 being none.
CREATE TABLE sessions (
  id            text COLLATE "C" PRIMARY KEY,
  agent         text    NOT NULL,
  key           text    NOT NULL,
  folders       bytea,
  locale        text    NOT NULL,
  options       bytea,
  mistakes      bigint  NOT NULL,
  mistake_limit bigint  NOT NULL,
  guidance      text    NOT NULL,
  closed        boolean NOT NULL,
  used_at       bigint  NOT NULL
);

-- outcome is the key in outcomes; 0 while the question is open.
CREATE TABLE questions (
  ord       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id        text COLLATE "C" NOT NULL UNIQUE,
  session   text COLLATE "C" REFERENCES sessions (id),
  state     smallint NOT NULL,
  outcome   bigint   NOT NULL DEFAULT 0,
  collected boolean  NOT NULL DEFAULT false,
  guided_by text     NOT NULL,
  deadline  bigint   NOT NULL,
  asked_at  bigint   NOT NULL,
  tool      text     NOT NULL,
  stream    text     NOT NULL,
  call_id   text     NOT NULL,
  agent     text     NOT NULL,
  workspace text     NOT NULL,
  source    text     NOT NULL,
  text      text     NOT NULL,
  guidance  bytea,
  call      bytea
);
CREATE INDEX questions_session ON questions (session, ord) WHERE session IS NOT NULL;
CREATE INDEX questions_open ON questions (ord) WHERE outcome = 0;

CREATE TABLE drafts (
  ord   bigint PRIMARY KEY REFERENCES questions ON DELETE CASCADE,
  text  text NOT NULL,
  picks bytea
);

-- key grows with closed_at: closed_at * 1024 and what tells those of one millisecond apart.
CREATE TABLE outcomes (
  key        bigint PRIMARY KEY,
  ord        bigint  NOT NULL UNIQUE REFERENCES questions ON DELETE CASCADE,
  outcome    text    NOT NULL,
  provenance text    NOT NULL,
  closed_at  bigint  NOT NULL,
  deletion   bigint,
  images     integer NOT NULL,
  text       text    NOT NULL,
  answer     bytea
);
CREATE INDEX outcomes_deleted ON outcomes (deletion, key) WHERE deletion IS NOT NULL;

-- What each outcome is found by: the program's own tokens, those of its facets, and the first characters of each. A table of its own,
-- so that a deletion that is marked, or taken back, does not write the index anew.
CREATE TABLE search (
  key    bigint PRIMARY KEY REFERENCES outcomes ON DELETE CASCADE,
  tokens text[] COLLATE "C" NOT NULL
);
CREATE INDEX search_tokens ON search USING gin (tokens);

-- Every word in the search, to find what a long beginning may become; and every value that the history can be filtered by, under its
-- token, since values may be longer than what an index takes.
CREATE TABLE words (word text COLLATE "C" PRIMARY KEY);
CREATE TABLE facets (
  token text COLLATE "C" PRIMARY KEY,
  kind  text NOT NULL,
  value text NOT NULL
);
-- The tokens of removed texts, which no other text may hold any more. mark is of the transaction that removed one last.
CREATE TABLE forgotten (
  token text COLLATE "C" PRIMARY KEY,
  mark  text NOT NULL
);

-- Each image is kept once, however many drafts and answers it is in; it is compressed already. role tells a draft's from an answer's.
CREATE TABLE blobs (
  hash text COLLATE "C" PRIMARY KEY,
  mime text  NOT NULL,
  data bytea NOT NULL
);
ALTER TABLE blobs ALTER data SET STORAGE EXTERNAL;
CREATE TABLE images (
  ord  bigint  NOT NULL REFERENCES questions ON DELETE CASCADE,
  role text COLLATE "C" NOT NULL,
  n    integer NOT NULL,
  hash text COLLATE "C" NOT NULL REFERENCES blobs (hash),
  PRIMARY KEY (ord, role, n)
);
CREATE INDEX images_hash ON images (hash);

-- Fencing: counts the processes that have had the exclusive store. A process writes only while its own count stands here; see exclusive.go.
-- address is where the others find that process, and running that it has not closed the store.
CREATE TABLE keeper (epoch bigint NOT NULL, address text NOT NULL, running boolean NOT NULL);
INSERT INTO keeper VALUES (0, '', false);

-- A deletion can be taken back for a while. at is when its last row was marked; everything tells that nothing was left over.
CREATE TABLE deletions (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at         bigint  NOT NULL,
  everything boolean NOT NULL
);

-- Accounts of a hub. groups and former are JSON arrays; former lists earlier groups, so that a group without members can
-- still be reached. token is a hash, or null once revoked.
CREATE TABLE accounts (
  name     text COLLATE "C" PRIMARY KEY,
  agent    boolean NOT NULL,
  "groups" text    NOT NULL,
  tokens   text    NOT NULL,
  at       bigint  NOT NULL,
  former   text    NOT NULL DEFAULT '[]'
);
