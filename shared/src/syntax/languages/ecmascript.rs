//! JavaScript and TypeScript, with and without JSX: functions, classes, bindings, uses.
//!
//! What only TypeScript has is in [`types`]; imports, exports and CommonJS are in [`modules`].
//! Functions and values bound at the top level of a module or namespace are definitions, and so are
//! the functions of object literals that such a binding or a default export holds. Bindings within
//! functions are not, and parameters are neither definitions nor uses. A file that neither imports
//! nor exports is a script: all its top level can be reached.

use crate::facts::{ReferenceKind, SymbolKind, Visibility};
use crate::syntax::grammar::{Action, Attach, Field, Grammar, Rule};
use crate::syntax::walk::{Definition, Next, Walk, range_of};
use crate::text::ByteRange;
use std::sync::LazyLock;
use tree_sitter::Node;

mod modules;
mod types;

pub(in crate::syntax) static JAVASCRIPT: LazyLock<Grammar> = LazyLock::new(|| {
    let rules = &[RULES, JAVASCRIPT_RULES, JSX_RULES];
    Grammar::new(tree_sitter_javascript::LANGUAGE.into(), rules)
        .closing(|walk| walk.keep_exported())
});

pub(in crate::syntax) static TYPESCRIPT: LazyLock<Grammar> = LazyLock::new(|| {
    let language = tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into();
    Grammar::new(language, &[RULES, types::RULES]).closing(|walk| walk.keep_exported())
});

pub(in crate::syntax) static TSX: LazyLock<Grammar> = LazyLock::new(|| {
    let language = tree_sitter_typescript::LANGUAGE_TSX.into();
    Grammar::new(language, &[RULES, types::RULES, JSX_RULES]).closing(|walk| walk.keep_exported())
});

const RULES: &[Rule] = &[
    ("identifier", Action::Name(ReferenceKind::Other)),
    (
        "private_property_identifier",
        Action::Name(ReferenceKind::Other),
    ),
    (
        "shorthand_property_identifier",
        Action::Name(ReferenceKind::Other),
    ),
    (
        "shorthand_property_identifier_pattern",
        Action::Name(ReferenceKind::Other),
    ),
    ("statement_identifier", Action::Prune),
    ("meta_property", Action::Prune),
    ("hash_bang_line", Action::Prune),
    ("string", Action::Prune),
    ("regex", Action::Prune),
    ("number", Action::Leaf),
    ("true", Action::Leaf),
    ("false", Action::Leaf),
    ("null", Action::Leaf),
    ("undefined", Action::Leaf),
    ("this", Action::Leaf),
    ("super", Action::Leaf),
    ("comment", Action::Visit(comment)),
    ("decorator", Action::Attribute),
    ("function_declaration", Action::Visit(function)),
    ("generator_function_declaration", Action::Visit(function)),
    ("function_expression", Action::Visit(value)),
    ("generator_function", Action::Visit(value)),
    ("arrow_function", Action::Visit(value)),
    ("class", Action::Visit(value)),
    ("class_declaration", Action::Visit(class)),
    ("method_definition", Action::Visit(method)),
    ("pair", Action::Visit(pair)),
    ("variable_declarator", Action::Visit(declarator)),
    ("catch_clause", Action::Visit(value)),
    ("for_in_statement", Action::Visit(loop_over)),
    ("call_expression", Action::Visit(call)),
    ("new_expression", Action::Visit(construction)),
    ("assignment_expression", Action::Visit(modules::assignment)),
    ("import_statement", Action::Visit(modules::import)),
    ("export_statement", Action::Visit(modules::export)),
];

const JAVASCRIPT_RULES: &[Rule] = &[
    ("property_identifier", Action::Name(ReferenceKind::Other)),
    ("field_definition", Action::Visit(field)),
    ("class_heritage", Action::Visit(heritage)),
    ("formal_parameters", Action::Visit(parameters)),
];

const JSX_RULES: &[Rule] = &[
    ("jsx_text", Action::Leaf),
    ("jsx_namespace_name", Action::Prune),
    ("jsx_closing_element", Action::Prune),
    ("jsx_opening_element", Action::Visit(element)),
    ("jsx_self_closing_element", Action::Visit(element)),
];

fn comment(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    let text = walk.text_of(node);
    let is_doc = text.starts_with("/**") && text != "/**/";
    let attach = if is_doc { Attach::Doc } else { Attach::Never };
    walk.comment(range_of(node), attach);
    Next::Skip
}

/// What the statements around a declaration add to it.
struct Head {
    /// Where `export`, `declare` or `const` starts; else where the declaration does.
    start: u32,
    /// Whether the declaration stands directly in an `export`.
    exported: bool,
    /// Whether it stands directly in a `declare`.
    ambient: bool,
}

