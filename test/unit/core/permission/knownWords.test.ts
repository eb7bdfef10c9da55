import { describe, expect, test } from "vitest";
import { world } from "./permissionRig.js";

const FILES = [
  "README.md",
  "src/a.ts",
  "src/deep/b.ts",
  "lib/[id].js",
  "lib/plain.js",
  "keys/server.pem",
  ".env",
  ".git/HEAD",
  ".git/config",
  "package.json",
];
const ODD_FILES = [
  ...FILES,
  "odd/a /etc/passwd.txt",
  "src/c d/x.md",
  "dash/-r",
  "-x.txt",
  "quote/'a.md",
  "new/a\n.md",
  "match/x .env y.ts",
  "match/deep/z.ts",
  "star/*",
  "star/s.pem",
  "star/[ab].ts",
  "star/a.ts",
  "brackets]/.env",
];
/** Names that are not valid UTF-8, as they are listed. */
const UNREADABLE = ["bytes/d\uFFFD/x", "bytes/a.ts"];
const LINKS = { "linked/out.ts": "/etc/passwd", "linked/etc": "/etc" };
const ODD_LINKS = {
  ...LINKS,
  "marks/*star": "/etc/passwd",
  "marks/[x]y": "/etc/passwd",
  "bytes/l\uFFFDk": "/etc/passwd",
  "star/b.ts": "/etc/passwd",
};

