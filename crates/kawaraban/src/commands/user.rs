//! `user`: manages accounts, with the same rules as the API.

mod show;

use std::io::{self, BufRead, IsTerminal, Write};

use accounts::{Accounts, Error, NewAccount, Password, Role};

use crate::{
    accounts::accounts,
    cli::{UserAdd, UserCommand},
    config::Config,
    database,
    failure::Failure,
    output::{self, on_one_line},
    password, users,
};

/// Runs a command. Prompts come before the database is opened.
pub async fn run(config: &Config, command: UserCommand) -> Result<(), Failure> {
    match command {
        UserCommand::Add(new) => {
            let password = Password::new(password::read(new.password_stdin)?.expose());
            // The first account may be created before the first start.
            let (db, clock) = database::open_or_create(config).await?;
            let done = add(&accounts(config, db.clone(), clock), new, password).await;
            database::close(&db).await;
            done
        }
        UserCommand::List { json } => {
            with_accounts(config, async |accounts| show::list(&users::list_users(accounts.db()).await?, json)).await
        }
        UserCommand::Passwd { email, password_stdin } => {
            let password = Password::new(password::read(password_stdin)?.expose());
            with_accounts(config, async |accounts| set_password(accounts, &email, &password).await).await
        }
        UserCommand::Delete { email, yes } => {
            if !yes {
                confirm(&email)?;
            }
            with_accounts(config, async |accounts| delete(accounts, &email).await).await
        }
    }
}

/// Runs `action` on a migrated database.
async fn with_accounts(
    config: &Config,
    action: impl AsyncFnOnce(&Accounts) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let (db, clock) = database::open_ready(config).await?;
    let done = action(&accounts(config, db.clone(), clock)).await;
    database::close(&db).await;
    done
}

async fn add(accounts: &Accounts, new: UserAdd, password: Password) -> Result<(), Failure> {
    let UserAdd { email, name, owner, .. } = new;
    let role = if owner { Role::Owner } else { Role::Member };
    let new = NewAccount { email: email.clone(), name: name.unwrap_or_default(), password };
    let user = accounts.create_user(&new, role).await.map_err(|error| refusal(&email, error))?;
    let role = if owner { ", as an owner" } else { "" };
    output::print(&format!("created the account {}{role}\n", on_one_line(&user.email)))
}

async fn set_password(accounts: &Accounts, email: &str, password: &Password) -> Result<(), Failure> {
    accounts.set_password(email, password).await.map_err(|error| refusal(email, error))?;
    output::print(&format!("changed the password of {}, who has to sign in again\n", on_one_line(email)))
}

async fn delete(accounts: &Accounts, email: &str) -> Result<(), Failure> {
    accounts.delete_user_by_email(email).await.map_err(|error| refusal(email, error))?;
    output::print(&format!("deleted the account {}\n", on_one_line(email)))
}

/// Asks for confirmation.
fn confirm(email: &str) -> Result<(), Failure> {
    if !io::stdin().is_terminal() {
        return Err(Failure::command_line("use --yes to delete an account without confirmation"));
    }
    let failed = |error: io::Error| Failure::because("cannot ask", &error);
    write!(io::stderr(), "Delete {} with all their data? Type yes: ", on_one_line(email)).map_err(failed)?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer).map_err(failed)?;
    if answer.trim() == "yes" { Ok(()) } else { Err(Failure::new("nothing was changed")) }
}

/// An error as a message for the command line.
fn refusal(email: &str, error: Error) -> Failure {
    let email = on_one_line(email);
    match error {
        Error::EmailTaken => Failure::new(format!("the address {email} is taken")),
        Error::NotFound => users::unknown_user(&email),
        Error::InvalidEmail => Failure::new(format!("{email} is not an e-mail address")),
        Error::PasswordTooCommon => Failure::new("the password is too common or equals the address: choose another"),
        error => Failure::because(email, &error),
    }
}
