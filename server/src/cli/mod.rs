//! The command line: words to a request, an answer to stdout, everything else to stderr.
//!
//! Not here: answering (see `service`). One-shot verbs start no async runtime and load no vocabulary that
//! nobody asked for. Stdout holds the answer and nothing else; with `--json` errors are answers too.

pub mod args;
mod output;
mod progress;
mod usage;

use crate::api::request::{
    Defaults, FilesChoice, FilesRequest, OutlineRequest, ReadRequest, Request, SearchRequest,
    StatusRequest,
};
use crate::error::Error;
use crate::form::Form;
use crate::mcp;
use crate::query::answer::{Answer, Body};
use crate::query::deadline::Deadline;
use crate::service::{Limits, Patience, Service};
use crate::settings::{self, Environment, SourceChoice};
use args::{Arguments, Common, FilesVerb, McpArgs, PathArgs, SearchArgs, Verb};
use clap::FromArgMatches;
use leantoken_shared::category::Category;
use leantoken_shared::tokens::Tokenizer;
use output::Output;
use progress::Show;
use serde_json::json;
use std::ffi::OsString;

/// Most bytes of an answer on the command line when no token budget is given.
const MAX_BYTES: u32 = 40_000;

/// Exit code where a search found nothing.
const NOTHING_FOUND: u8 = 1;

/// Runs one command line and returns the exit code.
pub fn run(command_line: impl IntoIterator<Item = OsString>) -> u8 {
    let words: Vec<OsString> = command_line.into_iter().collect();
    let parsed = args::command()
        .try_get_matches_from(&words)
        .and_then(|matches| Arguments::from_arg_matches(&matches));
    let arguments = match parsed {
        Ok(arguments) => arguments,
        Err(error) => return usage::refuse(&error, &words),
    };
    let environment = Environment::read();
    let output = Output {
        is_json: arguments.common.json,
    };
    if environment.log.is_some() || matches!(arguments.verb, Verb::Mcp(_)) {
        output::start_log(environment.log.as_deref());
    }
    let common = &arguments.common;
    let done = check_used(&arguments.verb, common).and_then(|()| match &arguments.verb {
        Verb::Mcp(mcp) => serve(mcp, common, environment),
        verb => ask(verb, common, &environment, &output),
    });
    done.unwrap_or_else(|error| output.error(&error))
}

/// Refuses options that the verb takes no notice of.
fn check_used(verb: &Verb, common: &Common) -> Result<(), Error> {
    let name = match verb {
        Verb::Mcp(_) => "mcp",
        Verb::Status => "status",
        _ => return Ok(()),
    };
    let given = [
        ("json", common.json),
        ("max_tokens", common.max_tokens.is_some()),
        ("cursor", common.cursor.is_some()),
    ];
    let unused = args::UNUSED.iter().find(|(verb, _)| *verb == name);
    let is_unused = |field: &str| unused.is_some_and(|(_, fields)| fields.contains(&field));
    match given
        .iter()
        .find(|(field, is_given)| *is_given && is_unused(field))
    {
        Some((field, _)) => {
            let message = format!("{name} does not use --{}", field.replace('_', "-"));
            Err(Error::request(field, message, serde_json::Value::Null))
        }
        None => Ok(()),
    }
}

fn serve(mcp: &McpArgs, common: &Common, environment: Environment) -> Result<u8, Error> {
    let tokenizer = tokenizer(common)?;
    mcp::serve(mcp::Options {
        choice: SourceChoice {
            is_hosted: true,
            ..choice(common)
        },
        environment,
        result: mcp.result,
        tokenizer,
    })?;
    Ok(0)
}

fn ask(
    verb: &Verb,
    common: &Common,
    environment: &Environment,
    output: &Output,
) -> Result<u8, Error> {
    let tokenizer = tokenizer(common)?;
    let request = request(verb, common);
    let source = settings::resolve(&choice(common), environment)?;
    let mut service = Service::new(source, Limits::default());
    if let Some(cwd) = &environment.cwd {
        service = service.from_directory(cwd);
    }
    let form = if common.json { Form::Json } else { Form::Text };
    let defaults = Defaults {
        max_tokens: None,
        max_bytes: MAX_BYTES,
        tokenizer,
    };
    let show = Show::new(environment.ci);
    let patience = Patience::Endless(&show);
    let answer = service.ask(&request, (form, defaults), &Deadline::default(), patience)?;
    output.answer(&answer, form)?;
    Ok(if is_empty(&answer) { NOTHING_FOUND } else { 0 })
}

