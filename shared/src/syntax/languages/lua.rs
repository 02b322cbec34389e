//! Lua: functions, the tables they stand in, variables of the file, `require`.
//!
//! A function `M.f` or `M:f` belongs to the variable `M` where the same file defines that before. What
//! is local to the file is private, unless the file ends by returning it. Fields of a table that a
//! variable of the file starts with are its members; deeper in, only functions are definitions.

use crate::facts::{Import, ReferenceKind, SymbolKind, Visibility};
use crate::syntax::grammar::{Action, Attach, Field, Grammar, Rule};
use crate::syntax::walk::{Definition, Next, Walk, range_of};
use std::sync::LazyLock;
use tree_sitter::Node;

pub(in crate::syntax) static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::new(tree_sitter_lua::LANGUAGE.into(), &[RULES]));

const RULES: &[Rule] = &[
    ("identifier", Action::Visit(identifier)),
    ("comment", Action::Comment(Attach::Near)),
    ("hash_bang_line", Action::Leaf),
    ("string", Action::Prune),
    ("number", Action::Leaf),
    ("attribute", Action::Prune),
    ("goto_statement", Action::Prune),
    ("label_statement", Action::Prune),
    ("function_declaration", Action::Visit(function)),
    ("variable_declaration", Action::Visit(local)),
    ("assignment_statement", Action::Visit(assignment)),
    ("field", Action::Visit(field)),
    ("parameters", Action::Visit(names)),
    ("function_call", Action::Visit(call)),
];

fn identifier(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    if walk.text_of(node) != "self" {
        walk.name(node, ReferenceKind::Other);
    }
    Next::Skip
}

/// Returns what `M.f` or `M:f` adds to, and the name that it adds.
fn member<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
    let name = match node.kind() {
        "dot_index_expression" => Field::Member,
        "method_index_expression" => Field::Method,
        _ => return None,
    };
    Some((walk.child(node, Field::Table)?, walk.child(node, name)?))
}

/// Gives `definition` the definition of the table `table` as parent, where the file has one.
fn belong(walk: &Walk<'_>, definition: &mut Definition<'_>, table: Node<'_>) {
    let name = walk.text_of(table);
    let path = name.rsplit_once(['.', ':']).map_or(name, |(_, last)| last);
    let owner = walk.find_member(None, name).or_else(|| {
        let (root, _) = name.split_once('.')?;
        walk.find_member(walk.find_member(None, root), path)
    });
    if owner.is_some() {
        definition.parent = owner;
    }
}

fn hide(walk: &Walk<'_>, definition: &mut Definition<'_>) {
    let last = walk.text().trim_end().rsplit('\n').next();
    let returned = last.and_then(|last| last.trim().strip_prefix("return "));
    if returned.map(str::trim) != Some(definition.name) {
        definition.visibility = Visibility::Private;
        definition.exported = false;
    }
}

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let Some(name) = walk.child(node, Field::Name) else {
        return Next::Descend;
    };
    let mut definition;
    if let Some((table, leaf)) = member(walk, name) {
        let kind = match name.kind() {
            "method_index_expression" => SymbolKind::Method,
            _ => SymbolKind::Function,
        };
        definition = walk.definition(node, leaf, kind);
        belong(walk, &mut definition, table);
    } else {
        definition = walk.definition(node, name, SymbolKind::Function);
        if walk.text_of(node).starts_with("local") {
            hide(walk, &mut definition);
        }
    }
    let head = walk.child(node, Field::Parameters).unwrap_or(name);
    definition.signature.end = head.end_byte() as u32;
    walk.define(definition);
    Next::Descend
}

/// `local a, b` without values.
fn local<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let list = node.named_child(0);
    if let Some(list) = list.filter(|list| list.kind() == "variable_list") {
        variables(walk, node, list, None);
    }
    Next::Descend
}

fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let Some(list) = node.named_child(0) else {
        return Next::Descend;
    };
    let values = node.named_child(1);
    let value = values.and_then(|values| values.named_child(0));
    let outer = walk.ancestor(0);
    let declaration = outer.filter(|outer| outer.kind() == "variable_declaration");
    variables(walk, declaration.unwrap_or(node), list, value);
    Next::Descend
}

