-- Reading: folders, the fetcher's own notes on a feed, search, undo, imports and figures.

-- A person's folders, in the order they chose.
create table folders (
    id         uuid         primary key,
    user_id    uuid         not null references users (id) on delete cascade,
    name       varchar(100) not null check (name <> ''),
    position   bigint       not null,
    created_at timestamptz  not null default now(),
    updated_at timestamptz  not null default now(),
    unique (user_id, name)
);

-- A title of one's own; the feed's if there is none.
alter table subscriptions add column title varchar(500);
alter table subscriptions add column folder_id uuid references folders (id) on delete set null;
-- A folder that goes must find its feeds.
create index subscriptions_folder on subscriptions (folder_id);

-- The host of feed_url: so many at once, over all workers.
alter table feeds add column host text not null default '';
-- Whoever fetches it just now; its lease ends at next_fetch_at.
alter table feeds add column lease_token uuid;
-- The time of the last refresh request, perhaps during a fetch.
alter table feeds add column refresh_asked_at timestamptz;
-- Why fetching fails, as a code that is told in the reader's language; error_message has the details.
alter table feeds add column error_code varchar(40);
alter table feeds add column parse_failures bigint not null default 0;
-- Where permanent redirects lead, and how often in a row they did.
alter table feeds add column moved_to text;
alter table feeds add column moved_seen bigint not null default 0;
-- Where the last answer came from, if redirects led there: validators go only to whom they came from.
alter table feeds add column final_url text;
-- What the publisher asks for (ttl, hours and days to skip), as JSON: a 304 repeats none of it.
alter table feeds add column hints text;
-- When the document last changed.
alter table feeds add column document_at timestamptz;
-- How many items have arrived so far: what is new is a difference.
alter table feeds add column items_added bigint not null default 0;
alter table feeds add column favicon_checked_at timestamptz;
-- Since when it has no subscribers.
alter table feeds add column rested_at timestamptz;

-- The scheduler's queue: failing feeds are still tried, stopped ones and those without subscribers rest.
-- With the host, so that rows of a busy host are passed over in the index alone.
drop index feeds_due;
create index feeds_due on feeds (next_fetch_at, host) where fetch_status <> 'stopped' and rested_at is null;
-- Fetches under way.
create index feeds_leased on feeds (host) where lease_token is not null;
-- Feeds to collect.
create index feeds_rested on feeds (rested_at) where rested_at is not null;

-- When the item was last noticed in its document, to the week: what is still there is not cleaned up.
alter table items add column seen_at timestamptz not null default '1970-01-01T00:00:00+00:00';
-- Of everything the publisher says about it: another digest is a change.
alter table items add column digest varchar(64);
-- All of a person's items, newest first, paged by (published_at, item_id). Without is_read and is_starred: with them every
-- mark would write it, and SQLite would prefer it to the partial indexes.
create index item_states_all on item_states (user_id, published_at desc, item_id desc, feed_id);
-- The starred items of one feed; few, so it costs little.
create index item_states_starred_in_feed on item_states (user_id, feed_id, published_at desc, item_id desc) where is_starred = true;

-- What can be taken back: the items that one "mark as read" changed, in chunks.
create table undo_chunks (
    undo_id    uuid        not null,
    chunk      bigint      not null,
    user_id    uuid        not null references users (id) on delete cascade,
    -- A JSON list, read whole.
    item_ids   text        not null,
    expires_at timestamptz not null,
    primary key (undo_id, chunk)
);
create index undo_chunks_user on undo_chunks (user_id);
create index undo_chunks_expires on undo_chunks (expires_at);

-- Items whose words are not in the search index yet. Indexing inside the fetch would double its time.
create table search_pending (
    item_id bigint primary key references items (id) on delete cascade
);
-- The words of each item, already cut by read::search, and words for its feed and its day. It only narrows the search; what
-- it finds is read and judged.
create table item_search (
    item_id bigint   primary key references items (id) on delete cascade,
    words   tsvector not null
);
-- What waits to be merged is read with every search, so it is kept short.
create index item_search_words on item_search using gin (words) with (gin_pending_list_limit = 512);

-- Fetches by the hour, for 30 days.
create table fetch_hours (
    hour             timestamptz primary key,
    fetches          bigint not null default 0,
    failures         bigint not null default 0,
    unchanged        bigint not null default 0,
    new_items        bigint not null default 0,
    latency_ms_total bigint not null default 0,
    latency_ms_max   bigint not null default 0
);

-- The one row of the bookmark counter's manners.
create table hatebu_state (
    id           bigint primary key check (id = 1),
    day          text   not null,
    calls        bigint not null default 0,
    failures     bigint not null default 0,
    paused_until timestamptz,
    -- When the last call began: calls keep their distance over rounds, workers and restarts.
    called_at    timestamptz
);

-- An OPML file on its way in.
create table opml_imports (
    id         uuid        primary key,
    user_id    uuid        not null references users (id) on delete cascade,
    total      bigint      not null,
    created_at timestamptz not null default now()
);
create index opml_imports_user on opml_imports (user_id, created_at desc);

-- Each of its feeds and what became of it.
create table opml_import_feeds (
    import_id  uuid        not null references opml_imports (id) on delete cascade,
    position   bigint      not null,
    feed_url   text        not null,
    title      text        not null,
    folder     text,
    outcome    varchar(20) not null default 'waiting' check (outcome in ('waiting', 'added', 'present', 'failed')),
    -- Why it failed, as a code that is told in the reader's language.
    error_code varchar(40),
    feed_id    uuid        references feeds (id) on delete set null,
    updated_at timestamptz not null default now(),
    primary key (import_id, position)
);
create index opml_import_feeds_feed on opml_import_feeds (feed_id);
