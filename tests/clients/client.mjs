// Lists the tools and makes every call of calls.json. Usage: client.mjs client|sdk BIN ROOT FORM
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [library, command, root, form] = process.argv.slice(2);
const from = createRequire(process.cwd() + "/");
const load = (name) => import(pathToFileURL(from.resolve(name)));
const { Client, StdioClientTransport } =
  library === "client"
    ? {
        ...(await load("@modelcontextprotocol/client")),
        ...(await load("@modelcontextprotocol/client/stdio")),
      }
    : {
        ...(await load("@modelcontextprotocol/sdk/client/index.js")),
        ...(await load("@modelcontextprotocol/sdk/client/stdio.js")),
      };

const args = ["mcp", "--root", root, "--result", form];
const client = new Client({ name: "test", version: "1" });
await client.connect(new StdioClientTransport({ command, args, env: process.env }));
const { tools } = await client.listTools();
const calls = JSON.parse(readFileSync(new URL("calls.json", import.meta.url), "utf8"));
const failures = tools.length === 4 ? [] : [`${tools.length} tools`];
for (const call of calls) {
  let result;
  do {
    result = await client.callTool({ name: call.tool, arguments: call.arguments });
  } while (result.content[0]?.text.endsWith("retryable: yes"));
  const isGood = form === "structured" ? result.structuredContent : result.content[0]?.text;
  if (Boolean(result.isError) !== Boolean(call.is_error) || !(isGood || call.is_error)) {
    failures.push(JSON.stringify({ call, result }));
  }
}
const { name, version } = client.getServerVersion();
await client.close();

console.log(`${library} ${form}: ${name} ${version}, ${calls.length} calls, ${failures.length} failures`);
failures.forEach((failure) => console.log(failure));
process.exit(failures.length === 0 ? 0 : 1);