/// Returns the head of the declaration `node`, the current node.
fn head(walk: &Walk<'_>, node: Node<'_>) -> Head {
    let mut head = Head {
        start: node.start_byte() as u32,
        exported: false,
        ambient: false,
    };
    let mut up = 0;
    let mut inner = node;
    while let Some(outer) = walk.ancestor(up) {
        match outer.kind() {
            "lexical_declaration" | "variable_declaration"
                if !is_first_declarator(outer, inner) =>
            {
                head.start = node.start_byte() as u32;
                head.exported = walk.ancestor(up + 1).is_some_and(is_export);
                return head;
            }
            "lexical_declaration" | "variable_declaration" => {}
            "ambient_declaration" => head.ambient = true,
            "export_statement" => head.exported = true,
            _ => break,
        }
        let keyword = outer
            .children(&mut outer.walk())
            .find(|child| child.kind() == "export");
        head.start = keyword.unwrap_or(outer).start_byte() as u32;
        inner = outer;
        up += 1;
    }
    head
}

fn is_export(node: Node<'_>) -> bool {
    node.kind() == "export_statement"
}

fn is_first_declarator(declaration: Node<'_>, declarator: Node<'_>) -> bool {
    declaration.named_child(0) == Some(declarator)
}

/// Returns the definition that `node` makes, head included.
fn definition<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    name: Node<'t>,
    kind: SymbolKind,
) -> Definition<'t> {
    let name = name_within(name);
    let mut definition = walk.definition(node, name, kind);
    let head = head(walk, node);
    definition.range.start = head.start;
    definition.signature.start = if head.start < node.start_byte() as u32 {
        head.start
    } else {
        after_decorators(node)
    };
    let scope = walk.symbol(walk.scope()).map(|scope| scope.kind);
    definition.exported = match scope {
        None => {
            if head.exported || is_global(walk) {
                walk.export(definition.name);
            }
            true
        }
        Some(SymbolKind::Module) => head.exported || head.ambient || is_ambient(walk),
        Some(kind) => kind.is_type(),
    };
    if !definition.exported {
        definition.visibility = Visibility::Private;
    }
    definition
}

/// Returns what names `node`: of a string the text within the quotes.
fn name_within(node: Node<'_>) -> Node<'_> {
    if node.kind() == "string" {
        node.named_child(0).unwrap_or(node)
    } else {
        node
    }
}

fn after_decorators(node: Node<'_>) -> u32 {
    let first = node
        .children(&mut node.walk())
        .find(|child| !matches!(child.kind(), "decorator" | "comment"));
    first.unwrap_or(node).start_byte() as u32
}

/// Returns whether the current node stands within `declare`, where all is exported.
fn is_ambient(walk: &Walk<'_>) -> bool {
    (0..MAX_CLIMB)
        .map_while(|up| walk.ancestor(up))
        .any(|outer| outer.kind() == "ambient_declaration")
}

/// Returns whether the current node is declared within `declare global`.
fn is_global(walk: &Walk<'_>) -> bool {
    (0..3)
        .map_while(|up| walk.ancestor(up))
        .skip_while(|outer| outer.kind() != "statement_block")
        .nth(1)
        .is_some_and(|outer| outer.kind() == "ambient_declaration")
}

/// How many nodes upwards a question about the surroundings may look.
const MAX_CLIMB: usize = 16;

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        let definition = definition(walk, node, name, SymbolKind::Function);
        walk.define(definition);
    }
    Next::Descend
}

fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        let definition = definition(walk, node, name, SymbolKind::Class);
        walk.define(definition);
    }
    Next::Descend
}

/// A function or class within an expression, or a `catch`: its own name is neither use nor definition.
fn value<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    for field in [Field::Name, Field::Parameter] {
        if let Some(name) = walk.child(node, field).filter(|name| is_plain_name(*name)) {
            walk.mark(name, None);
        }
    }
    Next::Descend
}

fn is_plain_name(node: Node<'_>) -> bool {
    matches!(node.kind(), "identifier" | "type_identifier")
}

fn loop_over<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let declares = node
        .children(&mut node.walk())
        .any(|child| matches!(child.kind(), "const" | "let" | "var"));
    if declares
        && let Some(name) = walk
            .child(node, Field::Left)
            .filter(|name| is_plain_name(*name))
    {
        walk.mark(name, None);
    }
    Next::Descend
}

fn parameters<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    for parameter in node.named_children(&mut node.walk()) {
        let name = match parameter.kind() {
            "identifier" => Some(parameter),
            "assignment_pattern" => walk.child(parameter, Field::Left),
            "rest_pattern" => parameter.named_child(0),
            _ => None,
        };
        if let Some(name) = name.filter(|name| is_plain_name(*name)) {
            walk.mark(name, None);
        }
    }
    Next::Descend
}

