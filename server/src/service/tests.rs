use super::*;
use crate::api::request::{SearchRequest, StatusRequest};
use crate::query::answer::Freshness;
use leantoken_builder::progress::Silent;
use leantoken_shared::tokens::Tokenizer;

struct Site {
    _dir: tempfile::TempDir,
    root: std::path::PathBuf,
    source: Source,
}

fn site() -> Site {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("root");
    std::fs::create_dir(&root).unwrap();
    std::fs::write(root.join("a.rs"), "fn first() {}\n").unwrap();
    Site {
        source: Source::Local {
            root: root.clone(),
            cache_dir: dir.path().join("cache"),
        },
        root,
        _dir: dir,
    }
}

fn impatient() -> Limits {
    Limits {
        first_build_wait: Duration::ZERO,
        refresh_wait: Duration::ZERO,
        recheck_after: Duration::ZERO,
        ..Limits::default()
    }
}

fn ask(service: &Service, text: &str, patience: Patience<'_>) -> Result<Answer, Error> {
    let request = Request::Search(SearchRequest {
        query: text.into(),
        mode: Some("text".into()),
        ..SearchRequest::default()
    });
    let defaults = Defaults {
        max_tokens: None,
        max_bytes: 10_000,
        tokenizer: Tokenizer::default(),
    };
    service.ask(
        &request,
        (Form::Text, defaults),
        &Deadline::default(),
        patience,
    )
}

#[test]
fn who_cannot_wait_for_the_first_build_is_told_to_come_again() {
    let site = site();
    let service = Service::new(site.source, impatient());
    let error = ask(&service, "first", Patience::Bounded).unwrap_err();
    assert!(error.is_retryable(), "{error}");
    assert_eq!(error.category().as_str(), "unavailable");
    assert!(error.to_string().contains("is being built"), "{error}");
    // A bad request is refused without a view.
    let error = ask(&service, "", Patience::Bounded).unwrap_err();
    assert_eq!(error.field(), Some("query"));
}

#[test]
fn who_cannot_wait_for_a_check_gets_the_older_view_and_is_told() {
    let site = site();
    let service = Service::new(site.source, impatient());
    let first = ask(&service, "first", Patience::Endless(&Silent)).unwrap();
    assert_eq!(
        (first.extent.total, first.source.freshness),
        (1, Freshness::Fresh)
    );
    std::fs::write(site.root.join("b.rs"), "fn second() {}\n").unwrap();
    let late = ask(&service, "second", Patience::Bounded).unwrap();
    assert_ne!(late.source.freshness, Freshness::Fresh);
    let waited = ask(&service, "second", Patience::Endless(&Silent)).unwrap();
    assert_eq!(
        (waited.extent.total, waited.source.freshness),
        (1, Freshness::Fresh)
    );
}

#[test]
fn a_root_that_vanishes_is_an_error_until_it_is_back() {
    let site = site();
    let limits = Limits {
        recheck_after: Duration::ZERO,
        ..Limits::default()
    };
    let service = Service::new(site.source, limits);
    let away = site.root.with_extension("away");
    std::fs::rename(&site.root, &away).unwrap();
    assert!(ask(&service, "first", Patience::Bounded).is_err());
    std::fs::rename(&away, &site.root).unwrap();
    assert_eq!(
        ask(&service, "first", Patience::Bounded)
            .unwrap()
            .extent
            .total,
        1
    );
    // With a view at hand it is served, and not called fresh.
    std::fs::rename(&site.root, &away).unwrap();
    let kept = ask(&service, "first", Patience::Bounded).unwrap();
    assert_eq!(
        (kept.extent.total, kept.source.freshness),
        (1, Freshness::Unknown)
    );
}

#[test]
fn closing_ends_every_wait() {
    let site = site();
    let service = Service::new(site.source, Limits::default());
    service.close();
    let request = Request::Status(StatusRequest::default());
    let defaults = Defaults {
        max_tokens: None,
        max_bytes: 10_000,
        tokenizer: Tokenizer::default(),
    };
    let form = (Form::Text, defaults);
    let error = service.ask(&request, form, &Deadline::default(), Patience::Bounded);
    assert!(error.unwrap_err().is_retryable());
}

#[test]
fn what_is_called_fresh_holds_what_was_written_before_the_call() {
    let site = site();
    let service = Service::new(site.source, Limits::default());
    ask(&service, "first", Patience::Endless(&Silent)).unwrap();
    for round in 0..20 {
        let name = format!("written_{round}");
        let text = format!("fn {name}() {{}}\n");
        std::fs::write(site.root.join(format!("{name}.rs")), text).unwrap();
        let answer = ask(&service, &name, Patience::Bounded).unwrap();
        // Else it says that it comes from a look that was made for an earlier call.
        if answer.source.freshness == Freshness::Fresh {
            assert_eq!(answer.extent.total, 1, "{name}");
        }
    }
}
