//! The one walk over a syntax tree: dispatches each node by its kind and gathers the facts.
//!
//! Not here: what a node means; a language says so through [`Action`]s and the functions they call,
//! which see the [`Walk`] as the place to put facts.
//!
//! The walk is in document order and never recurses, so nesting costs memory, not stack. A language
//! function sees a node before its children; what it knows about a later leaf (this name is called,
//! that one is a definition's own) it leaves as a *mark* at the leaf's first byte. Comments and
//! attributes gather in the *lead*, which the next definition takes when nothing stands between.
//!
//! Invariants: symbols in order of their range's start, parents before children; references in order
//! of position; every range within the text. Bounds: [`AnalysisLimits`] for nodes and depth.

use super::AnalysisLimits;
use super::grammar::{Action, Attach, Field, Grammar};
use crate::facts::{
    FileFacts, NameId, Note, Reference, ReferenceKind, Symbol, SymbolKind, Visibility,
};
use crate::text::ByteRange;
use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::{Node, Tree};

/// Most names that one declaration or import is taken apart into; facts for each of them look at the
/// whole declaration.
pub(super) const MAX_CHILDREN: usize = 4096;

/// How many definitions back a statement reaches that says something about an earlier one.
const MAX_LOOK_BACK: usize = 4096;

/// Whether the walk goes on below a node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// Visit the children.
    Descend,
    /// Leave them out.
    Skip,
}

/// A definition on its way into the facts; see [`Walk::definition`] for what it starts with.
pub(super) struct Definition<'t> {
    /// The declared name.
    pub(super) name: &'t str,
    /// Where the name stands.
    pub(super) name_range: ByteRange,
    /// What it is.
    pub(super) kind: SymbolKind,
    /// The definition that it belongs to.
    pub(super) parent: Option<u32>,
    /// Who may use it.
    pub(super) visibility: Visibility,
    /// Whether other files can reach it, as far as it says itself: the parent is looked at later.
    pub(super) exported: bool,
    /// The whole of it; the lead's attributes are added.
    pub(super) range: ByteRange,
    /// The declaration without the body; blanks, `;` and `,` are trimmed from its end.
    pub(super) signature: ByteRange,
    /// Documentation, where it is not a comment before the definition.
    pub(super) doc: Option<ByteRange>,
    /// Whether what stands below the current node belongs to it.
    pub(super) is_scope: bool,
}

/// Comments and attributes seen since the last thing that was neither.
#[derive(Default)]
struct Lead {
    doc: Option<ByteRange>,
    attach: Option<Attach>,
    start: Option<u32>,
    end: u32,
}

struct Open {
    symbol: u32,
    depth: usize,
    access: Option<Visibility>,
    /// What members before an offset are, in a block that is no definition of its own.
    block_access: (u32, Visibility),
}

/// The state of the walk, and the facts found so far.
pub(super) struct Walk<'t> {
    text: &'t str,
    /// What the parser saw in place of the text.
    seen: &'t [u8],
    grammar: &'static Grammar,
    facts: FileFacts,
    path: Vec<Node<'t>>,
    open: Vec<Open>,
    /// Kinds of later leaves, by where they start.
    marks: FxHashMap<u32, Option<ReferenceKind>>,
    lead: Lead,
    /// Names before this offset that were not marked have this kind.
    within: (u32, ReferenceKind),
    /// Names before this offset stand among bare tokens: a `(` or `!` behind one makes it a call.
    tokens_end: u32,
    types: FxHashMap<u32, u32>,
    /// Names that the file says to export, whether defined before or after.
    exports: FxHashSet<&'t str>,
    /// Variables that were defined, by parent (0 for none, else index + 1) and name.
    variables: FxHashSet<(u32, u32)>,
}

