//! The MCP server from outside: handshakes of both eras, tools, results, errors, ends.

mod peer;
mod schema;

use crate::program::{Run, Site};
use leantoken_shared::tokens::Tokenizer;
use peer::{Peer, text};
use serde_json::{Value, json};

fn start(site: &Site) -> Peer {
    Peer::start(site.command().arg("mcp"))
}

#[track_caller]
fn check_error(result: &Value, said: &[&str]) {
    assert_eq!(result["isError"], true, "{result}");
    let text = text(result);
    assert!(
        text.starts_with("error: ") && text.contains("\nretryable: "),
        "{text}"
    );
    for words in said {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn every_tool_answers_with_one_block_of_text() {
    let site = Site::new();
    let mut peer = start(&site);
    for (tool, arguments, wanted) in [
        ("search", json!({"query": "insert"}), "src/store.rs"),
        (
            "search",
            json!({"query": "values.push", "mode": "text"}),
            "self.values.push",
        ),
        (
            "search",
            json!({"query": "storers", "mode": "path"}),
            "src/store.rs",
        ),
        ("outline", json!({}), "src/"),
        ("outline", json!({"paths": "src"}), "store.rs"),
        (
            "outline",
            json!({"paths": ["src/store.rs"]}),
            "pub fn open() -> Store",
        ),
        ("outline", json!({"paths": ["**/*.py"]}), "tools/run.py"),
        (
            "read",
            json!({"targets": ["src/store.rs:9-11", "README.md#Usage notes"]}),
            "Run it.",
        ),
        (
            "read",
            json!({"targets": "Store.insert"}),
            "self.values.push(value);",
        ),
        ("status", json!({}), "indexed: 6 files"),
    ] {
        let result = peer.call(tool, arguments.clone());
        assert_ne!(result["isError"], true, "{tool}({arguments}): {result}");
        assert_eq!(result["content"].as_array().unwrap().len(), 1);
        assert!(result.get("structuredContent").is_none(), "{result}");
        assert!(
            text(&result).contains(wanted),
            "{tool}({arguments}):\n{}",
            text(&result)
        );
        let first = text(&result).lines().next().unwrap();
        // The next call may come within the time for which a look at the disk holds.
        let is_current = first.contains("; fresh") || first.contains("; recent");
        assert!(first.contains(" gen ") && is_current, "{first}");
    }
    assert_eq!(peer.end(), 0);
}

#[test]
fn arguments_are_taken_as_hosts_send_them() {
    let site = Site::new();
    let mut peer = start(&site);
    let arguments = json!({
        "query": "insert", "limit": "1", "mode": "text", "cursor": null,
        "paths": "[\"src/**\"]", "kind": [],
    });
    let result = peer.call("search", arguments);
    assert!(
        text(&result).starts_with("search: 1 of 2 matches in 2 files"),
        "{result}"
    );
    let absolute = site.root().canonicalize().unwrap().join("src/main.rs:1");
    let result = peer.call("read", json!({"targets": [absolute]}));
    assert!(text(&result).contains("1:mod store;"), "{result}");
}

#[test]
fn errors_say_what_is_wrong_and_what_would_work() {
    let site = Site::new();
    let mut peer = start(&site);
    for (tool, arguments, said) in [
        (
            "search",
            json!({"query": "x", "max_results": 0}),
            vec!["unknown argument 'max_results'", "limit"],
        ),
        (
            "search",
            json!({"query": "x", "limit": 0}),
            vec!["1 to 1000", "\ntry: search({", "\"limit\":20"],
        ),
        (
            "search",
            json!({}),
            vec![
                "query is missing",
                "\nhint: allowed: Words",
                "\ntry: search({\"query\":",
            ],
        ),
        (
            "search",
            json!({"query": "x", "mode": "grep"}),
            vec!["auto, text, regex, symbol, reference, path"],
        ),
        (
            "search",
            json!({"query": "foo|Bar(", "mode": "regex"}),
            vec![
                "invalid_request",
                "unclosed group at character 8",
                "\"mode\":\"text\"",
            ],
        ),
        (
            "search",
            json!({"query": "x", "paths": ["src/[a"]}),
            vec!["src/[a"],
        ),
        (
            "search",
            json!({"query": "x", "max_tokens": 10}),
            vec!["50 to 200000"],
        ),
        (
            "search",
            json!({"query": "x", "cursor": "zzz"}),
            vec!["cursor"],
        ),
        (
            "search",
            json!({"query": "x", "limit": {"n": 1}}),
            vec!["limit must be a whole number"],
        ),
        ("read", json!({"targets": []}), vec!["no target given"]),
        (
            "read",
            json!({"targets": ["../../etc/passwd"]}),
            vec!["invalid_request"],
        ),
        (
            "read",
            json!({"targets": ["gone.rs"]}),
            vec!["not_found", "gone.rs"],
        ),
        (
            "read",
            json!({"targets": ["open"]}),
            vec!["ambiguous", "src/store.rs", "tools/run.py"],
        ),
        (
            "status",
            json!({"verbose": true}),
            vec!["unknown argument 'verbose'"],
        ),
    ] {
        let result = peer.call(tool, arguments);
        check_error(&result, &said);
        assert!(result.get("structuredContent").is_none());
    }
    let response = peer.request("tools/call", json!({"name": "grep", "arguments": {}}));
    assert_eq!(response["error"]["code"], -32602, "{response}");
    assert!(
        response["error"]["message"]
            .as_str()
            .unwrap()
            .contains("search")
    );
    let response = peer.request("prompts/list", json!({}));
    assert_eq!(response["error"]["code"], -32601, "{response}");
}

#[test]
fn a_proposed_call_keeps_what_was_given_and_works() {
    let site = Site::new();
    let mut peer = start(&site);
    for (tool, arguments, proposed) in [
        (
            "search",
            json!({"pattern": "insert", "path": "src"}),
            json!({"query": "insert", "paths": ["src"]}),
        ),
        (
            "search",
            json!({"text": "Store", "mode": "definition", "maxResults": 5000, "glob": "*.rs"}),
            json!({"query": "Store", "mode": "symbol", "limit": 1000, "paths": ["*.rs"]}),
        ),
        (
            "search",
            json!({"q": "insert", "mode": "def", "case": "ignore", "kinds": "methods"}),
            json!({"query": "insert", "mode": "symbol", "case": "insensitive", "kind": ["method"]}),
        ),
        (
            "search",
            json!({"query": "insert", "mode": "grep", "paths": ["src/[a", "src"], "context": 900}),
            json!({"query": "insert", "mode": "text", "paths": ["src"], "context": 50}),
        ),
        (
            "read",
            json!({"file_path": "src/store.rs", "offset": 9, "limit": 3}),
            json!({"targets": ["src/store.rs:9-11"]}),
        ),
        (
            "read",
            json!({"symbol": "Store.insert"}),
            json!({"targets": ["Store.insert"]}),
        ),
        (
            "read",
            json!({"targets": "src/store.rs:x"}),
            json!({"targets": ["src/store.rs"]}),
        ),
        (
            "outline",
            json!({"file": "src/store.rs"}),
            json!({"paths": ["src/store.rs"]}),
        ),
        (
            "outline",
            json!({"path": "src", "max_depth": 99}),
            json!({"paths": ["src"], "depth": 32}),
        ),
        ("status", json!({"verbose": true}), json!({})),
    ] {
        let refused = peer.call(tool, arguments);
        check_error(&refused, &["\ntry: "]);
        let call = text(&refused)
            .lines()
            .find_map(|line| line.strip_prefix("try: "));
        let call = call.and_then(|call| {
            call.strip_prefix(tool)?
                .strip_prefix('(')?
                .strip_suffix(')')
        });
        let call: Value = serde_json::from_str(call.unwrap()).unwrap();
        assert_eq!(call, proposed);
        let result = peer.call(tool, call);
        assert_ne!(result["isError"], true, "{result}");
    }
    // Where nothing is sure to work nothing is proposed.
    let refused = peer.call("read", json!({"targets": []}));
    assert!(!text(&refused).contains("try: "), "{refused}");
}

#[test]
fn lines_that_are_no_requests_are_answered_too() {
    let site = Site::new();
    let mut peer = start(&site);
    peer.send_text("not json\n{\"jsonrpc\":\"2.0\",\n\n[]\n");
    let response = peer.request("tools/list", json!({}));
    assert!(response.get("error").is_none(), "{response}");
    let refused = |message: &&Value| message.get("error").is_some();
    let refused: Vec<&Value> = peer.heard.iter().filter(refused).collect();
    let codes: Vec<&Value> = refused.iter().map(|said| &said["error"]["code"]).collect();
    assert_eq!(codes.iter().filter(|code| ***code == -32700).count(), 2);
    assert_eq!(codes.iter().filter(|code| ***code == -32600).count(), 1);
    assert!(refused.iter().all(|said| said["id"].is_null()));
    peer.send_text("}\n");
    assert_eq!(peer.end(), 0);
}

#[test]
fn good_targets_are_read_beside_bad_ones() {
    let site = Site::new();
    let mut peer = start(&site);
    let result = peer.call(
        "read",
        json!({"targets": ["gone.rs", "../x", "src/main.rs#L3"]}),
    );
    let shown = text(&result);
    assert_ne!(result["isError"], true, "{shown}");
    for words in [
        "src/main.rs:3-3",
        "note: not shown: file 'gone.rs'",
        "'../x'",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
}

#[test]
fn the_later_era_needs_no_handshake() {
    let site = Site::new();
    let mut peer = Peer::silent(site.command().arg("mcp"));
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    });
    let found = peer.request("server/discover", json!({"_meta": meta}));
    let versions = found["result"]["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2026-07-28")) && versions.contains(&json!("2025-06-18")));
    assert!(found["result"]["ttlMs"].as_u64().unwrap() > 0, "{found}");
    let listed = peer.request("tools/list", json!({"_meta": meta}));
    assert_eq!(listed["result"]["tools"].as_array().unwrap().len(), 4);
    assert!(listed["result"]["ttlMs"].as_u64().unwrap() > 0);
    assert_eq!(listed["result"]["resultType"], "complete");
    loop {
        let call = json!({"name": "search", "arguments": {"query": "insert"}, "_meta": meta});
        let called = peer.request("tools/call", call);
        assert_eq!(called["result"]["resultType"], "complete", "{called}");
        if !text(&called["result"]).ends_with("retryable: yes") {
            assert!(text(&called["result"]).contains("src/store.rs"), "{called}");
            break;
        }
    }
    assert_eq!(peer.end(), 0);
}

