-- Feeds in use without a subscriber: a configuration file names them. They are fetched, do not rest and are not collected.
create table feed_uses (
    feed_id blob not null references feeds (id) on delete cascade,
    -- The capability whose file names the feed. Each one keeps its own rows.
    used_by text not null check (length(used_by) <= 40),
    primary key (feed_id, used_by)
) strict, without rowid;
-- A capability finds what its file no longer names.
create index feed_uses_used_by on feed_uses (used_by);

-- The scheduler's queue, by kind: a process seeks only the kinds it can fetch, in the order of their due times. Due feeds
-- of other kinds cost it nothing.
drop index feeds_due;
create index feeds_due on feeds (kind, next_fetch_at, host) where fetch_status <> 'stopped' and rested_at is null;
