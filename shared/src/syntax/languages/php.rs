//! PHP: namespaces, types, members, uses, imports.
//!
//! A namespace is a definition that holds what stands in it. Variables are no uses (they name nothing
//! outside their function) unless they are static properties. Text outside of `<?php … ?>` is not
//! code. `define('X', …)` defines a constant, a promoted constructor parameter a field.

use crate::facts::{Import, ImportedName, ReferenceKind, SymbolKind, Visibility};
use crate::syntax::grammar::{Action, Attach, Field, Grammar, Rule};
use crate::syntax::walk::{Definition, MAX_CHILDREN, Next, Walk, range_of};
use crate::text::ByteRange;
use std::sync::LazyLock;
use tree_sitter::Node;

pub(in crate::syntax) static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::new(tree_sitter_php::LANGUAGE_PHP.into(), &[RULES]));

const RULES: &[Rule] = &[
    ("name", Action::Name(ReferenceKind::Other)),
    ("namespace_name", Action::Prune),
    ("variable_name", Action::Visit(variable)),
    ("comment", Action::Visit(comment)),
    ("text", Action::Leaf),
    ("string", Action::Prune),
    ("string_content", Action::Leaf),
    ("nowdoc", Action::Prune),
    ("integer", Action::Leaf),
    ("float", Action::Leaf),
    ("boolean", Action::Leaf),
    ("null", Action::Leaf),
    ("primitive_type", Action::Leaf),
    ("declare_statement", Action::Prune),
    ("named_label_statement", Action::Prune),
    ("goto_statement", Action::Prune),
    ("namespace_definition", Action::Visit(namespace)),
    ("namespace_use_declaration", Action::Visit(import)),
    ("class_declaration", Action::Visit(class)),
    ("interface_declaration", Action::Visit(interface)),
    ("trait_declaration", Action::Visit(trait_)),
    ("enum_declaration", Action::Visit(enumeration)),
    ("enum_case", Action::Visit(case)),
    ("function_definition", Action::Visit(function)),
    ("method_declaration", Action::Visit(method)),
    ("const_element", Action::Visit(constant)),
    ("property_element", Action::Visit(property)),
    ("property_promotion_parameter", Action::Visit(promoted)),
    ("property_hook", Action::Visit(first_name_is_none)),
    ("argument", Action::Visit(argument)),
    ("named_type", Action::Visit(type_name)),
    ("attribute", Action::Visit(type_name)),
    ("base_clause", Action::Visit(heritage)),
    ("class_interface_clause", Action::Visit(heritage)),
    ("use_declaration", Action::Visit(heritage)),
    ("function_call_expression", Action::Visit(call)),
    ("member_call_expression", Action::Visit(member_call)),
    (
        "nullsafe_member_call_expression",
        Action::Visit(member_call),
    ),
    ("scoped_call_expression", Action::Visit(member_call)),
    ("object_creation_expression", Action::Visit(construction)),
    ("include_expression", Action::Visit(include)),
    ("include_once_expression", Action::Visit(include)),
    ("require_expression", Action::Visit(include)),
    ("require_once_expression", Action::Visit(include)),
];

fn comment(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    let text = walk.text_of(node);
    let is_doc = text.starts_with("/**") && text != "/**/";
    let attach = if is_doc { Attach::Doc } else { Attach::Never };
    walk.comment(range_of(node), attach);
    Next::Skip
}

/// Of variables only `K::$x` names something that is defined elsewhere.
fn variable(walk: &mut Walk<'_>, _: Node<'_>) -> Next {
    match walk.ancestor(0).map(|parent| parent.kind()) {
        Some("scoped_property_access_expression") => Next::Descend,
        _ => Next::Skip,
    }
}

/// Returns the last name of `\A\B`.
fn name_leaf(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        "name" => Some(node),
        "qualified_name" | "relative_name" => {
            let last = node.named_child_count().checked_sub(1)?;
            node.named_child(last as u32)
                .filter(|last| last.kind() == "name")
        }
        _ => None,
    }
}

fn mark_leaf<'t>(walk: &mut Walk<'t>, node: Option<Node<'t>>, kind: ReferenceKind) {
    if let Some(leaf) = node.and_then(name_leaf) {
        walk.mark(leaf, Some(kind));
    }
}

