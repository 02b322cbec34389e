//! Python: classes, functions, and what assignments define.
//!
//! A module-level assignment defines a variable (a constant where its name is in capitals), one in a
//! class body a field, and so does `self.x = …` in `__init__`; only the first assignment to a name
//! counts. Functions and classes of one name are all kept. A name with one leading underscore is
//! private, except for the special names with two at both ends.

use crate::facts::{Import, ImportedName, ReferenceKind, SymbolKind, Visibility};
use crate::syntax::grammar::{Action, Field, Grammar, Rule};
use crate::syntax::walk::{Definition, MAX_CHILDREN, Next, Walk, is_callable, range_of};
use crate::text::ByteRange;
use std::sync::LazyLock;
use tree_sitter::Node;

pub(in crate::syntax) static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::new(tree_sitter_python::LANGUAGE.into(), &[RULES]));

const RULES: &[Rule] = &[
    ("identifier", Action::Name(ReferenceKind::Other)),
    ("comment", Action::Prune),
    ("string_start", Action::Leaf),
    ("string_content", Action::Prune),
    ("string_end", Action::Leaf),
    ("integer", Action::Leaf),
    ("float", Action::Leaf),
    ("class_definition", Action::Visit(class)),
    ("function_definition", Action::Visit(function)),
    ("assignment", Action::Visit(assignment)),
    ("type_alias_statement", Action::Visit(type_alias)),
    ("import_statement", Action::Visit(import)),
    ("import_from_statement", Action::Visit(import_from)),
    ("future_import_statement", Action::Visit(import_from)),
    ("call", Action::Visit(call)),
    ("decorator", Action::Visit(decorator)),
    ("type", Action::Visit(annotation)),
];

fn visibility(name: &str) -> Visibility {
    let is_special = name.len() > 4 && name.starts_with("__") && name.ends_with("__");
    if name.starts_with('_') && !is_special {
        Visibility::Private
    } else {
        Visibility::Public
    }
}

/// Returns the open definition's kind.
fn scope_kind(walk: &Walk<'_>) -> Option<SymbolKind> {
    walk.symbol(walk.scope()).map(|scope| scope.kind)
}

fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(bases) = walk.child(node, Field::Superclasses) {
        let mut cursor = bases.walk();
        for base in bases.named_children(&mut cursor) {
            if let Some(leaf) = name_leaf(walk, base) {
                walk.mark(leaf, Some(ReferenceKind::Inherit));
            }
        }
    }
    define(walk, node, SymbolKind::Class);
    Next::Descend
}

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let name = walk.child(node, Field::Name);
    let kind = match scope_kind(walk) {
        Some(SymbolKind::Class) if has_accessor_decorator(walk) => SymbolKind::Property,
        Some(SymbolKind::Class) if name.is_some_and(|name| walk.text_of(name) == "__init__") => {
            SymbolKind::Constructor
        }
        Some(SymbolKind::Class) => SymbolKind::Method,
        _ => SymbolKind::Function,
    };
    define(walk, node, kind);
    Next::Descend
}

/// Returns the statement with the decorators of the current class or function.
fn decorated<'t>(walk: &Walk<'t>) -> Option<Node<'t>> {
    walk.ancestor(0)
        .filter(|parent| parent.kind() == "decorated_definition")
}

fn has_accessor_decorator(walk: &Walk<'_>) -> bool {
    decorated(walk).is_some_and(|decorated| {
        let mut cursor = decorated.walk();
        decorated.named_children(&mut cursor).any(|decorator| {
            let name = walk.text_of(decorator).trim_start_matches('@').trim();
            let last = name.rsplit('.').next().unwrap_or_default();
            decorator.kind() == "decorator"
                && matches!(
                    last,
                    "property" | "cached_property" | "setter" | "getter" | "deleter"
                )
        })
    })
}

