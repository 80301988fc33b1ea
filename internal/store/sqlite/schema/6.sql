-- Who may come to a hub; groups is a JSON array. The token's hash is null where it was revoked.
CREATE TABLE accounts (
  name     TEXT PRIMARY KEY,
  agent    INTEGER NOT NULL,
  "groups" TEXT NOT NULL,
  token    BLOB,
  at       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
