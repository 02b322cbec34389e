//! Elixir: modules, functions, macros, types, module attributes, struct fields.
//!
//! All of it is written as calls, so the words `defmodule`, `def`, … make the definitions. Each clause
//! of a function is a definition. A module is known by the last part of its name. `@doc` is the
//! documentation of what follows, `@spec` a part of it, `@moduledoc` that of the module.

use crate::facts::{Import, ImportedName, ReferenceKind, SymbolKind, Visibility};
use crate::syntax::grammar::{Action, Attach, Field, Grammar, Rule};
use crate::syntax::walk::{MAX_CHILDREN, Next, Walk, range_of};
use crate::text::ByteRange;
use std::sync::LazyLock;
use tree_sitter::Node;

pub(in crate::syntax) static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::new(tree_sitter_elixir::LANGUAGE.into(), &[RULES]));

const RULES: &[Rule] = &[
    ("identifier", Action::Visit(identifier)),
    ("alias", Action::Visit(alias_name)),
    ("comment", Action::Comment(Attach::Never)),
    ("quoted_content", Action::Leaf),
    ("atom", Action::Leaf),
    ("keyword", Action::Leaf),
    ("integer", Action::Leaf),
    ("float", Action::Leaf),
    ("char", Action::Leaf),
    ("sigil_name", Action::Leaf),
    ("struct", Action::Visit(structure)),
    ("unary_operator", Action::Visit(attribute)),
    ("call", Action::Visit(call)),
];

fn identifier(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    let name = walk.text_of(node);
    if !name.starts_with("__") && !name.starts_with('_') {
        walk.name(node, ReferenceKind::Other);
    }
    Next::Skip
}

/// Returns the last part of `A.B`.
fn last_part(walk: &Walk<'_>, node: Node<'_>) -> ByteRange {
    let range = range_of(node);
    let name = walk.text_of(node);
    let last = name.rsplit('.').next().unwrap_or(name).trim_start();
    ByteRange::new(range.end - last.len() as u32, range.end)
}

fn alias_name(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    let range = last_part(walk, node);
    walk.name_at(range, ReferenceKind::Other);
    Next::Skip
}

fn structure<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    walk.within(node, ReferenceKind::Type);
    Next::Descend
}

/// Returns the arguments of a call.
fn arguments<'t>(node: Node<'t>) -> Option<Node<'t>> {
    node.named_children(&mut node.walk())
        .find(|child| child.kind() == "arguments")
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let Some(target) = walk.child(node, Field::Target) else {
        return Next::Descend;
    };
    if target.kind() == "dot" {
        let name = walk.child(target, Field::Right);
        if let Some(name) = name.filter(|name| name.kind() == "identifier") {
            walk.mark(name, Some(ReferenceKind::Call));
        }
        return Next::Descend;
    }
    if walk.is_marked(target) {
        // The head of a definition looks like a call.
        return Next::Descend;
    }
    let word = walk.text_of(target);
    walk.mark(target, None);
    match word {
        "defmodule" => module(walk, node, SymbolKind::Module),
        "defprotocol" => module(walk, node, SymbolKind::Interface),
        "defimpl" => module(walk, node, SymbolKind::Impl),
        "def" | "defdelegate" => function(walk, node, SymbolKind::Function, Visibility::Public),
        "defp" => function(walk, node, SymbolKind::Function, Visibility::Private),
        "defmacro" | "defguard" => function(walk, node, SymbolKind::Macro, Visibility::Public),
        "defmacrop" | "defguardp" => function(walk, node, SymbolKind::Macro, Visibility::Private),
        "defstruct" | "defexception" => fields(walk, node),
        "alias" | "import" | "require" | "use" => return import(walk, node, word),
        "if" | "unless" | "case" | "cond" | "with" | "for" | "fn" | "quote" | "unquote"
        | "receive" | "try" | "raise" => {}
        _ => walk.mark(target, Some(ReferenceKind::Call)),
    }
    Next::Descend
}

fn module<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: SymbolKind) {
    let arguments = arguments(node);
    let name = arguments.and_then(|arguments| arguments.named_child(0));
    let (Some(arguments), Some(name)) = (arguments, name.filter(|name| name.kind() == "alias"))
    else {
        return;
    };
    let mut definition = walk.definition(node, name, kind);
    definition.name_range = last_part(walk, name);
    definition.name = definition.name_range.of(walk.text());
    definition.signature.end = arguments.end_byte() as u32;
    if kind == SymbolKind::Impl {
        // The protocol is what the block implements, and its own name at once.
        walk.refer(definition.name_range, ReferenceKind::Inherit);
    }
    walk.define(definition);
}