fn is_empty(answer: &Answer) -> bool {
    answer.extent.total == 0 && !matches!(answer.body, Body::Status(_))
}

fn choice(common: &Common) -> SourceChoice {
    SourceChoice {
        root: common.root.clone(),
        snapshot: common.snapshot.clone(),
        is_hosted: false,
    }
}

fn tokenizer(common: &Common) -> Result<Tokenizer, Error> {
    let Some(name) = &common.tokenizer else {
        return Ok(Tokenizer::default());
    };
    Tokenizer::from_name(name).ok_or_else(|| Error::Request {
        field: "tokenizer".into(),
        message: format!("unknown tokenizer '{name}'"),
        allowed: "o200k_base, cl100k_base".into(),
        suggestion: json!("o200k_base"),
    })
}

fn request(verb: &Verb, common: &Common) -> Request {
    let max_tokens = common.max_tokens;
    let cursor = common.cursor.clone();
    match verb {
        Verb::Search(search) => Request::Search(search_request(search, max_tokens, cursor)),
        Verb::Files(verb) => Request::Files(FilesRequest {
            max_tokens,
            cursor,
            ..files_request(verb)
        }),
        Verb::Outline(outline) => Request::Outline(OutlineRequest {
            paths: outline.targets.clone(),
            depth: outline.depth,
            kind: outline.kind.clone(),
            limit: outline.limit,
            max_tokens,
            cursor,
        }),
        Verb::Read(read) => Request::Read(ReadRequest {
            targets: read.targets.clone(),
            max_tokens,
            cursor,
        }),
        Verb::Status | Verb::Mcp(_) => Request::Status(StatusRequest { max_tokens, cursor }),
    }
}

fn search_request(
    search: &SearchArgs,
    max_tokens: Option<i64>,
    cursor: Option<String>,
) -> SearchRequest {
    let mode = match (search.text, search.regex) {
        (true, _) => Some("text".into()),
        (_, true) => Some("regex".into()),
        _ => search.mode.clone(),
    };
    let case = match search.ignore_case {
        true => Some("insensitive".into()),
        false => search.case.clone(),
    };
    SearchRequest {
        query: search.query.clone(),
        mode,
        paths: patterns(&search.paths.paths, &search.paths.exclude),
        kind: search.kind.clone(),
        case,
        limit: search.limit,
        context: search.context,
        max_tokens,
        cursor,
    }
}

fn files_request(verb: &FilesVerb) -> FilesRequest {
    let both = |paths: &PathArgs| patterns(&paths.paths, &paths.exclude);
    let (view, paths, limit) = match verb {
        FilesVerb::Tree {
            path,
            depth,
            paths,
            limit,
        } => {
            let path = path.clone().unwrap_or_default();
            let view = FilesChoice::Tree {
                path,
                depth: *depth,
            };
            (view, both(paths), limit)
        }
        FilesVerb::Find {
            query,
            paths,
            limit,
        } => (FilesChoice::Find(query.clone()), both(paths), limit),
        FilesVerb::Glob {
            patterns: wanted,
            exclude,
            limit,
        } => (FilesChoice::Glob, patterns(wanted, exclude), limit),
    };
    FilesRequest {
        view,
        paths,
        limit: *limit,
        ..FilesRequest::default()
    }
}

fn patterns(include: &[String], exclude: &[String]) -> Vec<String> {
    let excluded = exclude
        .iter()
        .map(|pattern| match pattern.strip_prefix('!') {
            Some(_) => pattern.clone(),
            None => format!("!{pattern}"),
        });
    include.iter().cloned().chain(excluded).collect()
}

/// Returns the exit code of an error.
fn exit_code(error: &Error) -> u8 {
    match error {
        // The root is part of the environment, whatever is wrong with it.
        Error::Root { .. } => Category::Unavailable.exit_code(),
        _ => error.category().exit_code(),
    }
}