fn define<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: SymbolKind) {
    let Some(name) = walk.child(node, Field::Name) else {
        return;
    };
    let mut definition = walk.definition(node, name, kind);
    let head = [Field::ReturnType, Field::Parameters, Field::Superclasses];
    let head = head.into_iter().find_map(|field| walk.child(node, field));
    definition.signature.end = head.unwrap_or(name).end_byte() as u32;
    if let Some(decorated) = decorated(walk) {
        definition.range.start = decorated.start_byte() as u32;
    }
    definition.visibility = visibility(definition.name);
    definition.exported = definition.visibility == Visibility::Public;
    definition.doc = walk.child(node, Field::Body).and_then(docstring);
    walk.define(definition);
}

/// Returns the string that opens a body.
fn docstring(body: Node<'_>) -> Option<ByteRange> {
    let mut cursor = body.walk();
    let first = body
        .named_children(&mut cursor)
        .find(|child| child.kind() != "comment")?;
    let string = match first.kind() {
        "expression_statement" => first.named_child(0)?,
        _ => first,
    };
    matches!(string.kind(), "string" | "concatenated_string").then(|| range_of(string))
}

fn type_alias<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let left = walk.child(node, Field::Left);
    let name = left.and_then(|left| first_identifier(left));
    if let Some(name) = name.filter(|_| !is_local(walk)) {
        let mut definition = walk.definition(node, name, SymbolKind::TypeAlias);
        definition.visibility = visibility(definition.name);
        definition.exported = definition.visibility == Visibility::Public;
        walk.define(definition);
    }
    Next::Descend
}

fn first_identifier(node: Node<'_>) -> Option<Node<'_>> {
    let mut node = node;
    while node.kind() != "identifier" {
        node = node.named_child(0)?;
    }
    Some(node)
}

fn is_local(walk: &Walk<'_>) -> bool {
    scope_kind(walk).is_some_and(|kind| is_callable(kind) || kind == SymbolKind::Property)
}

/// Returns the class whose body an assignment stands in; in `a = b = 1` the second one too.
fn variable_owner(walk: &Walk<'_>) -> Option<u32> {
    let scope = walk.owner();
    match walk.symbol(scope) {
        Some(outer) if outer.kind != SymbolKind::Class => outer.parent,
        _ => scope,
    }
}

fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let Some(left) = walk.child(node, Field::Left) else {
        return Next::Descend;
    };
    let is_single = matches!(left.kind(), "identifier" | "attribute");
    for target in targets(left) {
        match target.kind() {
            "identifier" if !is_local(walk) => variable(walk, node, target, is_single),
            "attribute" if scope_kind(walk) == Some(SymbolKind::Constructor) => {
                own_field(walk, node, target);
            }
            _ => {}
        }
    }
    Next::Descend
}

/// Returns the names and attributes that an assignment sets, those in brackets and behind `*` too.
fn targets(left: Node<'_>) -> Vec<Node<'_>> {
    let mut found = Vec::new();
    let mut pending = vec![left];
    while let Some(node) = pending.pop().filter(|_| found.len() < MAX_CHILDREN) {
        match node.kind() {
            "identifier" | "attribute" => found.push(node),
            "pattern_list" | "tuple_pattern" | "list_pattern" | "list_splat_pattern" => {
                let mut cursor = node.walk();
                let children = node.named_children(&mut cursor).take(MAX_CHILDREN);
                let mut children: Vec<_> = children.collect();
                children.reverse();
                pending.append(&mut children);
            }
            _ => {}
        }
    }
    found
}

/// Defines what an assignment outside functions sets.
fn variable<'t>(walk: &mut Walk<'t>, node: Node<'t>, target: Node<'t>, is_scope: bool) {
    let name = walk.text_of(target);
    let owner = variable_owner(walk);
    if !walk.is_first(owner, name) {
        return;
    }
    let annotation = walk.child(node, Field::Type);
    let annotation = annotation.map_or("", |annotation| walk.text_of(annotation));
    let kind = match owner {
        Some(_) => SymbolKind::Field,
        None if matches!(annotation, "TypeAlias" | "typing.TypeAlias") => SymbolKind::TypeAlias,
        None if is_constant_name(name) => SymbolKind::Constant,
        None => SymbolKind::Variable,
    };
    let mut definition = walk.definition(node, target, kind);
    definition.parent = owner;
    definition.is_scope = is_scope;
    define_assigned(walk, node, definition);
}

