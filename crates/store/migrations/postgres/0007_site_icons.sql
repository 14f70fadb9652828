-- Finds the feeds of a site whose icon was looked for: they share it.
create index feeds_site on feeds (site_url, favicon_checked_at) where favicon_checked_at is not null;

-- Searches for icons have lanes now, and one without a lane would never be taken.
update jobs set lane = '-' where kind = 'fetch_icon' and lane is null;