/// Walks `tree`, the parse of `seen`, which stands for `text`.
pub(super) fn walk<'t>(
    tree: &'t Tree,
    text: &'t str,
    seen: &'t [u8],
    grammar: &'static Grammar,
    limits: &AnalysisLimits,
) -> FileFacts {
    let mut walk = Walk {
        text,
        seen,
        grammar,
        facts: FileFacts::default(),
        path: Vec::new(),
        open: Vec::new(),
        marks: FxHashMap::default(),
        lead: Lead::default(),
        within: (0, ReferenceKind::Other),
        tokens_end: 0,
        types: FxHashMap::default(),
        exports: FxHashSet::default(),
        variables: FxHashSet::default(),
    };
    let mut cursor = tree.walk();
    let mut n_nodes = 0;
    loop {
        let node = cursor.node();
        n_nodes += 1;
        if n_nodes > limits.max_nodes {
            walk.facts.notes.add(Note::TooManyNodes);
            break;
        }
        if walk.enter(node) == Next::Descend {
            if walk.path.len() >= limits.max_depth as usize {
                walk.facts.notes.add(Note::TooDeep);
            } else if cursor.goto_first_child() {
                walk.path.push(node);
                continue;
            }
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return walk.finish();
            }
            walk.path.pop();
        }
    }
    walk.finish()
}

impl<'t> Walk<'t> {
    fn enter(&mut self, node: Node<'t>) -> Next {
        let depth = self.path.len();
        while self.open.last().is_some_and(|open| open.depth >= depth) {
            self.open.pop();
        }
        match self.grammar.action(node.kind_id()) {
            Action::Descend => Next::Descend,
            Action::Leaf | Action::Prune => Next::Skip,
            Action::Name(kind) => {
                self.name(node, kind);
                Next::Skip
            }
            Action::Comment(attach) => {
                self.comment(range_of(node), attach);
                Next::Skip
            }
            Action::Attribute => {
                self.attribute(range_of(node));
                Next::Descend
            }
            Action::Visit(visit) => visit(self, node),
        }
    }

    /// Records the name `node` as a use of the kind `usual`, unless a mark says better.
    pub(super) fn name(&mut self, node: Node<'_>, usual: ReferenceKind) {
        self.name_at(range_of(node), usual);
    }

    /// [`Walk::name`] for a part of a leaf.
    pub(super) fn name_at(&mut self, range: ByteRange, usual: ReferenceKind) {
        let mut kind = Some(usual);
        if range.start < self.within.0 {
            kind = Some(self.within.1);
        }
        if range.start < self.tokens_end && self.looks_called(range.end) {
            kind = Some(ReferenceKind::Call);
        }
        if !self.marks.is_empty()
            && let Some(marked) = self.marks.remove(&range.start)
        {
            kind = marked;
        }
        if let Some(kind) = kind {
            self.refer(range, kind);
        }
    }

    fn looks_called(&self, end: u32) -> bool {
        let rest = &self.text.as_bytes()[end as usize..];
        match rest.first() {
            Some(b'(') => true,
            Some(b'!') => matches!(rest.get(1), Some(b'(' | b'[' | b'{')),
            _ => false,
        }
    }

    /// Records a reference; for names that are no leaves of the walk. Call in order of position.
    pub(super) fn refer(&mut self, range: ByteRange, kind: ReferenceKind) {
        let name = range.of(self.text);
        if matches!(name, "" | "_") {
            return;
        }
        let name = self.facts.names.intern(name);
        let enclosing = self.scope();
        self.facts.references.push(Reference {
            name,
            range,
            enclosing,
            kind,
        });
    }

    /// Says what the name that starts where `node` starts is: a reference of some kind, or none.
    pub(super) fn mark(&mut self, node: Node<'_>, kind: Option<ReferenceKind>) {
        self.marks.insert(node.start_byte() as u32, kind);
    }

    /// Returns whether [`Walk::mark`] said something about the name at `node`.
    pub(super) fn is_marked(&self, node: Node<'_>) -> bool {
        self.marks.contains_key(&(node.start_byte() as u32))
    }

    /// Gives all unmarked names of `node` the kind `kind`.
    pub(super) fn within(&mut self, node: Node<'_>, kind: ReferenceKind) {
        self.within = (node.end_byte() as u32, kind);
    }

    /// Treats `node` as bare tokens: a name with `(` or `!` directly behind it is called.
    pub(super) fn tokens(&mut self, node: Node<'_>) {
        self.tokens_end = self.tokens_end.max(node.end_byte() as u32);
    }

