-- One row that /readyz writes to learn whether the database can be written: a full disk still answers reads.
create table readiness (
    id         bigint primary key check (id = 1),
    checked_at timestamptz not null
);

-- Takes due feeds for a fetcher and returns their ids; store/src/feeds/claim.rs has the same for SQLite.
--
-- Counting what a host has and taking more of it is one step, or two fetchers would both take the last place: that is what
-- the lock is for. It is a function so that lock, choice and commit are one call. In a transaction of several calls, a
-- process that stops between two of them would keep the lock, and all other fetchers would wait. Rows that another
-- transaction holds are passed over: they must not stop the others either.
--
-- Ten times as many rows are looked at as are wanted, to find feeds whose hosts have room. A host without room is passed
-- over in the index. Feeds planned later than `p_latest` were planned by a clock that was ahead, and are due.
create function claim_due_feeds(
    p_now timestamptz, p_latest timestamptz, p_lease_until timestamptz, p_token uuid, p_most bigint, p_per_host bigint
) returns setof uuid language plpgsql as $$
begin
    perform pg_advisory_xact_lock(hashtextextended('claim feeds', 0));
    return query
    with busy as materialized (
        select host, count(*) as fetches from feeds
        where lease_token is not null and next_fetch_at > p_now and next_fetch_at <= p_latest group by host),
    overdue as (
        select id, host, next_fetch_at from feeds
        where fetch_status <> 'stopped' and rested_at is null and next_fetch_at <= p_now
            and host not in (select b.host from busy b where b.fetches >= p_per_host)
        order by next_fetch_at limit p_most * 10 for update skip locked),
    misplanned as (
        select id, host, next_fetch_at from feeds
        where fetch_status <> 'stopped' and rested_at is null and next_fetch_at > p_latest
            and host not in (select b.host from busy b where b.fetches >= p_per_host)
        order by next_fetch_at limit p_most * 10 for update skip locked),
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
