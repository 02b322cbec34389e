//! C, and the rules that C++ shares: declarators, records, macros, includes.
//!
//! One declaration may declare several names through nested declarators; each is its own symbol. What
//! a function's body declares is local and no symbol, types excepted. `static` outside a type, and an
//! unnamed namespace, make a name private to the file.

use crate::facts::{Import, ReferenceKind, SymbolKind, Visibility};
use crate::syntax::grammar::{Action, Attach, Field, Grammar, Rule};
use crate::syntax::walk::{Definition, Next, Walk, is_callable, range_of};
use crate::text::ByteRange;
use std::sync::LazyLock;
use tree_sitter::Node;

pub(in crate::syntax) static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::new(tree_sitter_c::LANGUAGE.into(), &[RULES]));

/// The rules of C; all of them hold in C++ too.
pub(super) const RULES: &[Rule] = &[
    ("identifier", Action::Name(ReferenceKind::Other)),
    ("field_identifier", Action::Name(ReferenceKind::Other)),
    ("type_identifier", Action::Name(ReferenceKind::Type)),
    ("primitive_type", Action::Leaf),
    ("statement_identifier", Action::Leaf),
    ("number_literal", Action::Leaf),
    ("storage_class_specifier", Action::Prune),
    ("string_literal", Action::Prune),
    ("char_literal", Action::Prune),
    ("comment", Action::Comment(Attach::Near)),
    ("preproc_include", Action::Visit(include)),
    ("preproc_def", Action::Visit(macro_definition)),
    ("preproc_function_def", Action::Visit(macro_definition)),
    ("preproc_call", Action::Prune),
    ("function_definition", Action::Visit(function)),
    ("declaration", Action::Visit(declaration)),
    ("field_declaration", Action::Visit(declaration)),
    ("type_definition", Action::Visit(type_definition)),
    ("struct_specifier", Action::Visit(record)),
    ("union_specifier", Action::Visit(record)),
    ("enum_specifier", Action::Visit(record)),
    ("enumerator", Action::Visit(enumerator)),
    ("call_expression", Action::Visit(call)),
];

/// What nested declarators come down to.
struct Declared<'t> {
    /// The declared name.
    name: Node<'t>,
    /// The last part of a qualification, as in `Scope::name`.
    scope: Option<Node<'t>>,
    /// Where the whole qualification begins.
    scope_start: usize,
    is_function: bool,
}

/// Follows declarators to the name they declare.
fn declared<'t>(walk: &Walk<'t>, declarator: Node<'t>) -> Option<Declared<'t>> {
    let mut node = declarator;
    let mut scope = None;
    let mut scope_start = 0;
    let mut is_function = false;
    loop {
        node = match node.kind() {
            "identifier" | "field_identifier" | "type_identifier" | "destructor_name"
            | "operator_name" | "primitive_type" => {
                return Some(Declared {
                    name: node,
                    scope,
                    scope_start,
                    is_function,
                });
            }
            "operator_cast" => {
                return Some(Declared {
                    name: node,
                    scope,
                    scope_start,
                    is_function: true,
                });
            }
            "qualified_identifier" => {
                let part = walk.child(node, Field::Scope);
                if scope.is_none() {
                    scope_start = part.map_or(0, |part| part.start_byte());
                }
                scope = part;
                walk.child(node, Field::Name)?
            }
            "template_function" | "template_method" | "template_type" => {
                walk.child(node, Field::Name)?
            }
            "function_declarator" => {
                is_function = true;
                walk.child(node, Field::Declarator)?
            }
            "parenthesized_declarator" | "reference_declarator" | "attributed_declarator" => {
                node.named_child(0)?
            }
            _ => {
                is_function = false;
                walk.child(node, Field::Declarator)?
            }
        };
    }
}

/// How many children of a declaration may stand before the names: storage, qualifiers, attributes.
const MAX_SPECIFIERS: usize = 12;

/// Returns whether one of the specifiers of `node` is one of `words`.
fn has_word(walk: &Walk<'_>, node: Node<'_>, kind: &str, words: &[&str]) -> bool {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .take(MAX_SPECIFIERS)
        .any(|child| child.kind() == kind && words.contains(&walk.text_of(child)))
}

