-- One row that /readyz writes to learn whether the database can be written: a full disk still answers reads.
create table readiness (
    id         integer primary key check (id = 1),
    checked_at text not null
) strict;
