-- The interval that a configuration file gives to a feed.
alter table feed_uses add column interval_minutes integer check (interval_minutes > 0);

-- What is known about each watched blog. The blogs themselves are in the operator's configuration file; a site that a
-- user has added is a subscription.
create table blog_state (
    -- The identifier in the configuration file, or the id of the feed.
    blog_id             text not null primary key check (length(blog_id) <= 64),
    feed_id             blob not null references feeds (id) on delete cascade,
    -- The validators of the last answer of the source.
    etag                text,
    last_modified       text,
    -- SHA-256 of the normalised addresses of the last list, sorted.
    url_fingerprint     text,
    -- Null if there is none.
    feed_url            text,
    sitemap_url         text,
    -- The keys of the newest entries of the feed: a JSON array.
    recent_entry_keys   text,
    last_check_at       text not null,
    -- Null if there was never a new post.
    last_change_at      text,
    -- The date of the newest post that was ever seen.
    newest_post_at      text,
    -- Where new posts come from.
    source              text not null check (source in ('feed', 'sitemap', 'page')),
    -- The list on the page that the user has chosen. Null for the best one.
    list                text,
    -- Parameters of addresses that change while the post stays the same: a JSON array.
    volatile_parameters text not null default '[]',
    -- The posts of the last list: a JSON array.
    posts               text not null default '[]',
    -- Only titles with one of the first words, and none of the second, become items: JSON arrays.
    include_words       text not null default '[]',
    exclude_words       text not null default '[]',
    -- What is special about the last check.
    state               text not null default 'ok' check (state in ('ok', 'quiet', 'rebuilt')),
    -- When feed, sitemap and list are looked for again.
    rediscover_at       text not null
) strict, without rowid;
create unique index blog_state_feed on blog_state (feed_id);

-- Addresses that were seen in the list of a site.
create table blog_urls (
    feed_id    blob    not null references feeds (id) on delete cascade,
    -- The first 16 bytes of the SHA-256 of the normalised address, in hexadecimal.
    url_hash   text    not null,
    -- pending: seen once, not confirmed. told: it became an item. silent: it never will.
    status     text    not null check (status in ('pending', 'told', 'silent')),
    first_seen_at text not null,
    primary key (feed_id, url_hash)
) strict, without rowid;

-- A check looks for addresses that wait.
create index blog_urls_pending on blog_urls (feed_id) where status = 'pending';

-- One row for each check.
create table check_history (
    id              integer primary key autoincrement,
    blog_id         text    not null,
    checked_at      text    not null,
    http_status     integer,
    -- 1 if the source has not changed since the last check.
    skipped         integer not null default 0 check (skipped in (0, 1)),
    -- 1 if there was a new post.
    changed         integer not null default 0 check (changed in (0, 1)),
    -- Null if skipped.
    url_fingerprint text,
    error_message   text
) strict;
create index idx_check_history_blog_time on check_history (blog_id, checked_at desc);
create index idx_check_history_changed on check_history (changed) where changed = 1;
-- Old rows are deleted daily.
create index check_history_time on check_history (checked_at);
