// An MCP server on standard input and output: as much of the protocol as VS Code needs to list and call two tools.
import { createInterface } from "node:readline";

const TOOLS = [
  {
    name: "add_numbers",
    description: "Adds two numbers.",
    inputSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
    annotations: { readOnlyHint: true },
  },
  {
    name: "fail",
    description: "Fails as a server does whose key is missing.",
    inputSchema: { type: "object", properties: {} },
    annotations: { readOnlyHint: true },
  },
];

/**
 * @type {Record<string, (params: { protocolVersion?: string, name?: string, arguments?: { a?: number, b?: number } })
 * => object>}
 */
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "calc", version: "1" },
  }),
  "tools/list": () => ({ tools: TOOLS }),
  "tools/call": ({ name, arguments: { a, b } = {} }) =>
    name === "add_numbers"
      ? { content: [{ type: "text", text: `The sum is ${Number(a) + Number(b)}.` }] }
      : { content: [{ type: "text", text: "401 Unauthorized: no key" }], isError: true },
  ping: () => ({}),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  const body =
    answer === undefined ? { error: { code: -32601, message: `no ${method}` } } : { result: answer(params ?? {}) };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...body })}\n`);
});
