-- All questions that are open, and some that were closed a moment ago: these are taken out when it is quiet. An index of
-- the open ones would be one more page that an answer changes and has to wait for.
CREATE TABLE opened (ord INTEGER PRIMARY KEY) STRICT;
INSERT INTO opened SELECT ord FROM questions WHERE outcome = 0;
DROP INDEX questions_open;
