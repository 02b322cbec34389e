//! Ruby: modules, classes, methods, constants, and what the well-known class-level calls define.
//!
//! `attr_accessor` and its kin, `define_method`, `alias` and `alias_method` define members; a constant
//! is a class or module where its value makes one (`Struct.new`, `Class.new`). Methods of `class <<
//! self` and `def self.x` are the enclosing type's. `private` is followed in all its forms: alone on
//! its line, before a definition, and with names. Local variables are uses like all other names, but
//! parameters are not. A symbol (`:name`) is a use of that name, and so is an instance variable.

use crate::facts::{Import, ImportedName, ReferenceKind, SymbolKind, Visibility};
use crate::syntax::grammar::{Action, Attach, Field, Grammar, Rule};
use crate::syntax::walk::{Definition, MAX_CHILDREN, Next, Walk, range_of};
use crate::text::ByteRange;
use std::sync::LazyLock;
use tree_sitter::Node;

pub(in crate::syntax) static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::new(tree_sitter_ruby::LANGUAGE.into(), &[RULES]));

const RULES: &[Rule] = &[
    ("identifier", Action::Visit(identifier)),
    ("constant", Action::Name(ReferenceKind::Other)),
    ("instance_variable", Action::Visit(marked_name)),
    ("class_variable", Action::Visit(marked_name)),
    ("global_variable", Action::Leaf),
    ("simple_symbol", Action::Visit(marked_name)),
    ("hash_key_symbol", Action::Leaf),
    ("comment", Action::Comment(Attach::Near)),
    ("uninterpreted", Action::Leaf),
    ("string_content", Action::Leaf),
    ("heredoc_content", Action::Leaf),
    ("escape_sequence", Action::Leaf),
    ("integer", Action::Leaf),
    ("float", Action::Leaf),
    ("self", Action::Leaf),
    ("operator", Action::Leaf),
    ("module", Action::Visit(module)),
    ("class", Action::Visit(class)),
    ("singleton_class", Action::Visit(singleton_class)),
    ("method", Action::Visit(method)),
    ("singleton_method", Action::Visit(singleton_method)),
    ("alias", Action::Visit(alias)),
    ("assignment", Action::Visit(assignment)),
    ("operator_assignment", Action::Visit(assignment)),
    ("call", Action::Visit(call)),
    ("method_parameters", Action::Visit(parameters)),
    ("block_parameters", Action::Visit(parameters)),
    ("lambda_parameters", Action::Visit(parameters)),
    ("optional_parameter", Action::Visit(parameter)),
    ("keyword_parameter", Action::Visit(parameter)),
    ("splat_parameter", Action::Visit(parameter)),
    ("hash_splat_parameter", Action::Visit(parameter)),
    ("block_parameter", Action::Visit(parameter)),
];

/// A bare word: a local variable, a call without arguments, or a section of a class body.
fn identifier<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let parent = walk.ancestor(0).map(|parent| parent.kind());
    if parent == Some("body_statement")
        && let Some(access) = access_of(walk.text_of(node))
    {
        let block = walk.ancestor(1);
        match block.filter(|block| block.kind() == "singleton_class") {
            Some(block) => walk.set_access_until(block.end_byte() as u32, access),
            None => walk.set_access(access),
        }
        return Next::Skip;
    }
    walk.name(node, ReferenceKind::Other);
    Next::Skip
}

fn access_of(word: &str) -> Option<Visibility> {
    match word {
        "private" | "private_class_method" | "private_constant" => Some(Visibility::Private),
        "protected" => Some(Visibility::Restricted),
        "public" | "public_class_method" => Some(Visibility::Public),
        _ => None,
    }
}

/// `@x`, `@@x` and `:x` use the name `x`.
fn marked_name<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let range = bare(walk.text(), range_of(node));
    walk.name_at(range, ReferenceKind::Other);
    Next::Skip
}

