-- The search. Its tokens are made by the program (tokens.go), so the tokenizer only has to split at spaces. It holds no text
-- of its own: a row is removed by giving the same tokens again. Its rowids are the outcomes' keys.
CREATE VIRTUAL TABLE search USING fts5 (
  tokens, content = '', columnsize = 0, detail = none, tokenize = 'ascii', prefix = '1 2 3 4 5'
);
INSERT INTO search (search, rank) VALUES ('secure-delete', 1), ('automerge', 0), ('crisismerge', 64), ('usermerge', 4);

-- Every word in the search, to find what a long beginning may become without going through the index.
CREATE TABLE words (word TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

-- Every value that the history can be filtered by.
CREATE TABLE facets (
  kind  TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (kind, value)
) STRICT, WITHOUT ROWID;

-- An outcome is indexed after it was written: the log names it, and meta tells the revision up to which that was done.
ALTER TABLE log ADD COLUMN outcome INTEGER NOT NULL DEFAULT 0;
INSERT INTO meta (name, value) SELECT 'indexed', max(rev) FROM log;
INSERT INTO log (ord, session, owner, outcome) SELECT ord, '', '', key FROM outcomes ORDER BY key;