#[test]
fn the_end_of_input_ends_the_server() {
    let site = Site::new();
    for n in 0..400 {
        site.write(&format!("many/f{n}.rs"), "fn word() {}\n");
    }
    // A host that looks and leaves, before and after the handshake, also while the index is built.
    let looked = Run::with_input(site.command().arg("mcp"), "");
    assert_eq!((looked.code, looked.stdout.as_str()), (0, ""));
    assert_eq!(start(&site).end(), 0);
    let mut peer = start(&site);
    peer.ask(
        "tools/call",
        json!({"name": "search", "arguments": {"query": "word"}}),
    );
    assert_eq!(peer.end(), 0);
}

#[test]
fn without_a_root_calls_say_how_to_set_one() {
    let site = Site::new();
    let mut peer = Peer::start(site.command().arg("mcp").current_dir(site.home()));
    assert_eq!(peer.tools().len(), 4);
    let result = peer.call("search", json!({"query": "insert"}));
    check_error(
        &result,
        &[
            "refusing to index",
            "--root",
            "LEANTOKEN_ROOT",
            "retryable: no",
        ],
    );
    let mut hosted = site.command();
    hosted
        .arg("mcp")
        .current_dir(site.home())
        .env("CLAUDE_PROJECT_DIR", site.root());
    let result = Peer::start(&mut hosted).call("search", json!({"query": "insert"}));
    assert!(text(&result).contains("src/store.rs"), "{result}");
    let mut declared = site.command();
    declared.arg("mcp").current_dir(site.home());
    let mut peer = Peer::with_roots(&mut declared, &site.root());
    let result = peer.call("search", json!({"query": "insert"}));
    assert!(text(&result).contains("src/store.rs"), "{result}");
    assert!(
        peer.heard
            .iter()
            .any(|message| message["method"] == "roots/list")
    );
}