    /// Takes a comment into the lead.
    pub(super) fn comment(&mut self, range: ByteRange, attach: Attach) {
        let range = self.trimmed(range, false);
        let first_on_line = self.text.as_bytes()[..range.start as usize]
            .iter()
            .rev()
            .take_while(|byte| **byte != b'\n')
            .all(u8::is_ascii_whitespace);
        let touches = self.lead_touches(range.start);
        if attach == Attach::Never || (touches && !first_on_line) {
            // Not documentation, but it does not part what stands around it either.
            if touches {
                self.lead.end = range.end;
            }
            return;
        }
        if touches && self.lead.attach.is_none_or(|before| before == attach) {
            let start = self.lead.doc.map_or(range.start, |doc| doc.start);
            self.lead.doc = Some(ByteRange::new(start, range.end));
        } else {
            self.lead.start = None;
            self.lead.doc = first_on_line.then_some(range);
        }
        self.lead.attach = Some(attach);
        self.lead.end = range.end;
    }

    /// Takes text that belongs to the definition that follows (an attribute, an opening keyword of an
    /// outer node) into the lead.
    pub(super) fn attribute(&mut self, range: ByteRange) {
        if !self.lead_touches(range.start) {
            self.lead = Lead::default();
        }
        self.lead.start.get_or_insert(range.start);
        self.lead.end = range.end;
    }

    fn lead_touches(&self, start: u32) -> bool {
        let gap = self.lead.end as usize..start as usize;
        let gap = self.seen.get(gap).unwrap_or_default();
        let mut n_lines = 0;
        for byte in gap {
            match byte {
                b'\n' => n_lines += 1,
                byte if byte.is_ascii_whitespace() => {}
                _ => return false,
            }
        }
        let near = self.lead.attach == Some(Attach::Near) && self.lead.start.is_none();
        self.lead.end <= start && !(near && n_lines > 1)
    }

