//! Rust: items, members, uses, `use` trees.
//!
//! Members of a trait and of a trait's implementation are as visible as the trait, so they count as
//! public. Names among the bare tokens of a macro call are uses too.

use crate::facts::{Import, ImportedName, ReferenceKind, SymbolKind, Visibility};
use crate::syntax::grammar::{Action, Attach, Field, Grammar, Rule};
use crate::syntax::walk::{Next, Walk, range_of};
use crate::text::ByteRange;
use std::rc::Rc;
use std::sync::LazyLock;
use tree_sitter::Node;

pub(in crate::syntax) static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::new(tree_sitter_rust::LANGUAGE.into(), &[RULES]));

const RULES: &[Rule] = &[
    ("identifier", Action::Name(ReferenceKind::Other)),
    ("field_identifier", Action::Name(ReferenceKind::Other)),
    (
        "shorthand_field_identifier",
        Action::Name(ReferenceKind::Other),
    ),
    ("type_identifier", Action::Name(ReferenceKind::Type)),
    ("primitive_type", Action::Leaf),
    ("self", Action::Leaf),
    ("crate", Action::Leaf),
    ("super", Action::Leaf),
    ("mutable_specifier", Action::Leaf),
    ("integer_literal", Action::Leaf),
    ("float_literal", Action::Leaf),
    ("boolean_literal", Action::Prune),
    ("char_literal", Action::Prune),
    ("string_literal", Action::Prune),
    ("raw_string_literal", Action::Prune),
    ("lifetime", Action::Prune),
    ("label", Action::Prune),
    ("metavariable", Action::Prune),
    ("fragment_specifier", Action::Prune),
    ("visibility_modifier", Action::Prune),
    ("line_comment", Action::Visit(comment)),
    ("block_comment", Action::Visit(comment)),
    ("attribute_item", Action::Attribute),
    ("function_item", Action::Visit(function)),
    ("function_signature_item", Action::Visit(function)),
    ("struct_item", Action::Visit(record)),
    ("union_item", Action::Visit(record)),
    ("enum_item", Action::Visit(enumeration)),
    ("enum_variant", Action::Visit(variant)),
    ("field_declaration", Action::Visit(field)),
    ("trait_item", Action::Visit(trait_item)),
    ("impl_item", Action::Visit(implementation)),
    ("mod_item", Action::Visit(module)),
    ("const_item", Action::Visit(constant)),
    ("static_item", Action::Visit(variable)),
    ("type_item", Action::Visit(type_alias)),
    ("associated_type", Action::Visit(type_alias)),
    ("macro_definition", Action::Visit(macro_definition)),
    ("use_declaration", Action::Visit(use_declaration)),
    ("extern_crate_declaration", Action::Visit(extern_crate)),
    ("call_expression", Action::Visit(call)),
    ("struct_expression", Action::Visit(construction)),
    ("macro_invocation", Action::Visit(macro_call)),
    ("token_tree", Action::Visit(tokens)),
];

fn comment(walk: &mut Walk<'_>, node: Node<'_>) -> Next {
    let text = walk.text_of(node);
    let rest = text.get(2..).unwrap_or_default();
    let is_block = text.starts_with("/*");
    let marker = if is_block { "*" } else { "/" };
    if rest.starts_with('!') {
        inner_doc(walk, range_of(node));
    } else if rest.starts_with(marker)
        && !rest[1..].starts_with(marker)
        && !(is_block && rest == "*/")
    {
        walk.comment(range_of(node), Attach::Doc);
    } else {
        walk.comment(range_of(node), Attach::Never);
    }
    Next::Skip
}

/// Gives a `//!` comment to the item that it stands in.
fn inner_doc(walk: &mut Walk<'_>, range: ByteRange) {
    let kept = range.of(walk.text()).trim_end().len() as u32;
    if let Some(symbol) = walk.scope().and_then(|scope| walk.symbol_mut(scope)) {
        let start = match symbol.doc {
            None => range.start,
            Some(doc) if doc.start > symbol.name_range.end => doc.start,
            Some(_) => return,
        };
        symbol.doc = Some(ByteRange::new(start, range.start + kept));
    }
}

fn visibility(walk: &Walk<'_>, node: Node<'_>) -> Visibility {
    match node.child(0) {
        Some(first) if first.kind() == "visibility_modifier" => match walk.text_of(first) {
            "pub" => Visibility::Public,
            "pub(self)" | "pub(in self)" => Visibility::Private,
            _ => Visibility::Restricted,
        },
        _ => Visibility::Private,
    }
}

/// Defines the item `node`, called by its `name` field, with the visibility it states.
fn define<'t>(walk: &mut Walk<'t>, node: Node<'t>, kind: SymbolKind) -> Option<u32> {
    let visibility = visibility(walk, node);
    define_as(walk, node, kind, visibility)
}

