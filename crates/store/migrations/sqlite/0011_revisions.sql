-- The number of a user's last write to item states, subscriptions or folders. Answers carry it, so that a client knows which of
-- its writes an answer contains.
alter table users add column revision integer not null default 0;
