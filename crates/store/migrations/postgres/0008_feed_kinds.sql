-- Feeds in use without a subscriber: a configuration file names them. They are fetched, do not rest and are not collected.
create table feed_uses (
    feed_id uuid        not null references feeds (id) on delete cascade,
    -- The capability whose file names the feed. Each one keeps its own rows.
    used_by varchar(40) not null,
    primary key (feed_id, used_by)
);
-- A capability finds what its file no longer names.
create index feed_uses_used_by on feed_uses (used_by);

-- The scheduler's queue, by kind: a process seeks only the kinds it can fetch, in the order of their due times. Due feeds
-- of other kinds cost it nothing.
drop index feeds_due;
create index feeds_due on feeds (kind, next_fetch_at, host) where fetch_status <> 'stopped' and rested_at is null;

-- Takes due feeds of these kinds for a fetcher and returns their ids; store/src/feeds/claim.rs has the same for SQLite.
-- Migration 6 says why it is a function, why it takes a lock and why it skips rows.
drop function claim_due_feeds(timestamptz, timestamptz, timestamptz, uuid, bigint, bigint);
create function claim_due_feeds(
    p_now timestamptz, p_latest timestamptz, p_lease_until timestamptz, p_token uuid, p_most bigint, p_per_host bigint,
    p_kinds text[]
) returns setof uuid language plpgsql as $$
begin
    perform pg_advisory_xact_lock(hashtextextended('claim feeds', 0));
    return query
    with busy as materialized (
        select host, count(*) as fetches from feeds
        where lease_token is not null and next_fetch_at > p_now and next_fetch_at <= p_latest group by host),
    overdue as (
        select d.id, d.host, d.next_fetch_at from unnest(p_kinds) as k (kind) cross join lateral (
            select f.id, f.host, f.next_fetch_at from feeds f
            where f.kind = k.kind and f.fetch_status <> 'stopped' and f.rested_at is null and f.next_fetch_at <= p_now
                and f.host not in (select b.host from busy b where b.fetches >= p_per_host)
            order by f.next_fetch_at limit p_most * 10 for update skip locked) d),
    misplanned as (
        select d.id, d.host, d.next_fetch_at from unnest(p_kinds) as k (kind) cross join lateral (
            select f.id, f.host, f.next_fetch_at from feeds f
            where f.kind = k.kind and f.fetch_status <> 'stopped' and f.rested_at is null and f.next_fetch_at > p_latest
                and f.host not in (select b.host from busy b where b.fetches >= p_per_host)
            order by f.next_fetch_at limit p_most * 10 for update skip locked) d),
    due as (select * from overdue union all select * from misplanned),
    placed as (
        select d.id, d.next_fetch_at, row_number() over (partition by d.host order by d.next_fetch_at)
            + coalesce((select b.fetches from busy b where b.host = d.host), 0) as place
        from due d),
    chosen as (select p.id from placed p where p.place <= p_per_host order by p.next_fetch_at limit p_most)
    update feeds f set lease_token = p_token, next_fetch_at = p_lease_until
    from chosen where f.id = chosen.id
    returning f.id;
end $$;
