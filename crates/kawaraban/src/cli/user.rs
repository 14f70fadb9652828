//! The command line of `user`.

use clap::{Args, Subcommand};

use super::examples;

/// The commands of `user`.
#[derive(Subcommand)]
pub enum UserCommand {
    /// Create an account with a password
    #[command(after_help = examples::USER_ADD)]
    Add(UserAdd),
    /// List the accounts, oldest first
    #[command(after_help = examples::USER_LIST)]
    List {
        /// Print one JSON object per line
        #[arg(long)]
        json: bool,
    },
    /// Set a user's password, which ends their sessions
    #[command(after_help = examples::USER_PASSWD)]
    Passwd {
        /// The user's e-mail address
        email: String,
        /// Read the password from the standard input
        #[arg(long)]
        password_stdin: bool,
    },
    /// Delete an account with all its data; feeds and items stay
    #[command(after_help = examples::USER_DELETE)]
    Delete {
        /// The user's e-mail address
        email: String,
        /// Do not ask for confirmation
        #[arg(long, short)]
        yes: bool,
    },
}

/// The arguments of `user add`.
#[derive(Args)]
pub struct UserAdd {
    /// The e-mail address to sign in with
    pub email: String,
    /// The display name; by default the part of the address before the @
    #[arg(long)]
    pub name: Option<String>,
    /// Read the password from the standard input
    #[arg(long)]
    pub password_stdin: bool,
    /// Make the user an owner, who administers users, feeds and jobs
    #[arg(long)]
    pub owner: bool,
}
