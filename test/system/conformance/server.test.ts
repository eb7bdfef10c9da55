// `@modelcontextprotocol/conformance` on `toolhost mcp`. What it calls are tools and prompts of its own names, which are
// the user's own here.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "../../../scripts/paths.mjs";
import { tempFolder } from "../../unit/tools/workspace.js";
import { builtCli } from "../cli/built.js";
import { openBridge } from "./bridge.js";
import { openStatelessBridge } from "./statelessBridge.js";

const cli = builtCli();

/** What does not apply to either revision, and why. docs/mcp.md has the same. */
const NOT_APPLICABLE: Readonly<Record<string, string>> = {
  "tools-call-audio": "content",
  "tools-call-embedded-resource": "content",
  "tools-call-mixed-content": "content",
  "prompts-get-embedded-resource": "content",
  "prompts-get-with-image": "content",
  "resources-read-text": "addresses",
  "resources-read-binary": "addresses",
  "resources-templates-read": "addresses",
  "dns-rebinding-protection": "HTTP",
};

const REVISIONS = [
  {
    revision: "2025-11-25",
    open: openBridge,
    passing: [
      ...["server-initialize", "ping", "completion-complete", "tools-list", "tools-call-simple-text"],
      ...["tools-call-image", "tools-call-error", "tools-call-with-progress", "server-sse-multiple-streams"],
      ...["resources-list", "prompts-list", "prompts-get-simple", "prompts-get-with-args"],
    ],
    failing: {
      ...NOT_APPLICABLE,
      "logging-set-level": "logging",
      "tools-call-with-logging": "logging",
      "tools-call-sampling": "sampling",
      "tools-call-elicitation": "forms",
      "elicitation-sep1034-defaults": "forms",
      "elicitation-sep1330-enums": "forms",
      "resources-subscribe": "subscriptions",
      "resources-unsubscribe": "subscriptions",
    },
  },
  {
    revision: "2026-07-28",
    open: openStatelessBridge,
    passing: [
      ...["completion-complete", "tools-list", "tools-call-simple-text", "tools-call-image", "tools-call-error"],
      ...["tools-call-with-progress", "server-sse-multiple-streams", "resources-list", "sep-2164-resource-not-found"],
      ...["prompts-list", "prompts-get-simple", "prompts-get-with-args", "caching"],
      ...["input-required-result-unsupported-methods", "input-required-result-ignore-extra-params"],
    ],
    failing: {
      ...NOT_APPLICABLE,
      "server-stateless:sep-2575-server-unsupported-version-error": "SDK",
      "server-stateless:sep-2575-http-server-unsupported-version-400": "SDK",
      "server-stateless:sep-2575-http-server-header-mismatch-400": "HTTP",
      "server-stateless:sep-2575-server-rejects-undeclared-capability": "sampling",
      "server-stateless:sep-2575-missing-capability-http-400": "sampling",
      "server-stateless:sep-2575-server-sends-tools-list-changed-on-subscription": "a tool of the suite's",
      ...Object.fromEntries(
        [
          ...["basic-elicitation", "basic-sampling", "basic-list-roots", "request-state", "multiple-input-requests"],
          ...["multi-round", "missing-input-response", "non-tool-request", "result-type", "tampered-state"],
          ...["capability-check", "validate-input"],
        ].map((name) => [`input-required-result-${name}`, "forms"]),
      ),
    },
  },
];

const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

const TOOLS = [
  { name: "test_simple_text", command: "echo", args: ["This is a simple text response for testing."] },
  { name: "test_tool_with_progress", command: "sh", args: ["-c", "for i in 1 2 3 4; do echo $i; sleep 0.3; done"] },
  { name: "test_image_content", use: "read", with: { path: "a.png" } },
  { name: "test_error_handling", use: "read", with: { path: "missing.txt" } },
].map((tool) => ({ ...tool, description: "A tool of the conformance suite." }));

/** A prompt file. The suite wants a description, which MCP leaves open. */
const prompt = (body: string): string => `---\ndescription: A prompt of the suite\n---\n${body}`;

test.each(REVISIONS)("what revision $revision requires passes but for what does not apply", async (tested) => {
  const { revision, open, passing, failing } = tested;
  const folder = await tempFolder({
    "a.png": Buffer.from(PICTURE, "base64"),
    "tools.json": JSON.stringify({ tools: TOOLS }),
    ".toolhost/memory/a.md": "A note.\n",
    ".github/prompts/test_simple_prompt.prompt.md": prompt("This is a simple prompt for testing."),
    ".github/prompts/test_prompt_with_arguments.prompt.md": prompt("arg1='${input:arg1}', arg2='${input:arg2}'"),
    "expected.yml": ["server:", ...Object.keys(failing).map((name) => `  - ${name}`)].join("\n"),
  });
  const bridge = await open(() =>
    cli.start(["mcp", "--allow-all"], {
      cwd: folder,
      stdio: ["pipe", "pipe", "ignore"],
      env: { ...process.env, TOOLHOST_TOOLS: join(folder, "tools.json") },
    }),
  );
  const suite = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/dist/index.js");
  const baseline = ["--expected-failures", join(folder, "expected.yml")];
  const words = [suite, "server", "--url", bridge.url, "--requirements", revision, ...baseline];
  const { code, out } = await new Promise<{ code: number | string; out: string }>((resolve) =>
    execFile(process.execPath, words, { cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, out: stdout + stderr }),
    ),
  );
  await bridge.close();
  const summary = out.slice(out.indexOf("=== SUMMARY ==="));
  // The suite fails if something else fails, or if something expected to fail passes.
  expect(code, summary).toBe(0);
  const passed = [...summary.matchAll(/^✓ ([\w-]+):/gm)].map(([, name]) => name);
  expect(passed).toEqual(expect.arrayContaining(passing));
  const page = readFileSync(join(repository, "docs/mcp.md"), "utf8");
  const names = [...passing, ...Object.keys(failing).map((name) => name.replace(/^.*:/, ""))];
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