#[test]
fn answers_fit_the_smallest_host_unless_more_is_asked_for() {
    let site = Site::new();
    for n in 0..60 {
        let text = format!("fn needle_{n}() {{ needle(); }}\n").repeat(30);
        site.write(&format!("src/gen/file_{n}.rs"), &text);
    }
    let mut peer = start(&site);
    let count = |result: &Value| Tokenizer::O200kBase.count(text(result));
    let ask = |extra: &Value| {
        let mut arguments = json!({"query": "needle", "mode": "text", "limit": 1000});
        for (name, value) in extra.as_object().unwrap() {
            arguments[name] = value.clone();
        }
        arguments
    };
    let default = peer.call("search", ask(&json!({})));
    assert!(
        text(&default).len() <= 7500 && count(&default) <= 2000,
        "{default}"
    );
    assert!(text(&default).lines().next().unwrap().contains("cursor="));
    for budget in [200, 1024, 6000] {
        let result = peer.call("search", ask(&json!({"max_tokens": budget})));
        assert!(count(&result) <= budget, "{} > {budget}", count(&result));
        assert!(
            count(&result) > budget / 3,
            "{} of {budget}",
            count(&result)
        );
    }
    let small = peer.call("search", ask(&json!({"max_tokens": 50})));
    check_error(&small, &["limit_exceeded", "hint: ask for at least"]);
    for form in ["structured", "dual"] {
        let mut peer = Peer::start(site.command().args(["mcp", "--result", form]));
        let result = peer.call("search", ask(&json!({"max_tokens": 1500})));
        let document = result["structuredContent"].to_string();
        let used = count(&result) + Tokenizer::O200kBase.count(&document);
        assert!((500..=1500).contains(&used), "{form}: {used}");
    }
}

