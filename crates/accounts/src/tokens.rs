//! API tokens for scripts: named, shown once, and good until they are revoked.

use chrono::TimeDelta;
use store::{
    TokenId, UserId, tokens,
    tokens::{Scope, Token},
    users,
    users::User,
};

use crate::{Accounts, Error, Result, TokenSecret, accounts::one_line, audit, sessions::note};

/// More than anybody has scripts.
const MOST_TOKENS: i64 = 100;
/// In characters.
const LONGEST_NAME: usize = 100;
/// That a token was used is written down once in this time.
const USED_WITHIN: TimeDelta = TimeDelta::minutes(1);

/// A token as its person sees it in a list.
pub type TokenInfo = Token;

/// A token that somebody shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenUse {
    pub user: User,
    pub token_id: TokenId,
    /// What it is good for.
    pub scope: Scope,
}

impl Accounts {
    /// Makes a token. Its secret is not shown again: only its hash is kept.
    pub async fn create_token(&self, user: UserId, name: &str, scope: Scope) -> Result<(TokenInfo, TokenSecret)> {
        let name = one_line(name);
        match name.chars().count() {
            0 => return Err(Error::NameMissing),
            1..=LONGEST_NAME => {}
            _ => return Err(Error::NameTooLong { max: LONGEST_NAME }),
        }
        let secret = TokenSecret::random();
        let token = Token { id: TokenId::new(), name, scope, created_at: self.clock.now(), last_used_at: None };
        let added = self.db.transact(async |tx| {
            // One after another, or two at once could both be the last that fits.
            if !users::lock(tx, user).await? {
                return Err(Error::NotFound);
            }
            if tokens::count(tx, user).await? >= MOST_TOKENS {
                return Err(Error::TokenLimit { max: MOST_TOKENS });
            }
            Ok(tokens::create(tx, user, &token, &secret.hash()).await?)
        });
        added.await?;
        audit::done_to("token_created", user, token.id);
        Ok((token, secret))
    }

    /// A person's tokens, the oldest first.
    pub async fn tokens(&self, user: UserId) -> Result<Vec<TokenInfo>> {
        Ok(tokens::list(&self.db, user).await?)
    }

    /// Makes a token worthless.
    pub async fn revoke_token(&self, user: UserId, token: TokenId) -> Result<()> {
        if !self.db.transact(async |tx| tokens::delete(tx, user, token).await).await? {
            return Err(Error::NotFound);
        }
        audit::done_to("token_revoked", user, token);
        Ok(())
    }

    /// Whose token this is; none if it is not one, or not any more.
    pub async fn token(&self, secret: &str) -> Result<Option<TokenUse>> {
        let Some(secret) = TokenSecret::parse(secret) else { return Ok(None) };
        let Some(shown) = tokens::find(&self.db, &secret.hash()).await? else { return Ok(None) };
        let now = self.clock.now();
        let is_noted = shown.last_used_at.is_some_and(|at| now - at < USED_WITHIN);
        if !is_noted {
            let used = note(async {
                let is_first = tokens::mark_used(&self.db, shown.token_id, USED_WITHIN, now).await?;
                if is_first {
                    users::mark_seen(&self.db, shown.user.id, now).await?;
                }
                Ok(is_first)
            });
            if used.await == Some(true) {
                audit::done_to("token_used", shown.user.id, shown.token_id);
            }
        }
        Ok(Some(TokenUse { user: shown.user, token_id: shown.token_id, scope: shown.scope }))
    }
}
