//! A source to a view: the step between files on disk and answering.

use crate::error::Error;
use crate::settings::Source;
use crate::snapshot::local::{LocalRequest, ensure};
use crate::view::View;
use leantoken_builder::discover::Ignored;
use leantoken_builder::limits::Limits;
use leantoken_builder::progress::Progress;
use leantoken_formats::layout::MANIFESTS;
use leantoken_formats::verify::verify;
use leantoken_shared::digest::ContentHash;
use std::path::Path;
use std::sync::Arc;

/// A view and what is known about the look at the tree that it speaks for.
#[derive(Clone, Debug)]
pub(super) struct Mounted {
    pub(super) view: Arc<View>,
    /// What the ignore rules left out; nothing for a prebuilt snapshot, where nobody looked.
    pub(super) ignored: Arc<Ignored>,
}

/// Returns the view of `source` as it is now; `previous` itself when nothing has changed.
pub(super) fn mount(
    source: &Source,
    previous: Option<Mounted>,
    progress: &dyn Progress,
) -> Result<Mounted, Error> {
    match source {
        Source::Local { root, cache_dir } => local(root, cache_dir, previous, progress),
        Source::Snapshot { dir, generation } => prebuilt(dir, *generation, previous),
    }
}

/// Brings the local snapshot of `root` up to date and opens it. A damaged one is built anew, once.
fn local(
    root: &Path,
    cache: &Path,
    previous: Option<Mounted>,
    progress: &dyn Progress,
) -> Result<Mounted, Error> {
    let mut request = LocalRequest {
        root,
        cache,
        // Which roots are too wide was decided with the settings.
        home: None,
        force_root: false,
        wait: None,
        refused: None,
        threads: leantoken_builder::default_threads(),
        limits: Limits::STANDARD,
    };
    loop {
        let found = ensure(&request, progress)?;
        let ignored = Arc::new(found.ignored);
        if let Some(known) = &previous
            && known.view.generation() == found.generation.to_string()
        {
            let view = Arc::clone(&known.view);
            return Ok(Mounted { view, ignored });
        }
        match View::open(&found.dir, &found.manifest) {
            Ok(view) => {
                let view = Arc::new(view);
                return Ok(Mounted { view, ignored });
            }
            Err(error) if request.refused.is_none() => {
                tracing::warn!("the local snapshot is built anew: {error}");
                request.refused = Some(found.generation);
            }
            Err(error) => return Err(error.into()),
        }
    }
}

/// Opens a prebuilt snapshot after every byte was compared with its manifest.
fn prebuilt(
    dir: &Path,
    generation: Option<ContentHash>,
    previous: Option<Mounted>,
) -> Result<Mounted, Error> {
    if let Some(known) = previous {
        return Ok(known);
    }
    let generation = match generation {
        Some(generation) => generation,
        None => only_generation(dir)?,
    };
    let report = verify(dir, &generation)?;
    Ok(Mounted {
        view: Arc::new(View::open(dir, &report.manifest)?),
        ignored: Arc::default(),
    })
}

/// Returns the one snapshot that lies in `dir`.
fn only_generation(dir: &Path) -> Result<ContentHash, Error> {
    let entries = std::fs::read_dir(dir.join(MANIFESTS)).map_err(|error| Error::Root {
        message: format!("{} holds no snapshot: {error}", dir.display()),
        hint: "build one with leantoken-build build --out DIR".into(),
    })?;
    let mut found: Vec<ContentHash> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name();
            ContentHash::from_hex(name.to_str()?.strip_suffix(".json")?)
        })
        .collect();
    found.sort();
    match found.as_slice() {
        [one] => Ok(*one),
        [] => Err(Error::Root {
            message: format!("{} holds no snapshot", dir.display()),
            hint: "build one with leantoken-build build --out DIR".into(),
        }),
        many => {
            let names: Vec<String> = many.iter().take(5).map(ToString::to_string).collect();
            Err(Error::Root {
                message: format!("{} holds {} snapshots", dir.display(), many.len()),
                hint: format!("name one, as in --snapshot DIR#{}", names.join(" or DIR#")),
            })
        }
    }
}