/// Returns the kind of the type whose body the current node stands in.
fn owner_type<'w>(walk: &'w Walk<'_>) -> Option<&'w crate::facts::Symbol> {
    walk.symbol(walk.owner())
        .filter(|owner| matches!(owner.kind, SymbolKind::Class | SymbolKind::Struct))
}

fn is_local(walk: &Walk<'_>) -> bool {
    let in_block = walk
        .ancestor(0)
        .is_some_and(|parent| parent.kind() == "compound_statement");
    let owner = walk.symbol(walk.owner());
    in_block || owner.is_some_and(|owner| is_callable(owner.kind))
}

/// Returns where the template declaration directly around the current node starts.
fn template_start(walk: &Walk<'_>) -> Option<u32> {
    walk.ancestor(0)
        .filter(|parent| parent.kind() == "template_declaration")
        .map(|parent| parent.start_byte() as u32)
}

/// Returns who may use what `node` declares.
fn visibility(walk: &Walk<'_>, node: Node<'_>) -> Visibility {
    if owner_type(walk).is_some() {
        return walk.access().unwrap_or(Visibility::Public);
    }
    let is_unnamed_namespace = walk.ancestor(1).is_some_and(|outer| {
        outer.kind() == "namespace_definition" && walk.child(outer, Field::Name).is_none()
    });
    if is_unnamed_namespace || has_word(walk, node, "storage_class_specifier", &["static"]) {
        Visibility::Private
    } else {
        Visibility::Public
    }
}

/// Adds `definition` with the visibility of `node`, widened to a template around it.
pub(super) fn define<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    mut definition: Definition<'t>,
) -> Option<u32> {
    definition.visibility = visibility(walk, node);
    definition.exported = definition.visibility != Visibility::Private;
    if let Some(start) = template_start(walk) {
        definition.range.start = start;
        definition.signature.start = start;
    }
    walk.define(definition)
}

/// Makes `definition`, found to be a function, what its name and place say.
fn shape_function<'t>(walk: &Walk<'t>, declared: &Declared<'t>, definition: &mut Definition<'t>) {
    let owner = owner_type(walk).map(|owner| walk.name_text(owner.name));
    let qualifier = declared.scope.map(|scope| {
        let text = walk.text_of(scope);
        text.split('<').next().unwrap_or(text).trim()
    });
    let of = qualifier.or(owner);
    if declared.name.kind() == "operator_cast" {
        // The grammar counts the parameters in.
        let name = definition
            .name
            .split('(')
            .next()
            .unwrap_or_default()
            .trim_end();
        definition.name = name;
        definition.name_range.end = definition.name_range.start + name.len() as u32;
    }
    definition.kind = match declared.name.kind() {
        _ if of.is_none() && declared.name.kind() != "operator_name" => SymbolKind::Function,
        "operator_name" | "operator_cast" => SymbolKind::Operator,
        _ if of == Some(definition.name) => SymbolKind::Constructor,
        _ => SymbolKind::Method,
    };
    if let Some(of) = qualifier {
        match (walk.find_type(of), declared.scope) {
            (Some(known), _) => definition.parent = Some(known),
            // The type is defined elsewhere, as in a header.
            (None, Some(scope)) => {
                definition.owner = walk.text().get(declared.scope_start..scope.end_byte());
            }
            (None, None) => {}
        }
    }
}

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let declarator = walk.child(node, Field::Declarator);
    let Some(declared) = declarator.and_then(|declarator| declared(walk, declarator)) else {
        return Next::Descend;
    };
    let mut definition = walk.definition(node, declared.name, SymbolKind::Function);
    if !declared.is_function || is_keyword(definition.name) {
        return Next::Descend;
    }
    let is_typed = walk.child(node, Field::Type).is_some();
    let is_member = owner_type(walk).is_some() || declared.scope.is_some();
    if !is_typed && !is_member && looks_like_macro(definition.name) {
        // A macro call with a block behind it.
        return Next::Descend;
    }
    if let Some(list) = child_of_kind(node, "field_initializer_list") {
        definition.signature.end = list.start_byte() as u32;
    }
    shape_function(walk, &declared, &mut definition);
    define(walk, node, definition);
    Next::Descend
}

fn child_of_kind<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .find(|child| child.kind() == kind)
}

