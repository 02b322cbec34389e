//! The tool catalogue against what hosts accept, and replies against their own schemas.

use super::peer::Peer;
use crate::program::Site;
use leantoken_shared::tokens::Tokenizer;
use serde_json::{Value, json};

const WORDS_THAT_BREAK_HOSTS: [&str; 13] = [
    "$ref",
    "$defs",
    "$schema",
    "anyOf",
    "oneOf",
    "allOf",
    "const",
    "format",
    "default",
    "nullable",
    "definitions",
    "title",
    "not",
];

/// Calls `check` for every object that is a schema, with its place.
fn each_schema(place: &str, schema: &Value, check: &mut dyn FnMut(&str, &Value)) {
    check(place, schema);
    if let Some(properties) = schema["properties"].as_object() {
        for (name, inner) in properties {
            each_schema(&format!("{place}.{name}"), inner, check);
        }
    }
    if let Some(items) = schema.get("items") {
        each_schema(&format!("{place}[]"), items, check);
    }
}

fn is_plain(place: &str, schema: &Value) {
    for word in WORDS_THAT_BREAK_HOSTS {
        assert!(schema.get(word).is_none(), "{place} has {word}");
    }
    let kind = schema["type"].as_str();
    assert!(kind.is_some_and(|kind| kind != "null"), "{place}: {schema}");
    assert!(
        kind != Some("array") || schema["items"].is_object(),
        "{place} has no items"
    );
    assert!(
        kind != Some("object") || schema["properties"].is_object(),
        "{place}: properties"
    );
}

#[test]
fn the_catalogue_keeps_every_rule_of_hosts() {
    let site = Site::new();
    let mut peer = super::start(&site);
    let ready = peer.request("tools/list", json!({}));
    let tools = ready["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["outline", "read", "search", "status"]);
    for tool in tools {
        let name = tool["name"].as_str().unwrap();
        let about = tool["description"].as_str().unwrap();
        assert!(about.len() <= 400, "{name}: {}", about.len());
        let input = &tool["inputSchema"];
        each_schema(name, input, &mut is_plain);
        assert_eq!(input["type"], "object");
        assert_eq!(input["additionalProperties"], false);
        let properties = input["properties"].as_object().unwrap();
        assert!(properties.len() <= 9, "{name}");
        for (field, schema) in properties {
            let place = format!("{name}.{field}");
            let inner = if schema["type"] == "array" {
                &schema["items"]
            } else {
                schema
            };
            let flat = ["string", "integer", "boolean"];
            assert!(flat.contains(&inner["type"].as_str().unwrap()), "{place}");
            if schema["type"] == "integer" {
                assert!(
                    schema["minimum"].is_u64() && schema["maximum"].is_u64(),
                    "{place}"
                );
            }
        }
        let annotations = &tool["annotations"];
        assert_eq!(annotations["readOnlyHint"], true);
        assert_eq!(annotations["destructiveHint"], false);
        assert_eq!(annotations["idempotentHint"], true);
        assert_eq!(annotations["openWorldHint"], false);
        let is_loaded = tool["_meta"]["anthropic/alwaysLoad"] == true;
        assert_eq!(is_loaded, ["search", "read"].contains(&name), "{name}");
        assert!(tool.get("outputSchema").is_none(), "{name}");
    }
    let size = Tokenizer::O200kBase.count(&ready["result"]["tools"].to_string());
    assert!(size <= 2000, "the catalogue takes {size} tokens");
}

#[test]
fn the_instructions_are_short() {
    let site = Site::new();
    let mut peer = Peer::silent(site.command().arg("mcp"));
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"}});
    let ready = peer.request("initialize", hello);
    assert_eq!(ready["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(
        ready["result"]["serverInfo"]["version"],
        env!("CARGO_PKG_VERSION")
    );
    let instructions = ready["result"]["instructions"].as_str().unwrap();
    assert!(instructions.len() <= 1200, "{}", instructions.len());
    assert!(instructions.starts_with("Use when"));
}

/// Checks `value` against the part of JSON Schema that our schemas use, strictly: a field that the
/// schema does not name is a fault.
fn conforms(place: &str, value: &Value, schema: &Value) {
    let fits = match schema["type"].as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_u64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        _ => false,
    };
    assert!(fits, "{place}: {value} is not {}", schema["type"]);
    if let Some(fields) = value.as_object() {
        for (name, inner) in fields {
            let property = &schema["properties"][name];
            assert!(property.is_object(), "{place}.{name} is not in the schema");
            conforms(&format!("{place}.{name}"), inner, property);
        }
        for name in schema["required"].as_array().into_iter().flatten() {
            assert!(
                fields.contains_key(name.as_str().unwrap()),
                "{place}: {name} is missing"
            );
        }
    }
    for inner in value.as_array().into_iter().flatten() {
        conforms(&format!("{place}[]"), inner, &schema["items"]);
    }
}

#[test]
fn structured_replies_are_what_their_schemas_say() {
    let site = Site::new();
    for form in ["structured", "dual"] {
        let mut peer = Peer::start(site.command().args(["mcp", "--result", form]));
        let tools = peer.tools();
        for (tool, arguments) in [
            ("search", json!({"query": "insert", "limit": 1})),
            (
                "search",
                json!({"query": "insert", "mode": "text", "context": 1}),
            ),
            ("search", json!({"query": "insert", "mode": "reference"})),
            ("search", json!({"query": "Store", "mode": "symbol"})),
            ("search", json!({"query": "storers", "mode": "path"})),
            ("outline", json!({})),
            ("outline", json!({"paths": ["**/*.rs"]})),
            ("outline", json!({"paths": ["src/store.rs", "README.md"]})),
            (
                "read",
                json!({"targets": ["src/store.rs:1-3", "Store.insert"]}),
            ),
            ("status", json!({})),
        ] {
            let result = peer.call(tool, arguments.clone());
            let listed = tools.iter().find(|listed| listed["name"] == tool).unwrap();
            let schema = &listed["outputSchema"];
            each_schema(tool, schema, &mut is_plain);
            let structured = &result["structuredContent"];
            assert!(structured.is_object(), "{tool}({arguments}): {result}");
            conforms(tool, structured, schema);
            let blocks = result["content"].as_array().unwrap().len();
            assert_eq!(blocks, usize::from(form == "dual"), "{result}");
        }
        let refused = peer.call("search", json!({"query": ""}));
        super::check_error(&refused, &["query is empty"]);
        assert_eq!(peer.end(), 0);
    }
}

#[test]
fn search_hits_are_in_rank_order_with_lines() {
    let site = Site::new();
    let mut peer = Peer::start(site.command().args(["mcp", "--result", "structured"]));
    let result = peer.call("search", json!({"query": "open store", "limit": 10}));
    let hits = result["structuredContent"]["hits"].as_array().unwrap();
    assert!(!hits.is_empty());
    for hit in hits {
        let (start, end) = (
            hit["start_line"].as_u64().unwrap(),
            hit["end_line"].as_u64().unwrap(),
        );
        assert!(
            1 <= start && start <= end && hit["path"].is_string(),
            "{hit}"
        );
    }
}
