//! Scala 2 and 3: classes, objects, traits, enumerations, members, uses, imports.
//!
//! An object is a class of one value. The package is no definition: it is one for all files of it.
//! Parameters of a class are its fields where the class is a case class or they say `val` or `var`.
//! Values within methods and blocks are neither definitions nor uses.

use crate::facts::{Import, ImportedName, ReferenceKind, SymbolKind, Visibility};
use crate::syntax::grammar::{Action, Attach, Field, Grammar, Rule};
use crate::syntax::walk::{Definition, MAX_CHILDREN, Next, Walk, range_of};
use std::sync::LazyLock;
use tree_sitter::Node;

pub(in crate::syntax) static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::new(tree_sitter_scala::LANGUAGE.into(), &[RULES]));

const RULES: &[Rule] = &[
    ("identifier", Action::Visit(identifier)),
    ("type_identifier", Action::Name(ReferenceKind::Type)),
    ("operator_identifier", Action::Leaf),
    ("package_identifier", Action::Prune),
    ("access_modifier", Action::Prune),
    ("block_comment", Action::Visit(comment)),
    ("comment", Action::Comment(Attach::Never)),
    ("string", Action::Prune),
    ("character_literal", Action::Leaf),
    ("integer_literal", Action::Leaf),
    ("floating_point_literal", Action::Leaf),
    ("boolean_literal", Action::Leaf),
    ("null_literal", Action::Leaf),
    ("wildcard", Action::Leaf),
    ("import_declaration", Action::Visit(import)),
    ("export_declaration", Action::Visit(import)),
    ("class_definition", Action::Visit(class)),
    ("object_definition", Action::Visit(class)),
    ("package_object", Action::Visit(class)),
    ("trait_definition", Action::Visit(trait_)),
    ("enum_definition", Action::Visit(enumeration)),
    ("simple_enum_case", Action::Visit(case)),
    ("full_enum_case", Action::Visit(case)),
    ("function_definition", Action::Visit(function)),
    ("function_declaration", Action::Visit(function)),
    ("given_definition", Action::Visit(given)),
    ("type_definition", Action::Visit(alias)),
    ("val_definition", Action::Visit(value)),
    ("var_definition", Action::Visit(value)),
    ("val_declaration", Action::Visit(value)),
    ("var_declaration", Action::Visit(value)),
    ("class_parameter", Action::Visit(class_parameter)),
    ("parameter", Action::Visit(binding)),
    ("binding", Action::Visit(binding)),
    ("type_parameters", Action::Visit(type_parameters)),
    ("covariant_type_parameter", Action::Visit(binding)),
    ("contravariant_type_parameter", Action::Visit(binding)),
    ("self_type", Action::Visit(self_type)),
    ("lambda_expression", Action::Visit(lambda)),
    ("extends_clause", Action::Visit(heritage)),
    ("call_expression", Action::Visit(call)),
    ("infix_expression", Action::Visit(infix)),
    ("instance_expression", Action::Visit(construction)),
];

fn comment(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    let text = walk.text_of(node);
    let is_doc = text.starts_with("/**") && text != "/**/";
    let attach = if is_doc { Attach::Doc } else { Attach::Never };
    walk.comment(range_of(node), attach);
    Next::Skip
}

fn identifier(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    if !matches!(walk.text_of(node), "this" | "super") {
        walk.name(node, ReferenceKind::Other);
    }
    Next::Skip
}

/// Where the declaration starts behind its annotations, and who may use it.
fn modify(walk: &Walk<'_>, node: Node<'_>, definition: &mut Definition<'_>) {
    for child in node.children(&mut node.walk()) {
        match child.kind() {
            "annotation" | "comment" | "block_comment" => continue,
            "modifiers" => {
                let access = child
                    .named_children(&mut child.walk())
                    .find(|modifier| modifier.kind() == "access_modifier");
                definition.visibility = match access.map(|access| walk.text_of(access)) {
                    None => Visibility::Public,
                    Some("private" | "private[this]") => Visibility::Private,
                    Some(_) => Visibility::Restricted,
                };
            }
            _ => {}
        }
        definition.signature.start = child.start_byte() as u32;
        break;
    }
    definition.exported = definition.visibility != Visibility::Private;
}

