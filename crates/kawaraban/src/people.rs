//! Who there is, for commands that act for somebody.

use store::{
    Db, UserId,
    users::{self, Role, UserSummary},
};

use crate::{failure::Failure, output::on_one_line};

/// How many are read at once.
const PAGE: i64 = 500;

/// Everybody, the oldest account first.
pub async fn everybody(db: &Db) -> Result<Vec<UserSummary>, Failure> {
    let mut people: Vec<UserSummary> = Vec::new();
    loop {
        let page = users::list_summaries(db, people.last().map(|person| person.user.id), PAGE).await?;
        let is_last = page.len() < usize::try_from(PAGE).unwrap_or(usize::MAX);
        people.extend(page);
        if is_last {
            return Ok(people);
        }
    }
}

/// The person with this address; without one the only one there is, or the only owner.
pub async fn person(db: &Db, email: Option<&str>) -> Result<UserId, Failure> {
    if let Some(email) = email {
        let found = users::find_by_email(db, email.trim()).await?;
        let unknown = || {
            let email = on_one_line(email);
            Failure::new(format!("there is nobody with the address {email}: `kawaraban user list` shows who there is"))
        };
        return found.map(|user| user.id).ok_or_else(unknown);
    }
    let people = everybody(db).await?;
    let owners: Vec<UserId> =
        people.iter().filter(|person| person.user.role == Role::Owner).map(|person| person.user.id).collect();
    match (people.as_slice(), owners.as_slice()) {
        ([one], _) => Ok(one.user.id),
        (_, [owner]) => Ok(*owner),
        ([], _) => Err(Failure::new(
            "there is nobody yet: use the link that `kawaraban serve` prints, or `kawaraban user add`",
        )),
        _ => Err(Failure::new("there are several people: say whose subscriptions with --user EMAIL")),
    }
}
