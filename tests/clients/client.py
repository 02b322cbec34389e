"""Lists the tools and makes every call of calls.json. Usage: client.py auto|legacy BIN ROOT FORM"""
import asyncio
import json
import os
import pathlib
import sys

from mcp import Client, StdioServerParameters


def text(result):
    return result.content[0].text if result.content else ""


async def main():
    mode, command, root, form = sys.argv[1:5]
    arguments = ["mcp", "--root", root, "--result", form]
    server = StdioServerParameters(command=command, args=arguments, env=dict(os.environ))
    calls = json.loads(pathlib.Path(__file__).with_name("calls.json").read_text())
    failures = []
    async with Client(server, mode=mode) as client:
        tools = (await client.list_tools()).tools
        if len(tools) != 4:
            failures.append(f"{len(tools)} tools")
        for call in calls:
            while True:
                result = await client.call_tool(call["tool"], call["arguments"])
                if not text(result).endswith("retryable: yes"):
                    break
            good = result.structured_content if form == "structured" else text(result)
            wanted = call.get("is_error", False)
            if bool(result.is_error) != wanted or not (good or wanted):
                failures.append(f"{call} {result}")
        version = client.protocol_version
    print(f"python {mode} {form}: {version}, {len(calls)} calls, {len(failures)} failures")
    for failure in failures:
        print(failure)
    sys.exit(1 if failures else 0)


asyncio.run(main())
