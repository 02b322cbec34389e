//! Walks a tree, reads every file and parses the Rust ones, on all cores, and does nothing else.
//! Prints the seconds. A cold build is compared with this in the same run.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

fn main() {
    let root = std::env::args().nth(1).expect("usage: floor ROOT");
    let begin = Instant::now();
    let mut files: Vec<PathBuf> = ignore::WalkBuilder::new(root)
        .hidden(false)
        .filter_entry(|entry| entry.file_name() != ".git")
        .build()
        .flatten()
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
        .map(ignore::DirEntry::into_path)
        .collect();
    files.sort();
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let nodes: usize = std::thread::scope(|scope| {
        let work = || {
            let mut parser = tree_sitter::Parser::new();
            parser.set_language(&tree_sitter_rust::LANGUAGE.into()).expect("the grammar fits");
            let mut nodes = 0;
            while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                let Ok(bytes) = std::fs::read(path) else { continue };
                if path.extension().is_some_and(|extension| extension == "rs") {
                    nodes += parser.parse(&bytes, None).map_or(0, |tree| tree.root_node().descendant_count());
                }
            }
            nodes
        };
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        handles.into_iter().map(|handle| handle.join().expect("a worker panicked")).sum()
    });
    eprintln!("{} files, {nodes} nodes", files.len());
    println!("{:.3}", begin.elapsed().as_secs_f64());
}
