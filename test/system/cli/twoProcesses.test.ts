// Two agents, each with a command line of its own, work in one folder at the same time.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { poll } from "../../harness/poll.js";
import { tempFolder } from "../../unit/tools/workspace.js";
import { builtCli } from "./built.js";
import { connect } from "./mcpRig.js";

const cli = builtCli();
const FILES = {
  ".gitignore": "dist/\n",
  "src/a.ts": "one\ntwo\nthree\nfour\nfive\n",
  "src/b.ts": "b\n",
  "docs/c.md": "c\n",
  "e.txt": "e\n",
};

/** All files but Git's own. */
function contents(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = paths.filter((path) => !path.startsWith(".git/") && statSync(join(folder, path)).isFile());
  return Object.fromEntries(files.toSorted().map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

/** Two servers in a folder, which share the state. */
async function two() {
  const folder = await tempFolder(FILES);
  const git = (...args: string[]): void =>
    void execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@localhost", ...args], {
      cwd: folder,
      stdio: "ignore",
    });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "first");
  const state = await tempFolder();
  const env = { TOOLHOST_STATE: state, TOOLHOST_SANDBOX: "read" };
  const was = process.env["TOOLHOST_STATE"];
  process.env["TOOLHOST_STATE"] = state;
  onTestFinished(() => void (process.env["TOOLHOST_STATE"] = was));
  const start = async (): Promise<(command: string) => Promise<string>> => {
    const { text } = await connect(cli, folder, ["--allow-all"], "2025-11-25", env);
    return (command) => text("exec", { command });
  };
  return {
    folder,
    first: await start(),
    second: await start(),
    undo: (...args: string[]) => cli.run(["undo", ...args], { cwd: folder, detached: true }),
    has: (name: string) => poll(name, () => existsSync(join(folder, name))),
  };
}

/** A command that says that it has begun, and goes on once there is a file of that name, ignored as its own. */
const held = (name: string, command: string): string =>
  `mkdir -p dist; touch dist/${name}; while [ ! -e dist/go-${name} ]; do sleep 0.02; done; ${command}`;

test("what a command of another process changed meanwhile is not this one's, and each is undone", async () => {
  const { folder, first, second, undo, has } = await two();
  const before = contents(folder);
  const slow = first(held("slow", "rm src/b.ts; echo six >> src/a.ts"));
  await has("dist/slow");
  expect(await second("sed -i s/one/1/ src/a.ts; rm docs/c.md")).toContain("D docs/c.md");
  writeFileSync(join(folder, "dist/go-slow"), "");
  const told = await slow;
  expect(told).toContain("D src/b.ts −1");
  expect(told).not.toMatch(/Changed: (?:(?!also edited).)*c\.md/);
  expect((await undo()).code).toBe(0);
  expect(contents(folder)["src/a.ts"]).toBe("1\ntwo\nthree\nfour\nfive\n");
  expect((await undo()).code).toBe(0);
  const { "dist/slow": _, "dist/go-slow": __, ...after } = contents(folder);
  expect(after).toEqual(before);
});

test("both at once, of the same file, lose nothing", async () => {
  const { folder, first, second, undo, has } = await two();
  const before = contents(folder);
  const both = [
    first(held("one", "echo six >> src/a.ts; echo 1 > made-1")),
    second(held("two", "sed -i s/one/1/ src/a.ts; rm e.txt; echo 2 > made-2")),
  ];
  await has("dist/one");
  await has("dist/two");
  execFileSync("touch", ["dist/go-one", "dist/go-two"], { cwd: folder });
  await Promise.all(both);
  expect(await undo()).toMatchObject({ code: 0, err: "" });
  // The one that looks first cannot tell the other's changes of the same moment from its own: then it has recorded all.
  const { code, err } = await undo();
  expect(code === 0 ? err : err.split(":")[0]).toBe(code === 0 ? "" : "Error (not_found)");
  const after = contents(folder);
  expect(Object.fromEntries(Object.entries(after).filter(([path]) => !path.startsWith("dist/")))).toEqual(before);
});
