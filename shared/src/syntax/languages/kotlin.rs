//! Kotlin: types, members, top-level definitions, uses, imports.
//!
//! The package is no definition: it is one for all files of it. Properties are members, and so are
//! constructor parameters that say `val` or `var`; a companion object without a name is called
//! `Companion`. Local values and parameters are neither definitions nor uses.

use crate::facts::{Import, ImportedName, ReferenceKind, SymbolKind, Visibility};
use crate::syntax::grammar::{Action, Attach, Field, Grammar, Rule};
use crate::syntax::walk::{Definition, MAX_CHILDREN, Next, Walk, range_of};
use std::sync::LazyLock;
use tree_sitter::Node;

pub(in crate::syntax) static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::new(tree_sitter_kotlin_ng::LANGUAGE.into(), &[RULES]));

const RULES: &[Rule] = &[
    ("identifier", Action::Visit(identifier)),
    ("block_comment", Action::Visit(comment)),
    ("line_comment", Action::Comment(Attach::Never)),
    ("shebang", Action::Leaf),
    ("string_content", Action::Leaf),
    ("character_literal", Action::Prune),
    ("number_literal", Action::Leaf),
    ("float_literal", Action::Leaf),
    ("label", Action::Prune),
    ("package_header", Action::Prune),
    ("import", Action::Visit(import)),
    ("class_declaration", Action::Visit(class)),
    ("object_declaration", Action::Visit(object)),
    ("companion_object", Action::Visit(companion)),
    ("enum_entry", Action::Visit(entry)),
    ("type_alias", Action::Visit(alias)),
    ("function_declaration", Action::Visit(function)),
    ("secondary_constructor", Action::Visit(constructor)),
    ("property_declaration", Action::Visit(property)),
    ("class_parameter", Action::Visit(class_parameter)),
    ("variable_declaration", Action::Visit(binding)),
    ("parameter", Action::Visit(binding)),
    ("type_parameter", Action::Visit(binding)),
    ("user_type", Action::Visit(type_name)),
    ("delegation_specifier", Action::Visit(heritage)),
    ("call_expression", Action::Visit(call)),
    ("infix_expression", Action::Visit(infix)),
];

fn comment(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    let text = walk.text_of(node);
    let is_doc = text.starts_with("/**") && text != "/**/";
    let attach = if is_doc { Attach::Doc } else { Attach::Never };
    walk.comment(range_of(node), attach);
    Next::Skip
}

fn identifier(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    let is_keyword = matches!(
        walk.text_of(node),
        "null" | "true" | "false" | "class" | "it" | "this" | "super"
    );
    if !is_keyword {
        walk.name(node, ReferenceKind::Other);
    }
    Next::Skip
}

/// Returns the first child of the kind `kind`.
fn child_of<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    node.children(&mut node.walk())
        .find(|child| child.kind() == kind)
}

/// Returns the definition of `node`: who may use it, and its declaration without annotations and body.
fn definition<'t>(
    walk: &Walk<'t>,
    node: Node<'t>,
    name: Node<'t>,
    kind: SymbolKind,
) -> Definition<'t> {
    let mut definition = walk.definition(node, name, kind);
    if let Some(modifiers) = child_of(node, "modifiers") {
        let mut start = None;
        for modifier in modifiers.named_children(&mut modifiers.walk()) {
            if modifier.kind() == "annotation" {
                continue;
            }
            start.get_or_insert(modifier.start_byte() as u32);
            if modifier.kind() == "visibility_modifier" {
                definition.visibility = match walk.text_of(modifier) {
                    "private" => Visibility::Private,
                    "public" => Visibility::Public,
                    _ => Visibility::Restricted,
                };
            }
        }
        let behind = modifiers.next_sibling();
        let start = start.or(behind.map(|behind| behind.start_byte() as u32));
        definition.signature.start = start.unwrap_or(definition.signature.start);
    }
    definition.exported = definition.visibility != Visibility::Private;
    let body = node.children(&mut node.walk()).find(|child| {
        matches!(
            child.kind(),
            "class_body" | "enum_class_body" | "function_body" | "block" | "getter" | "setter"
        )
    });
    if let Some(body) = body {
        definition.signature.end = body.start_byte() as u32;
    }
    definition
}

fn is_in_type(walk: &Walk<'_>) -> bool {
    walk.symbol(walk.owner())
        .is_some_and(|owner| owner.kind.is_type() || owner.kind == SymbolKind::Variant)
}

/// Returns whether the current node stands in a body of members or in the file.
fn is_member(walk: &Walk<'_>) -> bool {
    walk.ancestor(0).is_none_or(|outer| {
        matches!(
            outer.kind(),
            "source_file" | "class_body" | "enum_class_body" | "ERROR"
        )
    })
}

fn define<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: SymbolKind) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        let definition = definition(walk, node, name, kind);
        walk.define(definition);
    }
    Next::Descend
}

fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let modifiers = child_of(node, "modifiers");
    let says = |word: &str| {
        modifiers.is_some_and(|modifiers| {
            modifiers
                .named_children(&mut modifiers.walk())
                .any(|modifier| walk.text_of(modifier) == word)
        })
    };
    let kind = if child_of(node, "interface").is_some() {
        SymbolKind::Interface
    } else if says("enum") {
        SymbolKind::Enum
    } else if says("annotation") {
        SymbolKind::Annotation
    } else {
        SymbolKind::Class
    };
    define(walk, node, kind)
}

fn object<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::Class)
}