/// Returns the name that the head of a function declares: `f`, `f(x)`, `f(x) when …`, `a + b`.
fn head_name<'t>(walk: &Walk<'t>, head: Node<'t>) -> Option<Node<'t>> {
    let mut node = head;
    for _ in 0..3 {
        match node.kind() {
            "identifier" => return Some(node),
            "call" => node = walk.child(node, Field::Target)?,
            "binary_operator" => {
                let operator = walk.child(node, Field::Operator)?;
                if !matches!(walk.text_of(operator), "when" | "::") {
                    return Some(operator);
                }
                node = walk.child(node, Field::Left)?;
            }
            _ => return None,
        }
    }
    None
}

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: SymbolKind, access: Visibility) {
    let head = arguments(node).and_then(|arguments| arguments.named_child(0));
    let name = head.and_then(|head| head_name(walk, head));
    let (Some(head), Some(name)) = (head, name) else {
        return;
    };
    let mut definition = walk.definition(node, name, kind);
    if name.kind() != "identifier" {
        definition.kind = SymbolKind::Operator;
    }
    definition.signature.end = head.end_byte() as u32;
    definition.visibility = access;
    definition.exported = access == Visibility::Public;
    walk.define(definition);
    // The head looks like a call; its plain arguments are parameters.
    let mut call = Some(head);
    while let Some(operator) = call.filter(|call| call.kind() == "binary_operator") {
        call = walk.child(operator, Field::Left);
    }
    if let Some(parameters) = call.and_then(arguments) {
        for parameter in parameters.named_children(&mut parameters.walk()) {
            if parameter.kind() == "identifier" {
                walk.mark(parameter, None);
            }
        }
    }
}

/// `defstruct [:a, b: 1]`.
fn fields<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(arguments) = arguments(node) else {
        return;
    };
    let list = arguments
        .named_child(0)
        .filter(|list| list.kind() == "list");
    let list = list.unwrap_or(arguments);
    let mut names = Vec::new();
    for entry in list.named_children(&mut list.walk()).take(MAX_CHILDREN) {
        match entry.kind() {
            "atom" => names.push(entry),
            "keywords" => {
                let mut cursor = entry.walk();
                let pairs = entry.named_children(&mut cursor).take(MAX_CHILDREN);
                names.extend(pairs.filter_map(|pair| walk.child(pair, Field::Key)));
            }
            _ => {}
        }
    }
    for entry in names {
        let mut definition = walk.definition(entry, entry, SymbolKind::Field);
        let text = walk.text_of(entry);
        let bare = text.trim_start_matches(':');
        let start = definition.range.start + (text.len() - bare.len()) as u32;
        let bare = bare.trim_end().trim_end_matches(':');
        definition.name = bare;
        definition.name_range = ByteRange::new(start, start + bare.len() as u32);
        definition.is_scope = false;
        walk.define(definition);
    }
}