/// Without a body, a namespace holds all that follows up to the next one.
fn namespace<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        let mut definition = walk.definition(node, name, SymbolKind::Module);
        let is_open = walk.child(node, Field::Body).is_none();
        if is_open {
            definition.range.end = walk.text().len() as u32;
            let before = definition.parent.take();
            if let Some(before) = before.and_then(|before| walk.symbol_mut(before)) {
                before.range.end = range_of(node).start;
            }
        }
        walk.define(definition);
        if is_open {
            walk.hold_open();
        }
    }
    Next::Descend
}

/// What the modifiers of a declaration say, and where it starts behind its attributes.
struct Modifiers {
    visibility: Visibility,
    start: u32,
}

fn modifiers(walk: &Walk<'_>, node: Node<'_>) -> Modifiers {
    let mut found = Modifiers {
        visibility: Visibility::Public,
        start: node.start_byte() as u32,
    };
    for child in node.children(&mut node.walk()) {
        match child.kind() {
            "attribute_list" => {
                let next = child.next_sibling().unwrap_or(child);
                found.start = next.start_byte() as u32;
            }
            "visibility_modifier" => match walk.text_of(child) {
                "private" => found.visibility = Visibility::Private,
                "protected" => found.visibility = Visibility::Restricted,
                _ => {}
            },
            "comment" | "static_modifier" | "abstract_modifier" | "final_modifier"
            | "readonly_modifier" | "var_modifier" => {}
            _ => break,
        }
    }
    found
}

fn modify(definition: &mut Definition<'_>, modifiers: &Modifiers) {
    definition.visibility = modifiers.visibility;
    definition.exported = modifiers.visibility != Visibility::Private;
    definition.signature.start = modifiers.start;
}

fn define<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: SymbolKind) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        let mut definition = walk.definition(node, name, kind);
        modify(&mut definition, &modifiers(walk, node));
        walk.define(definition);
    }
    Next::Descend
}

fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::Class)
}

fn interface<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::Interface)
}

fn trait_<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::Trait)
}

fn enumeration<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::Enum)
}

fn case<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::Variant)
}

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::Function)
}

fn method<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let name = walk.child(node, Field::Name);
    let is_constructor =
        name.is_some_and(|name| walk.text_of(name).eq_ignore_ascii_case("__construct"));
    match is_constructor {
        true => define(walk, node, SymbolKind::Constructor),
        false => define(walk, node, SymbolKind::Method),
    }
}

/// One of the constants or properties of a declaration, which is the node around the current one.
fn element<'t>(walk: &mut Walk<'t>, node: Node<'t>, mut definition: Definition<'t>) {
    let Some(outer) = walk.ancestor(0) else {
        return;
    };
    let is_first = outer
        .named_children(&mut outer.walk())
        .find(|child| child.kind() == node.kind())
        == Some(node);
    let whole = range_of(outer);
    let modifiers = modifiers(walk, outer);
    if is_first {
        definition.range.start = whole.start;
    }
    if definition.range.end + 1 == whole.end {
        definition.range.end = whole.end;
    }
    let hooks = node
        .next_named_sibling()
        .filter(|next| next.kind() == "property_hook_list");
    if let Some(hooks) = hooks {
        definition.kind = SymbolKind::Property;
        definition.range.end = hooks.end_byte() as u32;
    }
    modify(&mut definition, &modifiers);
    definition.signature.start = match is_first {
        true => modifiers.start,
        false => definition.range.start,
    };
    definition.signature.end = node.end_byte() as u32;
    let value = node.named_child(1);
    if let Some(value) = value {
        definition.signature = walk.signature_with_value(definition.signature, value);
    }
    walk.define(definition);
}

fn constant<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = node.named_child(0) {
        let definition = walk.definition(node, name, SymbolKind::Constant);
        element(walk, node, definition);
    }
    Next::Descend
}

/// Returns the definition of the variable `name`, called so without its `$`.
fn field<'t>(walk: &Walk<'t>, node: Node<'t>, name: Node<'t>) -> Definition<'t> {
    let mut definition = walk.definition(node, name, SymbolKind::Field);
    let bare = definition.name.trim_start_matches(['&', '$', ' ']);
    let end = definition.name_range.end;
    definition.name_range = ByteRange::new(end - bare.len() as u32, end);
    definition.name = bare;
    definition
}

fn property<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        let definition = field(walk, node, name);
        element(walk, node, definition);
    }
    Next::Descend
}

/// `function __construct(private int $x)`: the field is the class's.
fn promoted<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        let mut definition = field(walk, node, name);
        let constructor = walk.symbol(definition.parent);
        definition.parent = constructor.and_then(|constructor| constructor.parent);
        modify(&mut definition, &modifiers(walk, node));
        walk.define(definition);
    }
    Next::Descend
}

