//! The facts of one file, column by column: alike numbers side by side compress best.
//!
//! Order: counts of names, symbols, references, imports; notes; name lengths; name bytes; columns of
//! symbols; columns of references; imports. Positions are differences to what precedes, wrapping, so
//! that an unusual order costs bytes and nothing else. Lengths equal to that of the name are flags.

use super::{Decoded, Input, Malformed, flag, put, put_str};
use leantoken_shared::facts::{
    FileFacts, Import, ImportedName, NameId, Names, Notes, Reference, ReferenceKind, Symbol,
    SymbolKind, Visibility,
};
use leantoken_shared::text::ByteRange;

/// Of a symbol, beside parent distance.
const NAME_LEN: u8 = 1;
const HAS_DOC: u8 = 2;
const HAS_OWNER: u8 = 4;
/// Of a reference, beside kind.
const PLAIN_LEN: u8 = 4;
const SAME_ENCLOSING: u8 = 8;
/// Of an import.
const REEXPORT: u8 = 1;
const HAS_ALIAS: u8 = 2;

/// Returns whether `facts` keep the rules that [`decode`] checks.
pub(in crate::segment) fn check(facts: &FileFacts, text_len: u32) -> Decoded<()> {
    let n_names = facts.names.len() as u32;
    let n_symbols = facts.symbols.len() as u32;
    let inside = |range: ByteRange| range.start <= range.end && range.end <= text_len;
    for (at, symbol) in facts.symbols.iter().enumerate() {
        let ranges = [symbol.name_range, symbol.range, symbol.signature];
        if symbol.name.0 >= n_names || symbol.owner.is_some_and(|owner| owner.0 >= n_names) {
            return Err(Malformed("definition with an unknown name"));
        }
        if symbol.parent.is_some_and(|parent| parent as usize >= at) {
            return Err(Malformed("definition before the one around it"));
        }
        if !ranges.into_iter().chain(symbol.doc).all(inside) {
            return Err(Malformed("definition outside the text"));
        }
    }
    for reference in &facts.references {
        if reference.name.0 >= n_names {
            return Err(Malformed("reference with an unknown name"));
        }
        if reference.enclosing.is_some_and(|at| at >= n_symbols) {
            return Err(Malformed("reference within an unknown definition"));
        }
        if !inside(reference.range) {
            return Err(Malformed("reference outside the text"));
        }
    }
    if !facts.imports.iter().all(|import| inside(import.range)) {
        return Err(Malformed("import outside the text"));
    }
    Ok(())
}

pub(in crate::segment) fn encode(out: &mut Vec<u8>, facts: &FileFacts) {
    put(out, facts.names.len() as u64);
    put(out, facts.symbols.len() as u64);
    put(out, facts.references.len() as u64);
    put(out, facts.imports.len() as u64);
    out.push(facts.notes.0);
    for name in facts.names.iter() {
        put(out, name.len() as u64);
    }
    for name in facts.names.iter() {
        out.extend_from_slice(name.as_bytes());
    }
    put_symbols(out, facts);
    put_references(out, facts);
    put_imports(out, &facts.imports);
}

fn name_len(names: &Names, id: NameId) -> u32 {
    names.get(id).len() as u32
}

fn put_symbols(out: &mut Vec<u8>, facts: &FileFacts) {
    let symbols = &facts.symbols;
    for symbol in symbols {
        out.push(
            symbol.kind as u8 | u8::from(symbol.exported) << 5 | (symbol.visibility as u8) << 6,
        );
    }
    let has_name_len =
        |symbol: &Symbol| symbol.name_range.len() == name_len(&facts.names, symbol.name);
    for (at, symbol) in symbols.iter().enumerate() {
        let distance = symbol.parent.map_or(0, |parent| at as u32 - parent);
        let flags = flag(has_name_len(symbol), NAME_LEN)
            | flag(symbol.doc.is_some(), HAS_DOC)
            | flag(symbol.owner.is_some(), HAS_OWNER);
        put(out, u64::from(distance) << 3 | u64::from(flags));
    }
    for symbol in symbols {
        put(out, symbol.name.0);
    }
    for owner in symbols.iter().filter_map(|symbol| symbol.owner) {
        put(out, owner.0);
    }
    let mut last = 0;
    for symbol in symbols {
        put(out, symbol.range.start.wrapping_sub(last));
        put(out, symbol.range.len());
        last = symbol.range.start;
    }
    for symbol in symbols {
        put(
            out,
            symbol.name_range.start.wrapping_sub(symbol.range.start),
        );
        if !has_name_len(symbol) {
            put(out, symbol.name_range.len());
        }
    }
    for symbol in symbols {
        put(out, symbol.signature.start.wrapping_sub(symbol.range.start));
        put(out, symbol.signature.len());
    }
    for symbol in symbols {
        if let Some(doc) = symbol.doc {
            put(out, symbol.range.start.wrapping_sub(doc.end));
            put(out, doc.len());
        }
    }
}