/// Returns whether `name` is a word that no function can have, met where a macro confuses the grammar.
fn is_keyword(name: &str) -> bool {
    matches!(
        name,
        "class" | "struct" | "enum" | "union" | "namespace" | "if" | "for" | "while" | "switch"
    )
}

fn looks_like_macro(name: &str) -> bool {
    !name.chars().any(char::is_lowercase)
}

fn declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let of = walk.child(node, Field::Type);
    let is_friend = walk
        .ancestor(0)
        .is_some_and(|parent| parent.kind() == "friend_declaration");
    if is_local(walk) || is_friend {
        return Next::Descend;
    }
    let has_body = of.is_some_and(|of| walk.child(of, Field::Body).is_some());
    let declarators = walk.children(node, Field::Declarator);
    let is_only = declarators.len() == 1;
    for declarator in declarators {
        let Some(declared) = declared(walk, declarator) else {
            continue;
        };
        let mut definition = walk.definition(node, declared.name, variable_kind(walk, node));
        // `export module a;` is read as a variable of type `export`.
        if !declared.is_function && of.is_some_and(|of| walk.text_of(of) == "export") {
            continue;
        }
        if declared.is_function {
            if of.is_none() && owner_type(walk).is_none() && looks_like_macro(definition.name) {
                continue;
            }
            shape_function(walk, &declared, &mut definition);
        } else if let Some(value) = walk.child(declarator, Field::Value) {
            definition.signature = walk.signature_with_value(definition.range, value);
        }
        if has_body {
            // The type has its own symbol in front; this is only the name behind it.
            definition.range.start = declarator.start_byte() as u32;
            definition.signature = definition.range;
        }
        definition.is_scope = is_only && !has_body;
        define(walk, node, definition);
    }
    Next::Descend
}

fn variable_kind(walk: &Walk<'_>, node: Node<'_>) -> SymbolKind {
    if owner_type(walk).is_some() {
        SymbolKind::Field
    } else if has_word(walk, node, "type_qualifier", &["const", "constexpr"]) {
        SymbolKind::Constant
    } else {
        SymbolKind::Variable
    }
}

fn type_definition<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let Some(of) = walk.child(node, Field::Type) else {
        return Next::Descend;
    };
    let body = walk.child(of, Field::Body);
    let is_unnamed = body.is_some() && walk.child(of, Field::Name).is_none();
    for (at, declarator) in walk
        .children(node, Field::Declarator)
        .into_iter()
        .enumerate()
    {
        let Some(declared) = declared(walk, declarator) else {
            continue;
        };
        let mut definition = walk.definition(node, declared.name, SymbolKind::TypeAlias);
        if let (0, true, Some(body)) = (at, is_unnamed, body) {
            // The first name is the one that everybody calls the type by.
            definition.kind = record_kind(of);
            definition.signature.end = body.start_byte() as u32;
        } else if body.is_some() {
            definition.range.start = declarator.start_byte() as u32;
            definition.signature = definition.range;
            definition.is_scope = false;
        }
        define(walk, node, definition);
    }
    Next::Descend
}

fn record_kind(node: Node<'_>) -> SymbolKind {
    match node.kind() {
        "class_specifier" => SymbolKind::Class,
        "enum_specifier" => SymbolKind::Enum,
        _ => SymbolKind::Struct,
    }
}

/// Defines a struct, union, enum or class with a body; without one it is only a use of its name.
pub(super) fn record<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let Some(name) = walk.child(node, Field::Name) else {
        return Next::Descend;
    };
    let named = declared(walk, name);
    let (Some(named), true) = (named, walk.child(node, Field::Body).is_some()) else {
        return Next::Descend;
    };
    let definition = walk.definition(node, named.name, record_kind(node));
    define(walk, node, definition);
    if node.kind() == "class_specifier" {
        walk.set_access(Visibility::Private);
    }
    Next::Descend
}

fn enumerator<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        let definition = walk.definition(node, name, SymbolKind::Variant);
        walk.define(definition);
    }
    Next::Descend
}