/// Returns `range` without the marks that open the name in it.
fn bare(text: &str, range: ByteRange) -> ByteRange {
    let name = range.of(text).trim_start_matches(['@', ':']);
    ByteRange::new(range.end - name.len() as u32, range.end)
}

/// Returns the last name of `A::B`.
fn name_leaf<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<Node<'t>> {
    match node.kind() {
        "constant" | "identifier" => Some(node),
        "scope_resolution" => walk.child(node, Field::Name),
        _ => None,
    }
}

fn mark_leaf<'t>(walk: &mut Walk<'t>, node: Option<Node<'t>>, kind: ReferenceKind) {
    if let Some(leaf) = node.and_then(|node| name_leaf(walk, node)) {
        walk.mark(leaf, Some(kind));
    }
}

fn module<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    named_scope(walk, node, SymbolKind::Module)
}

fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let base = walk.child(node, Field::Superclass);
    let base = base.and_then(|base| base.named_child(0));
    match base.filter(|base| base.kind() == "call") {
        Some(made) => mark_made(walk, made),
        None => mark_leaf(walk, base, ReferenceKind::Inherit),
    }
    named_scope(walk, node, SymbolKind::Class)
}

/// `class A < Struct.new(:x)`: the base is what the call makes.
fn mark_made<'t>(walk: &mut Walk<'t>, made: Node<'t>) {
    let receiver = walk.child(made, Field::Receiver);
    mark_leaf(walk, receiver, ReferenceKind::Inherit);
}

fn named_scope<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: SymbolKind) -> Next {
    let name = walk.child(node, Field::Name);
    if let Some(leaf) = name.and_then(|name| name_leaf(walk, name)) {
        let mut definition = walk.definition(node, leaf, kind);
        let head = walk.child(node, Field::Superclass).or(name);
        end_signature(&mut definition, head);
        walk.define(definition);
    }
    Next::Descend
}

/// Ends the signature behind `head`, before whatever the body starts with.
fn end_signature(definition: &mut Definition<'_>, head: Option<Node<'_>>) {
    if let Some(head) = head {
        definition.signature.end = head.end_byte() as u32;
    }
}

/// In `class << self` all is public until it says otherwise, whatever holds around it.
fn singleton_class<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    walk.set_access_until(node.end_byte() as u32, Visibility::Public);
    Next::Descend
}

/// Returns the access that a call around the current node gives what it defines.
fn given_access(walk: &Walk<'_>) -> Option<Visibility> {
    let list = walk.ancestor(0)?;
    if list.kind() != "argument_list" {
        return None;
    }
    let call = walk.ancestor(1)?;
    access_of(walk.text_of(walk.child(call, Field::Method)?))
}

/// Gives a member of the open type its access.
fn set_visibility(walk: &Walk<'_>, definition: &mut Definition<'_>, is_of_instances: bool) {
    let usual = match is_of_instances {
        true => walk.access_at(definition.range.start),
        // `private` alone does not reach `def self.x`.
        false => None,
    };
    let access = given_access(walk).or(usual);
    definition.visibility = access.unwrap_or(Visibility::Public);
    definition.exported = definition.visibility != Visibility::Private;
}

fn is_in_type(walk: &Walk<'_>, parent: Option<u32>) -> bool {
    let parent = walk.symbol(parent).map(|parent| parent.kind);
    parent.is_some_and(|kind| kind.is_type() || kind == SymbolKind::Module)
}

fn method<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        let mut definition = walk.definition(node, name, SymbolKind::Function);
        if is_in_type(walk, definition.parent) {
            definition.kind = match definition.name {
                "initialize" => SymbolKind::Constructor,
                _ => SymbolKind::Method,
            };
            set_visibility(walk, &mut definition, true);
        }
        end_signature(
            &mut definition,
            walk.child(node, Field::Parameters).or(Some(name)),
        );
        walk.define(definition);
    }
    Next::Descend
}

