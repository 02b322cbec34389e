//! C#: namespaces, types, members, uses, `using` directives.
//!
//! A namespace is one definition whatever its number of parts (`Shop.Core`); a file-scoped one holds
//! the rest of the file. Without a stated access, types of a namespace are restricted to their
//! assembly, members of an interface are public and other members private. A `global using` counts
//! as passed on, for it reaches all files of the project. Parameters and locals are neither
//! definitions nor uses. Both sides of an `#if` are read.

use crate::facts::{Import, ImportedName, SymbolKind, Visibility};
use crate::syntax::grammar::{Action, Attach, Field, Grammar, Rule};
use crate::syntax::walk::{Definition, Next, Walk, range_of};
use crate::text::ByteRange;
use std::sync::LazyLock;
use tree_sitter::Node;

mod uses;

pub(in crate::syntax) static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::new(tree_sitter_c_sharp::LANGUAGE.into(), &[RULES, uses::RULES]));

const RULES: &[Rule] = &[
    ("comment", Action::Visit(comment)),
    ("using_directive", Action::Visit(using)),
    ("namespace_declaration", Action::Visit(namespace)),
    (
        "file_scoped_namespace_declaration",
        Action::Visit(namespace),
    ),
    ("class_declaration", Action::Visit(class)),
    ("record_declaration", Action::Visit(class)),
    ("struct_declaration", Action::Visit(structure)),
    ("interface_declaration", Action::Visit(interface)),
    ("enum_declaration", Action::Visit(enumeration)),
    ("enum_member_declaration", Action::Visit(variant)),
    ("delegate_declaration", Action::Visit(delegate)),
    ("method_declaration", Action::Visit(method)),
    ("local_function_statement", Action::Visit(local_function)),
    ("constructor_declaration", Action::Visit(constructor)),
    ("destructor_declaration", Action::Visit(destructor)),
    ("property_declaration", Action::Visit(property)),
    ("event_declaration", Action::Visit(event)),
    ("indexer_declaration", Action::Visit(indexer)),
    ("operator_declaration", Action::Visit(operator)),
    ("conversion_operator_declaration", Action::Visit(operator)),
    ("variable_declarator", Action::Visit(declarator)),
    ("parameter", Action::Visit(parameter)),
];

fn comment(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    let text = walk.text_of(node);
    let line_doc = text.starts_with("///") && !text.starts_with("////");
    let block_doc = text.starts_with("/**") && text != "/**/";
    let attach = if line_doc || block_doc {
        Attach::Doc
    } else {
        Attach::Never
    };
    walk.comment(range_of(node), attach);
    Next::Skip
}

fn using<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let alias = walk.child(node, Field::Name);
    let keyword = |word: &str| {
        node.children(&mut node.walk())
            .any(|child| child.kind() == word)
    };
    let (is_static, is_global) = (keyword("static"), keyword("global"));
    let target = node
        .named_children(&mut node.walk())
        .find(|child| Some(*child) != alias && child.kind() != "comment");
    if let Some(target) = target {
        let all = ImportedName {
            name: "*".to_owned(),
            alias: None,
        };
        walk.import(Import {
            module: walk.text_of(target).split_whitespace().collect(),
            names: if is_static { vec![all] } else { Vec::new() },
            alias: alias.map(|alias| walk.text_of(alias).to_owned()),
            reexport: is_global,
            range: range_of(node),
        });
    }
    Next::Skip
}

fn namespace<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let Some(name) = walk.child(node, Field::Name) else {
        return Next::Descend;
    };
    let is_file_scoped = node.kind() == "file_scoped_namespace_declaration";
    let mut definition = walk.definition(node, name, SymbolKind::Module);
    if is_file_scoped {
        definition.range.end = walk.text().len() as u32;
        definition.parent = None;
    }
    walk.define(definition);
    // `Shop.Core` declares all of its parts.
    let mut part = name;
    while let Some(last) = walk.child(part, Field::Name) {
        walk.mark(last, None);
        let Some(qualifier) = walk.child(part, Field::Qualifier) else {
            break;
        };
        part = qualifier;
    }
    if is_file_scoped {
        walk.hold_open();
    }
    Next::Descend
}

