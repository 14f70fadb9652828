-- How an item's text begins, as lists show it: plain text on one line, made when the item arrives or changes. Empty for an
-- item without text. Null until the job fill_excerpts has come to an item that arrived before this column was there.
alter table items add column excerpt text;
-- What that job still has to do. New items are not in it.
create index items_without_excerpt on items (id) where excerpt is null;
