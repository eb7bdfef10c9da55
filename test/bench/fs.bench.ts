// Ours beside Copilot's own tools and the bare engine, in the same window, on the dependency tree. Writes docs/benchmarks.md.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { hostContext, poll, workspaceFolder } from "../harness/host";
import { ripgrepOfVscode } from "../../src/hosts/node/ripgrep";
import { measure, table, type Contender } from "./side-by-side";

const ROUNDS = 21;
const run = promisify(execFile);

describe("the fs tools beside Copilot's", () => {
  const sections: string[] = [];
  const tree = join(workspaceFolder(), "tree");
  const invoke = (name: string, input: object): PromiseLike<vscode.LanguageModelToolResult> => vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  let files = 0;

  const compare = async (title: string, contenders: readonly Contender[]): Promise<void> => {
    const measured = await measure(contenders, ROUNDS);
    const section = table(title, measured, "Copilot");
    console.log(section);
    sections.push(section);
  };

  before(async () => {
    // As a folder of sources: VS Code leaves node_modules out of Copilot's searches.
    cpSync(join(hostContext.repository, "node_modules"), tree, { recursive: true, filter: (path) => !path.endsWith(".bin") && !/node-linux|node_modules\/node$/.test(path) });
    files = readdirSync(tree, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
    assert.ok(files >= 10_000, `only ${files} files`);
    await poll("Copilot's tools", () => vscode.lm.tools.some(({ name }) => name === "copilot_readFile"), { timeoutMs: 60_000 });
  });

  it("read", async () => {
    const path = join(tree, "zod/v4/core/schemas.js");
    await compare("read: the first 200 lines of a file of 2,000", [
      { name: "Toolhost", run: () => invoke("toolhost_read", { path, limit: 200 }) },
      { name: "Copilot", run: () => invoke("copilot_readFile", { filePath: path, startLine: 1, endLine: 200 }) },
      { name: "Node alone", run: async () => readFileSync(path, "utf8").split("\n").slice(0, 200).join("\n") },
    ]);
  });

  const rg = ripgrepOfVscode(vscode.env.appRoot) ?? "rg";
  for (const [title, pattern, literal] of [
    ["grep: a rare word", "LanguageModelChatProviderQQ|toolCallPartXYZ", false],
    ["grep: a common word", "export declare function", true],
    ["grep: a regular expression", String.raw`class \w+Error extends \w+`, false],
  ] as const) {
    it(title, async () => {
      await compare(title, [
        { name: "Toolhost", run: () => invoke("toolhost_grep", { pattern, literal, path: "tree", max_results: 20, ignore_case: true }) },
        { name: "Copilot", run: () => invoke("copilot_findTextInFiles", { query: pattern, isRegexp: !literal, includePattern: "tree/**" }) },
        {
          name: "ripgrep alone",
          run: () =>
            run(rg, ["--json", "--no-config", "--hidden", "--no-require-git", "--ignore-case", ...(literal ? ["-F"] : []), "-e", pattern, "./"], {
              cwd: tree,
              maxBuffer: 1e9,
            }).catch(() => undefined),
        },
      ]);
    });
  }

  it("ls", async () => {
    await compare("ls: a folder of some 200 entries", [
      { name: "Toolhost", run: () => invoke("toolhost_ls", { path: "tree" }) },
      { name: "Copilot", run: () => invoke("copilot_listDirectory", { path: tree }) },
      { name: "Node alone", run: async () => readdirSync(tree, { withFileTypes: true }) },
    ]);
  });

  after(() => {
    const page = [
      "# Benchmarks",
      "",
      "Written by `npm run bench`; do not edit. Every row of a table was measured in the same run, turn by turn, inside one VS",
      `Code ${vscode.version} window; the ratios are what counts, since the times are the machine's. ${ROUNDS} rounds on ${files} files, ${cpus().length} cores.`,
      "Every tool call through VS Code pays the same floor (about 12 ms), Copilot's too.",
      "",
      ...sections,
    ].join("\n");
    writeFileSync(join(hostContext.repository, "docs/benchmarks.md"), `${page.trimEnd()}\n`);
  });
});
