// Ours against Copilot's own tools, VS Code's own search and the bare engine, in the same window, on the dependency
// tree. Writes its part of docs/benchmarks.md, and fails where a bar of the design is missed.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { activateProduct, hostContext, poll, rig, workspaceFolder } from "../harness/host";
import { ripgrepOfVscode } from "../../src/hosts/node/ripgrep/run";
import { writePart } from "./page";
import { measure, reached, table, type Bar, type Contender } from "./side-by-side";

const ROUNDS = 21;
const OURS = "Toolhost";
const COPILOT = "Copilot";
const FLOOR = "the call alone";
const RIPGREP = "ripgrep alone";
const run = promisify(execFile);

const than = (other: string, share: number): Bar => ({ name: OURS, share, of: [other] });
const GREP_BARS: readonly Bar[] = [than(COPILOT, 0.7), { name: OURS, share: 1.15, of: [RIPGREP, FLOOR] }];

describe("the fs tools beside Copilot's", () => {
  const sections: string[] = [];
  const tree = join(workspaceFolder(), "tree");
  const rg = ripgrepOfVscode(vscode.env.appRoot) ?? "rg";
  const invoke = (name: string, input: object): PromiseLike<vscode.LanguageModelToolResult> =>
    vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  const ripgrep = (...args: string[]): Promise<unknown> =>
    run(rg, ["--no-config", "--hidden", "--no-require-git", ...args, "./"], { cwd: tree, maxBuffer: 1e9 }).catch(
      () => undefined,
    );
  const floor: Contender = { name: FLOOR, run: () => invoke("rig_echo", { text: "nothing" }) };
  let files = 0;

  const compare = async (title: string, contenders: readonly Contender[], bars: readonly Bar[]): Promise<void> => {
    const measured = await measure([...contenders, floor], ROUNDS);
    const section = table(title, measured, COPILOT, bars);
    console.log(section);
    sections.push(section);
    for (const bar of bars) {
      const share = reached(measured, bar);
      assert.ok(share <= bar.share, `${share.toFixed(2)}× ${bar.of.join(" + ")}, not at most ${bar.share}×`);
    }
  };

  before(async () => {
    // As a folder of sources: VS Code leaves node_modules out of Copilot's searches.
    cpSync(join(hostContext.repository, "node_modules"), tree, {
      recursive: true,
      filter: (path) => !path.endsWith(".bin") && !/node-linux|node_modules\/node$/.test(path),
    });
    files = readdirSync(tree, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
    assert.ok(files >= 10_000, `only ${files} files`);
    await Promise.all([rig(), activateProduct()]);
    await poll("Copilot's tools", () => vscode.lm.tools.some(({ name }) => name === "copilot_readFile"), {
      timeoutMs: 60_000,
    });
    await quiet(floor);
  });

  it("read", async () => {
    const path = join(tree, "zod/v4/core/schemas.js");
    await compare(
      "read: the first 200 lines of a file of 2,000",
      [
        { name: OURS, run: () => invoke("toolhost_read", { path, limit: 200 }) },
        { name: COPILOT, run: () => invoke("copilot_readFile", { filePath: path, startLine: 1, endLine: 200 }) },
        { name: "Node alone", run: async () => readFileSync(path, "utf8").split("\n").slice(0, 200).join("\n") },
      ],
      [than(COPILOT, 0.5)],
    );
  });

  for (const [title, pattern, literal, bars] of [
    ["grep: a rare word", "ERR_INVALID_URL", true, GREP_BARS],
    ["grep: a common word", "export declare function", true, GREP_BARS],
    ["grep: a regular expression", String.raw`class \w+Error extends \w+`, false, GREP_BARS],
    ["grep: a word that is nowhere", "LanguageModelChatProviderQQ", true, [than(COPILOT, 0.7)]],
  ] as const) {
    it(title, async () => {
      await compare(
        title,
        [
          {
            name: OURS,
            run: () => invoke("toolhost_grep", { pattern, literal, path: "tree", max_results: 20, ignore_case: true }),
          },
          {
            name: COPILOT,
            run: () =>
              invoke("copilot_findTextInFiles", { query: pattern, isRegexp: !literal, includePattern: "tree/**" }),
          },
          { name: RIPGREP, run: () => ripgrep("--json", "--ignore-case", ...(literal ? ["-F"] : []), "-e", pattern) },
        ],
        bars,
      );
    });
  }

  for (const [title, pattern] of [
    ["glob: a few files", "**/schemas.js"],
    ["glob: thousands of files", "**/*.d.ts"],
  ] as const) {
    it(title, async () => {
      await compare(
        title,
        [
          { name: OURS, run: () => invoke("toolhost_glob", { pattern, path: "tree" }) },
          { name: COPILOT, run: () => invoke("copilot_findFiles", { query: pattern }) },
          { name: "findFiles", run: () => vscode.workspace.findFiles(pattern) },
          { name: "rg --files", run: () => ripgrep("--files", "--glob", pattern) },
        ],
        [than(COPILOT, 0.5)],
      );
    });
  }

  it("ls", async () => {
    const entries = readdirSync(tree).length;
    await compare(
      `ls: a folder of ${entries} entries`,
      [
        { name: OURS, run: () => invoke("toolhost_ls", { path: "tree" }) },
        { name: COPILOT, run: () => invoke("copilot_listDirectory", { path: tree }) },
        { name: "Node alone", run: async () => readdirSync(tree, { withFileTypes: true }) },
      ],
      [than(COPILOT, 0.5)],
    );
  });

  after(() => {
    const part = [
      "## The fs tools beside Copilot's",
      "",
      `Every row of a table was measured in the same run, turn by turn, inside one VS Code ${vscode.version} window; the ratios are what`,
      `counts, since the times are the machine's. ${ROUNDS} rounds on ${files} files, ${cpus().length} cores.`,
      `“${FLOOR}” is \`vscode.lm.invokeTool\` of a tool that does nothing: what every tool pays, Copilot's too.`,
      "",
      ...sections,
    ].join("\n");
    writePart(hostContext.repository, "fs", part);
  });
});

/** Waits until the window has come to rest: after its start VS Code watches and indexes the tree. */
async function quiet({ run: call }: Contender): Promise<void> {
  const CALM_MS = 25;
  await poll(
    "the window to come to rest",
    async () => {
      const [measured] = await measure([{ name: "", run: call }], 9);
      return measured !== undefined && measured.high < CALM_MS;
    },
    { timeoutMs: 60_000 },
  ).catch(() => console.log("The machine is busy: the times are noisy."));
}
