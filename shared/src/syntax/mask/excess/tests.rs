use super::*;
use proptest::prelude::*;

fn seen(language: Language, text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for range in excess(language, text.as_bytes()).0 {
        super::super::blank(&mut bytes[range.start as usize..range.end as usize]);
    }
    String::from_utf8(bytes).unwrap()
}

fn count(text: &str, of: char) -> usize {
    text.chars().filter(|c| *c == of).count()
}

#[test]
fn ordinary_source_is_left_alone() {
    let table: String = (0..9_000).map(|n| format!("{{ {n}, \"a\" }},\n")).collect();
    let lines: String = (0..9_000).map(|n| format!("a{n} = b.c\n")).collect();
    let prose: String = (0..9_000).map(|n| format!("word{n} ")).collect();
    let defines: String = (0..9_000)
        .map(|n| format!("#define A{n} (0x{n:x} << 1)\n"))
        .collect();
    let cases: String = (0..9_000).map(|n| format!("case A{n}:\n")).collect();
    for (language, text) in [
        (Language::C, defines),
        (
            Language::C,
            format!("int a[] = {{ {} }};\n", "0, ".repeat(9_000)),
        ),
        (
            Language::C,
            format!("int f() {{ switch (x) {{ {cases} return 1; }} }}\n"),
        ),
        (Language::C, format!("int a[] = {{ {table} }};\n")),
        (Language::C, format!("/* {prose} */ int a;\n// {prose}\n")),
        (Language::C, format!("char *s = \"{prose}\";\n")),
        (Language::Python, lines),
        (Language::Python, format!("# {prose}\n")),
        (
            Language::Rust,
            "fn f<'a>(x: &'a u8) { g('{', '\\'', 'é') }\n".repeat(900),
        ),
    ] {
        assert_eq!(excess(language, text.as_bytes()).0, [], "{language:?}");
    }
}

#[test]
fn brackets_beyond_the_bound_are_hidden_in_pairs() {
    for (open, close) in [('{', '}'), ('(', ')'), ('[', ']')] {
        let nested = format!(
            "{}1{}",
            open.to_string().repeat(9_000),
            close.to_string().repeat(9_000)
        );
        let text = format!("a; {nested}; b {{ c }}\n");
        let seen = seen(Language::Rust, &text);
        assert!(seen.starts_with("a;") && seen.ends_with("; b { c }\n"));
        assert!(count(&seen, open) < 2_010, "{open}");
        assert_eq!(count(&seen, open), count(&seen, close), "{open}");
    }
}

#[test]
fn what_never_closes_is_hidden_up_to_what_closes_it() {
    let chain: String = (0..9_000).map(|n| format!("a{n} => ")).collect();
    let seen = seen(Language::C, &format!("{chain}; int after;\n"));
    assert!(seen.contains("a0 =>") && seen.ends_with("; int after;\n"));
    assert!(count(&seen, '>') < MAX_OPEN as usize);
}

#[test]
fn what_only_repeats_itself_is_hidden_with_its_brackets() {
    for unit in [
        "=,",
        "x;\n",
        "f(a)[0] ",
        "} ",
        "( ",
        "{}",
        "\"s\" => 'c' ",
        "0x1 ",
    ] {
        let seen = seen(Language::Java, &unit.repeat(9_000));
        assert!(seen.trim_end().len() < 9_000 * unit.len() / 2, "{unit}");
        for (open, close) in [('{', '}'), ('(', ')'), ('[', ']')] {
            if unit.contains(open) && unit.contains(close) {
                assert_eq!(count(&seen, open), count(&seen, close), "{unit}");
            }
        }
    }
}

proptest! {
    #[test]
    fn hidden_bytes_are_whole_tokens_in_order(
        unit in "([a-z]{1,3}|[(){}\\[\\];,<>\"'`/*#é\n ]){1,12}",
        n in 0..4_000usize,
    ) {
        let text = unit.repeat(n);
        for language in [Language::C, Language::Python, Language::Rust] {
            let (hidden, n_tokens) = excess(language, text.as_bytes());
            prop_assert!(hidden.is_sorted_by(|a, b| a.end <= b.start));
            prop_assert!(hidden.iter().all(|range| text.is_char_boundary(range.start as usize)
                && text.is_char_boundary(range.end as usize)
                && range.start < range.end));
            prop_assert!(n_tokens as usize <= text.len());
        }
    }
}
