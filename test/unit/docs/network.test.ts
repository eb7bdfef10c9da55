// "No telemetry": who of the product can reach the network at all, and who else it names.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");
const sources = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => ({ name: name.replaceAll("\\", "/"), text: readFileSync(join(ROOT, "src", name), "utf8") }));

/** The files of src whose text has a match. */
const having = (pattern: RegExp): string[] =>
  sources
    .filter(({ text }) => pattern.test(text))
    .map(({ name }) => name)
    .sort();

test("only the clients of models, embeddings and messages make requests, to addresses of the user's settings", () => {
  expect(having(/(?<![#\w.])fetch\(/)).toEqual(["hosts/node/messages/sendMessage.ts", "hosts/openai/http.ts"]);
});

test("nothing else reaches the network: a socket is a command's pipe, a window's for this user's processes, the command line's to its model, a contained command's to the hosts that the user allowed, a trial of the sandbox on this machine, or a call of the user's OpenAPI tools or MCP servers", () => {
  const clients = having(/from "(node:)?(https?|http2|net|tls|dgram|dns|inspector|undici|ws|axios|got)(\/promises)?"/);
  expect(clients.filter((name) => !name.startsWith("hosts/node/http/"))).toEqual([
    ...["doors/mcp/window/messages.ts", "doors/mcp/window/windowServer.ts", "doors/mcp/window/windowTools.ts"],
    "hosts/node/mcp/serverFetch.ts",
    ...["bridge", "dial", "proxy"].map((name) => `hosts/node/processes/hosts/${name}.ts`),
    ...["hosts/node/processes/pipes.ts", "hosts/node/processes/seatbelt/probe.ts", "hosts/openai/sendDirectly.ts"],
  ]);
  // A window's socket is a path, not an address.
  const addressed = having(/\.listen\((?!path\b)|\bconnect\((?!path\))[\w"'`{]/);
  expect(addressed.filter((name) => name.startsWith("doors/"))).toEqual([]);
  expect(having(/\bnew (XMLHttpRequest|WebSocket|EventSource)\b|navigator\.sendBeacon/)).toEqual([]);
});

test("nothing is reported to anybody: no telemetry of VS Code's, no package for it", () => {
  expect(having(/createTelemetryLogger|TelemetryReporter|applicationinsights|sentry\.io|opentelemetry/)).toEqual([]);
  // What the bundles have is among those for development.
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(ROOT, "package.json"), "utf8"),
  ) as Record<string, Record<string, string>>;
  const packages = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  expect(packages).toContain("openai");
  expect(packages.filter((name) => /telemetry|insights|sentry|analytics|posthog|segment/.test(name))).toEqual([]);
});
