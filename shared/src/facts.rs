//! What one file says by itself: the plain values that `analyze` yields and segments store.
//!
//! Not here: anything that needs a second file. Which file an import means, which definition a
//! reference means, is answered at query time. Plain structs with public fields and no serde; the
//! stored form is owned by the segment writer.
//!
//! Names are interned per file ([`Names`]) because a file uses few names many times.

use crate::text::ByteRange;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Index into the [`Names`] of the same file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameId(pub u32);

/// The distinct names of one file, in order of first use.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// All names, one behind the other.
    text: String,
    /// Where each name ends in `text`.
    ends: Vec<u32>,
    /// Open addressing by hash: id + 1, or 0 where free. The length is a power of two.
    slots: Vec<u32>,
}

impl Names {
    /// Returns the id of `name`, adding it when it is new.
    pub fn intern(&mut self, name: &str) -> NameId {
        if self.ends.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let slot = self.slot_of(name);
        if let Some(id) = self.slots[slot].checked_sub(1) {
            return NameId(id);
        }
        let id = self.ends.len() as u32;
        self.text.push_str(name);
        self.ends.push(self.text.len() as u32);
        self.slots[slot] = id + 1;
        NameId(id)
    }

    /// Returns the id of `name` when the file uses it.
    pub fn find(&self, name: &str) -> Option<NameId> {
        if self.slots.is_empty() {
            return None;
        }
        self.slots[self.slot_of(name)].checked_sub(1).map(NameId)
    }

    /// Returns the text of `id`; an id of another file gives the empty string.
    pub fn get(&self, id: NameId) -> &str {
        let at = id.0 as usize;
        let Some(end) = self.ends.get(at) else {
            return "";
        };
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.text
            .get(start as usize..*end as usize)
            .unwrap_or_default()
    }

    /// Returns all names in id order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len() as u32).map(|id| self.get(NameId(id)))
    }

    /// Returns the number of distinct names.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there is no name.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the slot that holds `name`, or the free one where it belongs. Half of the slots are free.
    fn slot_of(&self, name: &str) -> usize {
        let mask = self.slots.len() - 1;
        let mut hasher = FxHasher::default();
        hasher.write(name.as_bytes());
        let mut slot = hasher.finish() as usize & mask;
        while let Some(id) = self.slots[slot].checked_sub(1) {
            if self.get(NameId(id)) == name {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        self.slots = vec![0; (self.slots.len() * 2).max(64)];
        for id in 0..self.ends.len() as u32 {
            let slot = self.slot_of(self.get(NameId(id)));
            self.slots[slot] = id + 1;
        }
    }
}

impl PartialEq for Names {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && self.ends == other.ends
    }
}

/// What a definition is. The order is the stored numbering: append only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum SymbolKind {
    /// A file-level or nested module, or a C++ or C# namespace.
    Module = 0,
    /// A class or record.
    Class = 1,
    /// A struct or union.
    Struct = 2,
    /// An interface or protocol.
    Interface = 3,
    /// A trait.
    Trait = 4,
    /// An enumeration.
    Enum = 5,
    /// One constant or variant of an enumeration.
    Variant = 6,
    /// A type alias or typedef.
    TypeAlias = 7,
    /// A free function.
    Function = 8,
    /// A function that belongs to a type.
    Method = 9,
    /// A constructor.
    Constructor = 10,
    /// A stored member of a type.
    Field = 11,
    /// A member with accessors.
    Property = 12,
    /// An event member.
    Event = 13,
    /// A constant.
    Constant = 14,
    /// A variable or static.
    Variable = 15,
    /// A macro.
    Macro = 16,
    /// A block of members given to a type declared elsewhere (a Rust `impl`).
    Impl = 17,
    /// A heading of a document.
    Heading = 18,
    /// A delegate or function type with a name.
    Delegate = 19,
    /// An operator or indexer member.
    Operator = 20,
    /// An annotation type.
    Annotation = 21,
}

impl SymbolKind {
    /// All kinds, in stored order.
    pub const ALL: [SymbolKind; 22] = [
        SymbolKind::Module,
        SymbolKind::Class,
        SymbolKind::Struct,
        SymbolKind::Interface,
        SymbolKind::Trait,
        SymbolKind::Enum,
        SymbolKind::Variant,
        SymbolKind::TypeAlias,
        SymbolKind::Function,
        SymbolKind::Method,
        SymbolKind::Constructor,
        SymbolKind::Field,
        SymbolKind::Property,
        SymbolKind::Event,
        SymbolKind::Constant,
        SymbolKind::Variable,
        SymbolKind::Macro,
        SymbolKind::Impl,
        SymbolKind::Heading,
        SymbolKind::Delegate,
        SymbolKind::Operator,
        SymbolKind::Annotation,
    ];

