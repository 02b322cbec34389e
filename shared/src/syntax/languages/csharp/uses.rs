//! Uses of names in C#: which identifiers are types, which are called, which only bind.
//!
//! Not here: definitions. The grammar has one kind of identifier for all, so types are known by the
//! place they stand in.

use crate::facts::ReferenceKind;
use crate::syntax::grammar::{Action, Field, Rule};
use crate::syntax::walk::{Next, Walk};
use tree_sitter::Node;

pub(super) const RULES: &[Rule] = &[
    ("identifier", Action::Name(ReferenceKind::Other)),
    ("string_literal", Action::Prune),
    ("verbatim_string_literal", Action::Prune),
    ("raw_string_literal", Action::Prune),
    ("character_literal", Action::Prune),
    ("integer_literal", Action::Leaf),
    ("real_literal", Action::Leaf),
    ("boolean_literal", Action::Prune),
    ("null_literal", Action::Leaf),
    ("predefined_type", Action::Prune),
    ("implicit_type", Action::Prune),
    ("modifier", Action::Prune),
    ("discard", Action::Leaf),
    ("string_content", Action::Leaf),
    ("goto_statement", Action::Prune),
    ("preproc_region", Action::Prune),
    ("preproc_endregion", Action::Prune),
    ("preproc_pragma", Action::Prune),
    ("preproc_line", Action::Prune),
    ("variable_declaration", Action::Visit(typed)),
    ("parameter_list", Action::Visit(typed)),
    ("bracketed_parameter_list", Action::Visit(typed)),
    ("cast_expression", Action::Visit(typed)),
    ("typeof_expression", Action::Visit(typed)),
    ("sizeof_expression", Action::Visit(typed)),
    ("default_expression", Action::Visit(typed)),
    ("array_creation_expression", Action::Visit(typed)),
    ("stackalloc_expression", Action::Visit(typed)),
    ("lambda_expression", Action::Visit(typed)),
    ("declaration_expression", Action::Visit(typed)),
    ("declaration_pattern", Action::Visit(typed)),
    ("recursive_pattern", Action::Visit(typed)),
    ("type_pattern", Action::Visit(typed)),
    ("var_pattern", Action::Visit(typed)),
    ("list_pattern", Action::Visit(typed)),
    ("catch_declaration", Action::Visit(typed)),
    ("tuple_element", Action::Visit(typed)),
    ("from_clause", Action::Visit(typed)),
    ("join_clause", Action::Visit(typed)),
    ("type_parameter", Action::Visit(typed)),
    ("type_parameter_constraint", Action::Visit(typed)),
    ("foreach_statement", Action::Visit(typed)),
    ("as_expression", Action::Visit(type_test)),
    ("is_expression", Action::Visit(type_test)),
    ("type_argument_list", Action::Visit(type_arguments)),
    (
        "explicit_interface_specifier",
        Action::Visit(type_arguments),
    ),
    ("base_list", Action::Visit(bases)),
    ("attribute", Action::Visit(attribute)),
    ("invocation_expression", Action::Visit(call)),
    ("object_creation_expression", Action::Visit(construction)),
    ("labeled_statement", Action::Visit(label)),
];

/// Marks what `node` says by its fields: the type it states, and the name that it binds and that is
/// no use.
pub(super) fn typed<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let returned = walk.child(node, Field::Returns);
    let stated = returned.or_else(|| walk.child(node, Field::Type));
    mark_leaf(walk, stated, ReferenceKind::Type);
    let bound = walk
        .child(node, Field::Name)
        .or_else(|| walk.child(node, Field::Left));
    if let Some(bound) = bound.filter(|bound| bound.kind() == "identifier") {
        walk.mark(bound, None);
    }
    Next::Descend
}

/// Returns the name that a type or a callee comes down to.
fn name_leaf<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<Node<'t>> {
    let mut node = node;
    loop {
        node = match node.kind() {
            "identifier" => return Some(node),
            "generic_name" => node.named_child(0)?,
            "qualified_name"
            | "alias_qualified_name"
            | "member_access_expression"
            | "member_binding_expression" => walk.child(node, Field::Name)?,
            "conditional_access_expression" => {
                node.named_child(node.named_child_count().checked_sub(1)? as u32)?
            }
            "nullable_type"
            | "array_type"
            | "pointer_type"
            | "ref_type"
            | "scoped_type"
            | "primary_constructor_base_type" => walk.child(node, Field::Type)?,
            _ => return None,
        };
    }
}

fn mark_leaf<'t>(walk: &mut Walk<'t>, node: Option<Node<'t>>, kind: ReferenceKind) {
    if let Some(leaf) = node.and_then(|node| name_leaf(walk, node)) {
        walk.mark(leaf, Some(kind));
    }
}

fn type_test<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let right = walk.child(node, Field::Right);
    mark_leaf(walk, right, ReferenceKind::Type);
    Next::Descend
}

fn type_arguments<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    for argument in node.named_children(&mut node.walk()) {
        mark_leaf(walk, Some(argument), ReferenceKind::Type);
    }
    Next::Descend
}

fn bases<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    for base in node.named_children(&mut node.walk()) {
        mark_leaf(walk, Some(base), ReferenceKind::Inherit);
    }
    Next::Descend
}

fn attribute<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let name = walk.child(node, Field::Name);
    mark_leaf(walk, name, ReferenceKind::Type);
    Next::Descend
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let callee = walk.child(node, Field::Function);
    match callee {
        Some(callee) if callee.kind() == "identifier" && walk.text_of(callee) == "nameof" => {
            walk.mark(callee, None);
        }
        _ => mark_leaf(walk, callee, ReferenceKind::Call),
    }
    Next::Descend
}

fn construction<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    let made = walk.child(node, Field::Type);
    mark_leaf(walk, made, ReferenceKind::Call);
    Next::Descend
}

fn label<'t>(walk: &mut Walk<'t>, node: Node<'t>) -> Next {
    if let Some(label) = node.named_child(0) {
        walk.mark(label, None);
    }
    Next::Descend
}
