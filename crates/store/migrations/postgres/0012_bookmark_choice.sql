-- Whether the user wants Hatena bookmark counts. Null without a choice: then the setting HATEBU_ENABLED and the language decide.
alter table user_settings add column bookmark_counts boolean;
