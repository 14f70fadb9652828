-- Arrivals without what they do not need: measured, a third of what storing an item costs beyond the item itself.

-- A state goes with its item and with its person by the code that removes these, which holds the feed's row. The checks of
-- the foreign keys cost as much as the row.
create table lean_item_states (
    user_id      blob not null,
    item_id      integer not null,
    -- Copied from the item: lists are read from these indexes alone.
    feed_id      blob not null,
    published_at text not null,
    is_read      integer not null default false,
    is_starred   integer not null default false,
    updated_at   text not null default (strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')),
    primary key (user_id, item_id)
) strict, without rowid;
insert into lean_item_states (user_id, item_id, feed_id, published_at, is_read, is_starred, updated_at)
    select user_id, item_id, feed_id, published_at, is_read, is_starred, updated_at from item_states;
drop table item_states;
alter table lean_item_states rename to item_states;
create index item_states_unread on item_states (user_id, published_at desc, item_id desc, feed_id) where is_read = false;
create index item_states_unread_in_feed on item_states (user_id, feed_id, published_at desc, item_id desc) where is_read = false;
create index item_states_starred on item_states (user_id, published_at desc, item_id desc, feed_id) where is_starred = true;
-- The starred items of one feed; few, so it costs little.
create index item_states_starred_in_feed on item_states (user_id, feed_id, published_at desc, item_id desc) where is_starred = true;
-- All of a person's items, newest first, paged by (published_at, item_id). Without is_read and is_starred: with them every
-- mark would write it, and SQLite would prefer it to the partial indexes.
create index item_states_all on item_states (user_id, published_at desc, item_id desc, feed_id);
-- States of an item are found through the subscribers of its feed: only they have one.

-- The same for what waits to be indexed.
create table lean_search_pending (
    item_id integer primary key
) strict;
insert into lean_search_pending (item_id) select item_id from search_pending;
drop table search_pending;
alter table lean_search_pending rename to search_pending;

-- Retention walks by arrival from where it was: with the id, or PostgreSQL sorts all that is left for each step.
drop index items_created;
create index items_created on items (created_at, id);
