//! What TypeScript adds: interfaces, aliases, enums, namespaces, signatures, parameter properties.
//!
//! Not here: everything it shares with JavaScript (see the parent module).

use super::{after_decorators, class, field};
use super::{define_member, definition, function, heritage, is_plain_name, member_visibility};
use crate::facts::{Import, ReferenceKind, SymbolKind, Visibility};
use crate::syntax::grammar::{Action, Field, Rule};
use crate::syntax::walk::{Next, Walk, range_of};
use tree_sitter::Node;

pub(super) const RULES: &[Rule] = &[
    ("type_identifier", Action::Name(ReferenceKind::Type)),
    ("property_identifier", Action::Visit(property)),
    ("predefined_type", Action::Leaf),
    ("accessibility_modifier", Action::Leaf),
    ("override_modifier", Action::Leaf),
    ("this_type", Action::Leaf),
    ("abstract_class_declaration", Action::Visit(class)),
    ("interface_declaration", Action::Visit(interface)),
    ("type_alias_declaration", Action::Visit(alias)),
    ("enum_declaration", Action::Visit(enumeration)),
    ("enum_assignment", Action::Visit(variant)),
    ("internal_module", Action::Visit(namespace)),
    ("module", Action::Visit(namespace)),
    ("function_signature", Action::Visit(function)),
    ("method_signature", Action::Visit(method_signature)),
    ("abstract_method_signature", Action::Visit(method_signature)),
    ("property_signature", Action::Visit(property_signature)),
    ("public_field_definition", Action::Visit(field)),
    ("required_parameter", Action::Visit(parameter)),
    ("optional_parameter", Action::Visit(parameter)),
    ("type_parameters", Action::Visit(type_parameters)),
    ("type_parameter", Action::Visit(type_parameter)),
    ("extends_clause", Action::Visit(heritage)),
    ("extends_type_clause", Action::Visit(heritage)),
    ("implements_clause", Action::Visit(heritage)),
    ("import_alias", Action::Visit(import_alias)),
];

/// A property name is a use but for the bare constants of an enumeration.
fn property<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let in_enum = walk
        .symbol(walk.scope())
        .is_some_and(|scope| scope.kind == SymbolKind::Enum)
        && walk
            .ancestor(0)
            .is_some_and(|outer| outer.kind() == "enum_body");
    if in_enum {
        define_member(walk, node, node, SymbolKind::Variant);
    } else {
        walk.name(node, ReferenceKind::Other);
    }
    Next::Skip
}

fn define<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: SymbolKind) {
    if let Some(name) = walk.child(node, Field::Name) {
        let mut definition = definition(walk, node, name, kind);
        if let Some(value) = walk.child(node, Field::Value) {
            definition.signature = walk.signature_with_value(definition.signature, value);
        }
        walk.define(definition);
    }
}

fn interface<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::Interface);
    Next::Descend
}

fn alias<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::TypeAlias);
    Next::Descend
}

fn enumeration<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::Enum);
    Next::Descend
}

fn variant<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        define_member(walk, node, name, SymbolKind::Variant);
    }
    Next::Descend
}

fn namespace<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let Some(name) = walk.child(node, Field::Name) else {
        return Next::Descend;
    };
    let definition = definition(walk, node, name, SymbolKind::Module);
    if name.kind() == "string" {
        // Whatever is declared for another module can be reached by importing that.
        walk.export(definition.name);
    }
    walk.define(definition);
    // `namespace A.B` declares all of its parts.
    let mut part = name;
    while let Some(property) = walk.child(part, Field::Property) {
        walk.mark(property, None);
        let Some(object) = walk.child(part, Field::Object) else {
            break;
        };
        part = object;
    }
    Next::Descend
}

/// Returns whether the current node is a member of an interface, a class or the object type that an
/// alias names, rather than of a type within some other type.
fn is_member(walk: &Walk<'_>) -> bool {
    match walk.ancestor(0).map(|outer| outer.kind()) {
        Some("interface_body" | "class_body") => true,
        Some("object_type") => walk
            .ancestor(1)
            .is_some_and(|outer| outer.kind() == "type_alias_declaration"),
        _ => false,
    }
}

fn signature<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: SymbolKind) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        if is_member(walk) {
            define_member(walk, node, name, kind);
        } else {
            walk.mark(name, None);
        }
    }
    Next::Descend
}

fn method_signature<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    signature(walk, node, SymbolKind::Method)
}

fn property_signature<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    signature(walk, node, SymbolKind::Property)
}

/// A parameter is no use of its name; one of a constructor with a modifier is a field of the class.
fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let Some(pattern) = walk.child(node, Field::Pattern) else {
        return Next::Descend;
    };
    let name = match pattern.kind() {
        "rest_pattern" => pattern.named_child(0).unwrap_or(pattern),
        _ => pattern,
    };
    if !is_plain_name(name) {
        return Next::Descend;
    }
    walk.mark(name, None);
    let declares_field = node
        .children(&mut node.walk())
        .take_while(|child| *child != pattern)
        .any(|child| matches!(child.kind(), "accessibility_modifier" | "readonly"));
    let scope = walk.symbol(walk.scope());
    if declares_field && let Some(constructor) = scope.filter(|s| s.kind == SymbolKind::Constructor)
    {
        let class = constructor.parent;
        let visibility = member_visibility(walk, node, name);
        let mut definition = walk.definition(node, name, SymbolKind::Field);
        definition.signature.start = after_decorators(node);
        definition.parent = class;
        definition.visibility = visibility;
        definition.exported = visibility != Visibility::Private;
        walk.define(definition);
    }
    Next::Descend
}

/// Parameters that the grammar cannot read (`in out T`) would give keywords as names.
fn type_parameters<'t>(_: &mut Walk<'t>, node: Node<'t>) -> Next {
    if node.has_error() {
        Next::Skip
    } else {
        Next::Descend
    }
}

fn type_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        walk.mark(name, None);
    }
    Next::Descend
}

/// `import A = B.C`.
fn import_alias<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let (Some(alias), Some(target)) = (node.named_child(0), node.named_child(1)) {
        let exported = walk
            .ancestor(0)
            .filter(|outer| outer.kind() == "export_statement");
        walk.import(Import {
            module: walk.text_of(target).to_owned(),
            names: Vec::new(),
            alias: Some(walk.text_of(alias).to_owned()),
            reexport: exported.is_some(),
            range: range_of(exported.unwrap_or(node)),
        });
    }
    Next::Skip
}
