-- Accounts: who gets in, how they are remembered, and what keeps strangers from trying for ever.

alter table users add column role varchar(20) not null default 'member' check (role in ('member', 'owner'));
-- argon2id as text, with its parameters; null for who signs in with a provider only.
alter table users add column password_hash varchar(255);
alter table users add column password_changed_at timestamptz;
-- Since when the address is known to be theirs: only then may a provider's sign-in find the account by it.
alter table users add column email_verified_at timestamptz;
-- To some minutes: written when a session or token is.
alter table users add column last_seen_at timestamptz;

-- A way to sign in. The same subject at another issuer is another person.
alter table identities add column issuer varchar(255) not null default '';
update identities set issuer = 'https://accounts.google.com' where provider = 'google';
alter table identities alter column issuer drop default;
-- What the provider last said, to tell one's identities apart by.
alter table identities add column email varchar(255);
alter table identities add column last_used_at timestamptz;
alter table identities drop constraint identities_provider_provider_user_id_key;
alter table identities add unique (provider, issuer, provider_user_id);

-- A signed-in browser. Its id is the SHA-256 of the browser's secret, so this table alone lets no reader sign in.
-- Its data is JSON: the browser's name, its address, the sign-in method.
-- The id in lists and for ending a session. The hash is never shown.
alter table sessions add column public_id uuid not null default gen_random_uuid() unique;
alter table sessions alter column public_id drop default;
alter table sessions add column seen_at timestamptz;
update sessions set seen_at = created_at;
alter table sessions alter column seen_at set not null;

-- What scripts sign in with; shown once, kept as a hash.
create table api_tokens (
    id           uuid         primary key,
    user_id      uuid         not null references users (id) on delete cascade,
    name         varchar(100) not null check (name <> ''),
    token_hash   varchar(64)  not null unique,
    scope        varchar(20)  not null check (scope in ('read', 'write')),
    created_at   timestamptz  not null,
    -- To the minute.
    last_used_at timestamptz
);
create index api_tokens_user on api_tokens (user_id);

-- The language of the browser if there is none.
alter table user_settings add column language varchar(10) check (language in ('ja', 'en'));
alter table user_settings add column density varchar(20) not null default 'comfortable' check (density in ('comfortable', 'compact'));
-- What the pages remember for the person, a JSON object, read and written whole.
alter table user_settings add column preferences text not null default '{}' check (octet_length(preferences) <= 16384);

-- Buckets of attempts, shared by all processes. The key is the SHA-256 of what is limited: people type their password where
-- the address belongs.
create table throttles (
    key     varchar(64) primary key,
    -- When the bucket is full again, in microseconds since 1970: the two databases add times differently, numbers alike.
    full_at bigint      not null
);
create index throttles_full on throttles (full_at);

-- Links that make the first account, each once.
create table setup_links (
    token_hash varchar(64) primary key,
    expires_at timestamptz not null,
    created_at timestamptz not null
);
