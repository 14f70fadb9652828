-- The reader: people, feeds, items and what each person has done with them.

create table users (
    id         blob primary key,
    email      text not null check (length(email) <= 255),
    name       text not null check (length(name) <= 255),
    created_at text not null default (strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')),
    updated_at text not null default (strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'))
) strict;
-- One account per address, however it is capitalised.
create unique index users_email on users (lower(email));

-- A way to sign in. A person may have several.
create table identities (
    id               blob primary key,
    user_id          blob not null references users (id) on delete cascade,
    provider         text not null check (length(provider) <= 50),
    provider_user_id text not null check (length(provider_user_id) <= 255),
    created_at       text not null default (strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')),
    unique (provider, provider_user_id)
) strict;
create index identities_user on identities (user_id);

-- A feed is shared by all its subscribers and is its own fetch schedule.
create table feeds (
    id                 blob primary key,
    -- Index rows of PostgreSQL end at 2,704 bytes; browsers and servers give up on longer addresses anyway.
    feed_url           text not null unique check (octet_length(feed_url) <= 2048),
    site_url           text,
    title              text not null check (length(title) <= 500),
    -- Where the entries come from: 'feed', or what later chapters add.
    kind               text not null default 'feed' check (length(kind) <= 20),
    favicon_data       blob,
    favicon_mime       text check (length(favicon_mime) <= 100),
    etag               text check (length(etag) <= 500),
    last_modified      text check (length(last_modified) <= 500),
    -- SHA-256 of the last body: an unchanged document costs no writes.
    content_hash       text check (length(content_hash) <= 64),
    fetch_status       text not null default 'active' check (fetch_status in ('active', 'error', 'stopped')),
    consecutive_errors integer not null default 0 check (consecutive_errors >= 0),
    error_message      text,
    last_fetched_at    text,
    next_fetch_at      text not null default (strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')),
    created_at         text not null default (strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')),
    updated_at         text not null default (strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'))
) strict;
-- The scheduler's queue: failing feeds are still tried, stopped ones rest.
create index feeds_due on feeds (next_fetch_at) where fetch_status <> 'stopped';

create table items (
    -- Ascending and small: sync clients page by it, and it halves the two tables that grow.
    id                integer primary key autoincrement,
    feed_id           blob not null references feeds (id) on delete cascade,
    -- In bytes, so that the unique index below never meets PostgreSQL's limit; a longer one is stored as its SHA-256.
    guid_or_id        text check (octet_length(guid_or_id) <= 2000),
    link              text,
    -- SHA-256 of the normalised link: links reach kilobytes, and identity ignores tracking parameters.
    link_key          text check (length(link_key) <= 64),
    title             text not null check (length(title) <= 1000),
    content           text,
    summary           text,
    author            text check (length(author) <= 500),
    -- Never null: an item without a date gets the time of the fetch and says so in is_date_estimated.
    published_at      text not null,
    is_date_estimated integer not null default false,
    fetched_at        text not null default (strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')),
    content_hash      text check (length(content_hash) <= 64),
    -- JSON lists, read and written whole.
    categories        text not null default '[]',
    enclosures        text not null default '[]',
    thumbnail_url     text,
    comments_url      text,
    hatebu_count      integer not null default 0,
    hatebu_fetched_at text,
    created_at        text not null default (strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')),
    updated_at        text not null default (strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'))
) strict;
-- The three steps of identity.
create unique index items_guid on items (feed_id, guid_or_id) where guid_or_id is not null;
create index items_link on items (feed_id, link_key);
create index items_hash on items (feed_id, content_hash);
-- A feed's list, newest first, paged by (published_at, id).
create index items_published on items (feed_id, published_at desc, id desc);
-- Bookmark counts: never asked first, then the stalest.
create index items_hatebu_stale on items (hatebu_fetched_at) where hatebu_fetched_at is not null;
create index items_hatebu_never on items (id) where hatebu_fetched_at is null;
-- Retention goes by arrival.
create index items_created on items (created_at);

create table subscriptions (
    id                     blob primary key,
    user_id                blob not null references users (id) on delete cascade,
    feed_id                blob not null references feeds (id) on delete cascade,
    fetch_interval_minutes integer not null default 60
        check (fetch_interval_minutes between 30 and 720 and fetch_interval_minutes % 30 = 0),
    -- Kept by the code that changes states, in the same transaction: counting took 400 ms, this takes 0.1.
    unread_count           integer not null default 0 check (unread_count >= 0),
    created_at             text not null default (strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')),
    updated_at             text not null default (strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')),
    -- Serves the look-up by user too.
    unique (user_id, feed_id)
) strict;
create index subscriptions_feed on subscriptions (feed_id, fetch_interval_minutes);

-- One row per subscriber and item from arrival, so that "unread" is an index and not the absence of a row.
create table item_states (
    user_id      blob not null references users (id) on delete cascade,
    item_id      integer not null references items (id) on delete cascade,
    -- Copied from the item: lists are read from these indexes alone.
    feed_id      blob not null,
    published_at text not null,
    is_read      integer not null default false,
    is_starred   integer not null default false,
    updated_at   text not null default (strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')),
    primary key (user_id, item_id)
) strict, without rowid;
create index item_states_unread on item_states (user_id, published_at desc, item_id desc, feed_id) where is_read = false;
create index item_states_unread_in_feed on item_states (user_id, feed_id, published_at desc, item_id desc) where is_read = false;
create index item_states_starred on item_states (user_id, published_at desc, item_id desc, feed_id) where is_starred = true;
-- Deleting an item must find its states.
create index item_states_item on item_states (item_id);

create table user_settings (
    id         blob primary key,
    user_id    blob not null unique references users (id) on delete cascade,
    theme      text not null default 'light' check (theme in ('light', 'dark', 'system')),
    updated_at text not null default (strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'))
) strict;

create table sessions (
    id         text primary key check (length(id) <= 255),
    user_id    blob not null references users (id) on delete cascade,
    data       blob not null,
    expires_at text not null,
    created_at text not null default (strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'))
) strict;
create index sessions_expires on sessions (expires_at);
create index sessions_user on sessions (user_id);