fn first_name_is_none<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let name = node
        .named_children(&mut node.walk())
        .find(|child| child.kind() == "name");
    if let Some(name) = name {
        walk.mark(name, None);
    }
    Next::Descend
}

fn argument<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        walk.mark(name, None);
    }
    Next::Descend
}

/// The first name is that of a type; `static` is none.
fn type_name<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let name = node.named_child(0);
    match name.map(|name| walk.text_of(name)) {
        Some("static" | "self" | "parent") => Next::Skip,
        _ => {
            mark_leaf(walk, name, ReferenceKind::Type);
            Next::Descend
        }
    }
}

fn heritage<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    for base in node.named_children(&mut node.walk()).take(MAX_CHILDREN) {
        mark_leaf(walk, Some(base), ReferenceKind::Inherit);
    }
    Next::Descend
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let Some(function) = walk.child(node, Field::Function) else {
        return Next::Descend;
    };
    mark_leaf(walk, Some(function), ReferenceKind::Call);
    if walk.text_of(function) == "define" {
        let first = walk
            .child(node, Field::Arguments)
            .and_then(|arguments| arguments.named_child(0))
            .and_then(|argument| argument.named_child(0));
        if let Some(name) = first.and_then(plain_content) {
            let mut definition = walk.definition(node, name, SymbolKind::Constant);
            definition.is_scope = false;
            walk.define(definition);
        }
    }
    Next::Descend
}

fn member_call<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let name = walk.child(node, Field::Name);
    mark_leaf(walk, name, ReferenceKind::Call);
    Next::Descend
}

fn construction<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    mark_leaf(walk, node.named_child(0), ReferenceKind::Call);
    Next::Descend
}

/// Returns the content of a string that consists of text only.
fn plain_content(node: Node<'_>) -> Option<Node<'_>> {
    let is_string = matches!(node.kind(), "string" | "encapsed_string");
    let only = node
        .named_child(0)
        .filter(|_| is_string && node.named_child_count() == 1)?;
    (only.kind() == "string_content").then_some(only)
}

/// Reads a clause of `use`.
fn clause<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<ImportedName> {
    let name = node
        .named_children(&mut node.walk())
        .find(|child| matches!(child.kind(), "name" | "qualified_name" | "namespace_name"))?;
    let alias = walk.child(node, Field::Alias);
    Some(ImportedName {
        name: walk.text_of(name).trim_start_matches('\\').to_owned(),
        alias: alias.map(|alias| walk.text_of(alias).to_owned()),
    })
}

/// `use A\B;`, `use A\B as C, D;`, `use A\{B, C as D};`, each with `function` or `const` too.
fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let group = walk.child(node, Field::Body);
    let list = group.unwrap_or(node);
    let mut names = Vec::new();
    for child in list.named_children(&mut list.walk()).take(MAX_CHILDREN) {
        if child.kind() == "namespace_use_clause" {
            names.extend(clause(walk, child));
        }
    }
    let text = walk.text();
    let mut add = |module: String, names, alias| {
        walk.import(Import {
            module,
            names,
            alias,
            reexport: false,
            range: range_of(node),
        });
    };
    if group.is_some() {
        let prefix = node
            .named_children(&mut node.walk())
            .find(|child| child.kind() == "namespace_name");
        if let Some(prefix) = prefix {
            let prefix = range_of(prefix);
            add(prefix.of(text).to_owned(), names, None);
        }
    } else {
        for name in names {
            add(name.name, Vec::new(), name.alias);
        }
    }
    Next::Skip
}

/// `require 'x.php'`; a path that hangs on `__DIR__` starts with `./`.
fn include<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let mut path = node.named_child(0);
    while let Some(inner) = path.filter(|path| path.kind() == "parenthesized_expression") {
        path = inner.named_child(0);
    }
    let mut base = "";
    if let Some(sum) = path.filter(|path| path.kind() == "binary_expression") {
        let left = walk.child(sum, Field::Left);
        if left.is_some_and(|left| walk.text_of(left) == "__DIR__") {
            base = ".";
            path = walk.child(sum, Field::Right);
        }
    }
    match path.and_then(plain_content) {
        Some(path) => {
            walk.import(Import {
                module: format!("{base}{}", walk.text_of(path)),
                names: Vec::new(),
                alias: None,
                reexport: false,
                range: range_of(node),
            });
            Next::Skip
        }
        None => Next::Descend,
    }
}

#[cfg(test)]
mod tests;