/// Defines the field that `self.x = …` sets in a constructor.
fn own_field<'t>(walk: &mut Walk<'t>, node: Node<'t>, left: Node<'t>) {
    let class = walk.symbol(walk.scope()).and_then(|scope| scope.parent);
    let object = walk.child(left, Field::Object);
    let Some(name) = walk.child(left, Field::Attribute) else {
        return;
    };
    let is_self = object.is_some_and(|object| walk.text_of(object) == "self");
    if is_self && walk.is_first(class, walk.text_of(name)) {
        let mut definition = walk.definition(node, name, SymbolKind::Field);
        definition.parent = class;
        definition.is_scope = false;
        define_assigned(walk, node, definition);
    }
}

fn define_assigned<'t>(walk: &mut Walk<'t>, node: Node<'t>, mut definition: Definition<'t>) {
    if let Some(value) = walk.child(node, Field::Right) {
        definition.signature = walk.signature_with_value(definition.range, value);
    }
    definition.visibility = visibility(definition.name);
    definition.exported = definition.visibility == Visibility::Public;
    walk.define(definition);
}

fn is_constant_name(name: &str) -> bool {
    name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase)
}

/// Returns the name that an expression comes down to.
fn name_leaf<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<Node<'t>> {
    let mut node = node;
    loop {
        let field = match node.kind() {
            "identifier" => return Some(node),
            "attribute" => Field::Attribute,
            "subscript" => Field::Value,
            "call" => Field::Function,
            _ => return None,
        };
        node = walk.child(node, field)?;
    }
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let callee = walk.child(node, Field::Function);
    // `f()()` calls what `f()` returns, which has no name.
    let callee = callee.filter(|callee| callee.kind() != "call");
    if let Some(leaf) = callee.and_then(|callee| name_leaf(walk, callee)) {
        walk.mark(leaf, Some(ReferenceKind::Call));
    }
    Next::Descend
}

fn decorator<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let leaf = node.named_child(0).and_then(|name| name_leaf(walk, name));
    if let Some(leaf) = leaf {
        walk.mark(leaf, Some(ReferenceKind::Call));
    }
    Next::Descend
}

fn annotation<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    walk.within(node, ReferenceKind::Type);
    Next::Descend
}

/// Reads `name` or `name as alias`.
fn imported<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<ImportedName> {
    let (name, alias) = match node.kind() {
        "aliased_import" => (
            walk.child(node, Field::Name)?,
            walk.child(node, Field::Alias),
        ),
        _ => (node, None),
    };
    Some(ImportedName {
        name: dotted(walk.text_of(name)),
        alias: alias.map(|alias| walk.text_of(alias).to_owned()),
    })
}

/// Returns a dotted name without the blanks that may stand around its dots.
fn dotted(name: &str) -> String {
    name.split_whitespace().collect()
}

fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    for name in walk.children(node, Field::Name) {
        if let Some(module) = imported(walk, name) {
            walk.import(Import {
                reexport: module.alias.as_ref() == Some(&module.name),
                module: module.name,
                names: Vec::new(),
                alias: module.alias,
                range: range_of(node),
            });
        }
    }
    Next::Skip
}

fn import_from<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let module = walk.child(node, Field::ModuleName);
    let module = module.map_or("__future__", |module| walk.text_of(module));
    let names = walk.children(node, Field::Name);
    let mut names: Vec<ImportedName> = names
        .into_iter()
        .filter_map(|name| imported(walk, name))
        .collect();
    let mut cursor = node.walk();
    if node
        .named_children(&mut cursor)
        .any(|child| child.kind() == "wildcard_import")
    {
        names.push(ImportedName {
            name: "*".to_owned(),
            alias: None,
        });
    }
    let mut reexport = false;
    for name in &mut names {
        if name.alias.as_ref() == Some(&name.name) {
            // `from x import y as y` is how a module says that it passes `y` on.
            reexport = true;
            name.alias = None;
        }
    }
    walk.import(Import {
        module: dotted(module),
        names,
        alias: None,
        reexport,
        range: range_of(node),
    });
    Next::Skip
}

#[cfg(test)]
mod tests;
