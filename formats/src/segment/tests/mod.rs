//! Segments written, sealed and read back.

mod hostile;
mod same_bytes;
mod support;

use super::*;
use proptest::prelude::*;
use support::{Tree, arb_tree, facts_of};

#[test]
fn everything_written_is_read_back() {
    let tree = Tree::new(&[
        ("a/empty.rs", ""),
        (
            "a/one.rs",
            "fn parse_http() {}\n\n/// Doc words here.\nfn Other() { parse_http() }\n",
        ),
        ("b.txt", "hello hello world\r\nAbc\n"),
    ]);
    let sealed = tree.seal(1, usize::MAX);
    assert_eq!(
        (sealed.0.n_files, sealed.0.n_symbols, sealed.0.n_lines),
        (3, 2, 6)
    );
    let segment = sealed.open();
    let reader = segment.reader().unwrap();
    assert_eq!(segment.find("b.txt"), Some(2));
    assert_eq!(segment.find("b"), None);
    for (id, file) in tree.files.iter().enumerate() {
        let id = id as u32;
        assert_eq!(segment.file(id).unwrap().path.as_str(), file.0);
        assert_eq!(reader.text(id).unwrap(), file.1);
        assert_eq!(reader.facts(id).unwrap(), facts_of(&file.1));
    }
    let mut hits = Vec::new();
    reader
        .word("hello", |file, hit| hits.push((file, hit)))
        .unwrap();
    let hit = WordHit {
        ordinal: 0,
        body: 2,
        name: 0,
        doc: 0,
    };
    assert_eq!(hits, [(2, hit)]);
    hits.clear();
    reader
        .word("parse_http", |file, hit| hits.push((file, hit)))
        .unwrap();
    assert_eq!(hits[0].1.name, 1);
    assert_eq!(reader.path_word("b").unwrap(), [2]);
    assert_eq!(
        reader.symbol_name("other").unwrap(),
        [NamePosting {
            file: 1,
            symbols: vec![1]
        }]
    );
    assert_eq!(reader.symbol_names_from("par", 5).unwrap(), ["parse_http"]);
    assert_eq!(reader.symbol_names_from("q", 5).unwrap(), [""; 0]);
    let mut names = Vec::new();
    reader
        .all_symbol_names(|name| names.push(name.to_string()))
        .unwrap();
    assert_eq!(names, ["other", "parse_http"]);
    assert_eq!(reader.reference_name("parse_http").unwrap(), [1]);
    assert_eq!(reader.gram(*b"abc").unwrap(), [2]);
    assert_eq!(reader.gram(*b"ABC").unwrap(), [0; 0]);
    assert!(reader.text(3).is_err());
    reader.word("nowhere", |_, _| panic!("a hit")).unwrap();
}

#[test]
fn values_cross_threads_as_promised() {
    fn send<T: Send>() {}
    fn shared<T: Send + Sync>() {}
    send::<FileEncoder>();
    send::<EncodedFile>();
    send::<PostingRuns>();
    send::<SegmentWriter>();
    send::<SegmentReader>();
    shared::<Segment>();
}
