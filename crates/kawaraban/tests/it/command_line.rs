//! Help, version, completions, and what is said to a wrong command line.

use crate::process::Program;

const COMMANDS: [&str; 13] = [
    "serve",
    "api",
    "worker",
    "migrate",
    "config",
    "healthcheck",
    "user",
    "refresh",
    "opml",
    "jobs",
    "feed",
    "watch",
    "completions",
];

#[tokio::test]
async fn help_lists_the_commands_in_order() {
    let help = Program::new().run(&["--help"]).await.expect_code(0).stdout;
    let places: Vec<usize> = COMMANDS.iter().map(|command| help.find(&format!("\n  {command} ")).unwrap()).collect();
    assert!(places.is_sorted(), "{help}");
}

#[tokio::test]
async fn every_command_has_help_with_examples() {
    let program = Program::new();
    let mut commands: Vec<Vec<&str>> = COMMANDS.iter().map(|command| vec![*command]).collect();
    commands.extend(["list", "show", "retry", "cancel"].map(|command| vec!["jobs", command]));
    commands.extend(["add", "list", "passwd", "delete"].map(|command| vec!["user", command]));
    commands.extend(["import", "export"].map(|command| vec!["opml", command]));
    commands.extend(["list", "check", "history", "init", "find"].map(|command| vec!["watch", command]));
    commands.extend(["parse", "sanitize", "discover"].map(|command| vec!["feed", command]));
    for mut command in commands {
        let line = format!("kawaraban {}", command.join(" "));
        command.push("--help");
        let help = program.run(&command).await.expect_code(0).stdout;
        let examples = help.split_once("Examples:").unwrap_or_else(|| panic!("no examples: {help}")).1;
        assert!(examples.contains(&line), "{line}: {help}");
    }
}

#[tokio::test]
async fn version_contains_the_commit() {
    let version = Program::new().run(&["--version"]).await.expect_code(0).stdout;
    let rest = version.strip_prefix(concat!("kawaraban ", env!("CARGO_PKG_VERSION"), " (")).expect("the version");
    let commit = rest.trim_end().strip_suffix(')').expect("a commit");
    assert!(commit == "unknown" || (commit.len() == 12 && commit.chars().all(|c| c.is_ascii_hexdigit())), "{version}");
}

#[tokio::test]
async fn completions_contain_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = Program::new().run(&["completions", shell]).await.expect_code(0).stdout;
        assert!(script.contains("healthcheck"), "{shell}");
    }
}

#[tokio::test]
async fn invalid_command_line_ends_with_code_2() {
    let wrong: [&[&str]; 14] = [
        &[],
        &["sreve"],
        &["serve", "--port", "80"],
        &["user"],
        &["user", "add", "--owner"],
        &["user", "passwd", "me@example.org", "secret"],
        &["jobs"],
        &["jobs", "show", "not-an-id"],
        &["jobs", "retry"],
        &["jobs", "retry", "0197a3c5-1c5e-7f51-8a54-0f6a3d3c9b11", "--all"],
        &["jobs", "list", "--status", "lost"],
        &["jobs", "list", "--limit", "0"],
        &["watch", "history"],
        &["watch", "history", "a-blog", "--limit", "0"],
    ];
    for arguments in wrong {
        let finished = Program::new().run(arguments).await.expect_code(2);
        assert!(
            finished.stdout.is_empty() && finished.stderr.contains("Usage") || finished.stderr.contains("--help"),
            "{finished:?}"
        );
    }
}

#[tokio::test]
async fn closed_pipe_is_not_a_failure() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let status = Program::new().command(&["config"]).stdout(writer).status().await.unwrap();
    assert_eq!(status.code(), Some(0));
}
