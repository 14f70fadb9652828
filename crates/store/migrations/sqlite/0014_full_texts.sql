-- The whole text of an item from its page, as safe HTML, beside what the feed says; why it is missing; when the page was fetched.
alter table items add column full_text text;
alter table items add column full_text_error text;
alter table items add column full_text_at text;

-- Whether a subscriber wants the whole text of the feed's items: auto if the feed's texts are short.
alter table subscriptions add column full_text text not null default 'off' check (full_text in ('off', 'on', 'auto'));

-- CSS selectors for the pages of a feed's items, which correct a wrong whole text: a JSON object.
alter table feeds add column article_rules text;