/// `def self.x`, or `def T.x` of a type of the same file.
fn singleton_method<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        let mut definition = walk.definition(node, name, SymbolKind::Method);
        let object = walk.child(node, Field::Object);
        let object = object.filter(|object| object.kind() == "constant");
        if let Some(owner) = object.and_then(|object| walk.find_type(walk.text_of(object))) {
            definition.parent = Some(owner);
        }
        set_visibility(walk, &mut definition, false);
        end_signature(
            &mut definition,
            walk.child(node, Field::Parameters).or(Some(name)),
        );
        walk.define(definition);
    }
    Next::Descend
}

/// `alias new old`.
fn alias<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        define_named(walk, node, name, SymbolKind::Method);
    }
    let old = walk.child(node, Field::Alias);
    if let Some(old) = old.filter(|old| old.kind() != "operator") {
        let range = bare(walk.text(), range_of(old));
        walk.refer(range, ReferenceKind::Other);
    }
    Next::Skip
}

/// Defines the member that the symbol or string `name` names.
fn define_named<'t>(walk: &mut Walk<'t>, node: Node<'t>, name: Node<'t>, kind: SymbolKind) {
    let range = match name.kind() {
        "simple_symbol" | "identifier" | "constant" | "operator" | "setter" => range_of(name),
        "delimited_symbol" | "string" => match plain_content(name) {
            Some(content) => range_of(content),
            None => return,
        },
        _ => return,
    };
    let mut definition = walk.definition(node, name, kind);
    definition.name_range = bare(walk.text(), range);
    definition.name = definition.name_range.of(walk.text());
    definition.is_scope = kind == SymbolKind::Method;
    set_visibility(walk, &mut definition, true);
    walk.define(definition);
}

/// Returns the content of a string that consists of text only.
fn plain_content(node: Node<'_>) -> Option<Node<'_>> {
    let only = node
        .named_child(0)
        .filter(|_| node.named_child_count() == 1)?;
    (only.kind() == "string_content").then_some(only)
}

/// A constant's assignment defines it.
fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let Some(left) = walk.child(node, Field::Left) else {
        return Next::Descend;
    };
    match left.kind() {
        "constant" => define_constant(walk, node, left, true),
        "scope_resolution" => {
            if let Some(name) = walk.child(left, Field::Name) {
                define_constant(walk, node, name, true);
            }
        }
        "left_assignment_list" => {
            for name in left
                .named_children(&mut left.walk())
                .take(MAX_CHILDREN)
                .filter(|name| name.kind() == "constant")
            {
                define_constant(walk, node, name, false);
            }
        }
        _ => {}
    }
    Next::Descend
}

fn define_constant<'t>(walk: &mut Walk<'t>, node: Node<'t>, name: Node<'t>, is_scope: bool) {
    let mut definition = walk.definition(node, name, SymbolKind::Constant);
    definition.is_scope = is_scope;
    if let Some(value) = walk.child(node, Field::Right) {
        definition.signature = walk.signature_with_value(definition.range, value);
        if definition.signature.end < value.start_byte() as u32 {
            end_signature(&mut definition, Some(name));
        }
        if let Some(kind) = made_kind(walk, value) {
            definition.kind = kind;
            let arguments = walk.child(value, Field::Arguments).unwrap_or(value);
            definition.signature.end = arguments.end_byte() as u32;
        }
    }
    walk.define(definition);
}

