-- Accounts: who gets in, how they are remembered, and what keeps strangers from trying for ever.

alter table users add column role text not null default 'member' check (role in ('member', 'owner'));
-- argon2id as text, with its parameters; null for who signs in with a provider only.
alter table users add column password_hash text check (length(password_hash) <= 255);
alter table users add column password_changed_at text;
-- Since when the address is known to be theirs: only then may a provider's sign-in find the account by it.
alter table users add column email_verified_at text;
-- To some minutes: written when a session or token is.
alter table users add column last_seen_at text;

-- A way to sign in. The same subject at another issuer is another person.
create table identities_anew (
    id               blob primary key,
    user_id          blob not null references users (id) on delete cascade,
    provider         text not null check (length(provider) <= 50),
    provider_user_id text not null check (length(provider_user_id) <= 255),
    created_at       text not null default (strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')),
    issuer           text not null check (length(issuer) <= 255),
    -- What the provider last said, to tell one's identities apart by.
    email            text check (length(email) <= 255),
    last_used_at     text,
    unique (provider, issuer, provider_user_id)
) strict;
insert into identities_anew (id, user_id, provider, provider_user_id, created_at, issuer)
    select id, user_id, provider, provider_user_id, created_at,
        case provider when 'google' then 'https://accounts.google.com' else '' end
    from identities;
drop table identities;
alter table identities_anew rename to identities;
create index identities_user on identities (user_id);

-- A signed-in browser. Its id is the SHA-256 of the browser's secret, so this table alone lets no reader sign in.
create table sessions_anew (
    id         text primary key check (length(id) <= 255),
    user_id    blob not null references users (id) on delete cascade,
    -- JSON: the browser's name, its address, how the person signed in.
    data       blob not null,
    expires_at text not null,
    created_at text not null default (strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')),
    -- The id in lists and for ending a session. The hash above is never shown.
    public_id  blob not null unique,
    seen_at    text not null
) strict;
insert into sessions_anew (id, user_id, data, expires_at, created_at, public_id, seen_at)
    select id, user_id, data, expires_at, created_at, randomblob(16), created_at from sessions;
drop table sessions;
alter table sessions_anew rename to sessions;
create index sessions_expires on sessions (expires_at);
create index sessions_user on sessions (user_id);

-- What scripts sign in with; shown once, kept as a hash.
create table api_tokens (
    id           blob primary key,
    user_id      blob not null references users (id) on delete cascade,
    name         text not null check (length(name) between 1 and 100),
    token_hash   text not null unique check (length(token_hash) <= 64),
    scope        text not null check (scope in ('read', 'write')),
    created_at   text not null,
    -- To the minute.
    last_used_at text
) strict;
create index api_tokens_user on api_tokens (user_id);

-- The language of the browser if there is none.
alter table user_settings add column language text check (language in ('ja', 'en'));
alter table user_settings add column density text not null default 'comfortable' check (density in ('comfortable', 'compact'));
-- What the pages remember for the person, a JSON object, read and written whole.
alter table user_settings add column preferences text not null default '{}' check (octet_length(preferences) <= 16384);

-- Buckets of attempts, shared by all processes. The key is the SHA-256 of what is limited: people type their password where
-- the address belongs.
create table throttles (
    key     text primary key check (length(key) <= 64),
    -- When the bucket is full again, in microseconds since 1970: the two databases add times differently, numbers alike.
    full_at integer not null
) strict, without rowid;
create index throttles_full on throttles (full_at);

-- Links that make the first account, each once.
create table setup_links (
    token_hash text primary key check (length(token_hash) <= 64),
    expires_at text not null,
    created_at text not null
) strict, without rowid;
