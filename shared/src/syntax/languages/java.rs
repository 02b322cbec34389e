//! Java: types, members, uses, imports.
//!
//! The package is no definition: it is one for all files below it. What states no access can be
//! reached from its package, so it is restricted, not private; members of an interface and constants
//! of an enumeration are public. Methods of anonymous classes are definitions, local variables and
//! parameters are neither definitions nor uses.

use crate::facts::{Import, ImportedName, ReferenceKind, SymbolKind, Visibility};
use crate::syntax::grammar::{Action, Attach, Field, Grammar, Rule};
use crate::syntax::walk::{Definition, Next, Walk, range_of};
use std::sync::LazyLock;
use tree_sitter::Node;

pub(in crate::syntax) static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::new(tree_sitter_java::LANGUAGE.into(), &[RULES]));

const RULES: &[Rule] = &[
    ("identifier", Action::Name(ReferenceKind::Other)),
    ("type_identifier", Action::Visit(type_name)),
    ("package_declaration", Action::Prune),
    ("module_declaration", Action::Prune),
    ("import_declaration", Action::Visit(import)),
    ("block_comment", Action::Visit(comment)),
    ("line_comment", Action::Comment(Attach::Never)),
    ("string_literal", Action::Prune),
    ("character_literal", Action::Prune),
    ("decimal_integer_literal", Action::Leaf),
    ("decimal_floating_point_literal", Action::Leaf),
    ("hex_integer_literal", Action::Leaf),
    ("true", Action::Leaf),
    ("false", Action::Leaf),
    ("null_literal", Action::Leaf),
    ("this", Action::Leaf),
    ("super", Action::Leaf),
    ("void_type", Action::Leaf),
    ("integral_type", Action::Prune),
    ("floating_point_type", Action::Prune),
    ("boolean_type", Action::Leaf),
    ("underscore_pattern", Action::Leaf),
    ("break_statement", Action::Prune),
    ("continue_statement", Action::Prune),
    ("class_declaration", Action::Visit(class)),
    ("record_declaration", Action::Visit(class)),
    ("interface_declaration", Action::Visit(interface)),
    ("enum_declaration", Action::Visit(enumeration)),
    (
        "annotation_type_declaration",
        Action::Visit(annotation_type),
    ),
    ("annotation_type_element_declaration", Action::Visit(method)),
    ("method_declaration", Action::Visit(method)),
    ("constructor_declaration", Action::Visit(constructor)),
    (
        "compact_constructor_declaration",
        Action::Visit(constructor),
    ),
    ("enum_constant", Action::Visit(constant)),
    ("variable_declarator", Action::Visit(declarator)),
    ("formal_parameter", Action::Visit(parameter)),
    ("catch_formal_parameter", Action::Visit(binding)),
    ("enhanced_for_statement", Action::Visit(binding)),
    ("resource", Action::Visit(binding)),
    ("instanceof_expression", Action::Visit(binding)),
    ("inferred_parameters", Action::Visit(bindings)),
    ("record_pattern_component", Action::Visit(bindings)),
    ("type_pattern", Action::Visit(bindings)),
    ("lambda_expression", Action::Visit(lambda)),
    ("labeled_statement", Action::Visit(label)),
    ("type_parameter", Action::Visit(type_parameter)),
    ("superclass", Action::Visit(heritage)),
    ("super_interfaces", Action::Visit(heritage)),
    ("extends_interfaces", Action::Visit(heritage)),
    ("annotation", Action::Visit(annotation)),
    ("marker_annotation", Action::Visit(annotation)),
    ("method_invocation", Action::Visit(call)),
    ("object_creation_expression", Action::Visit(construction)),
];

fn comment(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    let text = walk.text_of(node);
    let is_doc = text.starts_with("/**") && text != "/**/";
    let attach = if is_doc { Attach::Doc } else { Attach::Never };
    walk.comment(range_of(node), attach);
    Next::Skip
}

/// `var` stands where a type does but names none.
fn type_name(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    if walk.text_of(node) != "var" {
        walk.name(node, ReferenceKind::Type);
    }
    Next::Skip
}

