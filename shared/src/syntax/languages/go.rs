//! Go: declarations, methods under their receiver's type, embedded types.
//!
//! A capital first letter exports a name; other names are the package's. A method's parent is its
//! receiver's type where the same file declares that type before it.

use crate::facts::{Import, ReferenceKind, SymbolKind, Visibility};
use crate::syntax::grammar::{Action, Attach, Field, Grammar, Rule};
use crate::syntax::walk::{Definition, Next, Walk, is_callable, range_of};
use std::sync::LazyLock;
use tree_sitter::Node;

pub(in crate::syntax) static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::new(tree_sitter_go::LANGUAGE.into(), &[RULES]));

const RULES: &[Rule] = &[
    ("identifier", Action::Name(ReferenceKind::Other)),
    ("field_identifier", Action::Name(ReferenceKind::Other)),
    ("package_identifier", Action::Name(ReferenceKind::Other)),
    ("type_identifier", Action::Name(ReferenceKind::Type)),
    ("blank_identifier", Action::Leaf),
    ("label_name", Action::Leaf),
    ("int_literal", Action::Leaf),
    ("float_literal", Action::Leaf),
    ("imaginary_literal", Action::Leaf),
    ("rune_literal", Action::Prune),
    ("interpreted_string_literal", Action::Prune),
    ("raw_string_literal", Action::Prune),
    ("comment", Action::Comment(Attach::Near)),
    ("package_clause", Action::Prune),
    ("import_spec", Action::Visit(import)),
    ("function_declaration", Action::Visit(function)),
    ("method_declaration", Action::Visit(method)),
    ("method_elem", Action::Visit(interface_method)),
    ("type_spec", Action::Visit(type_spec)),
    ("type_alias", Action::Visit(type_spec)),
    ("type_elem", Action::Visit(type_element)),
    ("field_declaration", Action::Visit(field)),
    ("const_spec", Action::Visit(constant)),
    ("var_spec", Action::Visit(variable)),
    ("call_expression", Action::Visit(call)),
    ("composite_literal", Action::Visit(construction)),
    ("type_conversion_expression", Action::Visit(construction)),
];

/// Adds the definition of `node` under `name`, a function unless `change` says otherwise.
fn define<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    name: Node<'t>,
    change: impl FnOnce(&Walk<'t>, &mut Definition<'t>),
) {
    let mut definition = walk.definition(node, name, SymbolKind::Function);
    change(walk, &mut definition);
    definition.exported = definition.name.starts_with(char::is_uppercase);
    if !definition.exported {
        definition.visibility = Visibility::Restricted;
    }
    if definition.name != "_" {
        walk.define(definition);
    }
}

/// Returns where the declaration of a spec that stands alone, without parentheses, starts.
fn keyword_start(walk: &Walk<'_>, node: Node<'_>) -> u32 {
    let alone = walk.ancestor(0).filter(|declaration| {
        matches!(
            declaration.kind(),
            "type_declaration" | "const_declaration" | "var_declaration"
        ) && declaration.child(1).is_some_and(|second| second == node)
    });
    alone.unwrap_or(node).start_byte() as u32
}

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        define(walk, node, name, |_, _| {});
    }
    Next::Descend
}

fn method<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let receiver = walk.child(node, Field::Receiver);
    let owner = receiver
        .and_then(|receiver| receiver.named_child(0))
        .and_then(|parameter| walk.child(parameter, Field::Type))
        .and_then(|of| type_leaf(walk, of))
        .map(|name| walk.text_of(name));
    // Methods often stand in another file than their type.
    let parent = owner.and_then(|owner| walk.find_type(owner));
    if let Some(name) = walk.child(node, Field::Name) {
        define(walk, node, name, |_, definition| {
            definition.kind = SymbolKind::Method;
            definition.parent = parent;
            definition.owner = owner.filter(|_| parent.is_none());
        });
    }
    Next::Descend
}

fn interface_method<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        define(walk, node, name, |_, definition| {
            definition.kind = SymbolKind::Method;
        });
    }
    Next::Descend
}