/// Returns whether the current node is a member of a template or of the file.
fn is_member(walk: &Walk<'_>) -> bool {
    walk.ancestor(0).is_none_or(|outer| {
        matches!(
            outer.kind(),
            "compilation_unit"
                | "package_clause"
                | "template_body"
                | "with_template_body"
                | "enum_body"
                | "extension_definition"
                | "refinement"
                | "ERROR"
        )
    })
}

/// Returns whether the open definition is a type.
fn is_in_type(walk: &Walk<'_>) -> bool {
    walk.symbol(walk.owner())
        .is_some_and(|owner| owner.kind.is_type())
}

fn define<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: SymbolKind) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        let mut definition = walk.definition(node, name, kind);
        modify(walk, node, &mut definition);
        walk.define(definition);
    }
    Next::Descend
}

fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::Class)
}

fn trait_<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::Trait)
}

fn enumeration<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::Enum)
}

fn case<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::Variant)
}

fn alias<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::TypeAlias)
}

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let Some(name) = walk.child(node, Field::Name) else {
        return Next::Descend;
    };
    let kind = match walk.text_of(name) {
        "this" => SymbolKind::Constructor,
        _ if is_in_type(walk) && is_member(walk) => SymbolKind::Method,
        _ => SymbolKind::Function,
    };
    let mut definition = walk.definition(node, name, kind);
    modify(walk, node, &mut definition);
    let parameters = walk.children(node, Field::Parameters);
    let head = walk.child(node, Field::ReturnType);
    let head = head.or(parameters.last().copied()).unwrap_or(name);
    definition.signature.end = head.end_byte() as u32;
    walk.define(definition);
    Next::Descend
}

/// A given instance without a name is no definition, but its members are.
fn given<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        let mut definition = walk.definition(node, name, SymbolKind::Constant);
        modify(walk, node, &mut definition);
        if let Some(head) = walk.child(node, Field::ReturnType) {
            definition.signature.end = head.end_byte() as u32;
        }
        walk.define(definition);
    }
    Next::Descend
}

/// `val a, (b, c) = …`: members are definitions, local ones are neither definitions nor uses.
fn value<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let mut names = walk.children(node, Field::Name);
    if let Some(pattern) = walk.child(node, Field::Pattern) {
        match pattern.kind() {
            "identifier" => names.push(pattern),
            "identifiers" | "tuple_pattern" => {
                let mut cursor = pattern.walk();
                let parts = pattern.named_children(&mut cursor).take(MAX_CHILDREN);
                names.extend(parts.filter(|part| part.kind() == "identifier"));
            }
            _ => {}
        }
    }
    let kind = match is_in_type(walk) {
        true => SymbolKind::Field,
        false => SymbolKind::Variable,
    };
    for (at, name) in names.into_iter().enumerate() {
        if !is_member(walk) {
            walk.mark(name, None);
            continue;
        }
        let mut definition = walk.definition(node, name, kind);
        modify(walk, node, &mut definition);
        if let Some(value) = walk.child(node, Field::Value) {
            let start = definition.signature.start;
            definition.signature = walk.signature_with_value(definition.signature, value);
            definition.signature.start = start;
        }
        definition.is_scope = at == 0;
        walk.define(definition);
    }
    Next::Descend
}

fn class_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let Some(name) = walk.child(node, Field::Name) else {
        return Next::Descend;
    };
    let says_field = node
        .children(&mut node.walk())
        .any(|child| matches!(child.kind(), "val" | "var"));
    let is_case = walk.ancestor(1).is_some_and(|class| {
        class.kind() == "full_enum_case"
            || class
                .children(&mut class.walk())
                .take_while(|child| child.kind() != "class")
                .any(|child| child.kind() == "case")
    });
    if says_field || is_case {
        define(walk, node, SymbolKind::Field);
    } else {
        walk.mark(name, None);
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

fn type_parameters<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    for name in walk.children(node, Field::Name) {
        walk.mark(name, None);
    }
    Next::Descend
}