/// `@name value`.
fn attribute<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let operator = walk.child(node, Field::Operator);
    let operand = walk.child(node, Field::Operand);
    let is_attribute = operator.is_some_and(|operator| walk.text_of(operator) == "@");
    let Some(call) = operand.filter(|call| is_attribute && call.kind() == "call") else {
        return Next::Descend;
    };
    let (Some(target), Some(arguments)) = (walk.child(call, Field::Target), arguments(call)) else {
        return Next::Descend;
    };
    walk.mark(target, None);
    let first = arguments.named_child(0);
    match walk.text_of(target) {
        "doc" | "typedoc" => {
            if first.is_some_and(|first| matches!(first.kind(), "string" | "sigil")) {
                walk.comment(range_of(node), Attach::Doc);
            }
            return Next::Skip;
        }
        "moduledoc" => {
            let text = first.filter(|first| matches!(first.kind(), "string" | "sigil"));
            if let Some(module) = walk.scope().filter(|_| text.is_some())
                && let Some(module) = walk.symbol_mut(module)
            {
                module.doc = Some(range_of(node));
            }
            return Next::Skip;
        }
        "spec" | "impl" | "deprecated" | "tag" => {
            if let Some(name) = first.and_then(|first| head_name(walk, first)) {
                walk.mark(name, None);
            }
            walk.attribute(range_of(node));
            walk.within(node, ReferenceKind::Type);
        }
        "behaviour" => walk.within(node, ReferenceKind::Inherit),
        "type" | "opaque" => declare_type(walk, node, first, Visibility::Public),
        "typep" => declare_type(walk, node, first, Visibility::Private),
        "callback" | "macrocallback" => {
            if let Some(name) = first.and_then(|first| head_name(walk, first)) {
                let definition = walk.definition(node, name, SymbolKind::Method);
                walk.define(definition);
                walk.mark(name, None);
            }
            walk.within(node, ReferenceKind::Type);
        }
        "derive" | "dialyzer" | "enforce_keys" | "external_resource" | "before_compile"
        | "after_compile" | "on_load" | "compile" | "vsn" | "since" | "moduletag"
        | "describetag" | "optional_callbacks" => {}
        _ if is_in_module(walk) => {
            let mut definition = walk.definition(node, target, SymbolKind::Constant);
            definition.visibility = Visibility::Private;
            definition.exported = false;
            if let Some(value) = first {
                definition.signature = walk.signature_with_value(definition.range, value);
                if definition.signature.of(walk.text()).contains('\n') {
                    definition.signature.end = target.end_byte() as u32;
                }
            }
            if walk.is_first(definition.parent, definition.name) {
                walk.define(definition);
                walk.mark(target, None);
            }
        }
        _ => {}
    }
    Next::Descend
}

fn is_in_module(walk: &Walk<'_>) -> bool {
    walk.symbol(walk.scope()).is_some_and(|scope| {
        matches!(
            scope.kind,
            SymbolKind::Module | SymbolKind::Interface | SymbolKind::Impl
        )
    })
}

/// `@type name(a) :: …`.
fn declare_type<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    declared: Option<Node<'t>>,
    access: Visibility,
) {
    if let Some(name) = declared.and_then(|declared| head_name(walk, declared)) {
        let mut definition = walk.definition(node, name, SymbolKind::TypeAlias);
        definition.visibility = access;
        definition.exported = access == Visibility::Public;
        walk.define(definition);
        walk.mark(name, None);
    }
    walk.within(node, ReferenceKind::Type);
}

/// `alias A.B, as: C`, `alias A.{B, C}`, `import A, only: [f: 1]`, `require A`, `use A`.
fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>, word: &str) -> Next {
    let arguments = arguments(node);
    let Some(module) = arguments.and_then(|arguments| arguments.named_child(0)) else {
        return Next::Descend;
    };
    let plain = |name: String| ImportedName { name, alias: None };
    let mut names = Vec::new();
    let module_name = match module.kind() {
        "alias" => walk.text_of(module),
        "identifier" if walk.text_of(module) == "__MODULE__" => "__MODULE__",
        "dot" => {
            let list = walk.child(module, Field::Right);
            if let Some(list) = list.filter(|list| list.kind() == "tuple") {
                let mut cursor = list.walk();
                let parts = list.named_children(&mut cursor).take(MAX_CHILDREN);
                names.extend(parts.map(|part| plain(walk.text_of(part).to_owned())));
                let left = walk.child(module, Field::Left);
                left.map_or("", |left| walk.text_of(left))
            } else {
                walk.text_of(module)
            }
        }
        _ => return Next::Descend,
    };
    let options = arguments.and_then(|arguments| arguments.named_child(1));
    let mut alias = None;
    if let Some(options) = options.filter(|options| options.kind() == "keywords") {
        for pair in options
            .named_children(&mut options.walk())
            .take(MAX_CHILDREN)
        {
            let key = walk.child(pair, Field::Key);
            let key = key.map_or("", |key| walk.text_of(key)).trim_end();
            let Some(value) = walk.child(pair, Field::Value) else {
                continue;
            };
            if key == "as:" {
                alias = Some(walk.text_of(value).to_owned());
            } else if key == "only:" && word == "import" {
                let listed = walk.text_of(value).trim_matches(['[', ']']).split(',');
                let listed = listed.filter_map(|entry| entry.split_once(':'));
                names.extend(listed.map(|(name, _)| plain(name.trim().to_owned())));
            }
        }
    }
    walk.import(Import {
        module: module_name.to_owned(),
        names,
        alias,
        reexport: false,
        range: range_of(node),
    });
    Next::Skip
}

#[cfg(test)]
mod tests;