/// Defines what `node` sets for the first time outside of functions.
fn variables<'t>(walk: &mut Walk<'t>, node: Node<'t>, list: Node<'t>, value: Option<Node<'t>>) {
    let is_local = node.kind() == "variable_declaration";
    let in_function = walk.scope().is_some();
    for (at, name) in walk.children(list, Field::Name).into_iter().enumerate() {
        if in_function {
            if is_local && name.kind() == "identifier" {
                walk.mark(name, None);
            }
            continue;
        }
        let mut definition;
        if let Some((table, leaf)) = member(walk, name) {
            definition = walk.definition(node, leaf, SymbolKind::Field);
            belong(walk, &mut definition, table);
            if definition.parent.is_none() {
                continue;
            }
        } else if name.kind() == "identifier" {
            definition = walk.definition(node, name, SymbolKind::Variable);
            if is_local {
                hide(walk, &mut definition);
            }
        } else {
            continue;
        }
        if !walk.is_first(definition.parent, definition.name) {
            continue;
        }
        if let Some(value) = value {
            sign(walk, &mut definition, value);
        }
        definition.is_scope = at == 0;
        walk.define(definition);
    }
}

/// Ends the signature before a long value; a function makes its name one.
fn sign<'t>(walk: &Walk<'t>, definition: &mut Definition<'t>, value: Node<'t>) {
    definition.signature = walk.signature_with_value(definition.range, value);
    if value.kind() == "function_definition" {
        definition.kind = SymbolKind::Function;
        let head = walk.child(value, Field::Parameters).unwrap_or(value);
        definition.signature.end = head.end_byte() as u32;
    }
}

/// `{ name = value }`: a member where the table is that of a definition.
fn field<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let name = walk.child(node, Field::Name);
    let (Some(name), Some(value)) = (name, walk.child(node, Field::Value)) else {
        return Next::Descend;
    };
    if name.kind() != "identifier" {
        return Next::Descend;
    }
    walk.mark(name, None);
    let owner = walk.symbol(walk.owner()).map(|owner| owner.kind);
    let is_direct = walk
        .ancestor(1)
        .is_some_and(|holder| holder.kind() == "expression_list");
    let is_member = matches!(owner, Some(SymbolKind::Variable | SymbolKind::Field));
    if is_member && (is_direct || value.kind() == "function_definition") {
        let mut definition = walk.definition(node, name, SymbolKind::Field);
        sign(walk, &mut definition, value);
        walk.define(definition);
    }
    Next::Descend
}

/// Names of parameters are no uses.
fn names<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    for name in walk.children(node, Field::Name) {
        walk.mark(name, None);
    }
    Next::Descend
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let Some(name) = walk.child(node, Field::Name) else {
        return Next::Descend;
    };
    if name.kind() == "identifier" {
        if walk.text_of(name) == "require" && import(walk, node) {
            return Next::Skip;
        }
        walk.mark(name, Some(ReferenceKind::Call));
    } else if let Some((_, leaf)) = member(walk, name) {
        walk.mark(leaf, Some(ReferenceKind::Call));
    }
    Next::Descend
}

/// `local m = require("a.b")`; returns whether the module is a plain string.
fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> bool {
    let arguments = walk.child(node, Field::Arguments);
    let module = arguments.and_then(|arguments| arguments.named_child(0));
    let Some(module) = module.filter(|module| module.kind() == "string") else {
        return false;
    };
    let module = walk.text_of(module).trim_matches(['"', '\'', '[', ']']);
    let statement = walk
        .ancestor(1)
        .filter(|statement| statement.kind() == "assignment_statement");
    let list = statement.and_then(|statement| statement.named_child(0));
    let alias = list
        .filter(|list| list.named_child_count() == 1)
        .and_then(|list| list.named_child(0))
        .filter(|name| name.kind() == "identifier");
    walk.import(Import {
        module: module.to_owned(),
        names: Vec::new(),
        alias: alias.map(|alias| walk.text_of(alias).to_owned()),
        reexport: false,
        range: range_of(node),
    });
    true
}

#[cfg(test)]
mod tests;
