// Commands that change only files which they name, and which undo restores: they are allowed like `write`.
import { describe, expect, test } from "vitest";
import { PERMISSION_MODES } from "../../../../src/core/permission/modes.js";
import { world, type World } from "./permissionRig.js";

async function decisionOn(command: string, options: World = {}): Promise<string> {
  return (await world(options).explain("exec", { command })).decision;
}

describe("runs unasked", () => {
  test.each([
    "mkdir -p build/out",
    "mkdir build && cd build && touch a.txt",
    "rmdir build",
    "touch new.txt",
    "touch a.txt src/*.ts",
    "cp a.txt b.txt",
    "cp a.txt src/a.ts",
    "cp -p a.txt src/a.ts src/deep",
    "cp -t src/deep a.txt",
    "mv a.txt b.txt",
    "mv src/a.ts src/deep/",
    "mv src/deep src/deeper",
    "mv -t src a.txt",
    "echo x | tee b.txt",
    "sed -i s/a/b/ a.txt",
    "sed -Ei 's/a/b/g' src/*.ts",
    "echo x > b.txt",
    "ls >> a.txt",
    ": > a.txt",
    "cat > notes/new.md <<'END'\ntext\nEND",
    "git add -A",
    "git add src/a.ts && git status",
    "sed -i s/a/b/ a.txt && git add a.txt && git status --short",
    "mkdir -p x && cp a.txt x/ && ls x && cat x/a.txt | head -3",
    "timeout 5 cp a.txt b.txt",
  ])("%s", async (command) => {
    expect(await decisionOn(command)).toBe("allow");
  });
});

describe("asks", () => {
  test.each([
    ["a whole folder, whatever it holds", "cp -r src x"],
    ["copied links", "cp -P outlink x"],
    ["copied links, bundled", "cp -dp docs/in x"],
    ["a backup with a name of its own", "cp --backup=numbered a.txt src/a.ts"],
    ["a backup with a name of its own, of sed", "sed -i.bak s/a/b/ a.txt"],
    ["a script that does more", "sed -i 's/a/b/w other.txt' a.txt"],
    ["a folder that holds a link", "mv docs x"],
    ["a folder that holds secrets", "mv keys x"],
    ["a folder onto a protected name", "mv src/deep .husky"],
    ["a folder whose files would be protected there", "mv dashes .toolhost/tasks"],
    ["a folder whose files are protected", "mv .vscode x"],
    ["a link", "mv outlink x"],
    ["a file behind a link", "sed -i s/a/b/ docs/in/a.ts"],
    ["a protected file", "cp a.txt package.json"],
    ["a protected file, by a redirection", "echo x > AGENTS.md"],
    ["a protected file, by its folder", "cp package.json .vscode/"],
    ["a secret", "cp .env x"],
    ["a secret that is moved", "mv .env x"],
    ["a place outside", "cp a.txt ../x"],
    ["a place outside, by a link", "cp a.txt dirlink/x"],
    ["a name that a pattern would make a flag", "touch ./-rf"],
    ["words from elsewhere", "ls | xargs mkdir"],
    ["names from find", "find . -name '*.md' -exec sed -i s/a/b/ {} +"],
    ["other rights", "sudo mkdir x"],
    ["a word only known at run time", "mkdir $X"],
    ["a program of the workspace", "./mkdir x"],
    ["an ordinary command beside it", "mkdir x && npm test"],
    ["a search that a new file steers", "echo '!.env' > .ignore && rg x"],
    ["a search of a folder whose files change", "cp a.txt src/b.ts && grep -r x src"],
    ["git, which reads files that change", "cp a.txt x && git log"],
    ["a list of names that may have changed", "mv a.txt b.txt && ls | xargs cat"],
    ["flags of git that run programs", "git -c core.fsmonitor=./x add -A"],
    ["a list of paths in a file", "git add --pathspec-from-file=x"],
  ])("about %s: %s", async (_, command) => {
    expect(await decisionOn(command)).toBe("ask");
  });

  test("about git add where the repository names a program", async () => {
    const texts = {
      ".git/config": "[core]\n\tbare = false\n\tfsmonitor = ./x\n",
      ".git/HEAD": "ref: refs/heads/main\n",
    };
    expect(await decisionOn("git add a.txt", { files: ["a.txt"], texts })).toBe("ask");
  });

  test("about a file that is too large for undo, and says so", async () => {
    const texts = { "big.bin": "x".repeat(8_000_001), "a.txt": "x" };
    for (const command of ["cp a.txt big.bin", "mv big.bin b.bin", "echo x > big.bin", "sed -i s/a/b/ big.bin"]) {
      const { decision, reasons } = await world({ files: [".git/HEAD"], texts }).explain("exec", { command });
      expect([decision, reasons.join(" ")]).toEqual([
        "ask",
        expect.stringContaining("`big.bin` is too large for undo"),
      ]);
    }
  });

  test("in every mode but default, and where nothing can be undone", async () => {
    const byMode = await Promise.all(PERMISSION_MODES.map((mode) => decisionOn("cp a.txt b.txt", { mode })));
    expect(byMode).toEqual(["allow", "ask", "deny", "allow"]);
    expect(await decisionOn("cp a.txt b.txt", { undoable: false })).toBe("ask");
    expect(await decisionOn("echo x > b.txt", { undoable: false })).toBe("ask");
    expect(await decisionOn("cp a.txt b.txt", { trusted: false })).toBe("deny");
  });
});

test("says why it is allowed", async () => {
  const { reasons, rule } = await world().explain("exec", { command: "cp a.txt b.txt" });
  expect(reasons).toEqual(["`cp a.txt b.txt` only changes files that it names, which undo takes back."]);
  expect(rule).toBe("default: changes inside the workspace that can be undone are allowed");
});
