-- The version of the sanitiser that wrote the HTML of an item.
alter table items add column sanitizer_version integer not null default 1;

-- Each feed is read once in full, so that items that are still in it are sanitised again.
update feeds set etag = null, last_modified = null, content_hash = '' where content_hash is not null;
