// What is judged as reading is run here, in a repository of its own, and must leave it as it was.
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
  mkdirSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judge } from "../../../src/shell/judge.js";
import { argWords } from "../../unit/shell/words.js";

const lines: readonly string[] = `
ls
ls -la src
ls -lhStrR --color=always src
ls -1 --sort=size a.txt b.txt
cat a.txt
cat -An a.txt b.txt
tac a.txt
rev a.txt
head -n 2 a.txt
head -2 a.txt b.txt
tail -n 2 a.txt
tail -c 5 a.txt
wc -l a.txt b.txt
wc -lwcmL a.txt
nl -ba a.txt
od -c a.txt
od -A x -t x1z a.txt
hexdump -C a.txt
xxd a.txt
xxd -l 4 a.txt
strings -n 3 a.txt
column -t a.txt
fold -w 3 a.txt
fmt -w 10 a.txt
expand -t 4 a.txt
unexpand -a a.txt
base64 a.txt
base64 -w 0 a.txt
md5sum a.txt
sha256sum a.txt b.txt
cksum a.txt
grep one a.txt
grep -n -i -A1 one a.txt b.txt
grep -rn one src
grep -r one
grep -E -c 'o(n|m)e' a.txt
grep -f patterns.txt a.txt
grep -e one -e two a.txt
egrep 'one|two' a.txt
fgrep one a.txt
rg one
rg -n --hidden one src
rg --files
fd a src
find . -name '*.txt' -type f
find src -maxdepth 2 -printf '%p\\n'
find . -newer a.txt -print0
find . -path ./.git -prune -o -type f -print
find . -size +1 -ls
find . '(' -name a.txt -o -name b.txt ')' -not -empty
file a.txt
file -b --mime a.txt
stat a.txt
stat -c %s a.txt
du -sh .
du -a --max-depth=1 src
df -h .
tree -L 2
basename src/x.ts .ts
dirname src/x.ts
realpath src/../a.txt
readlink -f a.txt
sort a.txt
sort -rnk 1,1 -t , a.txt
sort -u a.txt b.txt
sort -c sorted.txt
uniq -c sorted.txt
uniq -d sorted.txt
cut -d , -f 1 a.txt
cut -c1-3 a.txt
tr a b
paste -d , a.txt b.txt
join sorted.txt sorted.txt
comm -12 sorted.txt sorted.txt
diff a.txt b.txt
diff -u a.txt b.txt
diff --unified=1 a.txt b.txt
diff -ru src src
diff -y --width=40 a.txt b.txt
cmp a.txt a.txt
cmp -l a.txt b.txt
sed -n 1,2p a.txt
sed -n '/one/,/two/{p;=}' a.txt
sed s/one/two/g a.txt
sed -E 's|(o)(ne)|\\2\\1|gI;y/abc/xyz/' a.txt
sed -e 1d -e '$!N;P;D' a.txt
sed '1a hello' a.txt
sed -n '$=' a.txt
awk '{print $1}' a.txt
awk -F, '$1 > 5' a.txt
awk 'BEGIN{x=1} {s+=NF} END{print s, x}' a.txt
awk -v n=2 'NR<=2 || NR==n' a.txt
jq . a.json
jq -r '.a[] | .b' a.json
jq -c --arg x 1 '{x: $x}' a.json
jq -n '1+1'
jq --slurpfile d a.json -n '$d'
echo hello -n
printf '%s\\n' a
printf -- '-v'
pwd
pwd -P
true
false
:
test -f a.txt
[ a = b ]
cd src
pushd src
type ls
which git
command -v git
sleep 0
seq 1 3
date
date +%s
date -u -d 2020-01-01 +%F
date -r a.txt
uname -a
hostname
nproc
whoami
id
id -un
groups
uptime
who
free -m
lscpu
ps
ps aux
ps -ef
ps -o pid,comm
pgrep -l bash
env
printenv HOME
locale
set -euo pipefail
export LANG=C
git status
git status -sb
git status --porcelain=v2 --untracked-files=all
git log
git log --oneline -3 --graph --all --decorate
git log -p --stat -- a.txt
git log --format=%H%n%s --since=2000-01-01 --author=a
git log -S one --reverse
git log -L 1,2:a.txt
git show
git show HEAD:a.txt
git show --stat HEAD
git diff
git diff --cached
git diff HEAD^ HEAD --name-status -M
git diff --word-diff -w -U1 -- a.txt
git diff --no-index a.txt b.txt
git blame a.txt
git blame -L 1,2 -w a.txt
git shortlog -sn HEAD
git describe --always --dirty
git rev-parse HEAD
git rev-parse --show-toplevel --abbrev-ref HEAD
git rev-list --count HEAD
git ls-files -o --exclude-standard
git ls-tree -r HEAD
git cat-file -p HEAD
git cat-file -t HEAD
git branch
git branch -avv
git branch --contains HEAD
git branch --list 'm*'
git tag
git tag -l 'v*'
git tag -n1
git remote
git remote -v
git config --get user.name
git config --name-only --list
git stash list
git stash show -p
git reflog
git reflog show main
git worktree list
git merge-base HEAD HEAD^
git name-rev HEAD
git grep -n one
git grep -e one --and -e t
git check-ignore -v x.log
git for-each-ref --format='%(refname)'
git show-ref
git count-objects -v
git notes list
git version
git --version
git --no-pager log -1
make --version
npm --version
node --version
python3 --version
`
  .trim()
  .split("\n");

