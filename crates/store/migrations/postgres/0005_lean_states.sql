-- Arrivals without what they do not need: measured, a third of what storing an item costs beyond the item itself.

-- A state goes with its item and with its person by the code that removes these, which holds the feed's row. The checks of
-- the foreign keys cost as much as the row.
alter table item_states drop constraint item_states_user_id_fkey;
alter table item_states drop constraint item_states_item_id_fkey;
-- States of an item are found by way of its feed's subscribers: nobody else has one.
drop index item_states_item;

-- The same for what waits to be indexed.
alter table search_pending drop constraint search_pending_item_id_fkey;
