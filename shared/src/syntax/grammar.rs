//! Languages to grammars: which parser, and what the walk does at each kind of node.
//!
//! Not here: the walk itself (see [`walk`](super::walk)) and what a node means (see
//! [`languages`]). A language states its rules by kind name; they are turned once
//! into a table by kind id, because the walk asks it for every node of every file.

use super::languages;
use super::walk::{Next, Walk};
use crate::facts::ReferenceKind;
use crate::language::Language;
use tree_sitter::Node;

/// What the walk does when it enters a node.
#[derive(Clone, Copy)]
pub(super) enum Action {
    /// Goes on with the children.
    Descend,
    /// Nothing, and the node is known to have no children.
    Leaf,
    /// Leaves the whole subtree out.
    Prune,
    /// The node is a name: records a reference of this kind unless the walk was told better.
    Name(ReferenceKind),
    /// The node is a comment that may document what follows.
    Comment(Attach),
    /// The node is an attribute that belongs to the definition that follows.
    Attribute,
    /// Asks the language.
    Visit(for<'w, 't> fn(&'w mut Walk<'t>, Node<'t>) -> Next),
}

/// How a comment reaches the definition after it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Attach {
    /// It documents what follows even after blank lines.
    Doc,
    /// It documents what follows directly, without a blank line between.
    Near,
    /// It is not documentation.
    Never,
}

/// A kind name of the grammar and what to do there.
pub(super) type Rule = (&'static str, Action);

macro_rules! fields {
    ($($variant:ident = $name:literal,)*) => {
        /// Names that grammars give to children.
        #[derive(Clone, Copy)]
        pub(super) enum Field {
            $(#[doc = $name] $variant,)*
        }

        const FIELD_NAMES: &[&str] = &[$($name),*];
    };
}

fields! {
    Name = "name",
    Body = "body",
    Type = "type",
    Value = "value",
    Function = "function",
    Member = "field",
    Left = "left",
    Right = "right",
    Argument = "argument",
    Path = "path",
    List = "list",
    Alias = "alias",
    Macro = "macro",
    Trait = "trait",
    Bounds = "bounds",
    Declarator = "declarator",
    Parameters = "parameters",
    Receiver = "receiver",
    Superclasses = "superclasses",
    ModuleName = "module_name",
    Object = "object",
    Attribute = "attribute",
    Scope = "scope",
    Operator = "operator",
    Constructor = "constructor",
    Property = "property",
    Source = "source",
    Key = "key",
    Pattern = "pattern",
    ReturnType = "return_type",
    Accessors = "accessors",
    Parameter = "parameter",
    Returns = "returns",
    Qualifier = "qualifier",
    Method = "method",
    Arguments = "arguments",
    Superclass = "superclass",
    Table = "table",
    Target = "target",
    Operand = "operand",
}

/// A parser's grammar with the tables of one language.
pub(super) struct Grammar {
    language: tree_sitter::Language,
    actions: Vec<Action>,
    fields: Vec<u16>,
    close: Option<Close>,
}

/// What a language does when the walk is over.
pub(super) type Close = for<'w, 't> fn(&'w mut Walk<'t>);

impl Grammar {
    /// Builds the tables. Kinds without a rule are descended into; unnamed tokens have no children.
    pub(super) fn new(language: tree_sitter::Language, rules: &[&[Rule]]) -> Self {
        let mut actions = Vec::with_capacity(language.node_kind_count());
        for id in 0..language.node_kind_count() as u16 {
            actions.push(if language.node_kind_is_named(id) {
                let name = language.node_kind_for_id(id).unwrap_or_default();
                let rule = rules.iter().copied().flatten().find(|rule| rule.0 == name);
                rule.map_or(Action::Descend, |rule| rule.1)
            } else {
                Action::Leaf
            });
        }
        for (name, _) in rules.iter().copied().flatten() {
            debug_assert!(
                language.id_for_node_kind(name, true) != 0,
                "the grammar has no kind {name}"
            );
        }
        let fields = FIELD_NAMES
            .iter()
            .map(|name| language.field_id_for_name(name).map_or(0, u16::from))
            .collect();
        Grammar {
            language,
            actions,
            fields,
            close: None,
        }
    }

    /// Adds what to do when the walk is over.
    pub(super) fn closing(mut self, close: Close) -> Self {
        self.close = Some(close);
        self
    }

    /// Returns what to do when the walk is over.
    pub(super) fn close(&self) -> Option<Close> {
        self.close
    }

    /// Returns the parser's table.
    pub(super) fn language(&self) -> &tree_sitter::Language {
        &self.language
    }

    /// Returns what to do at nodes of kind `id`. Error nodes have an id of their own past the table.
    #[inline]
    pub(super) fn action(&self, id: u16) -> Action {
        self.actions
            .get(usize::from(id))
            .copied()
            .unwrap_or(Action::Descend)
    }

    /// Returns the child of `node` that the grammar calls `field`.
    pub(super) fn child<'t>(&self, node: Node<'t>, field: Field) -> Option<Node<'t>> {
        match self.fields[field as usize] {
            0 => None,
            id => node.child_by_field_id(id),
        }
    }

    /// Returns the first `most` children of `node` that the grammar calls `field`.
    pub(super) fn children<'t>(&self, node: Node<'t>, field: Field, most: usize) -> Vec<Node<'t>> {
        let name = FIELD_NAMES[field as usize];
        let mut cursor = node.walk();
        let children = node.children_by_field_name(name, &mut cursor);
        children.take(most).collect()
    }
}

/// Returns the grammar of `language`, or `None` where it is indexed as text.
pub(super) fn grammar(language: Language) -> Option<&'static Grammar> {
    Some(match language {
        Language::Rust => &languages::rust::GRAMMAR,
        Language::JavaScript => &languages::ecmascript::JAVASCRIPT,
        Language::TypeScript => &languages::ecmascript::TYPESCRIPT,
        Language::Tsx => &languages::ecmascript::TSX,
        Language::Java => &languages::java::GRAMMAR,
        Language::CSharp => &languages::csharp::GRAMMAR,
        Language::Python => &languages::python::GRAMMAR,
        Language::C => &languages::c::GRAMMAR,
        Language::Cpp => &languages::cpp::GRAMMAR,
        Language::Go => &languages::go::GRAMMAR,
        Language::Shell => &languages::bash::GRAMMAR,
        Language::Lua => &languages::lua::GRAMMAR,
        Language::Elixir => &languages::elixir::GRAMMAR,
        Language::Kotlin => &languages::kotlin::GRAMMAR,
        Language::Php => &languages::php::GRAMMAR,
        Language::Ruby => &languages::ruby::GRAMMAR,
        Language::Swift => &languages::swift::GRAMMAR,
        Language::Scala => &languages::scala::GRAMMAR,
        _ => return None,
    })
}