    /// Returns the stable lower-case name.
    pub fn as_str(self) -> &'static str {
        match self {
            SymbolKind::Module => "module",
            SymbolKind::Class => "class",
            SymbolKind::Struct => "struct",
            SymbolKind::Interface => "interface",
            SymbolKind::Trait => "trait",
            SymbolKind::Enum => "enum",
            SymbolKind::Variant => "variant",
            SymbolKind::TypeAlias => "type",
            SymbolKind::Function => "function",
            SymbolKind::Method => "method",
            SymbolKind::Constructor => "constructor",
            SymbolKind::Field => "field",
            SymbolKind::Property => "property",
            SymbolKind::Event => "event",
            SymbolKind::Constant => "constant",
            SymbolKind::Variable => "variable",
            SymbolKind::Macro => "macro",
            SymbolKind::Impl => "impl",
            SymbolKind::Heading => "heading",
            SymbolKind::Delegate => "delegate",
            SymbolKind::Operator => "operator",
            SymbolKind::Annotation => "annotation",
        }
    }

    /// Returns the kind with the stored number `code`.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }

    /// Returns the kind with the stable name `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == name)
    }

    /// Returns whether the kind declares a type.
    pub fn is_type(self) -> bool {
        matches!(
            self,
            SymbolKind::Class
                | SymbolKind::Struct
                | SymbolKind::Interface
                | SymbolKind::Trait
                | SymbolKind::Enum
                | SymbolKind::TypeAlias
                | SymbolKind::Delegate
                | SymbolKind::Annotation
        )
    }
}

/// Who may use a definition, as far as its own file says. The order is the stored numbering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Visibility {
    /// Everybody who can name the enclosing scope.
    Public = 0,
    /// Subtypes, or the same package, crate or assembly.
    Restricted = 1,
    /// Only the enclosing type or file.
    Private = 2,
}

impl Visibility {
    /// Returns the stable lower-case name.
    pub fn as_str(self) -> &'static str {
        match self {
            Visibility::Public => "public",
            Visibility::Restricted => "restricted",
            Visibility::Private => "private",
        }
    }

    /// Returns the visibility with the stored number `code`.
    pub fn from_code(code: u8) -> Option<Self> {
        [Self::Public, Self::Restricted, Self::Private]
            .get(usize::from(code))
            .copied()
    }
}

/// A definition found in syntax.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The declared name without qualification. Anonymous default exports are called `default`, an
    /// `impl` block carries the name of its type.
    pub name: NameId,
    /// What it is.
    pub kind: SymbolKind,
    /// Index of the enclosing definition in the same file; always smaller than the own index.
    pub parent: Option<u32>,
    /// The type or namespace that it says it belongs to and that the file does not define: `Foo` of
    /// C++ `Foo::bar`, the receiver's type of a Go method. Between the parent and the name.
    pub owner: Option<NameId>,
    /// Who may use it.
    pub visibility: Visibility,
    /// Whether other files can reach it by the language's rules, enclosing scopes included.
    pub exported: bool,
    /// The name itself; where there is no name, the keyword that stands for it.
    pub name_range: ByteRange,
    /// The whole definition, attributes and decorators included, documentation comment excluded.
    pub range: ByteRange,
    /// The declaration without its body (and without attributes), trailing blanks trimmed.
    pub signature: ByteRange,
    /// The documentation comment (or docstring) that belongs to it.
    pub doc: Option<ByteRange>,
}

/// How a name is used. The order is the stored numbering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum ReferenceKind {
    /// Called, or constructed.
    Call = 0,
    /// Used as a type.
    Type = 1,
    /// Named in an inheritance or implementation clause.
    Inherit = 2,
    /// Any other use.
    Other = 3,
}

impl ReferenceKind {
    /// Returns the stable lower-case name.
    pub fn as_str(self) -> &'static str {
        match self {
            ReferenceKind::Call => "call",
            ReferenceKind::Type => "type",
            ReferenceKind::Inherit => "inherit",
            ReferenceKind::Other => "other",
        }
    }

    /// Returns the kind with the stored number `code`.
    pub fn from_code(code: u8) -> Option<Self> {
        [Self::Call, Self::Type, Self::Inherit, Self::Other]
            .get(usize::from(code))
            .copied()
    }
}

/// A use of a name. Definitions' own names and names inside imports are not references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The name used.
    pub name: NameId,
    /// Where it stands.
    pub range: ByteRange,
    /// Index of the innermost enclosing definition.
    pub enclosing: Option<u32>,
    /// How it is used.
    pub kind: ReferenceKind,
}

/// One name that an import brings in or a re-export passes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedName {
    /// The name in the other module; `*` for everything, `default` for a default import.
    pub name: String,
    /// The local name where it differs.
    pub alias: Option<String>,
}

/// A statement that uses another module, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// The module as written: `crate::a::b`, `./x`, `java.util.List`, `<vector>`, `"a/b.h"`.
    pub module: String,
    /// What is brought in; empty when the module itself is (a plain `import x`, `#include`).
    pub names: Vec<ImportedName>,
    /// The local name of the module itself, as in `import numpy as np`.
    pub alias: Option<String>,
    /// Whether it passes the names on to importers of this file.
    pub reexport: bool,
    /// The whole statement.
    pub range: ByteRange,
}

