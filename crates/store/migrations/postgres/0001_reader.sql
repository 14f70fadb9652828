-- The reader: people, feeds, items and what each person has done with them.

-- SQLite spells "the values of this list" json_each($1). These overloads let PostgreSQL read the same text:
-- an array takes the place of the JSON list, and a uuid needs no unhexing.
create function json_each(anyarray) returns table (value anyelement)
    language sql immutable parallel safe as 'select unnest($1)';
create function unhex(uuid) returns uuid
    language sql immutable parallel safe as 'select $1';

create table users (
    id         uuid         primary key,
    email      varchar(255) not null,
    name       varchar(255) not null,
    created_at timestamptz  not null default now(),
    updated_at timestamptz  not null default now()
);
-- One account per address, however it is capitalised.
create unique index users_email on users (lower(email));

-- A way to sign in. A person may have several.
create table identities (
    id               uuid         primary key,
    user_id          uuid         not null references users (id) on delete cascade,
    provider         varchar(50)  not null,
    provider_user_id varchar(255) not null,
    created_at       timestamptz  not null default now(),
    unique (provider, provider_user_id)
);
create index identities_user on identities (user_id);

-- A feed is shared by all its subscribers and is its own fetch schedule.
create table feeds (
    id                 uuid         primary key,
    -- Index rows of PostgreSQL end at 2,704 bytes; browsers and servers give up on longer addresses anyway.
    feed_url           text         not null unique check (octet_length(feed_url) <= 2048),
    site_url           text,
    title              varchar(500) not null,
    -- Where the entries come from: 'feed', or what later chapters add.
    kind               varchar(20)  not null default 'feed',
    favicon_data       bytea,
    favicon_mime       varchar(100),
    etag               varchar(500),
    last_modified      varchar(500),
    -- SHA-256 of the last body: an unchanged document costs no writes.
    content_hash       varchar(64),
    fetch_status       varchar(20)  not null default 'active' check (fetch_status in ('active', 'error', 'stopped')),
    consecutive_errors bigint       not null default 0 check (consecutive_errors >= 0),
    error_message      text,
    last_fetched_at    timestamptz,
    next_fetch_at      timestamptz  not null default now(),
    created_at         timestamptz  not null default now(),
    updated_at         timestamptz  not null default now()
);
-- The scheduler's queue: failing feeds are still tried, stopped ones rest.
create index feeds_due on feeds (next_fetch_at) where fetch_status <> 'stopped';

create table items (
    -- Ascending and small: sync clients page by it, and it halves the two tables that grow.
    id                bigint        generated always as identity primary key,
    feed_id           uuid          not null references feeds (id) on delete cascade,
    -- In bytes, so that the unique index below never meets PostgreSQL's limit; a longer one is stored as its SHA-256.
    guid_or_id        varchar(2000) check (octet_length(guid_or_id) <= 2000),
    link              text,
    -- SHA-256 of the normalised link: links reach kilobytes, and identity ignores tracking parameters.
    link_key          varchar(64),
    title             varchar(1000) not null,
    content           text,
    summary           text,
    author            varchar(500),
    -- Never null: an item without a date gets the time of the fetch and says so in is_date_estimated.
    published_at      timestamptz   not null,
    is_date_estimated boolean       not null default false,
    fetched_at        timestamptz   not null default now(),
    content_hash      varchar(64),
    -- JSON lists, read and written whole.
    categories        text          not null default '[]',
    enclosures        text          not null default '[]',
    thumbnail_url     text,
    comments_url      text,
    hatebu_count      bigint        not null default 0,
    hatebu_fetched_at timestamptz,
    created_at        timestamptz   not null default now(),
    updated_at        timestamptz   not null default now()
);
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
    id                     uuid        primary key,
    user_id                uuid        not null references users (id) on delete cascade,
    feed_id                uuid        not null references feeds (id) on delete cascade,
    fetch_interval_minutes bigint      not null default 60
        check (fetch_interval_minutes between 30 and 720 and fetch_interval_minutes % 30 = 0),
    -- Kept by the code that changes states, in the same transaction: counting took 400 ms, this takes 0.1.
    unread_count           bigint      not null default 0 check (unread_count >= 0),
    created_at             timestamptz not null default now(),
    updated_at             timestamptz not null default now(),
    -- Serves the look-up by user too.
    unique (user_id, feed_id)
);
create index subscriptions_feed on subscriptions (feed_id, fetch_interval_minutes);

-- One row per subscriber and item from arrival, so that "unread" is an index and not the absence of a row.
create table item_states (
    user_id      uuid        not null references users (id) on delete cascade,
    item_id      bigint      not null references items (id) on delete cascade,
    -- Copied from the item: lists are read from these indexes alone.
    feed_id      uuid        not null,
    published_at timestamptz not null,
    is_read      boolean     not null default false,
    is_starred   boolean     not null default false,
    updated_at   timestamptz not null default now(),
    primary key (user_id, item_id)
);
create index item_states_unread on item_states (user_id, published_at desc, item_id desc, feed_id) where is_read = false;
create index item_states_unread_in_feed on item_states (user_id, feed_id, published_at desc, item_id desc) where is_read = false;
create index item_states_starred on item_states (user_id, published_at desc, item_id desc, feed_id) where is_starred = true;
-- Deleting an item must find its states.
create index item_states_item on item_states (item_id);

create table user_settings (
    id         uuid        primary key,
    user_id    uuid        not null unique references users (id) on delete cascade,
    theme      varchar(20) not null default 'light' check (theme in ('light', 'dark', 'system')),
    updated_at timestamptz not null default now()
);

create table sessions (
    id         varchar(255) primary key,
    user_id    uuid         not null references users (id) on delete cascade,
    data       bytea        not null,
    expires_at timestamptz  not null,
    created_at timestamptz  not null default now()
);
create index sessions_expires on sessions (expires_at);
create index sessions_user on sessions (user_id);
