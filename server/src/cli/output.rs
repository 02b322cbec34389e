//! What the command line prints and where: answers on stdout, everything else on stderr.

use super::exit_code;
use crate::api::document::{error_value, to_json};
use crate::error::Error;
use crate::form::Form;
use crate::query::answer::Answer;
use crate::render;
use clap::error::ErrorKind;
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use tracing_subscriber::EnvFilter;

/// How this run prints.
#[derive(Clone, Copy, Debug)]
pub(super) struct Output {
    /// JSON instead of text.
    pub(super) is_json: bool,
}

impl Output {
    /// Prints `answer`. A reader that went away is no error.
    ///
    /// # Errors
    /// Stdout cannot be written.
    pub(super) fn answer(&self, answer: &Answer, form: Form) -> Result<(), Error> {
        let text = match form {
            Form::Json => to_json(answer, answer.source.freshness),
            _ => render::text(answer, answer.source.freshness),
        };
        print(&text).map_err(Error::Output)
    }

    /// Prints `error` and returns the exit code that goes with it.
    pub(super) fn error(&self, error: &Error) -> u8 {
        let mut shown = String::from("error: ");
        render::push_clean(&error.message(), &mut shown);
        shown.push('\n');
        if let Some(hint) = hint(error) {
            shown.push_str("hint: ");
            render::push_clean(&hint, &mut shown);
            shown.push('\n');
        }
        if self.is_json {
            // Where stdout is gone, stderr still says what happened.
            let _ = print(&error_value(error).to_string());
        }
        let _ = io::stderr().lock().write_all(shown.as_bytes());
        exit_code(error)
    }
}

fn print(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    let line_end: &[u8] = if text.ends_with('\n') { b"" } else { b"\n" };
    let written = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.write_all(line_end))
        .and_then(|()| stdout.flush());
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Returns what to do about `error`, with an option that would work.
fn hint(error: &Error) -> Option<String> {
    let Error::Request {
        field, suggestion, ..
    } = error
    else {
        return error.hint();
    };
    let example = match suggestion {
        Value::Null => None,
        Value::Array(items) => items.first().map(plain),
        value => Some(plain(value)),
    };
    let example = example.map(|value| match field.as_str() {
        "query" | "targets" => format!("for example '{value}'"),
        "paths" => format!("for example --path '{value}'"),
        _ => format!("for example --{} {value}", field.replace('_', "-")),
    });
    match (error.hint(), example) {
        (Some(hint), Some(example)) => Some(format!("{hint}; {example}")),
        (hint, example) => hint.or(example),
    }
}

fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// Prints what is wrong with a command line, or the help that was asked for; returns the exit code.
pub(super) fn usage(error: &clap::Error, wants_json: bool) -> u8 {
    let is_help = matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    );
    if wants_json && !is_help {
        let _ = print(&usage_document(error).to_string());
    }
    // Help goes to stdout and faults to stderr; a reader that went away is no error.
    let _ = error.print();
    u8::try_from(error.exit_code()).unwrap_or(2)
}

fn usage_document(error: &clap::Error) -> Value {
    let rendered = error.render().to_string();
    let mut lines = rendered
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let message = lines.next().unwrap_or_default();
    let tip = lines.find_map(|line| line.strip_prefix("tip: "));
    let mut body = Map::new();
    body.insert("code".into(), json!("invalid_request"));
    body.insert(
        "message".into(),
        json!(message.trim_start_matches("error: ")),
    );
    body.insert("hint".into(), json!(tip.unwrap_or("see leantoken --help")));
    body.insert("retryable".into(), json!(false));
    json!({ "error": body })
}

/// Starts logging to stderr: what `filter` says, or warnings.
pub(super) fn start_log(filter: Option<&str>) {
    let filter = filter.map_or_else(|| EnvFilter::new("error"), EnvFilter::new);
    // A second start in one process keeps the first log: harmless.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(false)
        .try_init();
}