/// `import a.b.C;`, `import a.b.*;`, `import static a.b.C.d;`, `import module m;`.
fn import(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    let text = walk.text_of(node).trim_start_matches("import");
    let text = text.trim_end_matches(|c: char| c == ';' || c.is_whitespace());
    let mut words = text.split_whitespace().peekable();
    let keyword = words.next_if(|word| matches!(*word, "static" | "module"));
    let path: String = words.collect();
    let (module, name) = match (keyword, path.rsplit_once('.')) {
        (Some("module"), _) => (path.as_str(), Some("*")),
        (Some(_), Some((class, member))) => (class, Some(member)),
        (_, Some((package, "*"))) => (package, Some("*")),
        _ => (path.as_str(), None),
    };
    let name = name.map(|name| ImportedName {
        name: name.to_owned(),
        alias: None,
    });
    if !module.is_empty() {
        walk.import(Import {
            module: module.to_owned(),
            names: name.into_iter().collect(),
            alias: None,
            reexport: false,
            range: range_of(node),
        });
    }
    Next::Skip
}

/// What the modifiers of a declaration say.
#[derive(Default)]
struct Modifiers {
    access: Option<Visibility>,
    is_constant: bool,
    /// Where the declaration starts behind its annotations.
    start: u32,
}

fn modifiers(node: Node<'_>) -> Modifiers {
    let mut found = Modifiers {
        start: node.start_byte() as u32,
        ..Modifiers::default()
    };
    let Some(list) = node.child(0).filter(|list| list.kind() == "modifiers") else {
        return found;
    };
    let (mut is_static, mut is_final, mut start) = (false, false, None);
    for modifier in list.children(&mut list.walk()) {
        match modifier.kind() {
            "public" => found.access = Some(Visibility::Public),
            "protected" => found.access = Some(Visibility::Restricted),
            "private" => found.access = Some(Visibility::Private),
            "static" => is_static = true,
            "final" => is_final = true,
            "annotation" | "marker_annotation" | "block_comment" | "line_comment" => continue,
            _ => {}
        }
        start.get_or_insert(modifier.start_byte() as u32);
    }
    let behind = list.next_sibling().map(|next| next.start_byte() as u32);
    found.start = start.or(behind).unwrap_or(found.start);
    found.is_constant = is_static && is_final;
    found
}

/// Returns the definition that `node` makes, with the access that `modifiers` give it in its scope.
fn definition<'t>(
    walk: &Walk<'t>,
    node: Node<'t>,
    name: Node<'t>,
    kind: SymbolKind,
    modifiers: &Modifiers,
) -> Definition<'t> {
    let mut definition = walk.definition(node, name, kind);
    definition.signature.start = modifiers.start;
    let scope = walk.symbol(walk.scope()).map(|scope| scope.kind);
    let usual = match scope {
        Some(SymbolKind::Interface | SymbolKind::Annotation) => Visibility::Public,
        _ => Visibility::Restricted,
    };
    definition.visibility = modifiers.access.unwrap_or(usual);
    definition.exported =
        definition.visibility != Visibility::Private && scope.is_none_or(|scope| scope.is_type());
    definition
}

fn define<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: SymbolKind) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        let definition = definition(walk, node, name, kind, &modifiers(node));
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

fn enumeration<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::Enum)
}

fn annotation_type<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::Annotation)
}

fn method<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    // A method outside of any type is one of a class that is not written down.
    let kind = match walk.scope() {
        Some(_) => SymbolKind::Method,
        None => SymbolKind::Function,
    };
    define(walk, node, kind)
}

fn constructor<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::Constructor)
}

fn constant<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        let modifiers = Modifiers {
            access: Some(Visibility::Public),
            ..modifiers(node)
        };
        let definition = definition(walk, node, name, SymbolKind::Variant, &modifiers);
        walk.define(definition);
    }
    Next::Descend
}

/// A declarator of a field or an interface's constant is a definition, one of a local variable not.
fn declarator<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let (Some(name), Some(outer)) = (walk.child(node, Field::Name), walk.ancestor(0)) else {
        return Next::Descend;
    };
    match outer.kind() {
        "field_declaration" | "constant_declaration" => define_field(walk, node, name, outer),
        "spread_parameter" if is_component(walk, 1) => define_component(walk, outer, name),
        _ => walk.mark(name, None),
    }
    Next::Descend
}