/// Why the facts of a file are incomplete. The order is the stored numbering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Note {
    /// The parser met text that its grammar does not cover; the rest of the file was used.
    SyntaxErrors = 0,
    /// The parse was stopped by the time limit; the file is indexed as text.
    ParseTimeout = 1,
    /// Nesting went past the limit; deeper definitions are missing.
    TooDeep = 2,
    /// The syntax tree has more nodes than the limit; later definitions are missing.
    TooManyNodes = 3,
    /// The file is larger than the parse limit; it is indexed as text.
    TooLargeToParse = 4,
    /// The text was decoded from an encoding other than UTF-8, or with replacement characters.
    Transcoded = 5,
    /// Lines so long that the file is taken for generated; it is indexed as text.
    LongLines = 6,
    /// The analysis of the file failed in this program; the file is indexed as text.
    AnalysisFailed = 7,
}

impl Note {
    /// All notes, in stored order.
    pub const ALL: [Note; 8] = [
        Note::SyntaxErrors,
        Note::ParseTimeout,
        Note::TooDeep,
        Note::TooManyNodes,
        Note::TooLargeToParse,
        Note::Transcoded,
        Note::LongLines,
        Note::AnalysisFailed,
    ];

    /// Returns the stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            Note::SyntaxErrors => "syntax_errors",
            Note::ParseTimeout => "parse_timeout",
            Note::TooDeep => "too_deep",
            Note::TooManyNodes => "too_many_nodes",
            Note::TooLargeToParse => "too_large_to_parse",
            Note::Transcoded => "transcoded",
            Note::LongLines => "long_lines",
            Note::AnalysisFailed => "analysis_failed",
        }
    }
}

/// A set of [`Note`]s, stored as one byte of bits in stored order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Notes(pub u8);

impl Notes {
    /// Adds a note.
    pub fn add(&mut self, note: Note) {
        self.0 |= 1 << note as u8;
    }

    /// Returns whether `note` was added.
    pub fn has(self, note: Note) -> bool {
        self.0 & (1 << note as u8) != 0
    }

    /// Returns the notes in stored order.
    pub fn iter(self) -> impl Iterator<Item = Note> {
        Note::ALL.into_iter().filter(move |note| self.has(*note))
    }
}

/// Everything that one file says by itself.
///
/// Symbols are ordered by the start of their range (outer before inner), references and imports by
/// position. Broken source yields fewer facts and a note, never an error.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileFacts {
    /// The names that symbols and references use.
    pub names: Names,
    /// Definitions.
    pub symbols: Vec<Symbol>,
    /// Uses of names.
    pub references: Vec<Reference>,
    /// Imports and re-exports.
    pub imports: Vec<Import>,
    /// What is missing and why.
    pub notes: Notes,
}

impl FileFacts {
    /// Returns the qualified name of symbol `at` within its file, parts joined by `.`; an index out
    /// of range gives the empty string.
    pub fn qualified_name(&self, at: u32) -> String {
        let mut parts = Vec::new();
        let mut next = Some(at);
        while let Some(symbol) = next.and_then(|i| self.symbols.get(i as usize)) {
            parts.push(self.names.get(symbol.name).to_string());
            let owner = symbol.owner.map(|owner| self.names.get(owner));
            parts.extend(owner.map(|owner| owner.replace("::", ".")));
            // A parent index is smaller than its child's by construction; a foreign file may lie.
            next = symbol.parent.filter(|parent| Some(*parent) < next);
        }
        parts.reverse();
        parts.join(".")
    }
}

/// A line-aligned piece of one file, the unit of ranked text search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The bytes; the chunks of a file are ordered, disjoint and cover it.
    pub range: ByteRange,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// Index of the definition that the chunk presents, if one does.
    pub symbol: Option<u32>,
}

/// What role a file plays in its repository. The order is the stored numbering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum FileClass {
    /// Ordinary source.
    Source = 0,
    /// Tests, fixtures, benchmarks, examples' tests.
    Test = 1,
    /// Written by a program, minified, or a lock file.
    Generated = 2,
    /// Copied in from elsewhere.
    Vendored = 3,
    /// Prose.
    Docs = 4,
    /// Examples and samples.
    Example = 5,
    /// Configuration and data.
    Config = 6,
}

impl FileClass {
    /// All classes, in stored order.
    pub const ALL: [FileClass; 7] = [
        FileClass::Source,
        FileClass::Test,
        FileClass::Generated,
        FileClass::Vendored,
        FileClass::Docs,
        FileClass::Example,
        FileClass::Config,
    ];

    /// Returns the stable lower-case name.
    pub fn as_str(self) -> &'static str {
        match self {
            FileClass::Source => "source",
            FileClass::Test => "test",
            FileClass::Generated => "generated",
            FileClass::Vendored => "vendored",
            FileClass::Docs => "docs",
            FileClass::Example => "example",
            FileClass::Config => "config",
        }
    }

    /// Returns the class with the stored number `code`.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }
}
