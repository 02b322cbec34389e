//! The bytes of a segment depend on its content alone, and say all of it.

use super::*;
use leantoken_shared::grams::grams;
use leantoken_shared::terms::Splitter;
use std::collections::{BTreeMap, BTreeSet};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn encoders_and_spills_leave_no_trace(tree in arb_tree(), budget in 0usize..20_000) {
        let one = tree.seal(1, usize::MAX);
        let other = tree.seal(5, budget);
        let third = tree.seal(2, 0);
        for other in [&other.0, &third.0] {
            prop_assert_eq!(one.0.core.hash, other.core.hash);
            prop_assert_eq!(one.0.text.hash, other.text.hash);
            prop_assert_eq!(one.0.lengths, other.lengths);
        }
    }

    #[test]
    fn postings_agree_with_the_texts(tree in arb_tree()) {
        let sealed = tree.seal(2, 10_000);
        let segment = sealed.open();
        let reader = segment.reader().unwrap();
        let mut words: BTreeMap<String, BTreeMap<(u32, u32), u32>> = BTreeMap::new();
        let mut by_gram: BTreeMap<[u8; 3], BTreeSet<u32>> = BTreeMap::new();
        let mut symbols: BTreeMap<String, BTreeMap<u32, Vec<u32>>> = BTreeMap::new();
        let mut uses: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
        for (id, (_, text)) in tree.files.iter().enumerate() {
            let id = id as u32;
            let facts = reader.facts(id).unwrap();
            prop_assert_eq!(&facts, &facts_of(text));
            prop_assert_eq!(&reader.text(id).unwrap(), text);
            let rows = reader.chunks(id).unwrap();
            let chunks: Vec<Chunk> = rows.iter().map(|row| row.chunk).collect();
            prop_assert_eq!(&chunks, &support::chunks_of(text, &facts));
            for (ordinal, chunk) in chunks.iter().enumerate() {
                let mut splitter = Splitter::new();
                let mut ids = Vec::new();
                splitter.split(chunk.range.of(text), |term| ids.push(term));
                prop_assert_eq!(rows[ordinal].lengths.body as usize, ids.len());
                for term in ids {
                    *words.entry(splitter.term(term).into()).or_default()
                        .entry((id, ordinal as u32)).or_default() += 1;
                }
            }
            grams(text.as_bytes(), |gram| { by_gram.entry(gram).or_default().insert(id); });
            for (at, symbol) in facts.symbols.iter().enumerate() {
                symbols.entry(leantoken_shared::terms::fold_name(facts.names.get(symbol.name)))
                    .or_default().entry(id).or_default().push(at as u32);
            }
            for reference in &facts.references {
                uses.entry(leantoken_shared::terms::fold_name(facts.names.get(reference.name)))
                    .or_default().insert(id);
            }
        }
        for (word, expected) in words {
            let mut found = BTreeMap::new();
            reader.word(&word, |file, hit| { found.insert((file, hit.ordinal), hit.body); }).unwrap();
            prop_assert_eq!(found, expected);
        }
        for (gram, expected) in by_gram {
            prop_assert_eq!(reader.gram(gram).unwrap(), Vec::from_iter(expected));
        }
        let mut names = Vec::new();
        reader.all_symbol_names(|name| names.push(name.to_string())).unwrap();
        prop_assert_eq!(names, Vec::from_iter(symbols.keys().cloned()));
        for (name, expected) in symbols {
            let expected: Vec<NamePosting> = expected.into_iter()
                .map(|(file, symbols)| NamePosting { file, symbols }).collect();
            prop_assert_eq!(reader.symbol_name(&name).unwrap(), expected);
        }
        for (name, expected) in uses {
            prop_assert_eq!(reader.reference_name(&name).unwrap(), Vec::from_iter(expected));
        }
    }
}

#[test]
fn many_files_span_blocks_and_pages() {
    let files: Vec<(String, String)> = (0..600)
        .map(|n| {
            (
                format!("d/{n:04}.rs"),
                format!("fn name_{n}() {{ common() }}\n").repeat(1 + n % 7),
            )
        })
        .collect();
    let tree = Tree { files };
    let sealed = tree.seal(3, 50_000);
    assert_eq!(sealed.0.core.hash, tree.seal(1, usize::MAX).0.core.hash);
    let reader = sealed.open().reader().unwrap();
    let mut n = 0;
    reader.word("common", |_, _| n += 1).unwrap();
    assert_eq!(n as u64, sealed.0.n_chunks);
    assert_eq!(reader.gram(*b"com").unwrap().len(), 600);
    assert_eq!(reader.symbol_names_from("name_59", 100).unwrap().len(), 11);
    for n in [0u32, 299, 599] {
        assert_eq!(reader.symbol_name(&format!("name_{n}")).unwrap()[0].file, n);
        assert_eq!(reader.text(n).unwrap(), tree.files[n as usize].1);
    }
    let mut names = 0;
    reader.all_symbol_names(|_| names += 1).unwrap();
    assert_eq!(names, 600);
}

#[test]
fn what_is_skipped_and_hidden_is_sorted() {
    let sealed = Tree::new(&[]).seal(1, 0);
    let segment = sealed.open();
    let hidden: Vec<&str> = segment.hidden().iter().map(|path| path.as_str()).collect();
    assert_eq!(hidden, ["old/a", "old/b"]);
    let skipped = segment.skipped().unwrap();
    assert_eq!((skipped.len(), skipped[0].path.as_str()), (3, "link"));
    assert!(segment.files().is_empty());
}