/** Each may open a file that nobody knows, a secret, or what lies outside. */
const ASKS: readonly string[] = [
  // Secrets among the names, and files that a link leads to.
  "find . -type f | xargs cat",
  "find . | xargs grep x",
  "find . -name '.*' | xargs cat",
  "find . -iname '*.PEM' | xargs cat",
  "find keys | xargs head -1",
  "find . -name '*' -print0 | xargs -0 cat",
  "find . -type f -exec cat {} +",
  "find linked -name '*.ts' | xargs cat",
  "git ls-files | xargs cat",
  "rg --files -uu | xargs cat",
  // The tests behind an action do not hold it back; of two alternatives both count.
  "find . -exec cat {} \\; -name '*.ts'",
  "find . -print -name '*.ts' | xargs cat",
  "find . -name '*.ts' -o -name '.env' | xargs cat",
  "find . \\( -name '*.ts' -o -name '.e*' \\) | xargs cat",
  "find . -not -name '*.ts' -type f | xargs cat",
  "find . -name x -prune -o -print | xargs cat",
  "find . -depth -path ./keys -prune -o -name '*.pem' -print | xargs cat",
  // A pattern of paths that leaves out less than it seems.
  "find . -name '*.pem' -not -path './src/*' | xargs cat",
  "find . -name '*.pem' -not -path 'keys' | xargs cat",
  "find . -name '*.pem' -not -path './key?/*' | xargs cat",
  "find .// -name '*.pem' -not -path './keys/*' | xargs cat",
  "find ./ -name '*.pem' -not -path './keys/*' | xargs cat",
  "find . -name keys -prune -o -mindepth 2 -name '*.pem' -print | xargs cat",
  "find . -path ./keys -prune -o -name '*.pem' -mindepth 2 -print | xargs cat",
  // What xargs does with the words itself.
  "find src -name '*.ts' | xargs -I{} uniq {} out",
  "find src -name '*.ts' | xargs uniq",
  "find src -name '*.ts' | xargs -I{} -n1 uniq {}",
  "find src -name '*.ts' | xargs sed -i s/a/b/",
  "find src -name '*.ts' | xargs sort -o",
  "find src -name '*.ts' | xargs -I{} cat {}.pem",
  "find src -name '*.ts' -print0 | xargs cat",
  "find src -name '*.ts' | xargs -0 cat",
  "find src -name '*.ts' | xargs -a list cat",
  "find src -name '*.ts' | xargs sh",
  "find src -name '*.ts' | xargs rm",
  // Other lines than names, and names of another place.
  "cat list | xargs cat",
  "echo /etc/passwd | xargs cat",
  "find src -name '*.ts' -ls | xargs cat",
  "find src -name '*.ts' 2>&1 | xargs cat",
  "find src -name '*.ts' |& xargs cat",
  "find src -name '*.ts' | sed 's/^/x/' | xargs cat",
  "find src -name '*.ts' | head -c 5 | xargs cat",
  "find src -name '*.ts' | grep -o '/.*' | xargs cat",
  "find src -name '*.ts' | cat - list | xargs cat",
  "find src -name '*.ts' | (cd keys && xargs cat)",
  "(cd src && find . -name '*.pem') | xargs cat",
  "find -L . -name '*.ts' | xargs cat",
  "find / -name '*.ts' | xargs cat",
  "find .. -name '*.ts' | xargs cat",
  "echo x && find src -name '*.ts' | cat <<E | xargs cat\n/etc/passwd\nE",
  "{ echo /etc/passwd; find src -name '*.ts'; } | xargs cat",
  "find() { echo /etc/passwd; }; find src -name '*.ts' | xargs cat",
  "ls keys | xargs cat",
  "ls -a | xargs cat",
  "git diff --name-only HEAD~1 | xargs cat",
  "git ls-files ../x | xargs cat",
  "rg -l x .. | xargs cat",
  // Variables that something else sets, or that are not set where they are used.
  'f=src/a.ts; f=.env; cat "$f"',
  'f=src/a.ts; for i in 1 2; do cat "$f"; f=.env; done',
  'false && f=src/a.ts; cat "$f"',
  'f=src/a.ts & cat "$f"',
  'f=src/a.ts cat "$f"',
  '(f=src/a.ts); cat "$f"',
  'f=src/a.ts | cat "$f"',
  'f=src/a.ts > x/y; cat "$f"',
  'f=src/a.ts; read f; cat "$f"',
  'f=src/a.ts; g() { f=.env; }; g; cat "$f"',
  "f=src/a.ts; eval 'f=.env'; cat \"$f\"",
  "f=src/a.ts; trap 'f=.env' DEBUG; cat \"$f\"",
  'f=src/a.ts; printf -v f .env; cat "$f"',
  "f=src/a.ts; unset f; cat $f .env",
  'for f in src/*.ts; do :; done; cat "$f"',
  'for f in src/*.ts; do for f in .env; do :; done; cat "$f"; done',
  'for f in src/*.ts; do cd keys; cat "$f"; done',
  'for f in src/*.ts .env; do cat "$f"; done',
  'for f in keys/*; do cat "$f"; done',
  'for f in ~/.ssh/*; do cat "$f"; done',
  "for f in a -r; do grep x $f; done",
  "RANDOM=1; cat src/$RANDOM",
  "for f in 'src/a.ts /etc/passwd'; do cat $f; done",
  "f='src/a.ts /etc/passwd'; cat $f",
  'for f in "$@"; do cat "$f"; done',
  "for f in $(cat list); do cat $f; done",
  "select f in src/*.ts; do cat $f; done",
  // A part of a name, where something else reads from the same place.
  "find src -name '*.ts' | while read -r f; do head -1; cat \"$f\"; done",
  "find src -name '*.ts' | while read -r f; do head -c 3 >/dev/null; cat \"$f\"; done",
  "find src -name '*.ts' | while read -r f; do x=$(cat /dev/stdin | head -1); cat \"$f\"; done",
  "find src -name '*.ts' | while read -r f; do read -r g; cat \"$f\"; done",
  "find src -name '*.ts' | while read -n 3 f; do cat \"$f\"; done",
  "find src -name '*.ts' | while read -d x f; do cat \"$f\"; done",
  "find src -name '*.ts' | while read -r a b; do cat \"$b\"; done",
  'while read -r f; do cat "$f"; done < list',
  "find src -name '*.ts' | while read -r f; do cat \"$f\"; done < list",
  // Revisions and numbers.
  "git show $(git rev-parse .env)",
  "git show $(git rev-parse HEAD):.env",
  "git show $(git branch --show-current):.env",
  "cat $(git branch --show-current)",
  "git show $(cat list)",
  "git log $(echo --output=x)",
  "git diff $(git rev-parse --show-toplevel)",
  "git log $(git rev-parse --git-path x)",
  "x=a; echo $((x+1))",
  "read x; echo $((x+1))",
  "x=5; x='a[$(id)]'; echo $((x+1))",
  "x=5; echo $((x=7))",
  "false && x=5; echo $((x+1))",
  "[[ $a -gt 3 ]]",
  "a=5; read a; [[ $a -gt 3 ]]",
  "n=1; n=2; cat $n",
  "for i in 1 2; do cat keys/$i*; done",
  "x=$(cat list); [[ $x -gt 3 ]]",
  "cat >(ls) x",
  "diff <(cat .env) src/a.ts",
  "bash <(ls)",
  "source <(ls)",
  "sort -o <(ls) x",
];

/** Names that blanks, quotes, patterns or a first dash make something else of. */
const ODD: readonly string[] = [
  "find . -name '*.txt' | xargs cat",
  "find odd -type f | xargs wc -l",
  "find src | xargs cat",
  "for f in $(find odd -type f); do cat $f; done",
  "wc -l $(find odd -type f)",
  "for f in dash/* *; do head -1 $f; done",
  "cd dash && ls | xargs grep x",
  "find dash -name '-r' -printf '%f\\n' | xargs cat",
  "find src -type f | while read f; do head -1 $f; done",
  "find quote -type f | xargs cat",
  'find new -type f | while read -r f; do cat "$f"; done',
  "du -sh *",
  "ls | xargs wc -l",
  "git ls-files | xargs wc -l",
  "git ls-files '*.txt' | xargs wc -l",
  "git ls-files -z '*.txt' | xargs -0 cat",
  // What a pattern matches at once, and not below it.
  "for f in match/*.ts; do cat $f; done",
  "find match/*.ts | xargs cat",
  "ls match/x* | xargs cat",
  'for f in [-]x*; do git log "$f"; done',
  "for f in ?x.txt; do head $f; done",
  "for f in star/?; do cat $f; done",
  "for f in star/[[]*; do cat $f; done",
  // Marks of patterns that are quoted stand for themselves.
  "cat marks/'*'*",
  "cat marks/\\*s*",
  "cat marks/\\[*",
  "cat 'brackets]'/.e*",
  // Names in bytes that nobody can write down.
  "cat bytes/l*",
  "cat bytes/*/x",
  "find bytes -name x | xargs cat",
  "find bytes | xargs cat",
  "grep -r x bytes",
  'for f in bytes/l*; do cat "$f"; done',
];