/// Returns the kind of what `Struct.new(:a) do … end` and its like make.
fn made_kind<'t>(walk: &mut Walk<'t>, value: Node<'t>) -> Option<SymbolKind> {
    let receiver = walk.child(value, Field::Receiver)?;
    let method = walk.text_of(walk.child(value, Field::Method)?);
    match (walk.text_of(receiver), method) {
        ("Class", "new") => {
            let base = walk.child(value, Field::Arguments);
            mark_leaf(
                walk,
                base.and_then(|base| base.named_child(0)),
                ReferenceKind::Inherit,
            );
            Some(SymbolKind::Class)
        }
        ("Struct", "new") | ("Data", "define") => Some(SymbolKind::Class),
        ("Module", "new") => Some(SymbolKind::Module),
        _ => None,
    }
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let Some(method) = walk.child(node, Field::Method) else {
        return Next::Descend;
    };
    let name = walk.text_of(method);
    let arguments = walk.child(node, Field::Arguments);
    let receiver = walk.child(node, Field::Receiver);
    if receiver.is_none_or(|receiver| receiver.kind() == "self")
        && let Some(arguments) = arguments
    {
        if import(walk, node, name, arguments) {
            return Next::Skip;
        }
        class_level_call(walk, node, method, arguments);
    }
    if name == "new" {
        mark_leaf(walk, receiver, ReferenceKind::Call);
    }
    if matches!(method.kind(), "identifier" | "constant") {
        walk.mark(method, Some(ReferenceKind::Call));
    }
    Next::Descend
}

/// What calls in a class body say about its members.
fn class_level_call<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    method: Node<'t>,
    arguments: Node<'t>,
) {
    let mut cursor = arguments.walk();
    let named = arguments.named_children(&mut cursor).take(MAX_CHILDREN);
    match walk.text_of(method) {
        "attr"
        | "attr_accessor"
        | "attr_reader"
        | "attr_writer"
        | "mattr_accessor"
        | "cattr_accessor"
        | "class_attribute"
        | "thread_mattr_accessor" => {
            for name in named {
                define_named(walk, node, name, SymbolKind::Property);
            }
        }
        "define_method" | "alias_method" | "define_singleton_method" => {
            if let Some(name) = arguments.named_child(0) {
                define_named(walk, node, name, SymbolKind::Method);
            }
        }
        "include" | "extend" | "prepend" => {
            for name in named {
                mark_leaf(walk, Some(name), ReferenceKind::Inherit);
            }
        }
        word => {
            let Some(access) = access_of(word) else {
                return;
            };
            let scope = walk.scope();
            for name in named.filter(|name| name.kind() == "simple_symbol") {
                let name = bare(walk.text(), range_of(name)).of(walk.text());
                let member = walk.find_member(scope, name);
                if let Some(symbol) = member.and_then(|member| walk.symbol_mut(member)) {
                    symbol.visibility = access;
                    symbol.exported &= access != Visibility::Private;
                }
            }
            if arguments.start_byte() > method.end_byte() {
                walk.attribute(range_of(method));
            }
        }
    }
}

/// `require`, `require_relative`, `load`, `autoload`: returns whether the call is one of these with a
/// plain path. A path relative to the file says so by a leading `./`.
fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>, word: &str, arguments: Node<'t>) -> bool {
    let path = match word {
        "require" | "require_relative" | "load" => 0,
        "autoload" => 1,
        _ => return false,
    };
    let content = arguments
        .named_child(path)
        .filter(|path| path.kind() == "string");
    let Some(content) = content.and_then(plain_content) else {
        return false;
    };
    let path_text = walk.text_of(content);
    let is_relative = word == "require_relative" && !path_text.starts_with(['.', '/']);
    let constant = arguments.named_child(0).filter(|_| path == 1);
    let names = constant.map(|constant| ImportedName {
        name: bare(walk.text(), range_of(constant))
            .of(walk.text())
            .to_owned(),
        alias: None,
    });
    walk.import(Import {
        module: format!("{}{path_text}", if is_relative { "./" } else { "" }),
        names: names.into_iter().collect(),
        alias: None,
        reexport: false,
        range: range_of(node),
    });
    true
}

/// Names of parameters are no uses.
fn parameters<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    for name in node.named_children(&mut node.walk()) {
        if name.kind() == "identifier" {
            walk.mark(name, None);
        }
    }
    Next::Descend
}

fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        walk.mark(name, None);
    }
    Next::Descend
}

#[cfg(test)]
mod tests;