fn define_as<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    kind: SymbolKind,
    visibility: Visibility,
) -> Option<u32> {
    let name = walk.child(node, Field::Name)?;
    let mut definition = walk.definition(node, name, kind);
    if walk
        .child(node, Field::Body)
        .is_some_and(|body| body.kind() == "ordered_field_declaration_list")
    {
        definition.signature.end = definition.range.end;
    }
    if let Some(value) = walk.child(node, Field::Value) {
        definition.signature = walk.signature_with_value(definition.range, value);
    }
    definition.visibility = visibility;
    definition.exported = visibility != Visibility::Private;
    walk.define(definition)
}

/// Returns the `impl` or `trait` that the current node is a direct member of.
fn owner<'t>(walk: &Walk<'t>) -> Option<Node<'t>> {
    walk.ancestor(1)
        .filter(|owner| matches!(owner.kind(), "impl_item" | "trait_item"))
}

/// Returns the visibility of a member of `owner`, or of an item where there is none.
fn member_visibility<'t>(walk: &Walk<'t>, node: Node<'t>, owner: Option<Node<'t>>) -> Visibility {
    match owner {
        Some(owner)
            if owner.kind() == "trait_item" || walk.child(owner, Field::Trait).is_some() =>
        {
            Visibility::Public
        }
        _ => visibility(walk, node),
    }
}

fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let owner = owner(walk);
    let kind = if owner.is_some() {
        SymbolKind::Method
    } else {
        SymbolKind::Function
    };
    let visibility = member_visibility(walk, node, owner);
    define_as(walk, node, kind, visibility);
    Next::Descend
}

fn constant<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let visibility = member_visibility(walk, node, owner(walk));
    let name = walk.child(node, Field::Name);
    if name.is_some_and(|name| walk.text_of(name) != "_") {
        define_as(walk, node, SymbolKind::Constant, visibility);
    }
    Next::Descend
}

fn type_alias<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let visibility = member_visibility(walk, node, owner(walk));
    define_as(walk, node, SymbolKind::TypeAlias, visibility);
    Next::Descend
}

fn variable<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::Variable);
    Next::Descend
}

fn record<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::Struct);
    Next::Descend
}

fn enumeration<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::Enum);
    Next::Descend
}

fn variant<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define_as(walk, node, SymbolKind::Variant, Visibility::Public);
    Next::Descend
}

fn field<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let scope = walk.symbol(walk.scope()).map(|scope| scope.kind);
    let visibility = match scope {
        Some(SymbolKind::Variant) => Visibility::Public,
        _ => visibility(walk, node),
    };
    define_as(walk, node, SymbolKind::Field, visibility);
    Next::Descend
}

fn module<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::Module);
    Next::Descend
}

fn trait_item<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    define(walk, node, SymbolKind::Trait);
    if let Some(bounds) = walk.child(node, Field::Bounds) {
        let mut cursor = bounds.walk();
        for bound in bounds.named_children(&mut cursor) {
            if let Some(leaf) = name_leaf(walk, bound) {
                walk.mark(leaf, Some(ReferenceKind::Inherit));
            }
        }
    }
    Next::Descend
}

fn implementation<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let Some(of) = walk.child(node, Field::Type) else {
        return Next::Descend;
    };
    let leaf = name_leaf(walk, of);
    let definition = walk.definition(node, leaf.unwrap_or(of), SymbolKind::Impl);
    walk.define(definition);
    // The type's name is a use here: its definition is elsewhere.
    if let Some(leaf) = leaf {
        walk.mark(leaf, Some(ReferenceKind::Type));
    }
    let of_trait = walk.child(node, Field::Trait);
    if let Some(leaf) = of_trait.and_then(|of_trait| name_leaf(walk, of_trait)) {
        walk.mark(leaf, Some(ReferenceKind::Inherit));
    }
    Next::Descend
}

fn macro_definition<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let Some(name) = walk.child(node, Field::Name) else {
        return Next::Descend;
    };
    let start = node.start_byte() as u32;
    let is_exported = walk.lead_text(start).contains("macro_export");
    let mut definition = walk.definition(node, name, SymbolKind::Macro);
    definition.signature.end = definition.name_range.end;
    definition.exported = is_exported;
    if !is_exported {
        definition.visibility = Visibility::Private;
    }
    walk.define(definition);
    Next::Descend
}

/// Returns the name that a path, a type or a callee comes down to.
fn name_leaf<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<Node<'t>> {
    let mut node = node;
    loop {
        let field = match node.kind() {
            "identifier" | "type_identifier" | "field_identifier" => return Some(node),
            "scoped_identifier" | "scoped_type_identifier" => Field::Name,
            "field_expression" => Field::Member,
            "generic_function" => Field::Function,
            "generic_type"
            | "generic_type_with_turbofish"
            | "reference_type"
            | "pointer_type"
            | "higher_ranked_trait_bound" => Field::Type,
            "dynamic_type" | "abstract_type" => Field::Trait,
            _ => return None,
        };
        node = walk.child(node, field)?;
    }
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    mark_call(walk, node, Field::Function)
}

