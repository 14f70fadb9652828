//! The command line of `user`.

use clap::{Args, Subcommand};

use super::examples;

/// What to do with accounts.
#[derive(Subcommand)]
pub enum UserCommand {
    /// Make an account that signs in with a password
    #[command(after_help = examples::USER_ADD)]
    Add(UserAdd),
    /// List the accounts, the oldest first
    #[command(after_help = examples::USER_LIST)]
    List {
        /// Print a JSON object a line
        #[arg(long)]
        json: bool,
    },
    /// Give somebody a new password, which ends their sessions
    #[command(after_help = examples::USER_PASSWD)]
    Passwd {
        /// Whose
        email: String,
        /// Read the password from the standard input
        #[arg(long)]
        password_stdin: bool,
    },
    /// Delete an account with all that belongs to it; feeds and items stay
    #[command(after_help = examples::USER_DELETE)]
    Delete {
        /// Whose
        email: String,
        /// Do not ask
        #[arg(long, short)]
        yes: bool,
    },
}

/// Who gets an account.
#[derive(Args)]
pub struct UserAdd {
    /// The address they sign in with
    pub email: String,
    /// What to call them; what is before the @ if not said
    #[arg(long)]
    pub name: Option<String>,
    /// Read the password from the standard input
    #[arg(long)]
    pub password_stdin: bool,
    /// Let them look after the whole instance: its users, feeds and jobs
    #[arg(long)]
    pub owner: bool,
}
