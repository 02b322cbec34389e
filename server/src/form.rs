//! The forms an answer is sent in, and how large it is in each.
//!
//! Not here: the forms themselves (see `render` and `api::document`). What is measured is the very
//! text that is sent, so a budget holds over what the caller receives.

use crate::api::document::{to_json, to_value};
use crate::query::answer::{Answer, Body, Freshness};
use crate::query::measure::{Measure, Size};
use crate::render;
use leantoken_builder::discover::Ignored;
use leantoken_shared::tokens::Tokenizer;
use serde_json::Value;

/// How an answer is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Compact text.
    Text,
    /// One line of JSON on stdout.
    Json,
    /// The same document as the structured content of a tool result.
    Structured,
    /// Text and structured content in one tool result; either may reach the model.
    Dual,
}

/// Measures answers in one form, as they are once the service has filled in what it knows.
#[derive(Clone, Copy, Debug)]
pub struct FormMeasure<'a> {
    /// The form.
    pub form: Form,
    /// Counts tokens by this vocabulary; `None` counts bytes only.
    pub tokenizer: Option<Tokenizer>,
    /// How the snapshot relates to the disk: known to who asks, not to who answers.
    pub freshness: Freshness,
    /// The root that is served, shown by a status.
    pub root: &'a str,
    /// What the ignore rules left out, shown by a status.
    pub ignored: &'a Ignored,
    /// Why the index holds so little, where it does; said by a status and where nothing was found.
    pub scarcity: Option<&'a str>,
}

impl FormMeasure<'_> {
    /// Fills in what the service knows and the engine does not.
    pub fn complete(&self, answer: &mut Answer) {
        answer.source.freshness = self.freshness;
        if let Some(scarcity) = self.unsaid(answer) {
            answer.notices.insert(0, scarcity.to_owned());
        }
        if let Body::Status(status) = &mut answer.body {
            status.root = self.root.to_owned();
            status.ignored = self.ignored.counts().collect();
        }
    }

    /// Returns why the index holds so little if `answer` must say so and does not yet.
    fn unsaid(&self, answer: &Answer) -> Option<&str> {
        let is_bare = answer.extent.total == 0 || matches!(answer.body, Body::Status(_));
        let said = |scarcity: &&str| answer.notices.iter().any(|notice| notice == scarcity);
        self.scarcity.filter(|scarcity| is_bare && !said(scarcity))
    }
}

/// A serialized answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Serialized {
    /// The text, for forms that have one.
    pub text: Option<String>,
    /// The document, for forms that have one.
    pub document: Option<Value>,
}

impl Form {
    fn has_text(self) -> bool {
        matches!(self, Form::Text | Form::Dual)
    }

    fn has_document(self) -> bool {
        matches!(self, Form::Structured | Form::Dual)
    }

    /// Returns `answer` as it is sent by a tool.
    pub fn serialize(self, answer: &Answer) -> Serialized {
        Serialized {
            text: self
                .has_text()
                .then(|| render::text(answer, answer.source.freshness)),
            document: self
                .has_document()
                .then(|| to_value(answer, answer.source.freshness)),
        }
    }
}

impl Measure for FormMeasure<'_> {
    fn measure(&self, answer: &Answer) -> Size {
        let is_status = matches!(&answer.body, Body::Status(s) if s.root != self.root);
        if is_status || self.unsaid(answer).is_some() {
            let mut complete = answer.clone();
            self.complete(&mut complete);
            return self.measure(&complete);
        }
        let mut size = Size {
            bytes: 0,
            tokens: self.tokenizer.map(|_| 0),
        };
        let mut add = |text: &str| {
            size.bytes = size.bytes.saturating_add(text.len() as u32);
            let more = self.tokenizer.map_or(0, |tokenizer| tokenizer.count(text));
            size.tokens = size.tokens.map(|tokens| tokens.saturating_add(more));
        };
        if self.form == Form::Json {
            add(&to_json(answer, self.freshness));
        }
        if self.form.has_text() {
            add(&render::text(answer, self.freshness));
        }
        if self.form.has_document() {
            // As a value its fields are in another order, which can take other tokens.
            add(&to_value(answer, self.freshness).to_string());
        }
        size
    }
}