    /// Returns a definition that `node` makes with the name at `name`: a public member of the open
    /// scope, its signature ending at the grammar's body or else with the node.
    pub(super) fn definition(
        &self,
        node: Node<'t>,
        name: Node<'t>,
        kind: SymbolKind,
    ) -> Definition<'t> {
        let range = range_of(node);
        let end = self
            .child(node, Field::Body)
            .map_or(range.end, |body| body.start_byte() as u32);
        Definition {
            name: self.text_of(name),
            name_range: range_of(name),
            kind,
            parent: self.owner(),
            visibility: Visibility::Public,
            exported: true,
            range,
            signature: ByteRange::new(range.start, end),
            doc: None,
            is_scope: true,
        }
    }

    /// Adds `definition`, found at the current node, and opens it as the scope of the node's
    /// children. Several definitions of one node have the first one as scope. Returns its index, or
    /// `None` for a definition without a name.
    pub(super) fn define(&mut self, definition: Definition<'t>) -> Option<u32> {
        if definition.name.is_empty() {
            return None;
        }
        let mut range = definition.range;
        let mut doc = definition.doc;
        if self.lead_touches(range.start) {
            range.start = self.lead.start.unwrap_or(range.start).min(range.start);
            doc = doc.or(self.lead.doc);
        }
        let symbols = &self.facts.symbols;
        let symbol = symbols.len() as u32;
        let parent = definition.parent.filter(|parent| *parent < symbol);
        let reachable = parent
            .and_then(|parent| symbols.get(parent as usize))
            .is_none_or(|parent| parent.exported && !is_callable(parent.kind));
        let signature = self.trimmed(definition.signature, true);
        let name = self.facts.names.intern(definition.name);
        if definition.kind.is_type() {
            self.types.entry(name.0).or_insert(symbol);
        }
        self.facts.symbols.push(Symbol {
            name,
            kind: definition.kind,
            parent,
            visibility: definition.visibility,
            exported: definition.exported && reachable,
            name_range: definition.name_range,
            range,
            signature,
            doc,
        });
        self.marks.insert(definition.name_range.start, None);
        let depth = self.path.len();
        if definition.is_scope && self.open.last().is_none_or(|open| open.depth < depth) {
            self.open.push(Open {
                symbol,
                depth,
                access: None,
                block_access: (0, Visibility::Public),
            });
        }
        Some(symbol)
    }

    /// Keeps the definition added last open to the end of the node that holds the current one, for a
    /// head that governs its following siblings up to the next such head.
    pub(super) fn hold_open(&mut self) {
        if let Some(mut open) = self.open.pop() {
            open.depth = open.depth.saturating_sub(1);
            self.open.pop_if(|before| before.depth >= open.depth);
            self.open.push(open);
        }
    }

    /// Notes that the file exports its own top-level `name`.
    pub(super) fn export(&mut self, name: &'t str) {
        self.exports.insert(name);
    }

    /// Takes back the export of all top-level definitions whose names were not exported, with their
    /// members; a file that exports and imports nothing is left alone.
    pub(super) fn keep_exported(&mut self) {
        if self.exports.is_empty() && self.facts.imports.is_empty() {
            return;
        }
        for at in 0..self.facts.symbols.len() {
            let symbol = &self.facts.symbols[at];
            let reachable = match symbol.parent {
                Some(parent) => self.facts.symbols[parent as usize].exported,
                None => self.exports.contains(self.facts.names.get(symbol.name)),
            };
            let symbol = &mut self.facts.symbols[at];
            symbol.exported &= reachable;
            if symbol.parent.is_none() && !reachable {
                symbol.visibility = Visibility::Private;
            }
        }
    }

    /// Returns the attributes and comments directly before `start`.
    pub(super) fn lead_text(&self, start: u32) -> &'t str {
        let lead = self.lead.start.filter(|_| self.lead_touches(start));
        ByteRange::new(lead.unwrap_or(start), start).of(self.text)
    }

    /// Returns the signature of a definition that gives a value: with the value where all of it stands
    /// on one line, else up to it.
    pub(super) fn signature_with_value(&self, range: ByteRange, value: Node<'_>) -> ByteRange {
        if !range.of(self.text).contains('\n') {
            return range;
        }
        let head = ByteRange::new(range.start, value.start_byte() as u32);
        let text = head.of(self.text);
        let kept = text.rfind('=').unwrap_or(text.len());
        ByteRange::new(range.start, range.start + kept as u32)
    }

    /// Adds an import.
    pub(super) fn import(&mut self, import: crate::facts::Import) {
        self.facts.imports.push(import);
    }

    /// Returns the innermost open definition.
    pub(super) fn scope(&self) -> Option<u32> {
        self.open.last().map(|open| open.symbol)
    }

    /// Returns the innermost definition that the current node stands in, its own left out.
    pub(super) fn owner(&self) -> Option<u32> {
        let depth = self.path.len();
        let mut outer = self.open.iter().rev().filter(|open| open.depth < depth);
        outer.next().map(|open| open.symbol)
    }

    /// Returns the symbol at `index`.
    pub(super) fn symbol(&self, index: Option<u32>) -> Option<&Symbol> {
        self.facts.symbols.get(index? as usize)
    }

    /// Returns the text of an interned name.
    pub(super) fn name_text(&self, name: NameId) -> &str {
        self.facts.names.get(name)
    }

    /// Returns the symbol at `index`, to be completed.
    pub(super) fn symbol_mut(&mut self, index: u32) -> Option<&mut Symbol> {
        self.facts.symbols.get_mut(index as usize)
    }

    /// Sets what members of the open definition are from here on, until it closes or is set again.
    pub(super) fn set_access(&mut self, access: Visibility) {
        if let Some(open) = self.open.last_mut() {
            open.access = Some(access);
        }
    }

    /// Sets what members of the open definition are from here on to `end`, where a block ends that
    /// leaves what holds around it alone.
    pub(super) fn set_access_until(&mut self, end: u32, access: Visibility) {
        if let Some(open) = self.open.last_mut() {
            open.block_access = (end, access);
        }
    }

    /// Returns what holds for a member of the open definition at `start`.
    pub(super) fn access_at(&self, start: u32) -> Option<Visibility> {
        let open = self.open.last()?;
        let (end, access) = open.block_access;
        if start < end {
            Some(access)
        } else {
            open.access
        }
    }

    /// Returns the newest of the last [`MAX_LOOK_BACK`] definitions that is `name` of `parent`.
    pub(super) fn find_member(&self, parent: Option<u32>, name: &str) -> Option<u32> {
        let name = self.facts.names.find(name)?;
        let symbols = self.facts.symbols.iter().enumerate().rev();
        let mut near = symbols.take(MAX_LOOK_BACK);
        let found = near.find(|(_, symbol)| symbol.name == name && symbol.parent == parent);
        found.map(|(at, _)| at as u32)
    }

    /// Returns what [`Walk::set_access`] set for the open definition.
    pub(super) fn access(&self) -> Option<Visibility> {
        self.open.last().and_then(|open| open.access)
    }

    /// Returns whether this is the first question for a variable `name` of `parent`, for languages where
    /// an assignment defines.
    pub(super) fn is_first(&mut self, parent: Option<u32>, name: &str) -> bool {
        let name = self.facts.names.intern(name);
        let parent = parent.map_or(0, |parent| parent + 1);
        self.variables.insert((parent, name.0))
    }

    /// Returns the first type of this name that was defined so far.
    pub(super) fn find_type(&self, name: &str) -> Option<u32> {
        let name = self.facts.names.find(name)?;
        self.types.get(&name.0).copied()
    }

    /// Returns the node that holds the current one, `up` levels above the direct parent.
    pub(super) fn ancestor(&self, up: usize) -> Option<Node<'t>> {
        self.path.iter().rev().nth(up).copied()
    }

    /// Returns the child of `node` that the grammar calls `field`.
    pub(super) fn child(&self, node: Node<'t>, field: Field) -> Option<Node<'t>> {
        self.grammar.child(node, field)
    }

    /// Returns the first [`MAX_CHILDREN`] children of `node` that the grammar calls `field`.
    pub(super) fn children(&self, node: Node<'t>, field: Field) -> Vec<Node<'t>> {
        self.grammar.children(node, field, MAX_CHILDREN)
    }

    /// Returns the text of `node`.
    pub(super) fn text_of(&self, node: Node<'_>) -> &'t str {
        range_of(node).of(self.text)
    }

    /// Returns the whole text.
    pub(super) fn text(&self) -> &'t str {
        self.text
    }

    /// Cuts blanks from the end of `range`, and what ends a declaration too when asked.
    fn trimmed(&self, range: ByteRange, terminators: bool) -> ByteRange {
        let text = range.of(self.text);
        let kept = text.trim_end_matches(|c: char| {
            c.is_whitespace() || (terminators && (c == ';' || c == ','))
        });
        ByteRange::new(range.start, range.start + kept.len() as u32)
    }

    fn finish(mut self) -> FileFacts {
        if let Some(close) = self.grammar.close() {
            close(&mut self);
        }
        if !self
            .facts
            .symbols
            .is_sorted_by_key(|symbol| symbol.range.start)
        {
            sort_symbols(&mut self.facts);
        }
        self.facts
    }
}

/// Returns the bytes of `node`.
pub(super) fn range_of(node: Node<'_>) -> ByteRange {
    ByteRange::new(node.start_byte() as u32, node.end_byte() as u32)
}

/// Puts symbols in the order of their starts where a language found them in another one.
fn sort_symbols(facts: &mut FileFacts) {
    let mut order: Vec<u32> = (0..facts.symbols.len() as u32).collect();
    order.sort_by_key(|at| facts.symbols[*at as usize].range.start);
    let mut places = vec![0; order.len()];
    for (place, at) in order.iter().enumerate() {
        places[*at as usize] = place as u32;
    }
    let moved = |at: u32| places[at as usize];
    let sorted = order.iter().map(|at| facts.symbols[*at as usize].clone());
    let mut sorted: Vec<Symbol> = sorted.collect();
    for (at, symbol) in sorted.iter_mut().enumerate() {
        let parent = symbol.parent.map(moved);
        symbol.parent = parent.filter(|parent| (*parent as usize) < at);
    }
    facts.symbols = sorted;
    for reference in &mut facts.references {
        reference.enclosing = reference.enclosing.map(moved);
    }
}

/// Returns whether definitions within `kind` are local to a run of it.
pub(super) fn is_callable(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Function
            | SymbolKind::Method
            | SymbolKind::Constructor
            | SymbolKind::Operator
            | SymbolKind::Macro
    )
}
