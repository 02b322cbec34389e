//! Imports and exports of JavaScript and TypeScript, as modules and as CommonJS.
//!
//! Not here: what a module name leads to.

use super::{definition, is_first_declarator, is_function, name_within, value_signature};
use crate::facts::{Import, ImportedName, SymbolKind};
use crate::syntax::grammar::Field;
use crate::syntax::walk::{Next, Walk, range_of};
use crate::text::ByteRange;
use tree_sitter::Node;

fn imported(walk: &Walk<'_>, name: Node<'_>, alias: Option<Node<'_>>) -> ImportedName {
    ImportedName {
        name: walk.text_of(name_within(name)).to_owned(),
        alias: alias.map(|alias| walk.text_of(name_within(alias)).to_owned()),
    }
}

fn renamed(name: &str, alias: Option<Node<'_>>, walk: &Walk<'_>) -> ImportedName {
    ImportedName {
        name: name.to_owned(),
        alias: alias.map(|alias| walk.text_of(name_within(alias)).to_owned()),
    }
}

/// Returns the text of a string literal without escapes or parts.
fn literal<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<&'t str> {
    let text = node.named_child(0)?;
    (node.kind() == "string" && node.named_child_count() == 1).then(|| walk.text_of(text))
}

/// `import …`.
pub(super) fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let mut import = Import {
        module: String::new(),
        names: Vec::new(),
        alias: None,
        reexport: false,
        range: range_of(node),
    };
    let mut source = walk.child(node, Field::Source);
    for part in node.named_children(&mut node.walk()) {
        match part.kind() {
            "import_clause" => import_clause(walk, part, &mut import),
            "import_require_clause" => {
                import.alias = part
                    .named_child(0)
                    .map(|name| walk.text_of(name).to_owned());
                source = walk.child(part, Field::Source);
            }
            _ => {}
        }
    }
    if let Some(source) = source {
        import.module = walk.text_of(name_within(source)).to_owned();
        walk.import(import);
    }
    Next::Skip
}

fn import_clause(walk: &Walk<'_>, clause: Node<'_>, import: &mut Import) {
    for part in clause.named_children(&mut clause.walk()) {
        match part.kind() {
            "identifier" => import.names.push(renamed("default", Some(part), walk)),
            "namespace_import" => {
                import.alias = part
                    .named_child(0)
                    .map(|name| walk.text_of(name).to_owned());
            }
            "named_imports" => specifiers(walk, part, &mut import.names),
            _ => {}
        }
    }
}

/// Reads `{ a, b as c }` of an import or export.
fn specifiers(walk: &Walk<'_>, list: Node<'_>, names: &mut Vec<ImportedName>) {
    for specifier in list.named_children(&mut list.walk()) {
        if let Some(name) = walk.child(specifier, Field::Name) {
            names.push(imported(walk, name, walk.child(specifier, Field::Alias)));
        }
    }
}

/// `export …`.
pub(super) fn export<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    // A bare `export {}` makes a module too; no definition can have this name.
    walk.export("export");
    if let Some(source) = walk.child(node, Field::Source) {
        reexport(walk, node, source);
        return Next::Skip;
    }
    if let Some(value) = walk.child(node, Field::Value) {
        export_default(walk, node, value);
        return Next::Descend;
    }
    for part in node.children(&mut node.walk()) {
        match part.kind() {
            "export_clause" => export_clause(walk, part),
            "identifier" => walk.export(walk.text_of(part)),
            "namespace" => return Next::Skip,
            _ => {}
        }
    }
    Next::Descend
}

fn reexport<'t>(walk: &mut Walk<'t>, node: Node<'t>, source: Node<'t>) {
    let mut names = Vec::new();
    for part in node.children(&mut node.walk()) {
        match part.kind() {
            "*" => names.push(renamed("*", None, walk)),
            "namespace_export" => names.push(renamed("*", part.named_child(0), walk)),
            "export_clause" => specifiers(walk, part, &mut names),
            _ => {}
        }
    }
    walk.import(Import {
        module: walk.text_of(name_within(source)).to_owned(),
        names,
        alias: None,
        reexport: true,
        range: range_of(node),
    });
}

/// `export { a, b as c }`.
fn export_clause<'t>(walk: &mut Walk<'t>, clause: Node<'t>) {
    for specifier in clause.named_children(&mut clause.walk()) {
        if let Some(name) = walk.child(specifier, Field::Name) {
            walk.export(walk.text_of(name));
        }
        if let Some(alias) = walk.child(specifier, Field::Alias) {
            walk.mark(alias, None);
        }
    }
}