#[test]
fn noise_does_not_end_a_session() {
    let site = Site::new();
    let mut peer = start(&site);
    peer.send_text("this is no frame\n\n{\"jsonrpc\":\"2.0\"}\n[1,2]\n");
    assert_eq!(peer.tools().len(), 4);
    let result = peer.call("search", json!({"query": "insert"}));
    assert!(text(&result).contains("src/store.rs"), "{result}");
}

#[test]
fn pages_join_without_gap_or_overlap() {
    let site = Site::new();
    let lines: String = (0..90)
        .map(|n| format!("let needle_{n} = {n};\n"))
        .collect();
    site.write("src/many.rs", &lines);
    let mut peer = start(&site);
    let mut seen = Vec::new();
    let mut arguments = json!({"query": "needle_", "mode": "text", "limit": 25});
    loop {
        let result = peer.call("search", arguments.clone());
        let page = text(&result);
        let found = page
            .lines()
            .filter_map(|line| line.split_once(":let needle_"));
        seen.extend(found.map(|(number, _)| number.parse::<u32>().unwrap()));
        let header = page.lines().next().unwrap();
        match header.split_once("cursor=") {
            Some((_, cursor)) => arguments["cursor"] = json!(cursor),
            None => break,
        }
    }
    assert_eq!(seen, (1..=90).collect::<Vec<u32>>());
    let other = json!({"query": "other", "mode": "text", "cursor": arguments["cursor"]});
    check_error(&peer.call("search", other), &["another request"]);
}

#[test]
fn edits_are_followed() {
    let site = Site::new();
    let mut peer = start(&site);
    let ask = json!({"query": "frobnicate", "mode": "text"});
    assert!(text(&peer.call("search", ask.clone())).starts_with("search: 0 matches"));
    site.write("src/extra.rs", "fn frobnicate() {}\n");
    while text(&peer.call("search", ask.clone())).starts_with("search: 0 matches") {}
    std::fs::remove_file(site.root().join("src/extra.rs")).unwrap();
    while !text(&peer.call("search", ask.clone())).starts_with("search: 0 matches") {}
}

#[test]
fn a_cancelled_id_can_be_used_again() {
    let site = Site::new();
    let mut peer = start(&site);
    peer.call("status", json!({}));
    for round in 0..20 {
        let id = 1000 + round % 2;
        let call = |query: &str| {
            json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {
                "name": "search", "arguments": {"query": query, "mode": "text"}}})
        };
        let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
            "params": {"requestId": id}});
        peer.send_lines(&[call("insert"), cancel, call("frobnicate")]);
        // The first call may have been answered before its cancellation was read. The second is
        // answered whatever became of the first, and last.
        let mut answer = peer.response(id);
        if text(&answer["result"]).starts_with("search: 2 matches") {
            answer = peer.response(id);
        }
        assert!(
            text(&answer["result"]).starts_with("search: 0 matches"),
            "{answer}"
        );
    }
}

#[tokio::test]
async fn the_client_of_the_same_library_gets_along() {
    use rmcp::ServiceExt;
    use rmcp::model::CallToolRequestParams;
    use rmcp::transport::TokioChildProcess;
    let site = Site::new();
    let mut command = site.command();
    command.args(["mcp", "--result", "structured"]);
    let transport = TokioChildProcess::new(tokio::process::Command::from(command)).unwrap();
    let client = ().serve(transport).await.unwrap();
    let tools = client.list_all_tools().await.unwrap();
    assert_eq!(tools.len(), 4);
    let arguments = json!({"query": "insert", "limit": 5})
        .as_object()
        .unwrap()
        .clone();
    loop {
        let call = CallToolRequestParams::new("search").with_arguments(arguments.clone());
        let result = client.call_tool(call).await.unwrap();
        if let Some(found) = result.structured_content {
            assert_eq!(found["hits"][0]["path"], "src/store.rs");
            break;
        }
    }
    client.cancel().await.unwrap();
}
