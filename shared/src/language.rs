//! The table of languages: names, extensions, file names, shebangs. Data only, no parsing.

/// A language that files are told apart by. The order is the stored numbering: append only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Language {
    /// Any text without a known language.
    #[default]
    Text = 0,
    /// Rust.
    Rust = 1,
    /// Python.
    Python = 2,
    /// JavaScript, JSX included.
    JavaScript = 3,
    /// TypeScript.
    TypeScript = 4,
    /// TypeScript with JSX.
    Tsx = 5,
    /// Java.
    Java = 6,
    /// C#.
    CSharp = 7,
    /// Go.
    Go = 8,
    /// C.
    C = 9,
    /// C++.
    Cpp = 10,
    /// Markdown.
    Markdown = 11,
    /// JSON, JSON Lines and JSON with comments.
    Json = 12,
    /// YAML.
    Yaml = 13,
    /// TOML.
    Toml = 14,
    /// XML and its dialects.
    Xml = 15,
    /// HTML.
    Html = 16,
    /// CSS, SCSS and Less.
    Css = 17,
    /// Shell scripts.
    Shell = 18,
    /// Ruby.
    Ruby = 19,
    /// PHP.
    Php = 20,
    /// Kotlin.
    Kotlin = 21,
    /// Swift.
    Swift = 22,
    /// Scala.
    Scala = 23,
    /// SQL.
    Sql = 24,
    /// Protocol buffers.
    Protobuf = 25,
    /// Make files.
    Make = 26,
    /// Docker files.
    Docker = 27,
    /// reStructuredText, AsciiDoc and plain prose.
    Prose = 28,
    /// Lua.
    Lua = 29,
    /// Elixir.
    Elixir = 30,
    /// LaTeX.
    Latex = 31,
}

struct Row {
    language: Language,
    name: &'static str,
    extensions: &'static [&'static str],
    file_names: &'static [&'static str],
    interpreters: &'static [&'static str],
}

const fn row(
    language: Language,
    name: &'static str,
    extensions: &'static [&'static str],
    file_names: &'static [&'static str],
    interpreters: &'static [&'static str],
) -> Row {
    Row {
        language,
        name,
        extensions,
        file_names,
        interpreters,
    }
}

/// One row a language, in stored order.
const TABLE: &[Row] = &[
    row(Language::Text, "text", &["txt", "text", "log"], &[], &[]),
    row(Language::Rust, "rust", &["rs"], &[], &["rust-script"]),
    row(
        Language::Python,
        "python",
        &["py", "pyi", "pyw"],
        &["SConstruct", "SConscript", "wscript"],
        &["python", "python2", "python3", "pypy", "pypy3"],
    ),
    row(
        Language::JavaScript,
        "javascript",
        &["js", "mjs", "cjs", "jsx"],
        &["Jakefile"],
        &["node", "nodejs", "bun"],
    ),
    row(
        Language::TypeScript,
        "typescript",
        &["ts", "mts", "cts"],
        &[],
        &["deno", "ts-node", "tsx"],
    ),
    row(Language::Tsx, "tsx", &["tsx"], &[], &[]),
    row(Language::Java, "java", &["java"], &[], &[]),
    row(Language::CSharp, "csharp", &["cs", "csx"], &[], &[]),
    row(Language::Go, "go", &["go"], &[], &[]),
    row(Language::C, "c", &["c", "h"], &[], &["tcc"]),
    row(
        Language::Cpp,
        "cpp",
        &[
            "cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "ipp", "tpp", "inl", "ixx",
            "cppm", "cu", "cuh",
        ],
        &[],
        &[],
    ),
    row(
        Language::Markdown,
        "markdown",
        &["md", "markdown", "mdx", "mkd"],
        &[],
        &[],
    ),
    row(
        Language::Json,
        "json",
        &[
            "json",
            "jsonc",
            "json5",
            "jsonl",
            "ndjson",
            "webmanifest",
            "ipynb",
        ],
        &[".babelrc", ".eslintrc", ".prettierrc", "composer.lock"],
        &[],
    ),
    row(
        Language::Yaml,
        "yaml",
        &["yaml", "yml"],
        &[".clang-format"],
        &[],
    ),
    row(
        Language::Toml,
        "toml",
        &["toml"],
        &["Cargo.lock", "poetry.lock", "uv.lock"],
        &[],
    ),
    row(
        Language::Xml,
        "xml",
        &[
            "xml", "xsd", "xsl", "xslt", "svg", "csproj", "props", "targets", "vcxproj", "plist",
            "resx",
        ],
        &[],
        &[],
    ),
    row(
        Language::Html,
        "html",
        &["html", "htm", "xhtml", "vue", "svelte"],
        &[],
        &[],
    ),
    row(
        Language::Css,
        "css",
        &["css", "scss", "sass", "less"],
        &[],
        &[],
    ),
    row(
        Language::Shell,
        "shell",
        &["sh", "bash", "zsh", "ksh", "fish", "bats"],
        &[".bashrc", ".profile", ".zshrc", "PKGBUILD", "configure"],
        &["sh", "bash", "zsh", "dash", "ksh", "ash", "fish"],
    ),
    row(
        Language::Ruby,
        "ruby",
        &["rb", "rake", "gemspec", "ru"],
        &["Rakefile", "Gemfile", "Vagrantfile", "Podfile", "Brewfile"],
        &["ruby", "jruby"],
    ),
    row(
        Language::Php,
        "php",
        &["php", "phtml", "php5"],
        &[],
        &["php"],
    ),
    row(Language::Kotlin, "kotlin", &["kt", "kts"], &[], &["kotlin"]),
    row(Language::Swift, "swift", &["swift"], &[], &["swift"]),
    row(
        Language::Scala,
        "scala",
        &["scala", "sc", "sbt"],
        &[],
        &["scala"],
    ),
    row(Language::Sql, "sql", &["sql", "ddl", "psql"], &[], &[]),
    row(Language::Protobuf, "protobuf", &["proto"], &[], &[]),
    row(
        Language::Make,
        "make",
        &["mk", "mak"],
        &["Makefile", "makefile", "GNUmakefile", "Kbuild", "justfile"],
        &["make"],
    ),
    row(
        Language::Docker,
        "docker",
        &["dockerfile"],
        &["Dockerfile", "Containerfile"],
        &[],
    ),
    row(
        Language::Prose,
        "prose",
        &["rst", "adoc", "asciidoc", "org", "textile"],
        &[
            "README",
            "LICENSE",
            "COPYING",
            "AUTHORS",
            "NOTICE",
            "CHANGELOG",
        ],
        &[],
    ),
    row(Language::Lua, "lua", &["lua"], &[], &["lua", "luajit"]),
    row(
        Language::Elixir,
        "elixir",
        &["ex", "exs"],
        &["mix.lock"],
        &["elixir"],
    ),
    row(
        Language::Latex,
        "latex",
        &["tex", "sty", "cls", "bib"],
        &[],
        &[],
    ),
];

