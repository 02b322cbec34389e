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
use leantoken_builder::error::BuildError;
use serde_json::json;
use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

/// The parser allocates a node at a time: this allocator, which also replaces that of C code, takes a
/// seventh off a whole build.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
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

fn print(document: &Document, is_json: bool) -> ExitCode {
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
        BuildError::Io { source, .. } if source.kind() == io::ErrorKind::PermissionDenied => {
            " or --out"
        }
        _ => "",
    };
    Some(format!("{hint}{option}"))
}

fn fail(error: &BuildError, is_json: bool) -> ExitCode {
    let causes = std::iter::successors(error.source(), |cause| (*cause).source());
    let message = causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"));
    let category = error.category();
    let hint = hint(error);
    if is_json {
        let json = json!({
            "error": {"category": category.as_str(), "message": message, "hint": hint},
        });
        let text = String::new();
        let _ = print(&Document { text, json }, true);
    } else {
        console::line(&format!("error: {message}"));
        if let Some(hint) = hint {
            console::line(&format!("hint: {hint}"));
        }
    }
    ExitCode::from(category.exit_code())
}
