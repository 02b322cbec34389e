//! A source to a view: the step between files on disk and answering.

use crate::error::Error;
use crate::settings::Source;
use crate::snapshot::local::{LocalRequest, ensure};
use crate::view::View;
use leantoken_builder::limits::Limits;
use leantoken_builder::progress::Progress;
use leantoken_formats::layout::MANIFESTS;
use leantoken_formats::verify::verify;
use leantoken_shared::digest::ContentHash;
use std::path::Path;
use std::sync::Arc;

/// Returns the view of `source` as it is now; `previous` itself when nothing has changed.
pub(super) fn mount(
    source: &Source,
    previous: Option<Arc<View>>,
    progress: &dyn Progress,
) -> Result<Arc<View>, Error> {
    match source {
        Source::Local { root, cache_dir } => local(root, cache_dir, previous, progress),
        Source::Snapshot { dir, generation } => prebuilt(dir, *generation, previous),
    }
}

/// Brings the local snapshot of `root` up to date and opens it. A damaged one is built anew, once.
fn local(
    root: &Path,
    cache: &Path,
    previous: Option<Arc<View>>,
    progress: &dyn Progress,
) -> Result<Arc<View>, Error> {
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
        if let Some(view) = &previous
            && view.generation() == found.generation.to_string()
        {
            return Ok(Arc::clone(view));
        }
        match View::open(&found.dir, &found.manifest) {
            Ok(view) => return Ok(Arc::new(view)),
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
    previous: Option<Arc<View>>,
) -> Result<Arc<View>, Error> {
    if let Some(view) = previous {
        return Ok(view);
    }
    let generation = match generation {
        Some(generation) => generation,
        None => only_generation(dir)?,
    };
    let report = verify(dir, &generation)?;
    Ok(Arc::new(View::open(dir, &report.manifest)?))
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
