//! The program `leantoken-build`: runs one command line. The result goes to stdout, everything else to
//! stderr; the exit code follows the category of the error.

mod args;
mod commands;
mod console;
mod settings;

use crate::args::{Arguments, Verb};
use crate::commands::Document;
use crate::console::Console;
use crate::settings::Environment;
use clap::Parser;
use clap::error::ErrorKind;
use leantoken_builder::error::BuildError;
use leantoken_shared::category::Category;
use serde_json::json;
use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

/// The parser allocates a node at a time: this allocator, which also replaces that of C code, takes a
/// seventh off a whole build.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return refuse(&error),
    };
    let environment = Environment::read();
    let done = match &arguments.verb {
        Verb::Build(args) => {
            let console = Console::new(args.quiet || arguments.json, environment.ci);
            let done = commands::build(args, &environment, &console);
            console.end();
            done
        }
        Verb::Verify(args) => commands::verify(args, &environment),
        Verb::Inspect(args) => commands::inspect(args, &environment),
    };
    match done {
        Ok(document) => print(&document, arguments.json),
        Err(error) => fail(&error, arguments.json),
    }
}

/// Says what is wrong with a command line, or prints the help that was asked for.
fn refuse(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = error.print();
        return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
    }
    let rendered = error.render().to_string();
    let mut lines = rendered.lines().map(str::trim);
    let first: Vec<&str> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
    let message = first.join(" ");
    let rest: Vec<&str> = lines.collect();
    let tip = rest.iter().find_map(|line| line.strip_prefix("tip: "));
    let usage = rest.iter().find(|line| line.starts_with("Usage: "));
    let hint = tip
        .or(usage.copied())
        .unwrap_or("see leantoken-build --help");
    let is_json = std::env::args_os().any(|word| word == "--json");
    let category = Category::InvalidRequest;
    say(
        category,
        message.trim_start_matches("error: "),
        Some(hint),
        is_json,
    )
}

fn print(document: &Document, is_json: bool) -> ExitCode {
    for warning in document.warnings.iter().filter(|_| !is_json) {
        console::line(&format!("warning: {warning}"));
    }
    let mut out = io::stdout().lock();
    let written = match is_json {
        true => writeln!(out, "{}", document.json),
        false => write!(out, "{}", document.text),
    };
    match written.and_then(|()| out.flush()) {
        // A reader that has seen enough is no fault.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => ExitCode::from(3),
        _ => ExitCode::SUCCESS,
    }
}

/// Returns what can be done about `error`, with the options that this program has for it.
fn hint(error: &BuildError) -> Option<String> {
    let hint = error.hint()?;
    let option = match error {
        BuildError::RefusedRoot { .. } => ", or pass --force-root if this is really meant",
        BuildError::NoSnapshot { .. } => " with --generation",
        BuildError::Io { source, .. } if is_refused(source) => " or --out",
        _ => "",
    };
    Some(format!("{hint}{option}"))
}

fn is_refused(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
    )
}

fn fail(error: &BuildError, is_json: bool) -> ExitCode {
    let causes = std::iter::successors(error.source(), |cause| (*cause).source());
    let message = causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"));
    say(error.category(), &message, hint(error).as_deref(), is_json)
}

fn say(category: Category, message: &str, hint: Option<&str>, is_json: bool) -> ExitCode {
    if is_json {
        let json = json!({
            "error": {"category": category.as_str(), "message": message, "hint": hint},
        });
        let document = Document {
            text: String::new(),
            json,
            warnings: Vec::new(),
        };
        let _ = print(&document, true);
    } else {
        console::line(&format!("error: {message}"));
        if let Some(hint) = hint {
            console::line(&format!("hint: {hint}"));
        }
    }
    ExitCode::from(category.exit_code())
}