fn companion<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if walk.child(node, Field::Name).is_some() {
        return define(walk, node, SymbolKind::Class);
    }
    if let Some(keyword) = child_of(node, "companion") {
        let mut definition = definition(walk, node, keyword, SymbolKind::Class);
        definition.name = "Companion";
        walk.define(definition);
    }
    Next::Descend
}

fn entry<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = child_of(node, "identifier") {
        let definition = definition(walk, node, name, SymbolKind::Variant);
        walk.define(definition);
    }
    Next::Descend
}

fn alias<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = walk.child(node, Field::Type) {
        let definition = definition(walk, node, name, SymbolKind::TypeAlias);
        walk.define(definition);
    }
    Next::Descend
}

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let holder = walk.ancestor(0).map(|holder| holder.kind());
    match is_in_type(walk) || matches!(holder, Some("class_body" | "enum_class_body")) {
        true => define(walk, node, SymbolKind::Method),
        false => define(walk, node, SymbolKind::Function),
    }
}

fn constructor<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(keyword) = child_of(node, "constructor") {
        let definition = definition(walk, node, keyword, SymbolKind::Constructor);
        walk.define(definition);
    }
    Next::Descend
}

/// A property of a type or the file; in a block it is a local value.
fn property<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if !is_member(walk) {
        return Next::Descend;
    }
    let mut variables = Vec::new();
    if let Some(variable) = child_of(node, "variable_declaration") {
        variables.push(variable);
    } else if let Some(list) = child_of(node, "multi_variable_declaration") {
        let mut cursor = list.walk();
        let parts = list.named_children(&mut cursor).take(MAX_CHILDREN);
        variables.extend(parts.filter(|part| part.kind() == "variable_declaration"));
    }
    let is_constant = child_of(node, "modifiers").is_some_and(|modifiers| {
        modifiers
            .named_children(&mut modifiers.walk())
            .any(|modifier| walk.text_of(modifier) == "const")
    });
    let kind = match (is_constant, is_in_type(walk)) {
        (true, _) => SymbolKind::Constant,
        (_, true) => SymbolKind::Property,
        _ => SymbolKind::Variable,
    };
    for (at, variable) in variables.into_iter().enumerate() {
        let Some(name) = child_of(variable, "identifier") else {
            continue;
        };
        let mut definition = definition(walk, node, name, kind);
        let value = child_of(node, "=").and_then(|equals| equals.next_named_sibling());
        let value = value.or_else(|| child_of(node, "property_delegate"));
        if let Some(value) = value {
            let whole = walk.signature_with_value(definition.signature, value);
            definition.signature = whole;
            if whole.of(walk.text()).contains('\n') {
                definition.signature.end = variable.end_byte() as u32;
            }
        }
        definition.is_scope = at == 0;
        walk.define(definition);
    }
    Next::Descend
}

fn class_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let says_field = child_of(node, "val").or_else(|| child_of(node, "var"));
    if let Some(name) = child_of(node, "identifier") {
        if says_field.is_some() {
            let definition = definition(walk, node, name, SymbolKind::Property);
            walk.define(definition);
        } else {
            walk.mark(name, None);
        }
    }
    Next::Descend
}

/// The name that `node` binds is no use of a name.
fn binding<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = child_of(node, "identifier") {
        walk.mark(name, None);
    }
    Next::Descend
}

/// Returns the last of the names directly in `node`.
fn last_name(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    let names = node.named_children(&mut cursor);
    names.filter(|child| child.kind() == "identifier").last()
}

/// `a.b.T<U>`: the last name is the type, what stands before it is not.
fn type_name<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let last = last_name(node);
    let is_marked = last.is_some_and(|last| walk.is_marked(last));
    for name in node.named_children(&mut node.walk()) {
        if name.kind() == "identifier" && !(is_marked && Some(name) == last) {
            let kind = match Some(name) == last {
                true => ReferenceKind::Type,
                false => ReferenceKind::Other,
            };
            walk.mark(name, Some(kind));
        }
    }
    Next::Descend
}

fn heritage<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let mut base = node.named_child(0);
    while let Some(inner) = base.filter(|base| base.kind() != "user_type") {
        base = match inner.kind() {
            "constructor_invocation" | "explicit_delegation" => inner.named_child(0),
            _ => None,
        };
    }
    if let Some(leaf) = base.and_then(last_name) {
        walk.mark(leaf, Some(ReferenceKind::Inherit));
    }
    Next::Descend
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let called = node.named_child(0);
    let leaf = called.and_then(|called| match called.kind() {
        "identifier" => Some(called),
        "navigation_expression" => last_name(called),
        _ => None,
    });
    if let Some(leaf) = leaf {
        walk.mark(leaf, Some(ReferenceKind::Call));
    }
    Next::Descend
}

/// `a foo b` calls `foo`.
fn infix<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let operator = node.named_child(1);
    if let Some(name) = operator.filter(|operator| operator.kind() == "identifier") {
        walk.mark(name, Some(ReferenceKind::Call));
    }
    Next::Descend
}

/// `import a.b.C`, `import a.b.*`, `import a.b.C as D`.
fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let path = child_of(node, "qualified_identifier").or_else(|| child_of(node, "identifier"));
    let Some(path) = path else {
        return Next::Skip;
    };
    let is_all = child_of(node, "*").is_some();
    let alias = last_name(node).filter(|alias| *alias != path);
    walk.import(Import {
        module: walk.text_of(path).split_whitespace().collect(),
        names: Vec::from_iter(is_all.then(|| ImportedName {
            name: "*".to_owned(),
            alias: None,
        })),
        alias: alias.map(|alias| walk.text_of(alias).to_owned()),
        reexport: false,
        range: range_of(node),
    });
    Next::Skip
}

#[cfg(test)]
mod tests;
