//! Runs the real program on a small tree of its own.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Returns the path of the built program.
pub(crate) fn leantoken() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let target = test.parent().and_then(Path::parent).unwrap();
    let program = target.join(format!("leantoken{}", std::env::consts::EXE_SUFFIX));
    assert!(
        program.is_file(),
        "{} is missing: `cargo build --workspace` builds it, and so does `bash ci/check`",
        program.display()
    );
    program
}

/// A tree, a home and a cache, all temporary.
pub(crate) struct Site {
    dir: TempDir,
}

pub(crate) const STORE_RS: &str = "\
//! Keeps values.

/// A store of values.
pub struct Store {
    values: Vec<u32>,
}

impl Store {
    /// Opens an empty store.
    pub fn open() -> Store {
        Store { values: Vec::new() }
    }

    /// Adds a value.
    pub fn insert(&mut self, value: u32) {
        self.values.push(value);
    }
}
";

impl Site {
    pub(crate) fn new() -> Self {
        let site = Site {
            dir: tempfile::tempdir().unwrap(),
        };
        std::fs::create_dir_all(site.home()).unwrap();
        std::fs::create_dir_all(site.root().join(".git")).unwrap();
        site.write("src/store.rs", STORE_RS);
        site.write(
            "src/main.rs",
            "mod store;\n\nfn main() {\n    let mut store = store::Store::open();\n    store.insert(7);\n}\n",
        );
        site.write("tools/run.py", "def open(path):\n    return path\n");
        site.write(
            "README.md",
            "# Site\n\nText.\n\n## Usage notes\n\nRun it.\n",
        );
        site.write("-dash.py", "def dashed():\n    pass\n");
        site.write("naïve café.py", "x = 'привет'\n");
        site
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.dir.path().join("home/work/site")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    pub(crate) fn cache(&self) -> PathBuf {
        self.dir.path().join("cache")
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Returns the program with an environment of its own, started at the root.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(leantoken());
        command
            .env_clear()
            .env("HOME", self.home())
            .env("LEANTOKEN_CACHE_DIR", self.cache())
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .current_dir(self.root());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        let mut command = self.command();
        Run::of(command.args(arguments))
    }
}

/// What one run said.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn of(command: &mut Command) -> Run {
        Run::from(command.stdin(Stdio::null()).output().unwrap())
    }

    /// Runs `command` with `input` on its stdin, which then ends.
    pub(crate) fn with_input(command: &mut Command, input: &str) -> Run {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(input.as_bytes())
            .unwrap();
        Run::from(child.wait_with_output().unwrap())
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Run {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}