fn construction<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    mark_call(walk, node, Field::Name)
}

fn macro_call<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    mark_call(walk, node, Field::Macro)
}

fn mark_call<'t>(walk: &mut Walk<'t>, node: Node<'t>, callee: Field) -> Next {
    let callee = walk.child(node, callee);
    if let Some(leaf) = callee.and_then(|callee| name_leaf(walk, callee)) {
        walk.mark(leaf, Some(ReferenceKind::Call));
    }
    Next::Descend
}

fn tokens<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    walk.tokens(node);
    Next::Descend
}

fn extern_crate<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(name) = walk.child(node, Field::Name) {
        let alias = walk.child(node, Field::Alias);
        walk.import(Import {
            module: walk.text_of(name).to_owned(),
            names: Vec::new(),
            alias: alias.map(|alias| walk.text_of(alias).to_owned()),
            reexport: visibility(walk, node) != Visibility::Private,
            range: range_of(node),
        });
    }
    Next::Skip
}

/// Longer module paths are left out: nobody writes them, and a nested tree of them grows by squares.
const MAX_PATH_BYTES: usize = 256;

/// How many of a statement's last modules a further name is compared with.
const MODULES_COMPARED: usize = 32;

/// The imports of one `use` statement while its tree is read.
struct UseTree {
    imports: Vec<Import>,
    reexport: bool,
    range: ByteRange,
}

impl UseTree {
    /// Adds `path` (the last part of it a name, the rest its module) under `alias`.
    fn add(&mut self, path: &str, alias: Option<String>) {
        let Some((module, name)) = path.rsplit_once("::").filter(|parts| !parts.0.is_empty())
        else {
            self.push(path, None, alias);
            return;
        };
        let alias = alias.filter(|alias| alias != name);
        let name = ImportedName {
            name: name.to_owned(),
            alias,
        };
        let mut last = self.imports.iter_mut().rev().take(MODULES_COMPARED);
        match last.find(|import| import.module == module && !import.names.is_empty()) {
            Some(import) => import.names.push(name),
            None => self.push(module, Some(name), None),
        }
    }

    fn push(&mut self, module: &str, name: Option<ImportedName>, alias: Option<String>) {
        self.imports.push(Import {
            module: module.to_owned(),
            names: name.into_iter().collect(),
            alias,
            reexport: self.reexport,
            range: self.range,
        });
    }
}

fn use_declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let mut tree = UseTree {
        imports: Vec::new(),
        reexport: visibility(walk, node) != Visibility::Private,
        range: range_of(node),
    };
    let mut pending: Vec<(Node<'t>, Rc<str>)> = Vec::new();
    if let Some(argument) = walk.child(node, Field::Argument) {
        pending.push((argument, Rc::from("")));
    }
    while let Some((node, prefix)) = pending.pop() {
        if prefix.len() <= MAX_PATH_BYTES {
            use_clause(walk, node, &prefix, &mut tree, &mut pending);
        }
    }
    for import in tree.imports {
        walk.import(import);
    }
    Next::Skip
}

/// Reads one clause of a `use` tree below `prefix`; clauses within it go on `pending`, the first last.
fn use_clause<'t>(
    walk: &Walk<'t>,
    node: Node<'t>,
    prefix: &Rc<str>,
    tree: &mut UseTree,
    pending: &mut Vec<(Node<'t>, Rc<str>)>,
) {
    match node.kind() {
        "use_list" => {
            let at = pending.len();
            let mut cursor = node.walk();
            for clause in node.named_children(&mut cursor) {
                pending.push((clause, Rc::clone(prefix)));
            }
            pending[at..].reverse();
        }
        "scoped_use_list" => {
            let path = walk.child(node, Field::Path);
            let prefix = joined(prefix, path.map_or("", |path| walk.text_of(path)));
            if let Some(list) = walk.child(node, Field::List) {
                pending.push((list, prefix.into()));
            }
        }
        "use_wildcard" => {
            let path = node.named_child(0).map_or("", |path| walk.text_of(path));
            tree.add(&joined(&joined(prefix, path), "*"), None);
        }
        "use_as_clause" => {
            let path = walk.child(node, Field::Path);
            let alias = walk.child(node, Field::Alias);
            let path = joined(prefix, path.map_or("", |path| walk.text_of(path)));
            tree.add(&path, alias.map(|alias| walk.text_of(alias).to_owned()));
        }
        "line_comment" | "block_comment" | "ERROR" => {}
        _ => tree.add(&joined(prefix, walk.text_of(node)), None),
    }
}

/// Returns `path` below `prefix`, without blanks; `self` below a prefix is the prefix.
fn joined(prefix: &str, path: &str) -> String {
    let path: String = path.split_whitespace().collect();
    match (prefix, path.as_str()) {
        ("", _) => path,
        (_, "self" | "") => prefix.to_owned(),
        _ => format!("{prefix}::{path}"),
    }
}

#[cfg(test)]
mod tests;
