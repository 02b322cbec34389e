//! A host that speaks raw lines, so that nothing a client library repairs goes unseen.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub(crate) struct Peer {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Lines<BufReader<ChildStdout>>,
    next_id: u64,
    /// Notifications and requests of the server, in order of arrival.
    pub(crate) heard: Vec<Value>,
    /// Answers to what the server asks, by method.
    roots: Option<String>,
}

impl Peer {
    /// Starts `command` without a word.
    pub(crate) fn silent(command: &mut Command) -> Peer {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Peer {
            stdin: child.stdin.take(),
            stdout: BufReader::new(child.stdout.take().unwrap()).lines(),
            child,
            next_id: 0,
            heard: Vec::new(),
            roots: None,
        }
    }

    /// Starts `command` and shakes hands in the era of `initialize`.
    pub(crate) fn start(command: &mut Command) -> Peer {
        let mut peer = Peer::silent(command);
        let ready = peer.initialize(json!({}));
        assert_eq!(
            ready["result"]["serverInfo"]["name"], "leantoken",
            "{ready}"
        );
        peer
    }

    /// As [`Peer::start`], for a client that declares `root`.
    pub(crate) fn with_roots(command: &mut Command, root: &std::path::Path) -> Peer {
        let mut peer = Peer::silent(command);
        peer.roots = Some(format!("file://{}", root.display()));
        peer.initialize(json!({"roots": {"listChanged": true}}));
        peer
    }

    fn initialize(&mut self, capabilities: Value) -> Value {
        let ready = self.request(
            "initialize",
            json!({
                "protocolVersion": "2025-06-18",
                "capabilities": capabilities,
                "clientInfo": {"name": "test", "version": "1"},
            }),
        );
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        ready
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.send_lines(std::slice::from_ref(message));
    }

    /// Sends all messages in one write, so that the server finds them together.
    pub(crate) fn send_lines(&mut self, messages: &[Value]) {
        let lines: String = messages
            .iter()
            .map(|message| format!("{message}\n"))
            .collect();
        self.send_text(&lines);
    }

    pub(crate) fn send_text(&mut self, text: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(text.as_bytes()).unwrap();
    }

    /// Reads the next line; every line must be a frame of the protocol.
    fn next(&mut self) -> Value {
        let line = self
            .stdout
            .next()
            .expect("the server is still there")
            .unwrap();
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        message
    }

    /// Returns the response to `id`, answering what the server asks meanwhile.
    pub(crate) fn response(&mut self, id: u64) -> Value {
        loop {
            let message = self.next();
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            if message["method"] == "roots/list" {
                let roots: Vec<Value> = self.roots.iter().map(|uri| json!({"uri": uri})).collect();
                let id = &message["id"];
                self.send(&json!({"jsonrpc": "2.0", "id": id, "result": {"roots": roots}}));
            }
            self.heard.push(message);
        }
    }

    pub(crate) fn ask(&mut self, method: &str, params: Value) -> u64 {
        self.next_id += 1;
        let id = self.next_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        self.response(id)
    }

    /// Calls a tool and returns its result; asks again while the index is being built.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        loop {
            let call = json!({"name": tool, "arguments": arguments});
            let response = self.request("tools/call", call);
            assert!(response.get("error").is_none(), "{response}");
            if !text(&response["result"]).ends_with("retryable: yes") {
                return response["result"].clone();
            }
        }
    }

    pub(crate) fn tools(&mut self) -> Vec<Value> {
        let listed = self.request("tools/list", json!({}));
        listed["result"]["tools"].as_array().unwrap().clone()
    }

    /// Ends stdin and returns the exit code; what else the server says must still be frames.
    pub(crate) fn end(mut self) -> i32 {
        drop(self.stdin.take());
        for line in self.stdout.by_ref() {
            let line = line.unwrap();
            serde_json::from_str::<Value>(&line).unwrap_or_else(|_| panic!("{line}"));
        }
        self.child.wait().unwrap().code().unwrap_or(-1)
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        drop(self.stdin.take());
        // A failed test must not leave the server behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the text of a result; empty when it has none.
pub(crate) fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_default()
}
