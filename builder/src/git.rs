//! Runs git safely: no hooks, no file-system monitor, no pager, no prompt, no lock, no lazy fetch, with
//! bounds on time and output.
//!
//! Not here: what the answers mean (see [`crate::discover`] and [`crate::revision`]). Every command
//! reads only. A git that is missing, refuses, is slow or says too much is `None`, never an error:
//! everything works without git, only less exactly.

use crate::platform;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// One read-only question to git.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ask<'a> {
    /// Subcommand and arguments.
    pub(crate) args: &'a [&'a str],
    /// What it reads from standard input.
    pub(crate) stdin: &'a [u8],
    /// How long to wait for the answer.
    pub(crate) timeout: Duration,
    /// The longest answer that is accepted.
    pub(crate) max_bytes: u64,
}

/// Variables that would point git at another repository, or make it run or write something.
const REMOVED: [&str; 16] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_CONFIG",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_COUNT",
    "GIT_EXTERNAL_DIFF",
    "GIT_LITERAL_PATHSPECS",
    "GIT_TRACE",
    "GIT_TRACE2",
    "GIT_TRACE2_EVENT",
];

/// Asks git in the directory `at`; `None` when there is no complete, successful answer.
pub(crate) fn ask(at: &Path, question: Ask<'_>) -> Option<Vec<u8>> {
    let mut child = command(at, question.args).spawn().ok()?;
    let mut stdout = child.stdout.take()?;
    if let Some(mut stdin) = child.stdin.take() {
        // A git that ended early answers by its exit status.
        let _ = stdin.write_all(question.stdin);
    }
    let (sender, receiver) = mpsc::sync_channel(1);
    let limit = question.max_bytes;
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = stdout
            .by_ref()
            .take(limit.saturating_add(1))
            .read_to_end(&mut bytes);
        let complete = read.is_ok() && bytes.len() as u64 <= limit;
        let _ = sender.send(complete.then_some(bytes));
    });
    let answer = receiver.recv_timeout(question.timeout).ok().flatten();
    if answer.is_none() {
        platform::kill_group(&mut child);
    }
    let succeeded = child.wait().is_ok_and(|status| status.success());
    let _ = reader.join();
    answer.filter(|_| succeeded)
}

fn command(at: &Path, args: &[&str]) -> Command {
    let mut command = Command::new("git");
    for variable in REMOVED {
        command.env_remove(variable);
    }
    command
        .current_dir(at)
        .args(["--no-pager", "--no-optional-locks", "--literal-pathspecs"])
        .args([
            "-c",
            "core.fsmonitor=false",
            "-c",
            "core.hooksPath=/dev/null",
        ])
        .args([
            "-c",
            "core.untrackedCache=false",
            "-c",
            "submodule.recurse=false",
        ])
        .args(args)
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_NO_REPLACE_OBJECTS", "1")
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    platform::own_group(&mut command);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Ask<'_> = Ask {
        args: &["--version"],
        stdin: b"",
        timeout: Duration::from_secs(30),
        max_bytes: 1000,
    };

    #[test]
    fn answers_are_complete_or_absent() {
        let here = std::env::temp_dir();
        assert!(ask(&here, SHORT).is_some_and(|bytes| bytes.starts_with(b"git version")));
        assert_eq!(
            ask(
                &here,
                Ask {
                    max_bytes: 3,
                    ..SHORT
                }
            ),
            None
        );
        assert_eq!(
            ask(
                &here,
                Ask {
                    args: &["no-such-command"],
                    ..SHORT
                }
            ),
            None
        );
        assert_eq!(ask(Path::new("/no/such/dir"), SHORT), None);
    }

    #[test]
    fn a_git_that_hangs_is_given_up() {
        let stuck = Ask {
            args: &["-c", "alias.stuck=!tail -f /dev/null", "stuck"],
            timeout: Duration::from_millis(50),
            ..SHORT
        };
        assert_eq!(ask(&std::env::temp_dir(), stuck), None);
    }
}
