// What Toolhost takes of a window's start, beside Copilot's and Git's extensions in the same window, and what its first
// call takes. Writes its part of docs/benchmarks.md; the ratios are what counts.
import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as vscode from "vscode";
import { activateProduct, hostContext, poll, temporaryFolder } from "../harness/host";
import type { ToolhostApi } from "../../src/doors/api/types";
import { requireCached } from "../../src/hosts/node/cachedScript";
import { OPENED } from "../../src/names/contributed";
import { writePart } from "./page";
import { measure, reached, table, type Bar } from "./side-by-side";

const ROUNDS = 21;
const OURS = "toolhost.toolhost";
const OTHERS = ["vscode.git", "GitHub.copilot-chat"];
const KEPT = "with the compiled code kept";
const REQUIRE = "by require";
const OUR_ENTRY = "Toolhost's entry";
const GIT_ENTRY = "Git's extension";
const ENTRY_BAR: Bar = { name: OUR_ENTRY, share: 0.5, of: [GIT_ENTRY] };
/** Milliseconds that Toolhost may take to load and activate, and its first call in addition, on a machine with two cores. */
const MOST = { start: 25, call: 60 };
const BAR: Bar = { name: KEPT, share: 0.75, of: [REQUIRE] };

/** Milliseconds of an extension's start, as VS Code has measured them. */
interface Start {
  id: string;
  load: number;
  activate: number;
}

describe("a window's start", () => {
  const sections: string[] = [];

  let api: ToolhostApi;

  before(async () => {
    api = await activateProduct<ToolhostApi>();
  });

  it("makes its first call", async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder !== undefined);
    writeFileSync(join(folder.uri.fsPath, "first.txt"), "one\n");
    const call = async (): Promise<number> => {
      const started = performance.now();
      const outcome = await api.invoke("read", { path: "first.txt" });
      assert.ok(outcome.ok);
      return performance.now() - started;
    };
    const before = performance.getEntriesByName(OPENED).length;
    const first = await call();
    const second = await call();
    const [opened] = performance.getEntriesByName(OPENED);
    assert.ok(opened !== undefined);
    // The first call opens the window, unless the window has opened by itself.
    const sum = first + (before > 0 ? opened.duration : 0);
    const rows = [
      ["opening the window: the code behind all tools", opened.duration],
      ["the first call of read after that", sum - opened.duration],
      ["the second call", second],
    ] as const;
    sections.push(
      [
        "### The first call of a tool, once",
        "",
        "| | time |",
        "|---|---|",
        ...rows.map(([name, time]) => `| ${name} | ${time.toFixed(1)} ms |`),
        "",
        verdict("for the first call in all", sum, MOST.call),
      ].join("\n"),
    );
  });

  it("loads and activates Toolhost", async () => {
    const starts = await poll("what extensions took to start", readStarts, { timeoutMs: 60_000, intervalMs: 1_000 });
    const ours = starts.find(({ id }) => id === OURS);
    assert.ok(ours !== undefined);
    const sum = ({ load, activate }: Start): number => load + activate;
    const rows = starts.map(
      (start) =>
        `| ${start.id} | ${start.load} ms | ${start.activate} ms | ${(sum(start) / Math.max(1, sum(ours))).toFixed(1)}× |`,
    );
    const head = ["| | load | activate | to Toolhost |", "|---|---|---|---|"];
    const title = "### Loading and activating, once, while the window came up";
    sections.push([title, "", ...head, ...rows, "", verdict("to load and activate", sum(ours), MOST.start)].join("\n"));
  });

  it("loads less than Git's extension", async () => {
    await quiet();
    const git = vscode.extensions.getExtension("vscode.git");
    assert.ok(git !== undefined);
    const measured = await measure(
      [
        { name: OUR_ENTRY, run: async () => loadAgain(join(hostContext.repository, "dist/extension.js")) },
        {
          name: GIT_ENTRY,
          run: async () => loadAgain(join(git.extensionPath, (git.packageJSON as { main: string }).main)),
        },
      ],
      ROUNDS,
    );
    const title = "What a window's start loads of each, once the window is quiet";
    sections.push(table(title, measured, GIT_ENTRY, [ENTRY_BAR]));
    assert.ok(reached(measured, ENTRY_BAR) <= ENTRY_BAR.share);
  });

  it("loads the rest with the first call", async () => {
    await quiet();
    const file = join(hostContext.repository, "dist/window.js");
    const kept = temporaryFolder("kept");
    const load = createRequire(file);
    requireCached(file, load, kept);
    await poll("the compiled code", () => readdirSync(kept).some((name) => name.endsWith(".bin")), {
      timeoutMs: 60_000,
    });
    const measured = await measure(
      [
        { name: KEPT, run: async () => requireCached(file, load, kept) },
        { name: REQUIRE, run: async () => loadAgain(file) },
      ],
      ROUNDS,
    );
    sections.push(table("What the first call loads, once the window is quiet", measured, REQUIRE, [BAR]));
    assert.ok(reached(measured, BAR) <= BAR.share);
  });

  after(() => {
    const part = [
      "## A window's start",
      "",
      `Times of *Developer: Startup Performance* in one VS Code ${vscode.version} window: the code of an extension, and its`,
      "`activate`. The smallest extension takes as much to load as the window is busy. What Toolhost does not load then, its",
      "first call does, or the window itself a moment later.",
      "",
      ...sections.flatMap((section) => [section, ""]),
    ].join("\n");
    writePart(hostContext.repository, "start", part);
  });
});

/** A time of one run, which a busy machine makes longer: reported, not asserted. */
function verdict(what: string, time: number, most: number): string {
  return `${time <= most ? "Held" : "**Missed**"}: at most ${most} ms ${what}; it is ${time.toFixed(0)} ms.`;
}

/** Loads a CommonJS file as if for the first time. */
function loadAgain(file: string): unknown {
  const load = createRequire(file);
  const path = load.resolve(file);
  delete load.cache[path];
  return load(path);
}

/** Resolves when the extension host has had nothing to do for a while: other extensions start in it, too. */
async function quiet(): Promise<void> {
  for (let calm = 0; calm < 100;) {
    const started = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 20));
    calm = performance.now() - started < 30 ? calm + 1 : 0;
  }
}

/** Reads VS Code's own page; undefined while it is not complete. */
async function readStarts(): Promise<Start[] | undefined> {
  await vscode.commands.executeCommand("perfview.show");
  const page = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === "perf")?.getText() ?? "";
  const starts = [OURS, ...OTHERS].flatMap((id) => {
    const row = page.split("\n").find((line) => line.startsWith(`| ${id} `) && /\| (true|false) /.test(line));
    const [, , , load, activate] = row?.split("|").map((cell) => cell.trim()) ?? [];
    return load === undefined || activate === undefined ? [] : [{ id, load: Number(load), activate: Number(activate) }];
  });
  return starts.length === OTHERS.length + 1 ? starts : undefined;
}
