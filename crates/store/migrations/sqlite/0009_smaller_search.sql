-- Nothing changes here: FTS5 finds words by their beginnings as it is. The index of PostgreSQL is made anew.
select 1;
