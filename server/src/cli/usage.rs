//! A command line that cannot be parsed: said in the same form as every other error, with what was
//! likely meant.
//!
//! Not here: values that parse but cannot be used (see `api`).

use super::args;
use super::output::{complain, print};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use serde_json::json;
use std::ffi::OsString;

/// What other programs call our options.
const OPTIONS: [(&str, &[&str]); 6] = [
    (
        "--path GLOB",
        &["--glob", "-g", "--include", "--paths", "--file", "--dir"],
    ),
    ("-F", &["--fixed-strings", "--literal", "--fixed"]),
    ("-e", &["--regexp", "--pattern", "-E"]),
    ("-i", &["--insensitive"]),
    (
        "--limit N",
        &["--max-results", "--max-count", "-m", "--head"],
    ),
    (
        "--mode symbol",
        &["--definition", "--definitions", "--symbol"],
    ),
];

/// Prints what is wrong with a command line, or the help that was asked for; returns the exit code.
pub(super) fn refuse(error: &clap::Error, words: &[OsString]) -> u8 {
    let is_help = matches!(
        error.kind(),
        ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    );
    if is_help {
        // Help goes to stdout, or stderr where nothing was asked; a reader that went away is no error.
        let _ = error.print();
        return u8::try_from(error.exit_code()).unwrap_or(2);
    }
    let rendered = error.render().to_string();
    let message = message(&rendered);
    let words: Vec<String> = words
        .iter()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let hint = meant(error, &words).unwrap_or_else(|| general(&rendered));
    if words.iter().any(|word| word == "--json") {
        let document = json!({"error": {
            "code": "invalid_request", "message": message, "hint": hint, "retryable": false,
        }});
        let _ = print(&document.to_string());
    }
    complain(&message, Some(&hint));
    2
}

/// Returns the first paragraph on one line.
fn message(rendered: &str) -> String {
    let lines = rendered.lines().map(str::trim);
    let first: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
    first.join(" ").trim_start_matches("error: ").to_owned()
}

/// Returns what clap proposes, or how the verb is used.
fn general(rendered: &str) -> String {
    let mut lines = rendered.lines().map(str::trim);
    let tip = lines.clone().find_map(|line| line.strip_prefix("tip: "));
    let usage = lines.find_map(|line| line.strip_prefix("Usage: "));
    match (tip, usage) {
        (Some(tip), _) => tip.to_owned(),
        (None, Some(usage)) => format!("usage: {usage}"),
        (None, None) => "see leantoken --help".into(),
    }
}

/// Returns what was likely meant, where that can be told.
fn meant(error: &clap::Error, words: &[String]) -> Option<String> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let word = text(ContextKind::InvalidArg)?;
            match word.starts_with('-') {
                true => known_as(word),
                false => quoted(word, words),
            }
        }
        ErrorKind::InvalidSubcommand => {
            let word = text(ContextKind::InvalidSubcommand)?;
            let is_typo = error.get(ContextKind::SuggestedSubcommand).is_some();
            (!is_typo).then(|| format!("to look for it: leantoken search \"{word}\""))
        }
        _ => None,
    }
}

fn known_as(word: &str) -> Option<String> {
    let name = word.split('=').next().unwrap_or(word);
    let (ours, _) = OPTIONS.iter().find(|(_, others)| others.contains(&name))?;
    Some(format!("here it is {ours}"))
}

/// Returns the query that the words behind a verb with a query make, `word` being one of them.
fn quoted(word: &str, words: &[String]) -> Option<String> {
    let command = args::command();
    let verb = words.iter().position(|word| word == "search")?;
    let search = command.find_subcommand("search")?;
    let takes_value = |word: &str| {
        let name = word.trim_start_matches('-');
        search
            .get_arguments()
            .chain(command.get_arguments())
            .any(|arg| {
                let is_it = arg.get_long() == Some(name)
                    || arg
                        .get_short()
                        .is_some_and(|short| name == short.to_string());
                is_it && arg.get_action().takes_values()
            })
    };
    let mut rest = words[verb + 1..].iter();
    let mut query = Vec::new();
    while let Some(next) = rest.next() {
        if !next.starts_with('-') {
            query.push(next.as_str());
        } else if takes_value(next) {
            rest.next();
        }
    }
    let query = query.contains(&word).then(|| query.join(" "))?;
    Some(format!("quote the query: leantoken search \"{query}\""))
}