let folder = "";
const environment = { PATH: process.env.PATH ?? "", HOME: "", LANG: "C", GIT_CONFIG_NOSYSTEM: "1", TZ: "UTC" };

/**
 * Names, kinds, modes, times of change and contents of all there is. git refreshes its index as it looks: it may hold
 * other times.
 */
function fingerprint(root: string): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(root, { recursive: true, encoding: "utf8" }).sort()) {
    if (name.endsWith(join(".git", "index"))) {
      continue;
    }
    const path = join(root, name);
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    hash.update(`${name} ${stat?.mode ?? "link"} ${stat?.isFile() === true ? stat.mtimeNs : ""}\n`);
    hash.update(stat === undefined ? readlinkSync(path) : stat.isFile() ? readFileSync(path) : "");
  }
  return hash.digest("hex");
}

function isThere(name: string): boolean {
  return spawnSync("bash", ["-c", 'command -v -- "$1"', "-", name], { env: environment }).status === 0;
}

/** Runs the words as they are; a builtin as bash runs it. It gets no input, and two seconds. */
function run(words: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const child = execFile(
      "bash",
      ["-c", '"$@"', "-", ...words],
      { cwd: join(folder, "repo"), env: environment, timeout: 10_000 },
      (_, stdout, stderr) => resolve(stdout + stderr),
    );
    child.stdin?.end();
  });
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "toolhost-judge-"));
  const repo = join(folder, "repo");
  mkdirSync(join(repo, "src"), { recursive: true });
  environment.HOME = join(folder, "home");
  mkdirSync(environment.HOME);
  const files = {
    "a.txt": "one,1\ntwo,2\nsome,3\n",
    "b.txt": "one\ttwo\nthree\n",
    "sorted.txt": "a 1\na 1\nb 2\n",
    "patterns.txt": "one\n",
    "a.json": '{"a":[{"b":1}]}',
    "src/x.ts": "one\n",
    ".gitignore": "*.log\n",
    "x.log": "one\n",
  };
  const write = (): void => Object.entries(files).forEach(([name, text]) => writeFileSync(join(repo, name), text));
  const git = (...args: string[]): unknown => execFileSync("git", args, { cwd: repo, env: environment, stdio: "pipe" });
  write();
  git("init", "-q", "-b", "main");
  git("config", "user.name", "a");
  git("config", "user.email", "a@b.c");
  git("add", ".");
  git("commit", "-qm", "first");
  writeFileSync(join(repo, "a.txt"), `${files["a.txt"]}four\n`);
  git("commit", "-qam", "second");
  git("tag", "v1");
  writeFileSync(join(repo, "b.txt"), "put away\n");
  git("stash", "-q");
  writeFileSync(join(repo, "b.txt"), "changed\n");
  writeFileSync(join(repo, "new.txt"), "new\n");
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe("what is judged as reading", () => {
  it.each(lines)("changes nothing: `%s`", async (line) => {
    const words = argWords(line);
    expect(judge(words)).toMatchObject({ effect: "reads", beyondPrefix: false, why: "" });
    const values = words.map((word) => word.value ?? word.glob ?? "");
    const before = fingerprint(folder);
    const output = isThere(values[0] ?? "") ? await run(values) : "";
    expect(fingerprint(folder), output).toBe(before);
    // A line that the tool does not understand would prove nothing.
    expect(output).not.toMatch(/(?:invalid|unrecognized|unknown) option|usage:/iu);
  });
});
