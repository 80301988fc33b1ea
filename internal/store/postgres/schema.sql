DO $$ BEGIN
  IF current_setting('server_encoding') <> 'UTF8' THEN
    RAISE EXCEPTION 'the database''s encoding is %; it has to be UTF8', current_setting('server_encoding');
  END IF;
  IF to_regnamespace(current_setting('search_path')) IS NULL THEN -- an administrator may have made it for a role that may not
    EXECUTE 'CREATE SCHEMA ' || current_setting('search_path');
  END IF;
END $$;

CREATE TABLE schema_version (version integer NOT NULL);

-- The questions that are open, and those that are closed and not in the history yet. JSON is stored as the caller's bytes, times in
-- milliseconds, 0 being none.
CREATE TABLE sessions (
  id       text COLLATE "C" PRIMARY KEY,
  document bytea,
  closed   bigint NOT NULL,
  used_at  bigint NOT NULL
);

CREATE TABLE questions (
  ord       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id        text COLLATE "C" NOT NULL UNIQUE,
  session   text COLLATE "C" REFERENCES sessions (id),
  state     text   NOT NULL,
  collected bigint NOT NULL,
  guided_by text   NOT NULL,
  deadline  bigint NOT NULL,
  asked_at  bigint NOT NULL,
  tool      text   NOT NULL,
  stream    text   NOT NULL,
  call_id   text   NOT NULL,
  agent     text   NOT NULL,
  workspace text   NOT NULL,
  recipient text   NOT NULL,
  source    text   NOT NULL,
  text      text   NOT NULL,
  guidance  bytea,
  call      bytea
);
CREATE INDEX questions_session ON questions (session) WHERE session IS NOT NULL;

CREATE TABLE drafts (
  id       text COLLATE "C" PRIMARY KEY REFERENCES questions (id) ON DELETE CASCADE,
  document bytea NOT NULL
);

CREATE TABLE outcomes (
  id         text COLLATE "C" PRIMARY KEY REFERENCES questions (id) ON DELETE CASCADE,
  outcome    text   NOT NULL,
  provenance text   NOT NULL,
  closed_at  bigint NOT NULL,
  images     bigint NOT NULL,
  text       text   NOT NULL,
  answer     bytea
);

-- The images of drafts and of outcomes. They are compressed already.
CREATE TABLE images (
  id   text COLLATE "C" NOT NULL REFERENCES questions (id) ON DELETE CASCADE,
  n    bigint NOT NULL,
  hash text   NOT NULL,
  mime text   NOT NULL,
  data bytea  NOT NULL,
  UNIQUE (id, n)
);
ALTER TABLE images ALTER data SET STORAGE EXTERNAL;

-- Questions in the history whose agents have got the answers since.
CREATE TABLE collected (id text COLLATE "C" PRIMARY KEY);

-- Where the outcomes of questions are to be delivered, until they are.
CREATE TABLE callbacks (
  id      text COLLATE "C" PRIMARY KEY,
  url     text   NOT NULL,
  secret  text   NOT NULL,
  private bigint NOT NULL
);

-- The closed questions. key is closed_at * 1024 plus a counter within the millisecond, so it sorts by time.
CREATE TABLE entries (
  key        bigint PRIMARY KEY,
  id         text COLLATE "C" NOT NULL UNIQUE,
  ord        bigint NOT NULL,
  session    text COLLATE "C",
  collected  bigint NOT NULL,
  guided_by  text   NOT NULL,
  deadline   bigint NOT NULL,
  asked_at   bigint NOT NULL,
  tool       text   NOT NULL,
  stream     text   NOT NULL,
  call_id    text   NOT NULL,
  agent      text   NOT NULL,
  workspace  text   NOT NULL,
  recipient  text   NOT NULL,
  source     text   NOT NULL,
  text       text   NOT NULL,
  guidance   bytea,
  call       bytea,
  outcome    text   NOT NULL,
  provenance text   NOT NULL,
  closed_at  bigint NOT NULL,
  images     bigint NOT NULL,
  said       text   NOT NULL,
  answer     bytea
);
CREATE INDEX entries_session ON entries (session) WHERE session IS NOT NULL;

CREATE TABLE entry_images (
  key  bigint NOT NULL,
  n    bigint NOT NULL,
  mime text   NOT NULL,
  data bytea  NOT NULL,
  UNIQUE (key, n)
);
ALTER TABLE entry_images ALTER data SET STORAGE EXTERNAL;

-- Deletions, and the entries of those that are not purged yet. everything says that no entry was left out. request is the caller's id, by
-- which a repetition is recognised; ended is empty while the deletion can be undone or is not purged yet, then 'restored' or 'purged'.
CREATE TABLE deletions (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at         bigint NOT NULL,
  everything bigint NOT NULL,
  request    text   UNIQUE,
  entries    bigint NOT NULL DEFAULT 0,
  ended      text   NOT NULL DEFAULT ''
);
CREATE TABLE deleted (
  key      bigint PRIMARY KEY,
  deletion bigint NOT NULL
);
CREATE INDEX deleted_by ON deleted (deletion);

-- The search: the program's own tokens as lexemes. A table of its own, so that a change of an entry does not write its index.
CREATE TABLE search (
  rowid  bigint PRIMARY KEY,
  tokens tsvector NOT NULL
);
CREATE INDEX search_tokens ON search USING gin (tokens);

-- Values that the history can be filtered by, and the tokens that find them: values may be longer than what an index takes.
CREATE TABLE facets (
  token text COLLATE "C" PRIMARY KEY,
  kind  text NOT NULL,
  value text NOT NULL
);

-- Fencing: counts the processes that have had the exclusive store. A process writes only while its own count stands here; see exclusive.go.
-- address is where the others find that process.
CREATE TABLE keeper (epoch bigint NOT NULL, address text NOT NULL);
INSERT INTO keeper VALUES (0, '');

-- Heartbeats of the hubs.
CREATE TABLE hubs (
  address text COLLATE "C" PRIMARY KEY,
  beats   bigint NOT NULL,
  at      timestamptz NOT NULL
);

-- How many edits of accounts there were. An edit locks the row, so that one comes after the other.
CREATE TABLE account_edits (n bigint NOT NULL);
INSERT INTO account_edits VALUES (0);

-- Accounts of a hub, as JSON.
CREATE TABLE accounts (
  team     text COLLATE "C" NOT NULL,
  name     text COLLATE "C" NOT NULL,
  document text NOT NULL,
  PRIMARY KEY (team, name)
);

-- The key that push messages are signed with, and the browsers that receive them, as JSON.
CREATE TABLE push_key (key text NOT NULL);
CREATE TABLE subscriptions (
  id       text COLLATE "C" PRIMARY KEY,
  document text NOT NULL
);
