-- The durable queue: all background work that is not a feed's own schedule.

create table jobs (
    id               uuid        primary key,
    -- What to do: the name of a job file.
    kind             text        not null check (length(kind) between 1 and 64),
    -- What makes it one of a kind. No key, no uniqueness.
    key              text        check (octet_length(key) between 1 and 512),
    -- How long the key is taken: while the job is queued or processing, or for ever.
    key_scope        text        not null default 'active' check (key_scope in ('active', 'forever')),
    -- Jobs of one kind in one lane share a concurrency limit: a host, a bot, a provider.
    lane             text        check (octet_length(lane) between 1 and 512),
    -- JSON as text: jsonb refuses U+0000, which strangers may write.
    payload          text        not null default '{}',
    -- 1 goes first, 4 last.
    priority         bigint      not null default 2 check (priority between 1 and 4),
    status           text        not null default 'queued'
        check (status in ('queued', 'processing', 'succeeded', 'failed')),
    attempts         bigint      not null default 0 check (attempts >= 0),
    max_attempts     bigint      not null default 3 check (max_attempts >= 1),
    run_at           timestamptz not null default now(),
    last_error       text,
    -- The lease. Every later write names the token, so a worker that lost it changes nothing.
    locked_at        timestamptz,
    locked_by        text,
    lease_token      uuid,
    lease_expires_at timestamptz,
    created_at       timestamptz not null default now(),
    updated_at       timestamptz not null default now(),
    check ((status = 'processing') = (lease_token is not null)),
    check ((status = 'processing') = (lease_expires_at is not null)),
    check (key_scope = 'active' or key is not null)
)
-- Rows turn over many times an hour: vacuum early and without pausing, and leave room for heartbeats on the page.
with (
    fillfactor = 85,
    autovacuum_vacuum_scale_factor = 0.01,
    autovacuum_vacuum_threshold = 500,
    autovacuum_vacuum_insert_scale_factor = 0.05,
    autovacuum_analyze_scale_factor = 0.05,
    autovacuum_vacuum_cost_limit = 2000,
    autovacuum_vacuum_cost_delay = 1
);
-- Exactly the order of claiming. Partial, so that history and running jobs cost it nothing.
create index jobs_ready on jobs (kind, priority, run_at, id) where status = 'queued';
-- The same per lane; a job without a lane is not in it.
create index jobs_ready_in_lane on jobs (kind, lane, priority, run_at, id) where status = 'queued' and lane is not null;
-- Counting against limits, and finding lapsed leases. The lease itself is not indexed: heartbeats stay on the page.
create index jobs_processing on jobs (kind, lane) where status = 'processing';
-- Pruning, and a person looking at what failed.
create index jobs_finished on jobs (status, updated_at) where status in ('succeeded', 'failed');
create unique index jobs_active_key on jobs (kind, key) where key is not null and status in ('queued', 'processing');
create unique index jobs_forever_key on jobs (kind, key) where key_scope = 'forever';

-- The last due time of each periodic job that a worker has claimed: one run per due time, no leader.
create table job_schedules (
    kind   text        primary key,
    due_at timestamptz not null
);

-- Signs of life of worker processes.
create table workers (
    id         text        primary key,
    host       text        not null,
    version    text        not null,
    started_at timestamptz not null,
    seen_at    timestamptz not null
);
create index workers_seen on workers (seen_at);