/// Returns the access that the modifiers of `node` state.
fn access(walk: &Walk<'_>, node: Node<'_>) -> Option<Visibility> {
    let mut found = None;
    for child in node.children(&mut node.walk()) {
        if child.kind() == "modifier" {
            match walk.text_of(child) {
                "public" => found = Some(Visibility::Public),
                "protected" | "internal" => found = Some(Visibility::Restricted),
                "private" if found.is_none() => found = Some(Visibility::Private),
                "file" => found = Some(Visibility::Private),
                _ => {}
            }
        }
    }
    found
}

fn has_modifier(walk: &Walk<'_>, node: Node<'_>, modifier: &str) -> bool {
    node.children(&mut node.walk())
        .any(|child| child.kind() == "modifier" && walk.text_of(child) == modifier)
}

/// Returns the definition that `node` makes, its access stated by `outer` or usual in the scope.
fn definition<'t>(
    walk: &Walk<'t>,
    node: Node<'t>,
    name: Node<'t>,
    kind: SymbolKind,
    outer: Node<'t>,
) -> Definition<'t> {
    let mut definition = walk.definition(node, name, kind);
    definition.signature.start = after_attributes(outer);
    let scope = walk.symbol(walk.scope()).map(|scope| scope.kind);
    let usual = match scope {
        None | Some(SymbolKind::Module) => Visibility::Restricted,
        Some(SymbolKind::Interface | SymbolKind::Enum) => Visibility::Public,
        // A member that implements one of an interface by its name can be reached through that.
        Some(_) if has_interface_name(outer) => Visibility::Public,
        Some(_) => Visibility::Private,
    };
    definition.visibility = access(walk, outer).unwrap_or(usual);
    definition.exported = definition.visibility != Visibility::Private
        && scope.is_none_or(|scope| scope == SymbolKind::Module || scope.is_type());
    definition
}

fn has_interface_name(node: Node<'_>) -> bool {
    node.named_children(&mut node.walk())
        .any(|child| child.kind() == "explicit_interface_specifier")
}

fn after_attributes(node: Node<'_>) -> u32 {
    let is_lead = |kind: &str| {
        matches!(
            kind,
            "attribute_list" | "preproc_if_in_attribute_list" | "comment"
        )
    };
    let first = node
        .children(&mut node.walk())
        .find(|child| !is_lead(child.kind()));
    first.unwrap_or(node).start_byte() as u32
}

fn define<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: SymbolKind) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        let definition = definition(walk, node, name, kind, node);
        walk.define(definition);
    }
    uses::typed(walk, node)
}

fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if walk.text_of(node).starts_with("extension") {
        // The mask made a class of it; its members are those of the class around it.
        if let Some(name) = walk.child(node, Field::Name) {
            walk.mark(name, None);
        }
        return Next::Descend;
    }
    let is_struct = node
        .children(&mut node.walk())
        .any(|child| child.kind() == "struct");
    let kind = if is_struct {
        SymbolKind::Struct
    } else {
        SymbolKind::Class
    };
    define(walk, node, kind)
}

fn structure<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::Struct)
}

fn interface<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::Interface)
}

fn enumeration<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::Enum)
}

fn variant<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::Variant)
}

fn delegate<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::Delegate)
}

fn method<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::Method)
}

fn local_function<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        let mut definition = definition(walk, node, name, SymbolKind::Function, node);
        definition.visibility = Visibility::Private;
        definition.exported = false;
        walk.define(definition);
    }
    uses::typed(walk, node)
}

fn constructor<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::Constructor)
}

fn destructor<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let (Some(tilde), Some(name)) = (
        node.children(&mut node.walk()).find(|c| c.kind() == "~"),
        walk.child(node, Field::Name),
    ) else {
        return Next::Descend;
    };
    let mut definition = definition(walk, node, name, SymbolKind::Method, node);
    name_from(walk, &mut definition, tilde, name);
    walk.define(definition);
    walk.mark(name, None);
    Next::Descend
}

/// Gives `definition` the text from `first` to `last` as its name.
fn name_from<'t>(
    walk: &Walk<'t>,
    definition: &mut Definition<'t>,
    first: Node<'_>,
    last: Node<'_>,
) {
    definition.name_range = ByteRange::new(first.start_byte() as u32, last.end_byte() as u32);
    definition.name = definition.name_range.of(walk.text());
}

