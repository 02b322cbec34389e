//! Sums up the sources that decide what a snapshot holds, so that no change of them is forgotten: the
//! sum is a part of the analysis version. Tests in files of their own do not count.

use std::fs;
use std::path::{Path, PathBuf};

/// What turns source into facts, words and stored bytes.
const ROOTS: [&str; 2] = ["../shared/src", "src/segment"];

fn main() {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for root in ROOTS {
        println!("cargo::rerun-if-changed={root}");
        collect(&here, Path::new(root), &mut files);
    }
    files.sort();
    let mut sum = Sum(0xcbf2_9ce4_8422_2325);
    for file in files {
        sum.add(file.to_string_lossy().replace('\\', "/").as_bytes());
        // A checkout may have other line ends; the program is the same.
        let bytes = fs::read(here.join(&file)).unwrap_or_default();
        let kept: Vec<u8> = bytes.into_iter().filter(|byte| *byte != b'\r').collect();
        sum.add(&kept);
    }
    println!("cargo::rustc-env=LEANTOKEN_SOURCES={:016x}", sum.0);
}

fn collect(here: &Path, folder: &Path, into: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(here.join(folder)) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let path = folder.join(&name);
        if entry.path().is_dir() {
            if name != "tests" {
                collect(here, &path, into);
            }
        } else if name != "tests.rs" && path.extension().is_some_and(|end| end == "rs") {
            into.push(path);
        }
    }
}

/// FNV-1a, 64 bits (Fowler, Noll, Vo): told apart is all that the sources need to be.
struct Sum(u64);

impl Sum {
    fn add(&mut self, bytes: &[u8]) {
        for byte in (bytes.len() as u64).to_le_bytes().iter().chain(bytes) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
