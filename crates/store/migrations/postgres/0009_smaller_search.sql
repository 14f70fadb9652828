-- The words of each item as text, of which the index makes a tsvector for itself: stored, a tsvector takes twice the room. All
-- items are indexed again, the newest first, by the process that indexes new ones.
drop table item_search;
create table item_search (
    item_id bigint primary key references items (id) on delete cascade,
    words   text   not null
);
-- New entries are merged into the index by the megabyte, which halves the work. A search reads those that wait to be merged
-- one by one, about a millisecond for a megabyte.
create index item_search_words on item_search using gin (array_to_tsvector(string_to_array(words, ' ')))
    with (gin_pending_list_limit = 2048);
insert into search_pending (item_id) select id from items on conflict do nothing;
