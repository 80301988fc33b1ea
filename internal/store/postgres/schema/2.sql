-- Who may come to a hub; groups is a JSON array. The token's hash is null where it was revoked.
CREATE TABLE accounts (
  name     text COLLATE "C" PRIMARY KEY,
  agent    boolean NOT NULL,
  "groups" text    NOT NULL,
  token    bytea,
  at       bigint  NOT NULL
);