fn self_type<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = node.named_child(0) {
        walk.mark(name, None);
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

/// Returns the name that a type or a called expression comes down to.
fn name_leaf<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<Node<'t>> {
    let mut node = node;
    loop {
        node = match node.kind() {
            "identifier" | "type_identifier" => return Some(node),
            "generic_type" => walk.child(node, Field::Type)?,
            "generic_function" => walk.child(node, Field::Function)?,
            "field_expression" => walk.child(node, Field::Member)?,
            "applied_constructor_type" | "annotated_type" => node.named_child(0)?,
            "stable_type_identifier" | "stable_identifier" => {
                node.named_child(node.named_child_count().checked_sub(1)? as u32)?
            }
            _ => return None,
        };
    }
}

fn mark_leaf<'t>(walk: &mut Walk<'t>, node: Option<Node<'t>>, kind: ReferenceKind) {
    if let Some(leaf) = node.and_then(|node| name_leaf(walk, node)) {
        walk.mark(leaf, Some(kind));
    }
}

fn heritage<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    for base in walk.children(node, Field::Type) {
        let mut bases = vec![base];
        if base.kind() == "compound_type" {
            bases = base.named_children(&mut base.walk()).collect();
        }
        for base in bases {
            mark_leaf(walk, Some(base), ReferenceKind::Inherit);
        }
    }
    Next::Descend
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let function = walk.child(node, Field::Function);
    mark_leaf(walk, function, ReferenceKind::Call);
    Next::Descend
}

/// `a foo b` calls `foo`.
fn infix<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let operator = walk.child(node, Field::Operator);
    mark_leaf(walk, operator, ReferenceKind::Call);
    Next::Descend
}

fn construction<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    mark_leaf(walk, node.named_child(0), ReferenceKind::Call);
    Next::Descend
}

/// `import a.b.{C, D => E}, x.y._` and `export`, read as text: clauses stand between commas outside of
/// braces.
fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let text = walk.text_of(node);
    let reexport = node.kind() == "export_declaration";
    let text = text.trim_start_matches(if reexport { "export" } else { "import" });
    let mut depth = 0;
    let clauses = text.split(|c| {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    });
    for clause in clauses.take(MAX_CHILDREN) {
        let (module, names, alias) = read_clause(clause.trim());
        if !module.is_empty() {
            walk.import(Import {
                module,
                names,
                alias,
                reexport,
                range: range_of(node),
            });
        }
    }
    Next::Skip
}

/// Reads one clause as module, names and alias.
fn read_clause(clause: &str) -> (String, Vec<ImportedName>, Option<String>) {
    if let Some((path, selectors)) = clause.split_once('{') {
        let selectors = selectors.trim_end_matches('}').split(',');
        let names = selectors.filter_map(|selector| {
            let (name, alias) = renamed(selector);
            let is_hidden = alias.as_deref() == Some("_");
            (!name.is_empty() && !is_hidden).then_some(ImportedName { name, alias })
        });
        return (dotted(path), names.collect(), None);
    }
    let (path, alias) = renamed(clause);
    match path.rsplit_once('.') {
        Some((package, last)) if last == "*" || last == "given" => {
            let name = ImportedName {
                name: last.to_owned(),
                alias: None,
            };
            (package.to_owned(), vec![name], alias)
        }
        _ => (path, Vec::new(), alias),
    }
}

/// Reads `name`, `name => alias`, `name as alias`; `_` and `*` both mean everything.
fn renamed(selector: &str) -> (String, Option<String>) {
    let parts = selector
        .split_once("=>")
        .or_else(|| selector.split_once(" as "));
    let (name, alias) = match parts {
        Some((name, alias)) => (name, Some(alias.trim().to_owned())),
        None => (selector, None),
    };
    let name = dotted(name);
    let name = match name.strip_suffix('_') {
        Some(path) if path.is_empty() || path.ends_with('.') => format!("{path}*"),
        _ => name,
    };
    (name, alias)
}

/// Returns a path without blanks and without a dot at its end.
fn dotted(path: &str) -> String {
    let path: String = path.split_whitespace().collect();
    path.trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests;
