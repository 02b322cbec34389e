//! Shell scripts: functions, variables of the script, commands, sourced files.
//!
//! A variable is defined by its first assignment outside of functions, `readonly` and `declare -r`
//! make constants; an assignment before a command is the command's. Arguments are no uses. Other
//! shells' own syntax (zsh, fish) is read as far as it is Bash's too.

use crate::facts::{Import, ReferenceKind, SymbolKind};
use crate::syntax::grammar::{Action, Attach, Field, Grammar, Rule};
use crate::syntax::walk::{Next, Walk, range_of};
use std::sync::LazyLock;
use tree_sitter::Node;

pub(in crate::syntax) static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::new(tree_sitter_bash::LANGUAGE.into(), &[RULES]));

const RULES: &[Rule] = &[
    ("word", Action::Visit(word)),
    ("variable_name", Action::Visit(variable)),
    ("special_variable_name", Action::Leaf),
    ("comment", Action::Visit(comment)),
    ("raw_string", Action::Leaf),
    ("ansi_c_string", Action::Leaf),
    ("string_content", Action::Leaf),
    ("heredoc_content", Action::Leaf),
    ("number", Action::Leaf),
    ("regex", Action::Leaf),
    ("function_definition", Action::Visit(function)),
    ("variable_assignment", Action::Visit(assignment)),
    ("command", Action::Visit(command)),
];

fn comment(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    let attach = match walk.text_of(node).starts_with("#!") {
        true => Attach::Never,
        false => Attach::Near,
    };
    walk.comment(range_of(node), attach);
    Next::Skip
}

/// Words are text, unless they are a command's name.
fn word(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    if walk.is_marked(node) {
        walk.name(node, ReferenceKind::Call);
    }
    Next::Skip
}

fn variable(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    if !walk.text_of(node).starts_with(|c: char| c.is_ascii_digit()) {
        walk.name(node, ReferenceKind::Other);
    }
    Next::Skip
}

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        let definition = walk.definition(node, name, SymbolKind::Function);
        walk.define(definition);
    }
    Next::Descend
}

fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let outer = walk.ancestor(0);
    let is_of_script =
        walk.scope().is_none() && outer.is_none_or(|outer| outer.kind() != "command");
    let name = walk.child(node, Field::Name);
    let name = name.filter(|name| name.kind() == "variable_name" && is_of_script);
    let Some(name) = name.filter(|name| walk.is_first(None, walk.text_of(*name))) else {
        return Next::Descend;
    };
    let declaration = outer.filter(|outer| outer.kind() == "declaration_command");
    let words = declaration.map_or("", |outer| walk.text_of(outer));
    let is_constant = words.starts_with("readonly") || words.starts_with("declare -r");
    let kind = match is_constant {
        true => SymbolKind::Constant,
        false => SymbolKind::Variable,
    };
    let mut definition = walk.definition(node, name, kind);
    if let Some(outer) = declaration
        && outer
            .named_child(0)
            .is_some_and(|first| first == node || first.kind() == "word")
    {
        definition.range.start = outer.start_byte() as u32;
        definition.signature.start = definition.range.start;
    }
    if let Some(value) = walk.child(node, Field::Value) {
        definition.signature = walk.signature_with_value(definition.signature, value);
    }
    walk.define(definition);
    Next::Descend
}

fn command<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let name = walk.child(node, Field::Name);
    let name = name.and_then(|name| name.named_child(0));
    let Some(name) = name.filter(|name| name.kind() == "word") else {
        return Next::Descend;
    };
    let text = walk.text_of(name);
    if matches!(text, "source" | ".")
        && let Some(path) = walk.child(node, Field::Argument)
    {
        let path = walk.text_of(path).trim_matches(['"', '\'']);
        if !path.is_empty() {
            walk.import(Import {
                module: path.to_owned(),
                names: Vec::new(),
                alias: None,
                reexport: true,
                range: range_of(node),
            });
        }
        return Next::Descend;
    }
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '+');
    if text != ":" && text.chars().all(is_name) && text.contains(char::is_alphabetic) {
        walk.mark(name, Some(ReferenceKind::Call));
    }
    Next::Descend
}

#[cfg(test)]
mod tests;
