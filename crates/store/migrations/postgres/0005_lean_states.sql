-- Arrivals without what they do not need: measured, a third of what storing an item costs beyond the item itself.

-- A state goes with its item and with its person by the code that removes these, which holds the feed's row. The checks of
-- the foreign keys cost as much as the row.
alter table item_states drop constraint item_states_user_id_fkey;
alter table item_states drop constraint item_states_item_id_fkey;
-- States of an item are found through the subscribers of its feed: only they have one.
drop index item_states_item;

-- The same for what waits to be indexed.
alter table search_pending drop constraint search_pending_item_id_fkey;

-- What tells items apart is compared byte by byte: the language's order, which the server would ask the system for each time,
-- means nothing here.
alter table items
    alter column guid_or_id type varchar(2000) collate "C",
    alter column link_key type varchar(64) collate "C",
    alter column content_hash type varchar(64) collate "C";

-- Retention walks by arrival from where it was: with the id, or PostgreSQL sorts all that is left for each step.
drop index items_created;
create index items_created on items (created_at, id);
