-- The groups that an account belonged to before, a JSON array: what is open for one of them is not left when nobody belongs to it any more.
ALTER TABLE accounts ADD COLUMN former TEXT NOT NULL DEFAULT '[]';
