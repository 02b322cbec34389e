//! The command line as typed. No look-ups: what the words mean is decided in `cli` and `settings`.

use clap::{Arg, Args, Command, CommandFactory, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

const EXIT_CODES: &str = "\
Exit codes:
  0   an answer
  1   nothing found
  2   invalid request, or a limit was exceeded
  3   environment: no usable root, cache or snapshot, timeout
  70  a fault of this program

Environment:
  LEANTOKEN_ROOT       as --root
  LEANTOKEN_SNAPSHOT   as --snapshot
  LEANTOKEN_CACHE_DIR  where snapshots are kept (default: leantoken in the user's cache)
  LEANTOKEN_LOG        log filter for stderr, such as info or debug";

/// Answers questions about a source tree: search, files, outline, read.
///
/// Run in any directory: the first call builds an index in the user's cache, later calls bring it up to
/// date. The root is --root, LEANTOKEN_ROOT, or the nearest repository above the working directory;
/// paths are given and shown relative to it.
#[derive(Debug, Parser)]
#[command(name = "leantoken", version, after_help = EXIT_CODES, max_term_width = 100)]
pub struct Arguments {
    /// What holds for every verb.
    #[command(flatten)]
    pub common: Common,
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// Options that a verb takes no notice of; they are refused, and its help does not show them.
pub(super) const UNUSED: [(&str, &[&str]); 2] = [
    ("mcp", &["json", "max_tokens", "cursor"]),
    ("status", &["cursor"]),
];

/// Returns the command line as it is parsed.
pub(super) fn command() -> Command {
    UNUSED
        .iter()
        .fold(Arguments::command(), |command, (verb, unused)| {
            let is_unused = |arg: &&Arg| unused.contains(&arg.get_id().as_str());
            let shown = command.get_arguments().filter(is_unused);
            let hidden: Vec<Arg> = shown.map(|arg| arg.clone().hide(true)).collect();
            command.mut_subcommand(verb, |sub| sub.args(hidden))
        })
}

/// Options of every verb.
#[derive(Debug, Args)]
pub struct Common {
    /// The directory to answer about
    #[arg(long, global = true, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// Answer from a prebuilt snapshot instead: DIR or DIR#GENERATION
    #[arg(long, global = true, value_name = "DIR", conflicts_with = "root")]
    pub snapshot: Option<String>,
    /// Print one JSON document instead of text
    #[arg(long, global = true)]
    pub json: bool,
    /// Ceiling of the whole answer in tokens
    #[arg(long, global = true, value_name = "N", allow_negative_numbers = true)]
    pub max_tokens: Option<i64>,
    /// How tokens are counted: o200k_base (default) or cl100k_base
    #[arg(long, global = true, value_name = "NAME")]
    pub tokenizer: Option<String>,
    /// Go on where an earlier answer of the same request ended
    #[arg(long, global = true, value_name = "C")]
    pub cursor: Option<String>,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Find places by words, text, pattern or name
    Search(SearchArgs),
    /// List or find paths
    #[command(subcommand)]
    Files(FilesVerb),
    /// Show the definitions of files, or a directory as a tree
    Outline(OutlineArgs),
    /// Show source text
    Read(ReadArgs),
    /// Say what is indexed
    Status,
    /// Serve the same operations to an MCP host over stdin and stdout
    Mcp(McpArgs),
}

/// Which paths take part.
#[derive(Debug, Args)]
pub struct PathArgs {
    /// Only paths that match this glob; may be repeated. A name (*.ts, src) matches at any depth, /src or
    /// src/api from the root; a directory stands for everything below it
    #[arg(long = "path", value_name = "GLOB")]
    pub paths: Vec<String>,
    /// No paths that match this glob; may be repeated
    #[arg(long = "exclude", value_name = "GLOB")]
    pub exclude: Vec<String>,
}

/// Arguments of `search`.
#[derive(Debug, Args)]
pub struct SearchArgs {
    /// Words, a name, literal text or a pattern, as the mode says; one argument, so quote several words
    pub query: String,
    /// auto, text, regex, symbol, reference or path
    #[arg(long, short, value_name = "MODE")]
    pub mode: Option<String>,
    /// Same as --mode text: every line with this literal text
    #[arg(long, short = 'F', conflicts_with_all = ["mode", "regex"])]
    pub text: bool,
    /// Same as --mode regex: every line that matches this pattern
    #[arg(long, short = 'e', conflicts_with = "mode")]
    pub regex: bool,
    /// Which paths.
    #[command(flatten)]
    pub paths: PathArgs,
    /// smart (default: a query all in lower case is insensitive), sensitive or insensitive
    #[arg(long, value_name = "CASE")]
    pub case: Option<String>,
    /// Same as --case insensitive
    #[arg(long, short, conflicts_with = "case")]
    pub ignore_case: bool,
    /// Only definitions of this kind, such as function or class; may be repeated
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    pub kind: Vec<String>,
    /// Most hits, 1 to 1000 (default 20)
    #[arg(long, short = 'n', value_name = "N", allow_negative_numbers = true)]
    pub limit: Option<i64>,
    /// Lines around each match, 0 to 50
    #[arg(long, short = 'C', value_name = "N", allow_negative_numbers = true)]
    pub context: Option<i64>,
}

/// The ways to list paths.
#[derive(Debug, Subcommand)]
pub enum FilesVerb {
    /// A directory tree with counts
    Tree {
        /// The directory (default: the root)
        path: Option<String>,
        /// Levels shown (default 2)
        #[arg(long, value_name = "N", allow_negative_numbers = true)]
        depth: Option<i64>,
        /// Which paths.
        #[command(flatten)]
        paths: PathArgs,
        /// Most entries, 1 to 1000 (default 200)
        #[arg(long, short = 'n', value_name = "N", allow_negative_numbers = true)]
        limit: Option<i64>,
    },
    /// Paths that hold the characters of QUERY in order, best first
    Find {
        /// What to look for
        query: String,
        /// Which paths.
        #[command(flatten)]
        paths: PathArgs,
        /// Most entries, 1 to 1000 (default 200)
        #[arg(long, short = 'n', value_name = "N", allow_negative_numbers = true)]
        limit: Option<i64>,
    },
    /// All paths that match
    Glob {
        /// The globs; !GLOB excludes
        #[arg(required = true, value_name = "PATTERN")]
        patterns: Vec<String>,
        /// No paths that match this glob; may be repeated
        #[arg(long, value_name = "GLOB")]
        exclude: Vec<String>,
        /// Most entries, 1 to 1000 (default 200)
        #[arg(long, short = 'n', value_name = "N", allow_negative_numbers = true)]
        limit: Option<i64>,
    },
}

/// Arguments of `outline`.
#[derive(Debug, Args)]
pub struct OutlineArgs {
    /// Files: their definitions. One directory (default: the root): a tree. Globs: a list of files. With
    /// --kind, or several of them: the definitions of all files below
    #[arg(value_name = "TARGET")]
    pub targets: Vec<String>,
    /// Levels of nested definitions (default 3) or of a tree (default 2)
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub depth: Option<i64>,
    /// Only definitions of this kind; may be repeated
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    pub kind: Vec<String>,
    /// Most entries, 1 to 1000 (default 200)
    #[arg(long, short = 'n', value_name = "N", allow_negative_numbers = true)]
    pub limit: Option<i64>,
}

/// Arguments of `read`.
#[derive(Debug, Args)]
pub struct ReadArgs {
    /// path, path:10-40, path#Symbol, Symbol or doc.md#Heading (after -- where it starts with a dash); what
    /// exists below the working directory goes before what exists from the root
    #[arg(required = true, value_name = "TARGET")]
    pub targets: Vec<String>,
}

/// Arguments of `mcp`.
#[derive(Debug, Args)]
pub struct McpArgs {
    /// What tool results hold: text for models, structured or both for programs
    #[arg(long, value_enum, default_value_t = ResultForm::Text)]
    pub result: ResultForm,
}

/// What tool results hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ResultForm {
    /// One block of text.
    Text,
    /// Structured content.
    Structured,
    /// Both.
    Dual,
}