fn macro_definition<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let Some(name) = walk.child(node, Field::Name) else {
        return Next::Skip;
    };
    let value = walk.child(node, Field::Value);
    let is_guard = value.is_none()
        && walk.ancestor(0).is_some_and(|outer| {
            walk.child(outer, Field::Name)
                .is_some_and(|guard| walk.text_of(guard) == walk.text_of(name))
        });
    if is_guard {
        return Next::Skip;
    }
    let mut definition = walk.definition(node, name, SymbolKind::Macro);
    let kept = walk.text_of(node).trim_end().len() as u32;
    definition.range.end = definition.range.start + kept;
    definition.signature.end = definition.range.end;
    if let Some(parameters) = walk.child(node, Field::Parameters) {
        definition.signature.end = parameters.end_byte() as u32;
    } else if walk.text_of(node).trim_end().contains('\n') {
        definition.signature.end = definition.name_range.end;
    }
    walk.define(definition);
    if let Some(value) = value {
        macro_uses(walk, node, value);
    }
    Next::Skip
}

/// Words of the language in the body of a macro.
const BODY_WORDS: &[&str] = &[
    "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum",
    "extern", "float", "for", "goto", "if", "inline", "int", "long", "return", "short", "signed",
    "sizeof", "static", "struct", "switch", "typedef", "typeof", "union", "unsigned", "void",
    "volatile", "while", "defined",
];

/// Records the names in the body of a macro, which the grammar leaves as text; parameters are none.
fn macro_uses<'t>(walk: &mut Walk<'t>, node: Node<'t>, value: Node<'t>) {
    let parameters = walk.child(node, Field::Parameters);
    let parameters = parameters.map_or("", |parameters| walk.text_of(parameters));
    let own: Vec<&str> = parameters.split(|c: char| !is_word(c)).collect();
    let text = walk.text_of(value);
    let start = value.start_byte() as u32;
    let mut at = 0;
    while let Some(found) = text[at..].find(|c| is_word(c) || matches!(c, '"' | '\'' | '/')) {
        at += found;
        let rest = &text[at..];
        let after = |open: usize, mark: &str| {
            let end = rest[open..].find(mark);
            at + end.map_or(rest.len(), |end| open + end + mark.len())
        };
        at = match rest.as_bytes()[0] {
            b'"' | b'\'' => at + quoted(rest),
            b'/' if rest.starts_with("/*") => after(2, "*/"),
            b'/' if rest.starts_with("//") => after(2, "\n"),
            b'/' => at + 1,
            first => {
                let len = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                let name = &rest[..len];
                let is_use = !first.is_ascii_digit()
                    && !own.contains(&name)
                    && !BODY_WORDS.contains(&name)
                    && !name.starts_with("__VA_");
                if is_use {
                    let is_called = rest[len..].trim_start_matches([' ', '\t']).starts_with('(');
                    let kind = match is_called {
                        true => ReferenceKind::Call,
                        false => ReferenceKind::Other,
                    };
                    let from = start + at as u32;
                    walk.refer(ByteRange::new(from, from + len as u32), kind);
                }
                at + len
            }
        };
    }
}

/// Returns the length of the literal that `text` begins with.
fn quoted(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() && bytes[at] != bytes[0] && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    let mut end = (at + 1).min(bytes.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    end
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

fn include<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(path) = walk.child(node, Field::Path) {
        walk.import(Import {
            module: walk.text_of(path).to_owned(),
            names: Vec::new(),
            alias: None,
            reexport: true,
            range: range_of(node),
        });
    }
    Next::Skip
}

/// Returns the name that a callee or a type comes down to.
pub(super) fn name_leaf<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<Node<'t>> {
    let mut node = node;
    loop {
        node = match node.kind() {
            "identifier" | "field_identifier" | "type_identifier" => return Some(node),
            "field_expression" => walk.child(node, Field::Member)?,
            "qualified_identifier" | "template_function" | "template_method" | "template_type" => {
                walk.child(node, Field::Name)?
            }
            "dependent_name" | "dependent_type" | "parenthesized_expression" => {
                node.named_child(0)?
            }
            "pointer_expression" => walk.child(node, Field::Argument)?,
            _ => return None,
        };
    }
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let callee = walk.child(node, Field::Function);
    if let Some(leaf) = callee.and_then(|callee| name_leaf(walk, callee)) {
        walk.mark(leaf, Some(ReferenceKind::Call));
    }
    Next::Descend
}

#[cfg(test)]
mod tests;
