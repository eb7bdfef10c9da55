// A client that works in another folder than `toolhost mcp` serves: another working tree has files of the same names.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { contentOf, tempFolder } from "../../unit/tools/workspace.js";
import { builtCli } from "./built.js";
import { connect, REVISIONS } from "./mcpRig.js";

const cli = builtCli();
const EDIT = { path: "a.txt", old_text: "main", new_text: "changed" };

/** A repository with another working tree inside, another beside, and a clone. */
async function repository(): Promise<Record<"main" | "inside" | "beside" | "clone" | "other", string>> {
  const main = await tempFolder({ "a.txt": "main\n", ".gitignore": "trees\n", "sub/b.txt": "b\n" });
  const outside = await tempFolder({ "other/a.txt": "main\n" });
  const git = (...args: string[]): void => void execFileSync("git", args, { cwd: main, stdio: "ignore" });
  git("init", "-q");
  git("add", ".");
  git("-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "-qm", "first");
  const [inside, beside, clone] = [join(main, "trees", "w"), join(outside, "bäume w"), join(outside, "clone")];
  git("worktree", "add", "-q", inside);
  git("worktree", "add", "-q", "-b", "beside", beside);
  git("clone", "-q", main, clone);
  return { main, inside, beside, clone, other: join(outside, "other") };
}

const refusal = (served: string, place: string): string =>
  `Error (outside_workspace): Nothing was done: you work in ${place}, and this server serves ${served}.`;

test.each(["inside", "beside"] as const)(
  "a server that serves another working tree than the one it was started in (%s) refuses every call",
  async (where) => {
    const { main, ...trees } = await repository();
    const sub = join(trees[where], "sub");
    for (const [started, said] of [
      [trees[where], trees[where]],
      [sub, sub],
    ] as const) {
      const { client, text } = await connect(cli, started, [], "2025-11-25", {}, { before: ["--workspace", main] });
      for (const [tool, input] of Object.entries({ edit: EDIT, read: { path: "a.txt" }, exec: { command: "pwd" } })) {
        expect(await text(tool, input)).toContain(refusal(main, said));
      }
      await expect(client.listResources()).rejects.toThrow("you work in");
    }
    expect(await contentOf(main, "a.txt")).toBe("main\n");
  },
);

test.each(["main", "clone", "other"] as const)(
  "a server that was started in %s serves the folder it is told",
  async (where) => {
    const { main, ...others } = await repository();
    const started = where === "main" ? join(main, "sub") : others[where];
    const { text } = await connect(cli, started, [], "2025-11-25", {}, { before: ["--workspace", main] });
    expect(await text("edit", EDIT)).toContain("1 replacement");
  },
);

test.each(REVISIONS)("the roots of a client of revision %s count more", async (revision) => {
  const { main, beside, other } = await repository();
  const rooted = async (started: string, root: string): Promise<string> => {
    const options = { before: ["--workspace", main], roots: () => [pathToFileURL(root).href] };
    return (await connect(cli, started, [], revision, {}, options)).text("read", { path: "a.txt" });
  };
  expect(await rooted(main, other)).toContain(refusal(main, other));
  // Where it was started is not asked then.
  expect(await rooted(beside, main)).toBe("1\tmain");
});

test("a client whose roots change is asked again, and one that never answers is served", async () => {
  const { main, clone } = await repository();
  let list = [pathToFileURL(main).href];
  const { client, text } = await connect(cli, main, [], "2025-11-25", {}, { roots: () => list });
  expect(await text("read", { path: "a.txt" })).toBe("1\tmain");
  list = [pathToFileURL(clone).href];
  await client.sendRootsListChanged();
  expect(await text("read", { path: "a.txt" })).toContain(refusal(main, clone));
  // Codex and Copilot CLI have no roots to say.
  const none = await connect(cli, main, [], "2025-11-25", {}, { roots: () => [] });
  expect(await none.text("read", { path: "a.txt" })).toBe("1\tmain");
  const silent = await connect(cli, main, [], "2025-11-25", {}, { roots: () => new Promise(() => undefined) });
  expect(await silent.text("read", { path: "a.txt" })).toBe("1\tmain");
});
