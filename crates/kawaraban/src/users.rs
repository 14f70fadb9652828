//! Finding users for commands.

use store::{
    Db, UserId,
    users::{self, Role, UserSummary},
};

use crate::{failure::Failure, output::on_one_line};

const PAGE_SIZE: i64 = 500;

/// All users, oldest account first.
pub async fn list_users(db: &Db) -> Result<Vec<UserSummary>, Failure> {
    let mut users: Vec<UserSummary> = Vec::new();
    loop {
        let page = users::list_summaries(db, users.last().map(|summary| summary.user.id), PAGE_SIZE).await?;
        let is_last = page.len() < usize::try_from(PAGE_SIZE).unwrap_or(usize::MAX);
        users.extend(page);
        if is_last {
            return Ok(users);
        }
    }
}

/// The user with this address. Without an address, the only user or the only owner.
pub async fn find_user(db: &Db, email: Option<&str>) -> Result<UserId, Failure> {
    if let Some(email) = email {
        let found = users::find_by_email(db, email.trim()).await?;
        return found.map(|user| user.id).ok_or_else(|| unknown_user(email));
    }
    let users = list_users(db).await?;
    let owners: Vec<UserId> =
        users.iter().filter(|summary| summary.user.role == Role::Owner).map(|summary| summary.user.id).collect();
    match (users.as_slice(), owners.as_slice()) {
        ([one], _) => Ok(one.user.id),
        (_, [owner]) => Ok(*owner),
        ([], _) => Err(Failure::new(
            "there is no user yet: use the link that `kawaraban serve` prints, or `kawaraban user add`",
        )),
        _ => Err(Failure::new("there are several users: name one with --user EMAIL")),
    }
}

/// No user has this address.
pub fn unknown_user(email: &str) -> Failure {
    let email = on_one_line(email);
    Failure::new(format!("there is no user with the address {email}: `kawaraban user list` lists all users"))
}
