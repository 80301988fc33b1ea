-- Outcomes that are being taken out of the search, in the order of their tokens: so many of each one's are out.
CREATE TABLE leaving (
  key INTEGER PRIMARY KEY,
  out INTEGER NOT NULL
) STRICT;