/** What these reach is known. */
const RUNS: readonly string[] = [
  "find ./ -name '*.pem' -not -path '*/keys/*' | xargs cat",
  "find . -name keys -prune -o -mindepth 1 -name '*.pem' -print | xargs cat",
  "find src -name '*.ts' | xargs cat",
  "find . -name '*.ts' -type f | xargs cat",
  "find . -name '*.js' | xargs grep -l x",
  "find . -type f -name '*.ts' -exec cat {} \\;",
  "find src -type f -print0 | xargs -0 cat",
  "find src -type f -exec cat {} +",
  "find . -name '*.pem' -not -path './keys/*' | xargs cat",
  "find . -path ./keys -prune -o -name '*.pem' -print | xargs cat",
  "find . -type d -name keys -prune -o -name '*.pem' -print | xargs cat",
  "find src -name '*.ts' 2>/dev/null | sort -u | head -3 | xargs -n1 head -1",
  "find lib -name '*.js' | xargs cat",
  "for f in $(find lib -name '*.js'); do cat $f; done",
  'for f in src/*.ts; do cat "$f"; done; for f in lib/*.js; do cat $f; done',
  'f=src/a.ts; cat "$f" && head -1 $f',
  "d=src; ls $d; grep -rn x $d",
  'find src -name \'*.ts\' | while IFS= read -r f; do echo "== $f"; head -3 "$f" | tail -1; done',
  "i=0; for f in src/*.ts; do i=$((i+1)); echo $i; done",
  "n=$(wc -l < README.md); [[ $n -gt 3 ]] && echo long",
  "base=$(git merge-base main HEAD); git diff $base..HEAD --stat",
  "git log $(git merge-base main HEAD)^..HEAD",
  "cat <(git show HEAD:src/a.ts) src/a.ts",
  "cd src && find . -name '*.ts' | xargs wc -l",
  "rg -l x src -g '*.ts' | xargs cat",
  "for i in 1 2; do cat src/f$i.txt; done",
  'for t in foo bar; do grep -rn "$t" lib; done',
];

describe("a word that becomes a name of which a command makes another", () => {
  const { explain } = world({ files: [...ODD_FILES, ...UNREADABLE], links: ODD_LINKS });
  test.each(ODD)("asks: %s", async (command) => {
    expect(await explain("exec", { command })).toMatchObject({ decision: "ask" });
  });
});

describe("a word only known at run time", () => {
  const { explain } = world({ files: FILES, links: LINKS });
  test.each(ASKS)("asks: %s", async (command) => {
    expect(await explain("exec", { command })).toMatchObject({ decision: "ask" });
  });
  test.each(RUNS)("runs: %s", async (command) => {
    expect(await explain("exec", { command })).toMatchObject({ decision: "allow" });
  });
});

describe("a search of sources alone, where a secret ends as a source does", () => {
  const { explain } = world({ files: ["src/a.ts", "src/.env.ts", "docs/id_rsa.md", "docs/.env.md", "x.go", ".env"] });
  test.each(["rg -g '*.ts' ''", "rg -g '*.md' x", "grep -r --include='*.ts' x .", "grep -rn x . --include='*.md'"])(
    "asks: %s",
    async (command) => {
      expect(await explain("exec", { command })).toMatchObject({ decision: "ask" });
    },
  );
  test("is told to leave it out, where no glob may take that back: rg -t md x", async () => {
    expect(await explain("exec", { command: "rg -t md x" })).toMatchObject({
      decision: "allow",
      instead: { command: "rg --glob='!.env.ts' --glob='!.env.md' --glob='!id_rsa.md' -t md x" },
    });
  });
  test("where a type brings hidden files back", async () => {
    const given = world({ files: ["a.md", ".env.md", ".env.json", ".env"] });
    expect((await given.explain("exec", { command: "rg -t md x" })).instead?.leftOut).toEqual([".env.md"]);
    expect((await given.explain("exec", { command: "rg -t json x" })).instead?.leftOut).toEqual([
      ".env",
      ".env.json",
      ".env.md",
    ]);
    expect((await given.explain("exec", { command: "rg -l -t md x | xargs cat" })).instead?.command).toBe(
      "rg --glob='!.env.md' -l -t md x | xargs cat",
    );
    expect((await given.explain("exec", { command: "rg -l -t ts x | xargs cat" })).decision).toBe("allow");
  });
  test.each(["rg -g '*.js' x src/a.ts", "grep -r --include='*.go' x x.go", "rg -t ts x docs/x.ts"])(
    "runs: %s",
    async (command) => {
      expect(await explain("exec", { command })).toMatchObject({ decision: "allow" });
    },
  );
});
