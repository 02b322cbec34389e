//! Swift: types, extensions, members, top-level definitions, uses, imports.
//!
//! An extension is a block of members under its type's name. What states no access can be reached from
//! its module, so it is restricted, not private. Local values and parameters are neither definitions
//! nor uses.

use crate::facts::{Import, ReferenceKind, SymbolKind, Visibility};
use crate::syntax::grammar::{Action, Attach, Field, Grammar, Rule};
use crate::syntax::walk::{Definition, Next, Walk, range_of};
use std::sync::LazyLock;
use tree_sitter::Node;

pub(in crate::syntax) static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::new(tree_sitter_swift::LANGUAGE.into(), &[RULES]));

const RULES: &[Rule] = &[
    ("simple_identifier", Action::Visit(identifier)),
    ("type_identifier", Action::Name(ReferenceKind::Type)),
    ("comment", Action::Visit(comment)),
    ("multiline_comment", Action::Visit(comment)),
    ("line_str_text", Action::Leaf),
    ("multi_line_str_text", Action::Leaf),
    ("integer_literal", Action::Leaf),
    ("real_literal", Action::Leaf),
    ("boolean_literal", Action::Leaf),
    ("regex_literal", Action::Leaf),
    ("value_argument_label", Action::Prune),
    ("directive", Action::Prune),
    ("statement_label", Action::Leaf),
    ("import_declaration", Action::Visit(import)),
    ("class_declaration", Action::Visit(class)),
    ("protocol_declaration", Action::Visit(protocol)),
    ("function_declaration", Action::Visit(function)),
    ("protocol_function_declaration", Action::Visit(function)),
    ("init_declaration", Action::Visit(init)),
    ("subscript_declaration", Action::Visit(subscript)),
    ("property_declaration", Action::Visit(property)),
    (
        "protocol_property_declaration",
        Action::Visit(protocol_property),
    ),
    ("enum_entry", Action::Visit(entry)),
    ("typealias_declaration", Action::Visit(alias)),
    ("associatedtype_declaration", Action::Visit(alias)),
    ("macro_declaration", Action::Visit(macro_)),
    ("inheritance_specifier", Action::Visit(heritage)),
    ("parameter", Action::Visit(parameter)),
    ("lambda_parameter", Action::Visit(parameter)),
    ("pattern", Action::Visit(pattern)),
    ("type_parameter", Action::Visit(type_parameter)),
    ("call_expression", Action::Visit(call)),
];

fn comment(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    let text = walk.text_of(node);
    let is_doc = text.starts_with("///") || (text.starts_with("/**") && text != "/**/");
    let attach = if is_doc { Attach::Doc } else { Attach::Never };
    walk.comment(range_of(node), attach);
    Next::Skip
}

fn identifier(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    if !walk.text_of(node).starts_with('$') {
        walk.name(node, ReferenceKind::Other);
    }
    Next::Skip
}

/// Returns the first child of the kind `kind`.
fn child_of<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    node.children(&mut node.walk())
        .find(|child| child.kind() == kind)
}

/// Returns the last name of a type.
fn type_leaf(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        "type_identifier" => Some(node),
        "user_type" => {
            let mut cursor = node.walk();
            let names = node.named_children(&mut cursor);
            names.filter(|name| name.kind() == "type_identifier").last()
        }
        _ => None,
    }
}

/// Returns the definition of `node`: who may use it, and its declaration without attributes and body.
fn definition<'t>(
    walk: &Walk<'t>,
    node: Node<'t>,
    name: Node<'t>,
    kind: SymbolKind,
) -> Definition<'t> {
    let mut definition = walk.definition(node, name, kind);
    let owner = walk.symbol(definition.parent);
    definition.visibility = match owner {
        Some(owner) if owner.kind == SymbolKind::Interface => owner.visibility,
        _ => Visibility::Restricted,
    };
    if let Some(modifiers) = child_of(node, "modifiers") {
        let mut start = None;
        for modifier in modifiers.named_children(&mut modifiers.walk()) {
            if modifier.kind() == "attribute" {
                continue;
            }
            start.get_or_insert(modifier.start_byte() as u32);
            if modifier.kind() == "visibility_modifier" {
                match walk.text_of(modifier) {
                    "private" | "fileprivate" => definition.visibility = Visibility::Private,
                    "public" | "open" => definition.visibility = Visibility::Public,
                    _ => {}
                }
            }
        }
        let behind = modifiers.next_sibling();
        let start = start.or(behind.map(|behind| behind.start_byte() as u32));
        definition.signature.start = start.unwrap_or(definition.signature.start);
    }
    definition.exported = definition.visibility != Visibility::Private;
    let body = node.children(&mut node.walk()).find(|child| {
        matches!(
            child.kind(),
            "computed_property" | "protocol_property_requirements" | "willset_didset_block"
        )
    });
    if let Some(body) = body {
        definition.signature.end = body.start_byte() as u32;
    }
    definition
}

fn is_in_type(walk: &Walk<'_>) -> bool {
    walk.symbol(walk.owner())
        .is_some_and(|owner| owner.kind.is_type() || owner.kind == SymbolKind::Impl)
}

