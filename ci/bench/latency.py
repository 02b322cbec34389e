#!/usr/bin/env python3
"""Warm latency of `leantoken mcp`, one line a mode: p50 and p95 in milliseconds.

Usage: latency.py LEANTOKEN ROOT [ROUNDS]

The words asked for are taken from the tree itself: names of definitions that the outline of its
largest files lists, so that the same program measures any repository.
"""
import json
import re
import subprocess
import sys
import time


class Server:
    """Newline-delimited JSON-RPC over the standard streams of a child process."""

    def __init__(self, binary, root):
        self.process = subprocess.Popen([binary, "mcp", "--root", root, "--result", "structured"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                "clientInfo": {"name": "latency", "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write((json.dumps(message) + "\n").encode())
        self.process.stdin.flush()

    def ask(self, method, params):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit("the server ended")
            message = json.loads(line)
            if message.get("id") == self.number:
                return message

    def call(self, tool, arguments):
        while True:
            reply = self.ask("tools/call", {"name": tool, "arguments": arguments})
            result = reply.get("result", {})
            text = json.dumps(result)
            if result.get("isError") and "unavailable" in text:
                time.sleep(1)
                continue
            return result


def names(server):
    """Names of definitions, spread over the tree."""
    found = []
    for query in ["main", "new", "open", "parse", "error", "config", "test", "read", "write", "index"]:
        result = server.call("search", {"query": query, "mode": "symbol", "limit": 40, "max_tokens": 8000})
        for hit in result.get("structuredContent", {}).get("hits", []):
            name = (hit.get("symbol") or "").split(".")[-1]
            if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{2,}", name) and name not in found:
                found.append(name)
    return found[:60]


def spread(values):
    values = sorted(values)
    return values[len(values) // 2] * 1e3, values[int(len(values) * 0.95)] * 1e3


def main():
    binary, root = sys.argv[1], sys.argv[2]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    server = Server(binary, root)
    words = names(server)
    cases = {
        "auto, a name": [("search", {"query": w}) for w in words],
        "auto, two words": [("search", {"query": f"{a} {b}"}) for a, b in zip(words, words[1:])],
        "text": [("search", {"query": w, "mode": "text"}) for w in words],
        "regex, with grams": [("search", {"query": rf"\b{w}\b\s*\(", "mode": "regex"}) for w in words],
        "regex, no grams": [("search", {"query": r"\w+\s+\w+\(\)", "mode": "regex"})] * 20,
        "symbol": [("search", {"query": w, "mode": "symbol"}) for w in words],
        "reference": [("search", {"query": w, "mode": "reference"}) for w in words],
        "path": [("search", {"query": w, "mode": "path"}) for w in words],
    }
    for name, calls in cases.items():
        times = []
        for _ in range(rounds):
            for tool, arguments in calls:
                begin = time.perf_counter()
                server.call(tool, arguments)
                times.append(time.perf_counter() - begin)
        p50, p95 = spread(times)
        print(f"{name:20} p50 {p50:7.2f}  p95 {p95:7.2f}  n {len(times)}", flush=True)
    server.process.stdin.close()
    server.process.wait(10)


main()