fn put_references(out: &mut Vec<u8>, facts: &FileFacts) {
    let references = &facts.references;
    let plain =
        |reference: &Reference| reference.range.len() == name_len(&facts.names, reference.name);
    let mut enclosing = None;
    for reference in references {
        out.push(
            reference.kind as u8
                | flag(plain(reference), PLAIN_LEN)
                | flag(reference.enclosing == enclosing, SAME_ENCLOSING),
        );
        enclosing = reference.enclosing;
    }
    for reference in references {
        put(out, reference.name.0);
    }
    let mut last = 0;
    for reference in references {
        put(out, reference.range.start.wrapping_sub(last));
        last = reference.range.end;
    }
    for reference in references {
        if !plain(reference) {
            put(out, reference.range.len());
        }
    }
    let mut enclosing = None;
    for reference in references {
        if reference.enclosing != enclosing {
            enclosing = reference.enclosing;
            put(out, enclosing.map_or(0, |at| u64::from(at) + 1));
        }
    }
}

fn put_imports(out: &mut Vec<u8>, imports: &[Import]) {
    let mut last = 0;
    for import in imports {
        out.push(flag(import.reexport, REEXPORT) | flag(import.alias.is_some(), HAS_ALIAS));
        put(out, import.range.start.wrapping_sub(last));
        put(out, import.range.len());
        last = import.range.end;
        put_str(out, &import.module);
        if let Some(alias) = &import.alias {
            put_str(out, alias);
        }
        put(out, import.names.len() as u64);
        for name in &import.names {
            let tagged = (name.name.len() as u64) << 1 | u64::from(name.alias.is_some());
            put(out, tagged);
            out.extend_from_slice(name.name.as_bytes());
            if let Some(alias) = &name.alias {
                put_str(out, alias);
            }
        }
    }
}

/// Reads facts whose ranges lie within a text of `text_len` bytes.
pub(in crate::segment) fn decode(bytes: &[u8], text_len: u32) -> Decoded<FileFacts> {
    let mut input = Input::new(bytes);
    let n_names = input.count()?;
    let n_symbols = input.count()?;
    let n_references = input.count()?;
    let n_imports = input.count()?;
    if n_names + n_symbols + n_references + n_imports > input.len() {
        return Err(Malformed("count exceeds the data"));
    }
    let notes = Notes(input.byte()?);
    let names = take_names(&mut input, n_names)?;
    let symbols = take_symbols(&mut input, n_symbols, &names)?;
    let references = take_references(&mut input, n_references, &names)?;
    let imports = take_imports(&mut input, n_imports)?;
    input.finish()?;
    let facts = FileFacts {
        names,
        symbols,
        references,
        imports,
        notes,
    };
    check(&facts, text_len)?;
    Ok(facts)
}

fn take_names(input: &mut Input<'_>, n: usize) -> Decoded<Names> {
    let mut lens = Vec::with_capacity(n);
    for _ in 0..n {
        lens.push(input.u32()?);
    }
    let mut names = Names::default();
    for (at, len) in lens.into_iter().enumerate() {
        let name = std::str::from_utf8(input.take(len as usize)?)
            .map_err(|_| Malformed("name is not UTF-8"))?;
        if names.intern(name).0 as usize != at {
            return Err(Malformed("name stored twice"));
        }
    }
    Ok(names)
}

/// Returns the range of `len` bytes from `start`; overflow makes an inverted range, which is refused.
fn range(start: u32, len: u32) -> ByteRange {
    ByteRange::new(start, start.wrapping_add(len))
}