impl Language {
    /// Returns the stable lower-case name.
    pub fn as_str(self) -> &'static str {
        TABLE.get(self as usize).map_or("text", |row| row.name)
    }

    /// Returns the language with the stored number `code`.
    pub fn from_code(code: u8) -> Option<Self> {
        TABLE.get(usize::from(code)).map(|row| row.language)
    }

    /// Returns the language with the stable name `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        TABLE
            .iter()
            .find(|row| row.name == name)
            .map(|row| row.language)
    }

    /// Returns all languages in stored order.
    pub fn all() -> impl Iterator<Item = Language> {
        TABLE.iter().map(|row| row.language)
    }

    /// Returns the language of a file from its name and the beginning of its text: file name first,
    /// then extension (case-insensitive), then shebang line, else [`Language::Text`].
    ///
    /// `.h` files that declare C++ (a line opening with `class`, `namespace`, `template` or
    /// `extern "C"`, or an access label) count as C++.
    pub fn detect(file_name: &str, text: &str) -> Language {
        if let Some(row) = TABLE.iter().find(|row| row.file_names.contains(&file_name)) {
            return row.language;
        }
        if file_name.starts_with("Dockerfile.") {
            return Language::Docker;
        }
        let extension = file_name
            .rsplit_once('.')
            .map(|(_, extension)| extension.to_ascii_lowercase());
        if let Some(extension) = extension {
            let found = TABLE
                .iter()
                .find(|row| row.extensions.contains(&extension.as_str()));
            if let Some(row) = found {
                return match row.language {
                    Language::C if extension == "h" && declares_cpp(text) => Language::Cpp,
                    language => language,
                };
            }
        }
        interpreter(text)
            .and_then(|name| TABLE.iter().find(|row| row.interpreters.contains(&name)))
            .map_or(Language::Text, |row| row.language)
    }
}

/// How much of a header is looked at to tell C++ from C.
const HEADER_PROBE_BYTES: usize = 64 * 1024;

fn declares_cpp(text: &str) -> bool {
    let mut end = text.len().min(HEADER_PROBE_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].lines().any(|line| {
        let line = line.trim_start();
        [
            "class ",
            "namespace ",
            "template <",
            "template<",
            "using ",
            "public:",
            "private:",
            "protected:",
        ]
        .iter()
        .any(|start| line.starts_with(start))
    })
}

/// Returns the program that a `#!` line names, looking through `env` and its options.
fn interpreter(text: &str) -> Option<&str> {
    let line = text.strip_prefix("#!")?.lines().next()?;
    let mut words = line.split_ascii_whitespace();
    let first = words.next()?.rsplit('/').next()?;
    let name = if first == "env" {
        words.find(|word| !word.starts_with('-') && !word.contains('='))?
    } else {
        first
    };
    let name = name.rsplit('/').next()?;
    // `python3.11` runs the same language as `python3`.
    Some(name.split_once('.').map_or(name, |(stem, _)| stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_stored_order() {
        for (code, row) in TABLE.iter().enumerate() {
            assert_eq!(row.language as usize, code, "{}", row.name);
        }
    }

    #[test]
    fn names_extensions_and_shebangs() {
        let detect = Language::detect;
        assert_eq!(detect("x.RS", ""), Language::Rust);
        assert_eq!(
            detect("tool", "#!/usr/bin/env -S python3.11 -u\n"),
            Language::Python
        );
        assert_eq!(detect("tool", "#!/bin/sh\n"), Language::Shell);
        assert_eq!(detect("a.h", "int f(void);\n"), Language::C);
        assert_eq!(detect("a.h", "#pragma once\nclass A {};\n"), Language::Cpp);
        assert_eq!(detect("Makefile", ""), Language::Make);
        assert_eq!(detect("unknown", "words"), Language::Text);
    }
}