fn is_function(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "arrow_function" | "function_expression" | "generator_function"
    )
}

/// Returns the visibility that a member of a class states.
fn member_visibility(walk: &Walk<'_>, node: Node<'_>, name: Node<'_>) -> Visibility {
    if name.kind() == "private_property_identifier" {
        return Visibility::Private;
    }
    let stated = node
        .children(&mut node.walk())
        .find(|child| child.kind() == "accessibility_modifier");
    match stated.map(|stated| walk.text_of(stated)) {
        Some("private") => Visibility::Private,
        Some("protected") => Visibility::Restricted,
        _ => Visibility::Public,
    }
}

/// Defines `node` as a member of the open class or interface.
fn define_member<'t>(walk: &mut Walk<'t>, node: Node<'t>, name: Node<'t>, kind: SymbolKind) {
    let visibility = member_visibility(walk, node, name);
    let value = walk.child(node, Field::Value);
    let mut definition = definition(walk, node, name, kind);
    if let Some(value) = value {
        definition.signature = value_signature(walk, definition.signature, value);
    }
    if definition.exported {
        definition.visibility = visibility;
        definition.exported = visibility != Visibility::Private;
    }
    walk.define(definition);
}

/// Returns the signature of a definition that gives `value`: without the body of a function or class.
fn value_signature(walk: &Walk<'_>, whole: ByteRange, value: Node<'_>) -> ByteRange {
    let is_body = is_function(value) || value.kind() == "class";
    match walk.child(value, Field::Body).filter(|_| is_body) {
        Some(body) => ByteRange::new(whole.start, body.start_byte() as u32),
        None => walk.signature_with_value(whole, value),
    }
}

fn method<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let Some(name) = walk.child(node, Field::Name) else {
        return Next::Descend;
    };
    let is_accessor = node
        .children(&mut node.walk())
        .take_while(|child| *child != name)
        .any(|child| matches!(child.kind(), "get" | "set"));
    if walk
        .ancestor(0)
        .is_some_and(|owner| owner.kind() == "object")
    {
        if is_kept_object(walk) {
            define_object_member(walk, node, name);
        } else {
            walk.mark(name_within(name), None);
        }
    } else if is_accessor {
        define_member(walk, node, name, SymbolKind::Property);
    } else if walk.text_of(name) == "constructor" {
        define_member(walk, node, name, SymbolKind::Constructor);
    } else {
        define_member(walk, node, name, SymbolKind::Method);
    }
    Next::Descend
}

fn field<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let name = walk.child(node, Field::Name);
    if let Some(name) = name.or_else(|| walk.child(node, Field::Property)) {
        let value = walk.child(node, Field::Value);
        let kind = if value.is_some_and(is_function) {
            SymbolKind::Method
        } else {
            SymbolKind::Field
        };
        define_member(walk, node, name, kind);
    }
    Next::Descend
}

fn pair<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let value = walk.child(node, Field::Value);
    if value.is_some_and(is_function)
        && let Some(key) = walk.child(node, Field::Key)
        && is_kept_object(walk)
    {
        define_object_member(walk, node, key);
    }
    Next::Descend
}

/// Defines a function of an object literal; without an enclosing definition it is exported by itself.
fn define_object_member<'t>(walk: &mut Walk<'t>, node: Node<'t>, name: Node<'t>) {
    let (kind, has_owner) = match walk.scope() {
        Some(_) => (SymbolKind::Method, true),
        None => (SymbolKind::Function, false),
    };
    let mut definition = walk.definition(node, name_within(name), kind);
    if let Some(value) = walk.child(node, Field::Value) {
        definition.signature = value_signature(walk, definition.range, value);
    }
    if !has_owner {
        walk.export(definition.name);
    }
    walk.define(definition);
}

/// Returns whether the object literal around the current node is, or is within, the value of a
/// top-level binding or an export, with no function between.
fn is_kept_object(walk: &Walk<'_>) -> bool {
    for up in 1..MAX_CLIMB {
        let Some(outer) = walk.ancestor(up) else {
            return false;
        };
        match outer.kind() {
            "object"
            | "pair"
            | "arguments"
            | "call_expression"
            | "new_expression"
            | "as_expression"
            | "satisfies_expression"
            | "parenthesized_expression" => {}
            "variable_declarator" => return is_module_level(walk, up + 1),
            "export_statement" => return true,
            "assignment_expression" => return modules::is_assigned_at_top(walk, up + 1),
            _ => return false,
        }
    }
    false
}