fn property<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define_accessed(walk, node, SymbolKind::Property)
}

fn event<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define_accessed(walk, node, SymbolKind::Event)
}

/// Longest list of accessors that a signature shows.
const MAX_ACCESSOR_BYTES: usize = 40;

/// Defines a member with accessors; short ones without bodies belong to its signature.
fn define_accessed<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: SymbolKind) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        let mut definition = definition(walk, node, name, kind, node);
        definition.signature.end = accessed_end(walk, node);
        walk.define(definition);
    }
    uses::typed(walk, node)
}

fn accessed_end(walk: &Walk<'_>, node: Node<'_>) -> u32 {
    if let Some(accessors) = walk.child(node, Field::Accessors) {
        let text = walk.text_of(accessors);
        let is_short = text.len() <= MAX_ACCESSOR_BYTES && !text.contains("=>");
        let is_plain = is_short && text.matches('{').count() == 1;
        return if is_plain && !text.contains('\n') {
            accessors.end_byte() as u32
        } else {
            accessors.start_byte() as u32
        };
    }
    let value = walk.child(node, Field::Value);
    value.map_or(node.end_byte(), |value| value.start_byte()) as u32
}

fn indexer<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let this = node
        .children(&mut node.walk())
        .find(|child| child.kind() == "this");
    if let Some(this) = this {
        let mut definition = definition(walk, node, this, SymbolKind::Operator, node);
        definition.signature.end = accessed_end(walk, node);
        walk.define(definition);
    }
    uses::typed(walk, node)
}

/// `operator +`, `implicit operator int`.
fn operator<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let first = node
        .children(&mut node.walk())
        .find(|child| matches!(child.kind(), "implicit" | "explicit" | "operator"));
    let last = walk
        .child(node, Field::Operator)
        .or_else(|| walk.child(node, Field::Type));
    if let (Some(first), Some(last)) = (first, last) {
        let mut definition = definition(walk, node, first, SymbolKind::Operator, node);
        name_from(walk, &mut definition, first, last);
        walk.define(definition);
    }
    uses::typed(walk, node)
}

/// A declarator of a field or event is a definition, one of a local variable not.
fn declarator<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let Some(name) = walk.child(node, Field::Name) else {
        return Next::Descend;
    };
    let (list, outer) = (walk.ancestor(0), walk.ancestor(1));
    match (list, outer) {
        (Some(list), Some(outer)) if outer.kind() == "field_declaration" => {
            let kind = if has_modifier(walk, outer, "const") {
                SymbolKind::Constant
            } else {
                SymbolKind::Field
            };
            define_field(walk, node, name, kind, [list, outer]);
        }
        (Some(list), Some(outer)) if outer.kind() == "event_field_declaration" => {
            define_field(walk, node, name, SymbolKind::Event, [list, outer]);
        }
        _ => walk.mark(name, None),
    }
    Next::Descend
}

fn define_field<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    name: Node<'t>,
    kind: SymbolKind,
    [list, outer]: [Node<'t>; 2],
) {
    let mut definition = definition(walk, node, name, kind, outer);
    let whole = range_of(outer);
    let first = list
        .named_children(&mut list.walk())
        .find(|child| child.kind() == "variable_declarator");
    if first == Some(node) {
        definition.range.start = whole.start;
    } else {
        definition.signature.start = definition.range.start;
    }
    if definition.range.end + 1 == whole.end {
        definition.range.end = whole.end;
    }
    definition.signature.end = definition.range.end;
    let last = node.named_child(node.named_child_count().saturating_sub(1) as u32);
    if let Some(value) = last.filter(|last| *last != name) {
        definition.signature = walk.signature_with_value(definition.signature, value);
    }
    walk.define(definition);
}

/// A parameter of a record itself is a property of it.
fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let is_component = walk
        .ancestor(1)
        .is_some_and(|outer| outer.kind() == "record_declaration");
    if is_component && let Some(name) = walk.child(node, Field::Name) {
        let mut definition = definition(walk, node, name, SymbolKind::Property, node);
        definition.visibility = Visibility::Public;
        definition.exported = true;
        walk.define(definition);
    }
    uses::typed(walk, node)
}

#[cfg(test)]
mod tests;