/// `export default` of an expression: a definition called `default`, or the export of a name.
fn export_default<'t>(walk: &mut Walk<'t>, node: Node<'t>, value: Node<'t>) {
    if value.kind() == "identifier" {
        walk.export(walk.text_of(value));
        return;
    }
    let kind = match value.kind() {
        _ if is_function(value) => SymbolKind::Function,
        "class" => SymbolKind::Class,
        _ => SymbolKind::Constant,
    };
    let keyword = node
        .children(&mut node.walk())
        .find(|child| child.kind() == "default");
    if let Some(keyword) = keyword {
        let mut definition = walk.definition(node, keyword, kind);
        definition.signature.start = super::after_decorators(node);
        definition.signature = value_signature(walk, definition.signature, value);
        walk.export(definition.name);
        walk.define(definition);
    }
}

/// What `require("…")`, `import("…")`, `await` of it, or a member of it asks for.
struct Request<'t> {
    module: &'t str,
    member: Option<Node<'t>>,
}

fn request<'t>(walk: &Walk<'t>, value: Node<'t>) -> Option<Request<'t>> {
    let mut member = None;
    let mut value = value;
    loop {
        value = match value.kind() {
            "await_expression" | "parenthesized_expression" => value.named_child(0)?,
            "member_expression" if member.is_none() => {
                member = walk.child(value, Field::Property);
                walk.child(value, Field::Object)?
            }
            "call_expression" => break,
            _ => return None,
        };
    }
    let callee = walk.child(value, Field::Function)?;
    let asks = match callee.kind() {
        "import" => true,
        "identifier" => walk.text_of(callee) == "require",
        _ => false,
    };
    let arguments = value
        .child(value.child_count().checked_sub(1)?)
        .filter(|_| asks)?;
    let module = literal(walk, arguments.named_child(0)?)?;
    Some(Request { module, member })
}

/// Returns the statement of the declarator `node`, or its part of a statement with several.
fn statement_range(walk: &Walk<'_>, node: Node<'_>) -> ByteRange {
    let own = range_of(node);
    match walk.ancestor(0) {
        Some(outer) if outer.named_child_count() == 1 => range_of(outer),
        Some(outer) if is_first_declarator(outer, node) => {
            ByteRange::new(outer.start_byte() as u32, own.end)
        }
        _ => own,
    }
}

/// Takes the declarator `name = require("…")` as an import, if it is one.
pub(super) fn required<'t>(walk: &mut Walk<'t>, node: Node<'t>, name: Node<'t>) -> bool {
    let value = walk.child(node, Field::Value);
    let Some(request) = value.and_then(|value| request(walk, value)) else {
        return false;
    };
    let mut import = Import {
        module: request.module.to_owned(),
        names: Vec::new(),
        alias: None,
        reexport: false,
        range: statement_range(walk, node),
    };
    match (request.member, name.kind()) {
        (Some(member), "identifier") => import.names.push(ImportedName {
            name: walk.text_of(member).to_owned(),
            alias: Some(walk.text_of(name).to_owned())
                .filter(|_| walk.text_of(member) != walk.text_of(name)),
        }),
        (None, "identifier") => import.alias = Some(walk.text_of(name).to_owned()),
        (None, "object_pattern") => pattern_names(walk, name, &mut import.names),
        _ => return false,
    }
    walk.import(import);
    true
}

fn pattern_names(walk: &Walk<'_>, pattern: Node<'_>, names: &mut Vec<ImportedName>) {
    for part in pattern.named_children(&mut pattern.walk()) {
        match part.kind() {
            "shorthand_property_identifier_pattern" => names.push(imported(walk, part, None)),
            "pair_pattern" => {
                if let Some(key) = walk.child(part, Field::Key) {
                    names.push(imported(walk, key, walk.child(part, Field::Value)));
                }
            }
            "object_assignment_pattern" => {
                if let Some(left) = walk.child(part, Field::Left) {
                    names.push(imported(walk, left, None));
                }
            }
            _ => {}
        }
    }
}

/// Takes the call `node` as an import, if it asks for a module.
pub(super) fn called<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> bool {
    let Some(request) = request(walk, node) else {
        return false;
    };
    walk.import(Import {
        module: request.module.to_owned(),
        names: Vec::new(),
        alias: None,
        reexport: false,
        range: range_of(node),
    });
    true
}

/// Returns whether the assignment below ancestor `up` is a statement of the top level.
pub(super) fn is_assigned_at_top(walk: &Walk<'_>, up: usize) -> bool {
    let kind = |up: usize| walk.ancestor(up).map(|outer| outer.kind());
    kind(up) == Some("expression_statement") && kind(up + 1) == Some("program")
}

