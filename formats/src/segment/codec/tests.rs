use super::*;
use crate::segment::{ChunkRow, FieldLengths};
use leantoken_shared::facts::Chunk;
use leantoken_shared::text::ByteRange;
use postings::{
    Uses, decode_files, put_definitions, put_files, put_hit, take_definitions, take_hit,
};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn arb_uses() -> impl Strategy<Value = Uses> {
    (0u16.., 0u8.., 0u8..).prop_map(|(body, name, doc)| match body % 4 {
        0 => Uses { body, name, doc },
        1 => Uses {
            body: 1 + body % 9,
            name: 0,
            doc: 0,
        },
        _ => Uses {
            body: body % 9,
            name: name % 5,
            doc: doc % 9,
        },
    })
}

fn arb_chunks() -> impl Strategy<Value = (Vec<ChunkRow>, chunks::Bounds)> {
    let row = (
        0u32..3,
        1u32..500,
        0u32..3,
        0u32..40,
        prop::option::of(0u32..50),
        0u32..200,
        0u32..3,
    );
    prop::collection::vec(row, 0..20).prop_map(|rows| {
        let (mut at, mut line) = (0, 0);
        let rows: Vec<ChunkRow> = rows
            .into_iter()
            .map(|(gap, len, step, lines, symbol, body, name)| {
                let range = ByteRange::new(at + gap, at + gap + len);
                let chunk = Chunk {
                    range,
                    start_line: line + step,
                    end_line: line + step + lines,
                    symbol,
                };
                (at, line) = (range.end, chunk.end_line);
                ChunkRow {
                    chunk,
                    lengths: FieldLengths {
                        body,
                        name,
                        doc: name / 2,
                    },
                }
            })
            .collect();
        let bounds = chunks::Bounds {
            n_chunks: rows.len() as u32,
            text_len: at,
            n_symbols: 50,
        };
        (rows, bounds)
    })
}

proptest! {
    #[test]
    fn varints_round_trip(n in any::<u64>(), small in 0u64..300) {
        for n in [n, small, n >> 40] {
            let mut out = Vec::new();
            put(&mut out, n);
            prop_assert_eq!(out.len(), varint_len(n));
            let mut input = Input::new(&out);
            prop_assert_eq!(input.u64(), Ok(n));
            prop_assert_eq!(input.finish(), Ok(()));
        }
    }

    #[test]
    fn hits_round_trip(hits in prop::collection::vec((0u32.., arb_uses()), 0..50)) {
        let mut out = Vec::new();
        for (gap, uses) in &hits {
            put_hit(&mut out, *gap, *uses);
        }
        let mut input = Input::new(&out);
        for (gap, uses) in hits {
            prop_assert_eq!(take_hit(&mut input), Ok((u64::from(gap), uses)));
        }
        prop_assert!(input.is_empty());
    }

    #[test]
    fn file_lists_round_trip_dense_and_sparse(
        files in prop::collection::btree_set(0u32..300, 0..200),
        far in prop::collection::btree_set(any::<u32>(), 0..20),
    ) {
        for files in [files, far] {
            let files: Vec<u32> = files.into_iter().filter(|file| *file < u32::MAX).collect();
            let n_files = files.last().map_or(0, |last| last + 1);
            let mut out = Vec::new();
            let packed = put_files(&mut out, &files);
            prop_assert_eq!(decode_files(&out, packed, n_files), Ok(files.clone()));
            if !files.is_empty() {
                prop_assert!(decode_files(&out, packed, n_files - 1).is_err());
            }
        }
    }

    #[test]
    fn definitions_round_trip(gap in 0u32.., symbols in prop::collection::btree_set(0u32..1000, 1..9)) {
        let symbols = Vec::from_iter(symbols);
        let (mut out, mut found) = (Vec::new(), Vec::new());
        put_definitions(&mut out, gap, &symbols);
        prop_assert_eq!(take_definitions(&mut Input::new(&out), &mut found), Ok(u64::from(gap)));
        prop_assert_eq!(found, symbols);
    }

    #[test]
    fn chunks_round_trip((rows, bounds) in arb_chunks()) {
        let mut out = Vec::new();
        chunks::encode(&mut out, &rows, bounds).unwrap();
        prop_assert_eq!(chunks::decode(&out, bounds).unwrap(), rows);
    }

    #[test]
    fn texts_that_share_beginnings_round_trip(texts in prop::collection::btree_set("[aß/]{1,6}", 0..20)) {
        let (mut out, mut last) = (Vec::new(), String::new());
        for text in &texts {
            paths::put_next(&mut out, &mut last, text);
        }
        let (mut input, mut last, mut found) = (Input::new(&out), String::new(), BTreeSet::new());
        while !input.is_empty() {
            paths::take_next(&mut input, &mut last).unwrap();
            found.insert(last.clone());
        }
        prop_assert_eq!(found, texts);
    }

    #[test]
    fn any_bytes_are_decoded_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200), n in 0u32..40) {
        decode_anything(&bytes, n);
    }

    #[test]
    fn almost_right_bytes_are_decoded_or_refused(
        (rows, bounds) in arb_chunks(),
        files in prop::collection::btree_set(0u32..300, 0..60),
        at in any::<prop::sample::Index>(),
        value in any::<u8>(),
    ) {
        let (mut chunk_bytes, mut file_bytes) = (Vec::new(), Vec::new());
        chunks::encode(&mut chunk_bytes, &rows, bounds).unwrap();
        put_files(&mut file_bytes, &Vec::from_iter(files));
        for mut bytes in [chunk_bytes, file_bytes] {
            if !bytes.is_empty() {
                let at = at.index(bytes.len());
                bytes[at] = value;
            }
            decode_anything(&bytes, 300);
            if let Ok(rows) = chunks::decode(&bytes, bounds) {
                assert!(rows.iter().all(|row| row.chunk.range.end <= bounds.text_len));
            }
        }
    }
}

fn decode_anything(bytes: &[u8], n: u32) {
    for packed in [false, true] {
        if let Ok(files) = decode_files(bytes, packed, n) {
            assert!(files.len() <= n as usize && files.is_sorted());
        }
    }
    let mut input = Input::new(bytes);
    while take_hit(&mut input).is_ok() {}
    let (mut input, mut symbols) = (Input::new(bytes), Vec::new());
    while take_definitions(&mut input, &mut symbols).is_ok() {}
    let _ = files::decode(bytes);
    let bounds = chunks::Bounds {
        n_chunks: n,
        text_len: n * 10,
        n_symbols: n,
    };
    let _ = chunks::decode(bytes, bounds);
    if let Ok(facts) = facts::decode(bytes, n) {
        assert!(facts.symbols.len() <= bytes.len());
    }
    let (mut input, mut last) = (Input::new(bytes), String::new());
    while paths::take_next(&mut input, &mut last).is_ok() {}
}