fn type_spec<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let Some(name) = walk.child(node, Field::Name) else {
        return Next::Descend;
    };
    let of = walk.child(node, Field::Type);
    define(walk, node, name, |walk, definition| {
        definition.range.start = keyword_start(walk, node);
        definition.signature.start = definition.range.start;
        definition.kind = match of.map(|of| of.kind()) {
            Some("struct_type") => SymbolKind::Struct,
            Some("interface_type") => SymbolKind::Interface,
            Some("function_type") => SymbolKind::Delegate,
            _ => SymbolKind::TypeAlias,
        };
        if let Some(of) = of.filter(|of| matches!(of.kind(), "struct_type" | "interface_type")) {
            // `struct` or `interface`, without what is between the braces.
            definition.signature.end = of
                .child(0)
                .map_or(definition.signature.end, |word| word.end_byte() as u32);
        }
    });
    Next::Descend
}

/// A type named alone in an interface is embedded.
fn type_element<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let is_embedded = walk
        .ancestor(0)
        .is_some_and(|parent| parent.kind() == "interface_type");
    if is_embedded && node.named_child_count() == 1 {
        mark(walk, node.named_child(0), ReferenceKind::Inherit);
    }
    Next::Descend
}

fn field<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let names = walk.children(node, Field::Name);
    if names.is_empty() {
        mark(walk, walk.child(node, Field::Type), ReferenceKind::Inherit);
    }
    for name in names {
        define(walk, node, name, |_, definition| {
            definition.kind = SymbolKind::Field;
        });
    }
    Next::Descend
}

fn constant<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    values(walk, node, SymbolKind::Constant)
}

fn variable<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    values(walk, node, SymbolKind::Variable)
}

/// Defines the names of a constant or variable outside functions.
fn values<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: SymbolKind) -> Next {
    let scope = walk.symbol(walk.owner());
    if scope.is_some_and(|scope| is_callable(scope.kind)) {
        return Next::Descend;
    }
    let names = walk.children(node, Field::Name);
    for name in names.into_iter().filter(|name| name.is_named()) {
        define(walk, node, name, |walk, definition| {
            definition.kind = kind;
            definition.range.start = keyword_start(walk, node);
            definition.signature.start = definition.range.start;
            if let Some(value) = walk.child(node, Field::Value) {
                definition.signature = walk.signature_with_value(definition.range, value);
            }
        });
    }
    Next::Descend
}

/// Returns the name that a type comes down to.
fn type_leaf<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<Node<'t>> {
    let mut node = node;
    loop {
        node = match node.kind() {
            "type_identifier" => return Some(node),
            "generic_type" => walk.child(node, Field::Type)?,
            "qualified_type" => walk.child(node, Field::Name)?,
            "pointer_type" | "parenthesized_type" => node.named_child(0)?,
            _ => return None,
        };
    }
}

fn mark<'t>(walk: &mut Walk<'t>, of: Option<Node<'t>>, kind: ReferenceKind) {
    if let Some(leaf) = of.and_then(|of| type_leaf(walk, of)) {
        walk.mark(leaf, Some(kind));
    }
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let mut callee = walk.child(node, Field::Function);
    while let Some(node) = callee {
        callee = match node.kind() {
            "identifier" | "field_identifier" | "type_identifier" => {
                walk.mark(node, Some(ReferenceKind::Call));
                None
            }
            "selector_expression" => walk.child(node, Field::Member),
            "type_instantiation_expression" | "generic_type" => walk.child(node, Field::Type),
            "index_expression" | "parenthesized_expression" => node.named_child(0),
            _ => None,
        };
    }
    Next::Descend
}

fn construction<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    mark(walk, walk.child(node, Field::Type), ReferenceKind::Call);
    Next::Descend
}

fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(path) = walk.child(node, Field::Path) {
        let alias = walk.child(node, Field::Name);
        let path = walk.text_of(path).trim_matches(['"', '`']);
        walk.import(Import {
            module: path.to_owned(),
            names: Vec::new(),
            alias: alias.map(|alias| walk.text_of(alias).to_owned()),
            reexport: false,
            range: range_of(node),
        });
    }
    Next::Skip
}

#[cfg(test)]
mod tests;
