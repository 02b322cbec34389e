//! Loose JSON arguments to a typed request.
//!
//! Hosts send `"20"` for 20, one string for a list, a list as JSON text, null for absent; all of
//! these are understood. A field that does not exist is an error that names it, never ignored.

use super::catalog::{Field, Shape};
use crate::error::Error;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// Parses `arguments` as a request with `fields`.
///
/// # Errors
/// Names the field that is unknown or has a value of another type.
pub fn parse<R: DeserializeOwned>(
    arguments: Map<String, Value>,
    fields: &[Field],
) -> Result<R, Error> {
    let clean = conform(fields, arguments)?;
    let missing = fields
        .iter()
        .find(|field| field.required && !clean.contains_key(field.name));
    if let Some(field) = missing {
        return Err(absent(field));
    }
    serde_json::from_value(Value::Object(clean)).map_err(|error| Error::Internal(error.to_string()))
}

/// Returns `arguments` with the types that the schema names, without those that are null.
pub(super) fn conform(
    fields: &[Field],
    arguments: Map<String, Value>,
) -> Result<Map<String, Value>, Error> {
    let mut clean = Map::new();
    for (name, value) in arguments {
        let field = fields
            .iter()
            .find(|field| field.name == name)
            .ok_or_else(|| unknown(&name, fields))?;
        if !value.is_null() {
            clean.insert(name, coerce(field, value)?);
        }
    }
    Ok(clean)
}

fn absent(field: &Field) -> Error {
    Error::Request {
        field: field.name.into(),
        message: format!("{} is missing", field.name),
        allowed: field.about.into(),
        // Targets that exist nobody can guess.
        suggestion: match field.shape {
            Shape::Text => json!("words or a name"),
            _ => Value::Null,
        },
    }
}

fn unknown(name: &str, fields: &[Field]) -> Error {
    let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
    Error::Request {
        field: name.into(),
        message: format!("unknown argument '{}'", shorten(name)),
        allowed: if names.is_empty() {
            "no arguments".into()
        } else {
            names.join(", ")
        },
        suggestion: Value::Null,
    }
}

fn coerce(field: &Field, value: Value) -> Result<Value, Error> {
    match field.shape {
        Shape::Text | Shape::Choice(_) => text(field, value),
        Shape::Integer(min, max) => integer(field, value, min, max),
        Shape::List | Shape::Kinds => list(field, value),
    }
}

fn text(field: &Field, value: Value) -> Result<Value, Error> {
    match value {
        Value::String(_) => Ok(value),
        Value::Number(number) => Ok(json!(number.to_string())),
        Value::Bool(flag) => Ok(json!(flag.to_string())),
        _ => Err(wrong(field, "a string", Value::Null)),
    }
}

fn integer(field: &Field, value: Value, min: u32, max: u32) -> Result<Value, Error> {
    let number = match &value {
        Value::Number(number) => number.as_i64().or_else(|| whole(number.as_f64())),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.map(|number| json!(number)).ok_or_else(|| {
        let wanted = format!("a whole number from {min} to {max}");
        wrong(field, &wanted, json!(min.max(20).min(max)))
    })
}

fn whole(number: Option<f64>) -> Option<i64> {
    let number = number?;
    (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64)
}

fn list(field: &Field, value: Value) -> Result<Value, Error> {
    let items = match value {
        Value::Array(items) => items,
        Value::String(text) if text.trim_start().starts_with('[') => {
            // A glob may open with a character class: only a JSON list of strings counts as one.
            match serde_json::from_str::<Vec<String>>(&text) {
                Ok(items) => items.into_iter().map(Value::String).collect(),
                Err(_) => vec![Value::String(text)],
            }
        }
        Value::String(text) if text.is_empty() => Vec::new(),
        text @ Value::String(_) => vec![text],
        _ => return Err(wrong(field, "a list of strings", Value::Null)),
    };
    if items.iter().all(Value::is_string) {
        return Ok(Value::Array(items));
    }
    Err(wrong(field, "a list of strings", Value::Null))
}

fn wrong(field: &Field, wanted: &str, suggestion: Value) -> Error {
    Error::Request {
        field: field.name.into(),
        message: format!("{} must be {wanted}", field.name),
        allowed: wanted.into(),
        suggestion,
    }
}

/// Returns `text` cut to what an error message can carry.
pub(super) fn shorten(text: &str) -> String {
    const MAX_SHOWN: usize = 80;
    if text.chars().count() <= MAX_SHOWN {
        return text.into();
    }
    let head: String = text.chars().take(MAX_SHOWN).collect();
    format!("{head}…")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::catalog;
    use crate::api::request::SearchRequest;

    fn parse_search(arguments: Value) -> Result<SearchRequest, Error> {
        let Value::Object(map) = arguments else {
            unreachable!("tests hand in objects")
        };
        parse(map, catalog::SEARCH)
    }

    #[test]
    fn what_hosts_really_send_is_understood() {
        let request = parse_search(json!({
            "query": "x", "limit": "20", "context": 2.0, "paths": "[\"src/**\",\"!*.md\"]",
            "kind": "function", "cursor": null, "mode": "text",
        }))
        .unwrap();
        assert_eq!((request.limit, request.context), (Some(20), Some(2)));
        assert_eq!(request.paths, ["src/**", "!*.md"]);
        assert_eq!(request.kind, ["function"]);
        assert_eq!(request.cursor, None);
        let glob = parse_search(json!({"query": 42, "paths": "[ab]*.rs"})).unwrap();
        assert_eq!(
            (glob.query.as_str(), glob.paths[0].as_str()),
            ("42", "[ab]*.rs")
        );
    }

    #[test]
    fn wrong_arguments_are_named() {
        let unknown = parse_search(json!({"query": "x", "max_results": 3})).unwrap_err();
        assert_eq!(unknown.field(), Some("max_results"));
        assert!(unknown.hint().unwrap().contains("limit"));
        let typed = parse_search(json!({"query": "x", "limit": "many"})).unwrap_err();
        assert!(typed.to_string().contains("from 1 to 1000"));
        for absent in [json!({}), json!({"query": null, "limit": 3})] {
            let absent = parse_search(absent).unwrap_err();
            assert_eq!(absent.to_string(), "query is missing");
            assert!(absent.hint().unwrap().contains("literal text"));
        }
        assert!(parse_search(json!({"query": {"a": 1}})).is_err());
        assert!(parse_search(json!({"query": "x", "paths": [1]})).is_err());
    }

    #[test]
    fn every_field_of_the_table_is_a_field_of_its_request() {
        use crate::api::request::{OutlineRequest, ReadRequest, StatusRequest};
        fn check<R: DeserializeOwned>(fields: &[Field]) {
            for field in fields {
                let value = match field.shape {
                    Shape::Integer(min, _) => json!(min),
                    Shape::Text => json!("x"),
                    Shape::Choice(names) => json!(names[0]),
                    Shape::List | Shape::Kinds => json!(["x"]),
                };
                let needed = fields.iter().filter(|field| field.required);
                let mut map: Map<_, _> = needed
                    .map(|field| (field.name.into(), json!("x")))
                    .collect();
                map.insert(field.name.into(), value);
                assert!(parse::<R>(map, fields).is_ok(), "{}", field.name);
            }
        }
        check::<SearchRequest>(catalog::SEARCH);
        check::<OutlineRequest>(catalog::OUTLINE);
        check::<ReadRequest>(catalog::READ);
        check::<StatusRequest>(catalog::STATUS);
    }
}
