//! API tokens for scripts. A token has a name, is shown once, and is valid until it is deleted.

use chrono::TimeDelta;
use store::{
    TokenId, UserId, tokens,
    tokens::{Scope, Token},
    users,
    users::User,
};

use crate::{Accounts, Error, Result, TokenSecret, accounts::one_line, audit, sessions::best_effort};

/// Tokens per user.
const MAX_TOKENS: i64 = 100;
const MAX_NAME_CHARS: usize = 100;
/// Minimum interval between two writes of `last_used_at`.
const USED_INTERVAL: TimeDelta = TimeDelta::minutes(1);

/// A valid token and its user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActiveToken {
    pub user: User,
    pub token_id: TokenId,
    pub scope: Scope,
}

impl Accounts {
    /// Creates a token and returns its secret, which cannot be read again.
    pub async fn create_token(&self, user: UserId, name: &str, scope: Scope) -> Result<(Token, TokenSecret)> {
        let name = one_line(name);
        match name.chars().count() {
            0 => return Err(Error::NameMissing),
            1..=MAX_NAME_CHARS => {}
            _ => return Err(Error::NameTooLong { max: MAX_NAME_CHARS }),
        }
        let secret = TokenSecret::random();
        let token = Token { id: TokenId::new(), name, scope, created_at: self.clock.now(), last_used_at: None };
        let created = self.db.transact(async |tx| {
            // The lock keeps concurrent requests from exceeding the limit.
            if !users::lock(tx, user).await? {
                return Err(Error::NotFound);
            }
            if tokens::count(tx, user).await? >= MAX_TOKENS {
                return Err(Error::TokenLimit { max: MAX_TOKENS });
            }
            Ok(tokens::create(tx, user, &token, &secret.hash()).await?)
        });
        created.await?;
        audit::log_credential_change("token_created", user, token.id);
        Ok((token, secret))
    }

    /// Lists the tokens of a user, the oldest first.
    pub async fn list_tokens(&self, user: UserId) -> Result<Vec<Token>> {
        Ok(tokens::list(&self.db, user).await?)
    }

    /// Revokes a token.
    pub async fn delete_token(&self, user: UserId, token: TokenId) -> Result<()> {
        if !self.db.transact(async |tx| tokens::delete(tx, user, token).await).await? {
            return Err(Error::NotFound);
        }
        audit::log_credential_change("token_revoked", user, token);
        Ok(())
    }

    /// The token with this secret and its user; `None` if it is invalid or was deleted.
    pub async fn find_token(&self, secret: &str) -> Result<Option<ActiveToken>> {
        let Some(secret) = TokenSecret::parse(secret) else { return Ok(None) };
        let Some(found) = tokens::find(&self.db, &secret.hash()).await? else { return Ok(None) };
        let now = self.clock.now();
        let is_recorded = found.last_used_at.is_some_and(|at| now - at < USED_INTERVAL);
        if !is_recorded {
            let used = best_effort(async {
                let is_first = tokens::mark_used(&self.db, found.token_id, USED_INTERVAL, now).await?;
                if is_first {
                    users::mark_seen(&self.db, found.user.id, now).await?;
                }
                Ok(is_first)
            });
            if used.await == Some(true) {
                audit::log_credential_change("token_used", found.user.id, found.token_id);
            }
        }
        Ok(Some(ActiveToken { user: found.user, token_id: found.token_id, scope: found.scope }))
    }
}
