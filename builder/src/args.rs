//! The command line as typed. No lookups: see `settings` for what is resolved.

use clap::{Parser, Subcommand};
use std::path::PathBuf;

/// Builds, verifies and describes snapshots of source trees.
#[derive(Debug, Parser)]
#[command(name = "leantoken-build", version, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) verb: Verb,
    /// Print one JSON document on standard output, errors included
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Build a snapshot of a source tree
    Build(BuildArgs),
    /// Compare every byte of a snapshot with its manifest
    Verify(SnapshotArgs),
    /// Describe a snapshot: languages, what was left out, where the bytes are
    Inspect(SnapshotArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct BuildArgs {
    /// The directory to index
    #[arg(default_value = ".")]
    pub(crate) root: PathBuf,
    /// The snapshot directory to write to, new, empty or one of ours [default: the user's cache, where
    /// leantoken finds it]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Threads that analyse [default: as many as the machine or container has]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(crate) threads: Option<u16>,
    /// Leave out files larger than this many bytes [default: 8388608]
    #[arg(long, value_name = "N")]
    pub(crate) max_file_bytes: Option<u64>,
    /// Accept the file system root or the home directory as root
    #[arg(long)]
    pub(crate) force_root: bool,
    /// Show no progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct SnapshotArgs {
    /// The snapshot directory [default: the user's cache]
    pub(crate) dir: Option<PathBuf>,
    /// Which snapshot in it [default: the only one; in the cache that of the current directory]
    #[arg(long, value_name = "b3:HEX")]
    pub(crate) generation: Option<String>,
}