fn define<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: SymbolKind) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        let definition = definition(walk, node, name, kind);
        walk.define(definition);
    }
    Next::Descend
}

fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let says = |kind| child_of(node, kind).is_some();
    let kind = if says("struct") {
        SymbolKind::Struct
    } else if says("enum") {
        SymbolKind::Enum
    } else if says("extension") {
        SymbolKind::Impl
    } else {
        SymbolKind::Class
    };
    let name = walk.child(node, Field::Name).and_then(type_leaf);
    if let Some(name) = name {
        let mut definition = definition(walk, node, name, kind);
        if kind == SymbolKind::Impl {
            definition.exported = true;
        }
        walk.define(definition);
    }
    Next::Descend
}

fn protocol<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::Interface)
}

fn alias<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::TypeAlias)
}

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let name = walk.child(node, Field::Name);
    let kind = match name.map(|name| name.kind()) {
        Some("simple_identifier") if is_in_type(walk) => SymbolKind::Method,
        Some("simple_identifier") => SymbolKind::Function,
        _ => SymbolKind::Operator,
    };
    define(walk, node, kind)
}

fn init<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::Constructor)
}

fn subscript<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(keyword) = child_of(node, "subscript") {
        let definition = definition(walk, node, keyword, SymbolKind::Operator);
        walk.define(definition);
    }
    Next::Descend
}

fn macro_<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = child_of(node, "simple_identifier") {
        let definition = definition(walk, node, name, SymbolKind::Macro);
        walk.define(definition);
    }
    Next::Descend
}

/// `case a, b(Int)`.
fn entry<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    for (at, name) in walk.children(node, Field::Name).into_iter().enumerate() {
        let mut definition = definition(walk, node, name, SymbolKind::Variant);
        let outer = walk.symbol(definition.parent);
        definition.visibility = outer.map_or(Visibility::Restricted, |outer| outer.visibility);
        definition.is_scope = at == 0;
        walk.define(definition);
    }
    Next::Descend
}

fn protocol_property<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let pattern = walk.child(node, Field::Name);
    if let Some(name) = pattern.and_then(|pattern| child_of(pattern, "simple_identifier")) {
        let definition = definition(walk, node, name, SymbolKind::Property);
        walk.define(definition);
    }
    Next::Descend
}

/// `let a = 1, b = 2` of a type or the file; elsewhere the names are local.
fn property<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let is_member = walk.ancestor(0).is_none_or(|outer| {
        matches!(
            outer.kind(),
            "source_file" | "class_body" | "enum_class_body" | "ERROR"
        )
    });
    if !is_member {
        return Next::Descend;
    }
    let is_computed = child_of(node, "computed_property").is_some();
    let binding = child_of(node, "value_binding_pattern");
    let is_constant = binding.is_some_and(|binding| walk.text_of(binding) == "let");
    let kind = match (is_in_type(walk), is_computed, is_constant) {
        (true, true, _) => SymbolKind::Property,
        (true, false, _) => SymbolKind::Field,
        (false, _, true) => SymbolKind::Constant,
        _ => SymbolKind::Variable,
    };
    let value = walk.child(node, Field::Value);
    for (at, pattern) in walk.children(node, Field::Name).into_iter().enumerate() {
        let Some(name) = child_of(pattern, "simple_identifier") else {
            continue;
        };
        let mut definition = definition(walk, node, name, kind);
        if let Some(value) = value {
            definition.signature = walk.signature_with_value(definition.signature, value);
        }
        definition.is_scope = at == 0;
        walk.define(definition);
    }
    Next::Descend
}

/// The names that a pattern binds are no uses.
fn pattern<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = child_of(node, "simple_identifier") {
        walk.mark(name, None);
    }
    Next::Descend
}

fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    for name in node.named_children(&mut node.walk()) {
        if name.kind() == "simple_identifier" {
            walk.mark(name, None);
        }
    }
    Next::Descend
}

fn type_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = child_of(node, "type_identifier") {
        walk.mark(name, None);
    }
    Next::Descend
}

fn heritage<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(leaf) = node.named_child(0).and_then(type_leaf) {
        walk.mark(leaf, Some(ReferenceKind::Inherit));
    }
    Next::Descend
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let called = node.named_child(0);
    let leaf = called.and_then(|called| match called.kind() {
        "simple_identifier" => Some(called),
        "navigation_expression" => {
            let suffix = child_of(called, "navigation_suffix")?;
            child_of(suffix, "simple_identifier")
        }
        _ => None,
    });
    if let Some(leaf) = leaf {
        walk.mark(leaf, Some(ReferenceKind::Call));
    }
    Next::Descend
}

/// `import A`, `@testable import struct A.B`.
fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(path) = child_of(node, "identifier") {
        walk.import(Import {
            module: walk.text_of(path).split_whitespace().collect(),
            names: Vec::new(),
            alias: None,
            reexport: walk.text_of(node).starts_with("@_exported"),
            range: range_of(node),
        });
    }
    Next::Skip
}

#[cfg(test)]
mod tests;
