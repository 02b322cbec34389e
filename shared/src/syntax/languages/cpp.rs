//! C++: what it adds to [`c`]: classes with bases and access, namespaces, templates, aliases.
//!
//! A definition outside its class (`A::b`) is a member of `A`, with the signature as written; its
//! parent is `A` where the same file declares `A` before it.

use super::c;
use crate::facts::{ReferenceKind, SymbolKind, Visibility};
use crate::syntax::grammar::{Action, Field, Grammar, Rule};
use crate::syntax::walk::{Next, Walk};
use std::sync::LazyLock;
use tree_sitter::Node;

pub(in crate::syntax) static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::new(tree_sitter_cpp::LANGUAGE.into(), &[RULES, c::RULES]));

const RULES: &[Rule] = &[
    ("namespace_identifier", Action::Name(ReferenceKind::Other)),
    ("raw_string_literal", Action::Prune),
    ("literal_suffix", Action::Leaf),
    ("auto", Action::Leaf),
    ("this", Action::Leaf),
    ("class_specifier", Action::Visit(c::record)),
    ("base_class_clause", Action::Visit(bases)),
    ("access_specifier", Action::Visit(access)),
    ("namespace_definition", Action::Visit(namespace)),
    ("alias_declaration", Action::Visit(alias)),
    ("concept_definition", Action::Visit(concept)),
    ("new_expression", Action::Visit(construction)),
    ("destructor_name", Action::Visit(special_name)),
    ("operator_name", Action::Visit(special_name)),
];

fn bases<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let mut cursor = node.walk();
    for base in node.named_children(&mut cursor) {
        if let Some(leaf) = c::name_leaf(walk, base) {
            walk.mark(leaf, Some(ReferenceKind::Inherit));
        }
    }
    Next::Descend
}

/// An access label holds for the members after it; the same word before a base says nothing here.
fn access<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let is_label = walk
        .ancestor(0)
        .is_some_and(|parent| parent.kind() != "base_class_clause");
    if is_label {
        walk.set_access(match walk.text_of(node) {
            "private" => Visibility::Private,
            "protected" => Visibility::Restricted,
            _ => Visibility::Public,
        });
    }
    Next::Skip
}

fn namespace<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        let definition = walk.definition(node, name, SymbolKind::Module);
        walk.define(definition);
        let mut parts = vec![name];
        while let Some(part) = parts.pop() {
            let mut cursor = part.walk();
            parts.extend(part.named_children(&mut cursor));
            walk.mark(part, None);
        }
    }
    Next::Descend
}

fn alias<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define_named(walk, node, SymbolKind::TypeAlias)
}

fn concept<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define_named(walk, node, SymbolKind::Interface)
}

fn define_named<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: SymbolKind) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        let definition = walk.definition(node, name, kind);
        c::define(walk, node, definition);
    }
    Next::Descend
}

fn construction<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let of = walk.child(node, Field::Type);
    if let Some(leaf) = of.and_then(|of| c::name_leaf(walk, of)) {
        walk.mark(leaf, Some(ReferenceKind::Call));
    }
    Next::Descend
}

/// `~A` and `operator+` are names of definitions; uses of them are not gathered.
fn special_name<'t>(_: &mut Walk<'t>, _: Node<'t>) -> Next {
    Next::Skip
}

#[cfg(test)]
mod tests;
