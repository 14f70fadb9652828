-- Reading: folders, the fetcher's own notes on a feed, search, undo, imports and figures.

-- A person's folders, in the order they chose.
create table folders (
    id         blob primary key,
    user_id    blob not null references users (id) on delete cascade,
    name       text not null check (length(name) between 1 and 100),
    position   integer not null,
    created_at text not null default (strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')),
    updated_at text not null default (strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')),
    unique (user_id, name)
) strict;

-- A title of one's own; the feed's if there is none.
alter table subscriptions add column title text check (length(title) <= 500);
alter table subscriptions add column folder_id blob references folders (id) on delete set null;
-- A folder that goes must find its feeds.
create index subscriptions_folder on subscriptions (folder_id);

-- The host of feed_url: so many at once, over all workers.
alter table feeds add column host text not null default '';
-- Whoever fetches it just now; its lease ends at next_fetch_at.
alter table feeds add column lease_token blob;
-- The time of the last refresh request, perhaps during a fetch.
alter table feeds add column refresh_asked_at text;
-- Why fetching fails, as a code that is told in the reader's language; error_message has the details.
alter table feeds add column error_code text check (length(error_code) <= 40);
alter table feeds add column parse_failures integer not null default 0;
-- Where permanent redirects lead, and how often in a row they did.
alter table feeds add column moved_to text;
alter table feeds add column moved_seen integer not null default 0;
-- Where the last answer came from, if redirects led there: validators go only to whom they came from.
alter table feeds add column final_url text;
-- What the publisher asks for (ttl, hours and days to skip), as JSON: a 304 repeats none of it.
alter table feeds add column hints text;
-- When the document last changed.
alter table feeds add column document_at text;
-- How many items have arrived so far: what is new is a difference.
alter table feeds add column items_added integer not null default 0;
alter table feeds add column favicon_checked_at text;
-- Since when it has no subscribers.
alter table feeds add column rested_at text;

-- The scheduler's queue: failing feeds are still tried, stopped ones and those without subscribers rest.
-- With the host, so that rows of a busy host are passed over in the index alone.
drop index feeds_due;
create index feeds_due on feeds (next_fetch_at, host) where fetch_status <> 'stopped' and rested_at is null;
-- Fetches under way.
create index feeds_leased on feeds (host) where lease_token is not null;
-- Feeds to collect.
create index feeds_rested on feeds (rested_at) where rested_at is not null;

-- When the item was last noticed in its document, to the week: what is still there is not cleaned up.
alter table items add column seen_at text not null default '1970-01-01T00:00:00+00:00';
-- Of everything the publisher says about it: another digest is a change.
alter table items add column digest text check (length(digest) <= 64);
-- All of a person's items, newest first, paged by (published_at, item_id). Without is_read and is_starred: with them every
-- mark would write it, and SQLite would prefer it to the partial indexes.
create index item_states_all on item_states (user_id, published_at desc, item_id desc, feed_id);
-- The starred items of one feed; few, so it costs little.
create index item_states_starred_in_feed on item_states (user_id, feed_id, published_at desc, item_id desc) where is_starred = true;

-- What can be taken back: the items that one "mark as read" changed, in chunks.
create table undo_chunks (
    undo_id    blob not null,
    chunk      integer not null,
    user_id    blob not null references users (id) on delete cascade,
    -- A JSON list, read whole.
    item_ids   text not null,
    expires_at text not null,
    primary key (undo_id, chunk)
) strict, without rowid;
create index undo_chunks_user on undo_chunks (user_id);
create index undo_chunks_expires on undo_chunks (expires_at);

-- Items whose words are not in the search index yet. Indexing inside the fetch would double its time.
create table search_pending (
    item_id integer primary key references items (id) on delete cascade
) strict;
-- The place of each item in the search index: its second and a number within it, so that the newest comes first without
-- sorting. Small steps from one place to the next keep the index small.
create table item_search (
    item_id  integer primary key references items (id) on delete cascade,
    position integer not null unique
) strict;
-- The words of each item, already cut by read::search, at its place. It only narrows the search; what it finds is read and
-- judged. Its own text is kept nowhere, so that a row goes by its place alone.
create virtual table item_words using fts5 (words, content='', contentless_delete=1, detail=none, tokenize='ascii');
create trigger item_search_gone after delete on item_search begin
    delete from item_words where rowid = old.position;
end;

-- Fetches by the hour, for 30 days.
create table fetch_hours (
    hour              text primary key,
    fetches           integer not null default 0,
    failures          integer not null default 0,
    unchanged         integer not null default 0,
    new_items         integer not null default 0,
    latency_ms_total  integer not null default 0,
    latency_ms_max    integer not null default 0
) strict, without rowid;

-- The one row of the bookmark counter's manners.
create table hatebu_state (
    id           integer primary key check (id = 1),
    day          text not null,
    calls        integer not null default 0,
    failures     integer not null default 0,
    paused_until text,
    -- When the last call began: calls keep their distance over rounds, workers and restarts.
    called_at    text
) strict;

-- An OPML file on its way in.
create table opml_imports (
    id         blob primary key,
    user_id    blob not null references users (id) on delete cascade,
    total      integer not null,
    created_at text not null default (strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'))
) strict;
create index opml_imports_user on opml_imports (user_id, created_at desc);

-- Each of its feeds and what became of it.
create table opml_import_feeds (
    import_id   blob not null references opml_imports (id) on delete cascade,
    position    integer not null,
    feed_url    text not null,
    title       text not null,
    folder      text,
    outcome     text not null default 'waiting' check (outcome in ('waiting', 'added', 'present', 'failed')),
    -- Why it failed, as a code that is told in the reader's language.
    error_code  text check (length(error_code) <= 40),
    feed_id     blob references feeds (id) on delete set null,
    updated_at  text not null default (strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')),
    primary key (import_id, position)
) strict, without rowid;
create index opml_import_feeds_feed on opml_import_feeds (feed_id);