fn take_symbols(input: &mut Input<'_>, n: usize, names: &Names) -> Decoded<Vec<Symbol>> {
    let heads = input.take(n)?;
    let mut symbols = Vec::with_capacity(n);
    let mut flags = Vec::with_capacity(n);
    for (at, head) in heads.iter().enumerate() {
        let tagged = input.u32()?;
        let distance = tagged >> 3;
        flags.push((tagged & 7) as u8);
        let parent = match distance {
            0 => None,
            distance => Some(
                (at as u32)
                    .checked_sub(distance)
                    .ok_or(Malformed("definition before the one around it"))?,
            ),
        };
        symbols.push(Symbol {
            name: NameId(0),
            kind: SymbolKind::from_code(head & 31).ok_or(Malformed("unknown kind"))?,
            parent,
            owner: None,
            visibility: Visibility::from_code(head >> 6).ok_or(Malformed("unknown visibility"))?,
            exported: head & 32 != 0,
            name_range: ByteRange::default(),
            range: ByteRange::default(),
            signature: ByteRange::default(),
            doc: None,
        });
    }
    for symbol in &mut symbols {
        symbol.name = NameId(input.u32()?);
    }
    for (symbol, flags) in symbols.iter_mut().zip(&flags) {
        if flags & HAS_OWNER != 0 {
            symbol.owner = Some(NameId(input.u32()?));
        }
    }
    let mut last = 0u32;
    for symbol in &mut symbols {
        last = last.wrapping_add(input.u32()?);
        symbol.range = range(last, input.u32()?);
    }
    for (symbol, flags) in symbols.iter_mut().zip(&flags) {
        let start = symbol.range.start.wrapping_add(input.u32()?);
        let len = if flags & NAME_LEN != 0 {
            name_len(names, symbol.name)
        } else {
            input.u32()?
        };
        symbol.name_range = range(start, len);
    }
    for symbol in &mut symbols {
        let start = symbol.range.start.wrapping_add(input.u32()?);
        symbol.signature = range(start, input.u32()?);
    }
    for (symbol, flags) in symbols.iter_mut().zip(&flags) {
        if flags & HAS_DOC != 0 {
            let end = symbol.range.start.wrapping_sub(input.u32()?);
            symbol.doc = Some(ByteRange::new(end.wrapping_sub(input.u32()?), end));
        }
    }
    Ok(symbols)
}

fn take_references(input: &mut Input<'_>, n: usize, names: &Names) -> Decoded<Vec<Reference>> {
    let heads = input.take(n)?;
    let mut references = Vec::with_capacity(n);
    for head in heads {
        references.push(Reference {
            name: NameId(input.u32()?),
            range: ByteRange::default(),
            enclosing: None,
            kind: ReferenceKind::from_code(head & 3).ok_or(Malformed("unknown use"))?,
        });
    }
    // Starts are relative to the end before, so lengths must be known first: two looks at the starts.
    let mut starts = input.clone();
    for _ in 0..n {
        input.u32()?;
    }
    let mut last = 0u32;
    for (reference, head) in references.iter_mut().zip(heads) {
        let start = last.wrapping_add(starts.u32()?);
        let len = if head & PLAIN_LEN != 0 {
            name_len(names, reference.name)
        } else {
            input.u32()?
        };
        reference.range = range(start, len);
        last = reference.range.end;
    }
    let mut enclosing = None;
    for (reference, head) in references.iter_mut().zip(heads) {
        if head & SAME_ENCLOSING == 0 {
            enclosing = input.u32()?.checked_sub(1);
        }
        reference.enclosing = enclosing;
    }
    Ok(references)
}

fn take_imports(input: &mut Input<'_>, n: usize) -> Decoded<Vec<Import>> {
    let mut imports = Vec::with_capacity(n);
    let mut last = 0u32;
    for _ in 0..n {
        let flags = input.byte()?;
        let start = last.wrapping_add(input.u32()?);
        let range = range(start, input.u32()?);
        last = range.end;
        let module = input.str()?.to_string();
        let alias = (flags & HAS_ALIAS != 0)
            .then(|| input.str().map(str::to_string))
            .transpose()?;
        let n_names = input.count()?;
        let mut names = Vec::with_capacity(n_names);
        for _ in 0..n_names {
            names.push(take_imported(input)?);
        }
        imports.push(Import {
            module,
            names,
            alias,
            reexport: flags & REEXPORT != 0,
            range,
        });
    }
    Ok(imports)
}

fn take_imported(input: &mut Input<'_>) -> Decoded<ImportedName> {
    let tagged = input.u64()?;
    let len = usize::try_from(tagged >> 1).map_err(|_| Malformed("number too large"))?;
    let name = std::str::from_utf8(input.take(len)?).map_err(|_| Malformed("name is not UTF-8"))?;
    Ok(ImportedName {
        name: name.to_string(),
        alias: (tagged & 1 != 0)
            .then(|| input.str().map(str::to_string))
            .transpose()?,
    })
}