fn define_field<'t>(walk: &mut Walk<'t>, node: Node<'t>, name: Node<'t>, outer: Node<'t>) {
    let modifiers = modifiers(outer);
    let kind = if modifiers.is_constant || outer.kind() == "constant_declaration" {
        SymbolKind::Constant
    } else {
        SymbolKind::Field
    };
    let mut definition = definition(walk, node, name, kind, &modifiers);
    let whole = range_of(outer);
    if walk.child(outer, Field::Declarator) == Some(node) {
        definition.range.start = whole.start;
    } else {
        definition.signature.start = definition.range.start;
    }
    if definition.range.end + 1 == whole.end {
        definition.range.end = whole.end;
    }
    definition.signature.end = definition.range.end;
    if let Some(value) = walk.child(node, Field::Value) {
        definition.signature = walk.signature_with_value(definition.signature, value);
    }
    walk.define(definition);
}

/// Returns whether the parameters that hold the current node, `up` levels above, are a record's.
fn is_component(walk: &Walk<'_>, up: usize) -> bool {
    walk.ancestor(up + 1)
        .is_some_and(|outer| outer.kind() == "record_declaration")
}

/// Defines a component of a record: a field that everybody can ask for.
fn define_component<'t>(walk: &mut Walk<'t>, node: Node<'t>, name: Node<'t>) {
    let modifiers = Modifiers {
        access: Some(Visibility::Public),
        ..modifiers(node)
    };
    let definition = definition(walk, node, name, SymbolKind::Field, &modifiers);
    walk.define(definition);
}

fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        if is_component(walk, 0) {
            define_component(walk, node, name);
        } else {
            walk.mark(name, None);
        }
    }
    Next::Descend
}

/// The name that `node` binds is no use of a name.
fn binding<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        walk.mark(name, None);
    }
    Next::Descend
}

fn bindings<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    for child in node.named_children(&mut node.walk()) {
        if child.kind() == "identifier" {
            walk.mark(child, None);
        }
    }
    Next::Descend
}

fn lambda<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let parameters = walk.child(node, Field::Parameters);
    if let Some(name) = parameters.filter(|one| one.kind() == "identifier") {
        walk.mark(name, None);
    }
    Next::Descend
}

fn label<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(label) = node.named_child(0) {
        walk.mark(label, None);
    }
    Next::Descend
}

fn type_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let name = node
        .named_children(&mut node.walk())
        .find(|child| child.kind() == "type_identifier");
    if let Some(name) = name {
        walk.mark(name, None);
    }
    Next::Descend
}

/// Returns the name that a type comes down to.
fn name_leaf(node: Node<'_>) -> Option<Node<'_>> {
    let mut node = node;
    loop {
        node = match node.kind() {
            "identifier" | "type_identifier" => return Some(node),
            "generic_type" => node.named_child(0)?,
            "scoped_type_identifier" | "scoped_identifier" | "annotated_type" => {
                node.named_child(node.named_child_count().checked_sub(1)? as u32)?
            }
            _ => return None,
        };
    }
}

fn mark_leaf<'t>(walk: &mut Walk<'t>, node: Option<Node<'t>>, kind: ReferenceKind) {
    if let Some(leaf) = node.and_then(name_leaf) {
        walk.mark(leaf, Some(kind));
    }
}

fn heritage<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let list = node
        .named_child(0)
        .filter(|list| list.kind() == "type_list");
    let list = list.unwrap_or(node);
    for base in list.named_children(&mut list.walk()) {
        mark_leaf(walk, Some(base), ReferenceKind::Inherit);
    }
    Next::Descend
}

fn annotation<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let name = walk.child(node, Field::Name);
    mark_leaf(walk, name, ReferenceKind::Type);
    Next::Descend
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let name = walk.child(node, Field::Name);
    mark_leaf(walk, name, ReferenceKind::Call);
    Next::Descend
}

fn construction<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let made = walk.child(node, Field::Type);
    mark_leaf(walk, made, ReferenceKind::Call);
    Next::Descend
}

#[cfg(test)]
mod tests;