/// Returns whether the declaration that is the ancestor `up` stands at the top level of a module.
fn is_module_level(walk: &Walk<'_>, up: usize) -> bool {
    let outer = |more: usize| walk.ancestor(up + more).map_or("", |outer| outer.kind());
    if !matches!(outer(0), "lexical_declaration" | "variable_declaration") {
        return false;
    }
    match outer(1) {
        "program" | "export_statement" | "ambient_declaration" => true,
        "statement_block" => matches!(
            outer(2),
            "internal_module" | "module" | "ambient_declaration"
        ),
        _ => false,
    }
}

fn declarator<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let Some(name) = walk.child(node, Field::Name) else {
        return Next::Descend;
    };
    if modules::required(walk, node, name) {
        return Next::Skip;
    }
    if is_module_level(walk, 0) {
        define_binding(walk, node, name);
    } else if is_plain_name(name) {
        walk.mark(name, None);
    }
    Next::Descend
}

fn define_binding<'t>(walk: &mut Walk<'t>, node: Node<'t>, name: Node<'t>) {
    let declaration = walk.ancestor(0);
    let is_const = declaration
        .and_then(|declaration| declaration.child(0))
        .is_some_and(|keyword| keyword.kind() == "const");
    let value = walk.child(node, Field::Value);
    let kind = match value {
        Some(value) if is_function(value) => SymbolKind::Function,
        Some(value) if value.kind() == "class" => SymbolKind::Class,
        _ if is_const => SymbolKind::Constant,
        _ => SymbolKind::Variable,
    };
    let alone = declaration.filter(|all| all.named_child_count() == 1);
    // The first one becomes the scope, which the others must not see.
    let mut definitions = Vec::new();
    for name in bound_names(walk, name) {
        let mut definition = definition(walk, node, name, kind);
        definition.range.end = alone.map_or(definition.range.end, |all| all.end_byte() as u32);
        definition.signature.end = definition.range.end;
        if let Some(value) = value {
            definition.signature = value_signature(walk, definition.signature, value);
            if modules::is_exported_too(walk, value) {
                walk.export(definition.name);
            }
        }
        definitions.push(definition);
    }
    for definition in definitions {
        walk.define(definition);
    }
}

/// Returns the names that a binding pattern binds, in order.
fn bound_names<'t>(walk: &Walk<'t>, pattern: Node<'t>) -> Vec<Node<'t>> {
    let mut names = Vec::new();
    let mut pending = vec![pattern];
    while let Some(node) = pending.pop() {
        match node.kind() {
            "identifier" | "shorthand_property_identifier_pattern" => names.push(node),
            "object_pattern" | "array_pattern" | "rest_pattern" => {
                let at = pending.len();
                pending.extend(node.named_children(&mut node.walk()));
                pending[at..].reverse();
            }
            "pair_pattern" => pending.extend(walk.child(node, Field::Value)),
            "assignment_pattern" | "object_assignment_pattern" => {
                pending.extend(walk.child(node, Field::Left));
            }
            _ => {}
        }
    }
    names
}

/// Returns the name that a callee, a base class or a type comes down to.
fn name_leaf<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<Node<'t>> {
    let mut node = node;
    loop {
        node = match node.kind() {
            "identifier"
            | "type_identifier"
            | "property_identifier"
            | "private_property_identifier" => return Some(node),
            "member_expression" => walk.child(node, Field::Property)?,
            "generic_type" | "nested_type_identifier" => walk.child(node, Field::Name)?,
            "instantiation_expression" => node.named_child(0)?,
            "non_null_expression" | "parenthesized_expression" => node.named_child(0)?,
            _ => return None,
        };
    }
}

fn mark_leaf<'t>(walk: &mut Walk<'t>, node: Option<Node<'t>>, kind: ReferenceKind) {
    if let Some(leaf) = node.and_then(|node| name_leaf(walk, node)) {
        walk.mark(leaf, Some(kind));
    }
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if modules::called(walk, node) {
        return Next::Skip;
    }
    let callee = walk.child(node, Field::Function);
    mark_leaf(walk, callee, ReferenceKind::Call);
    Next::Descend
}

fn construction<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let callee = walk.child(node, Field::Constructor);
    mark_leaf(walk, callee, ReferenceKind::Call);
    Next::Descend
}

/// A JSX element calls its component; names in lower case are tags of the page.
fn element<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let Some(name) = walk.child(node, Field::Name) else {
        return Next::Descend;
    };
    let is_tag =
        name.kind() == "identifier" && walk.text_of(name).starts_with(|c: char| c.is_lowercase());
    if is_tag {
        walk.mark(name, None);
    } else {
        mark_leaf(walk, Some(name), ReferenceKind::Call);
    }
    Next::Descend
}

fn heritage<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    for base in node.named_children(&mut node.walk()) {
        mark_leaf(walk, Some(base), ReferenceKind::Inherit);
    }
    Next::Descend
}

#[cfg(test)]
mod tests;
