// Which clients are refused, by the folders in which they say that they work.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { ServedFolder } from "../../../../src/doors/mcp/servedFolder.js";
import { areTreesOfOne } from "../../../../src/hosts/node/gitTree.js";
import { tempFolder } from "../../tools/workspace.js";

test("a client is served whose roots have the folder or are in it, in the same working tree", async () => {
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
  const refused = (startedIn: string, folders: readonly string[]): string | undefined =>
    new ServedFolder({ folder: main, startedIn, areTreesOfOne }).refusal(
      folders.map((each) => (each.startsWith("/") ? pathToFileURL(each).href : each)),
    );
  for (const place of [inside, beside, clone, join(outside, "other"), `${main}-2`]) {
    expect(refused(main, [place])).toContain(`you work in ${place}, and this server serves ${main}.`);
  }
  for (const fits of [[main], [join(main, "sub")], [join(main, "..")], [clone, main], [], ["untitled:a"]]) {
    expect(refused(main, fits), String(fits)).toBeUndefined();
  }
  // Where it was started counts if it says nothing, and only another working tree of the repository.
  expect(refused(beside, [])).toContain(`you work in ${beside},`);
  expect(refused(join(inside, "sub"), [])).toContain("you work in");
  expect([clone, outside, "/", join(main, "sub")].map((each) => refused(each, []))).toEqual(Array(4).fill(undefined));
  expect(refused(beside, [main])).toBeUndefined();
});