/// A top-level assignment to `exports`, `module.exports` or a member of something.
pub(super) fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if !is_assigned_at_top(walk, 0) {
        return Next::Descend;
    }
    let (Some(left), Some(mut right)) = (
        walk.child(node, Field::Left),
        walk.child(node, Field::Right),
    ) else {
        return Next::Descend;
    };
    // `exports = module.exports = x`
    while right.kind() == "assignment_expression"
        && let Some(inner) = walk.child(right, Field::Right)
    {
        right = inner;
    }
    let target = walk.text_of(left);
    let member = target
        .strip_prefix("module.exports.")
        .or_else(|| target.strip_prefix("exports."));
    if matches!(target, "module.exports" | "exports") {
        export_value(walk, node, right);
    } else if member.is_some_and(|member| !member.contains('.')) {
        export_member(walk, node, left, right);
    } else if is_function(right) || right.kind() == "class" {
        define_member_of(walk, node, left, right);
    }
    Next::Descend
}

/// `module.exports = right`.
fn export_value<'t>(walk: &mut Walk<'t>, node: Node<'t>, right: Node<'t>) {
    walk.export("export");
    match right.kind() {
        "identifier" => walk.export(walk.text_of(right)),
        "object" => {
            for part in right.named_children(&mut right.walk()) {
                let value = match part.kind() {
                    "pair" => walk.child(part, Field::Value),
                    _ => Some(part),
                };
                let names = ["identifier", "shorthand_property_identifier"];
                if let Some(value) = value.filter(|value| names.contains(&value.kind())) {
                    walk.export(walk.text_of(value));
                }
            }
        }
        "class" => define_assigned(walk, node, walk.child(right, Field::Name), right),
        _ if is_function(right) => {
            define_assigned(walk, node, walk.child(right, Field::Name), right);
        }
        _ => {}
    }
}

/// `exports.name = right`.
fn export_member<'t>(walk: &mut Walk<'t>, node: Node<'t>, left: Node<'t>, right: Node<'t>) {
    walk.export("export");
    match right.kind() {
        "identifier" => walk.export(walk.text_of(right)),
        // Compilers announce exports so before they assign them.
        "undefined" | "unary_expression" => {}
        _ => define_assigned(walk, node, walk.child(left, Field::Property), right),
    }
}

/// How many definitions are searched for the owner of a member that is assigned to it.
const MAX_OWNERS: u32 = 1024;

/// `Shape.prototype.area = right`, `response.send = right`: a member of what the first name stands
/// for, where the file defines that before; a prototype may be that of a type of another file.
fn define_member_of<'t>(walk: &mut Walk<'t>, node: Node<'t>, left: Node<'t>, right: Node<'t>) {
    let target = walk.text_of(left);
    let path = target.rsplit_once('.').map_or("", |(path, _)| path);
    let owner_name = path.strip_suffix(".prototype").unwrap_or(path);
    let owner = (0..MAX_OWNERS)
        .map_while(|at| walk.symbol(Some(at)).map(|symbol| (at, symbol)))
        .find(|(_, s)| s.parent.is_none() && s.name_range.of(walk.text()) == owner_name);
    let owner = owner.map(|(owner, _)| owner);
    if owner.is_none() && owner_name == path {
        define_assigned(walk, node, walk.child(left, Field::Property), right);
        return;
    }
    let Some(name) = walk.child(left, Field::Property) else {
        return;
    };
    let kind = if right.kind() == "class" {
        SymbolKind::Class
    } else {
        SymbolKind::Method
    };
    let mut definition = definition(walk, node, name, kind);
    definition.parent = owner;
    if owner.is_none() {
        definition.owner = Some(owner_name);
        walk.export(definition.name);
    }
    definition.signature = value_signature(walk, definition.signature, right);
    let member = walk.define(definition);
    // It can be reached as its owner can, though that may be a function.
    if let Some(member) = member.and_then(|member| walk.symbol_mut(member)) {
        member.exported = true;
    }
}

/// Returns whether a bound value is assigned to the module's exports too, as in
/// `const app = module.exports = {}`.
pub(super) fn is_exported_too(walk: &Walk<'_>, value: Node<'_>) -> bool {
    let mut value = value;
    while value.kind() == "assignment_expression" {
        let left = walk.child(value, Field::Left);
        if left.is_some_and(|left| matches!(walk.text_of(left), "module.exports" | "exports")) {
            return true;
        }
        let Some(right) = walk.child(value, Field::Right) else {
            break;
        };
        value = right;
    }
    false
}

/// Defines what an assignment gives a name to; without a name it is the module's default.
fn define_assigned<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    name: Option<Node<'t>>,
    right: Node<'t>,
) {
    let kind = match right.kind() {
        _ if is_function(right) => SymbolKind::Function,
        "class" => SymbolKind::Class,
        _ => SymbolKind::Constant,
    };
    let Some(at) = name.or_else(|| node.child(0)) else {
        return;
    };
    let mut definition = definition(walk, node, at, kind);
    if name.is_none() {
        definition.name = "default";
    }
    definition.signature = value_signature(walk, definition.signature, right);
    walk.export(definition.name);
    walk.define(definition);
}
