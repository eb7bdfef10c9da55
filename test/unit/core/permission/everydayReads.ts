/**
 * What coding agents run to look around: 364 command lines, weighted as agents use them. `READS` only read inside the workspace (or
 * tell of the machine) and should run unasked; `ASKS` reach the network, run code of the project, or read what is not the workspace's,
 * and each says why.
 */

/** The workspace they are decided in: a Git repository with a secret, packages that are installed and what was built. */
export const EVERYDAY_FILES: readonly string[] = [
  ".env", ".gitignore", ".git/HEAD", ".git/config", ".git/index", ".git/refs/heads/main", ".git/objects/ab/cdef", ".git/hooks/pre-commit.sample",
  "README.md", "CHANGELOG.md", "LICENSE", "Makefile", "package.json", "package-lock.json", "tsconfig.json", "pyproject.toml", "go.mod", "Cargo.toml", "docker-compose.yml", "Dockerfile",
  "src/index.ts", "src/app.ts", "src/util/date.ts", "src/util/text.ts", "src/routes/[id].ts", "src/routes/users.ts", "src/main.py", "src/main.go", "src/lib.c",
  "test/app.test.ts", "test/util/date.test.ts", "test/fixtures/users.json", "docs/guide.md", "docs/api.md", "scripts/x.js", "scripts/release.sh", "data/users.csv", "data/a.json", "data/b.json", "config/app.yml",
  "build/app.o", "build/app", "build/libapp.a", "dist/index.js", "dist/release.tar.gz", "dist/release.zip", "logs/app.log", "logs/app.log.1.gz",
  "node_modules/.bin/vitest", "node_modules/.bin/tsc", "node_modules/.bin/eslint", "node_modules/vitest/package.json", "node_modules/typescript/package.json", "node_modules/left-pad/index.js",
];

/** What stands in those of them that decide on something. */
export const EVERYDAY_TEXTS: Readonly<Record<string, string>> = { "go.mod": "module example.com/app\n\ngo 1.22\n" };

/** By kind, those that should run unasked. */
export const READS: Readonly<Record<string, readonly string[]>> = {
  "git status and log": [
    "git status", "git status --short", "git status -sb", "git status --porcelain", "git log", "git log --oneline", "git log --oneline -10", "git log -5 --stat", "git log --oneline --graph --all -20",
    "git log -1 --format=%H", "git log -p -2 -- src/app.ts", "git log --follow --oneline -- src/util/date.ts", "git log --author=ann --since='2 weeks ago' --oneline", "git log main..HEAD --oneline", "git log -S'parseDate' --oneline -- src",
    "git log -3 --name-only", "git --no-pager log --oneline -5", "git -C . log --oneline -3", "git -C src log --oneline -3", "git -C /work status", "git -c color.ui=false log -3", "GIT_PAGER=cat git log -3", "PAGER=cat git log -1",
    "git shortlog -sn", "git reflog -10", "git rev-list --count HEAD",
  ],
  "git diff and show": [
    "git diff", "git diff --stat", "git diff --cached", "git diff --staged --name-only", "git diff HEAD~1", "git diff main...HEAD --stat", "git diff main -- src/app.ts", "git diff --no-color src/app.ts", "git --no-pager diff",
    "git show HEAD", "git show --stat HEAD~2", "git show HEAD:src/app.ts", "git show HEAD~1:package.json | head -20", "git show --name-only HEAD", "git diff $(git merge-base main HEAD)", "git diff $(git merge-base main HEAD)..HEAD --stat", "git show $(git rev-parse HEAD)",
    "git log $(git merge-base main HEAD)..HEAD --oneline", "git diff --name-only | cat", "git diff --name-only main | grep '\\.ts$'", "git diff --name-only | xargs wc -l",
    "diff <(git show HEAD:src/app.ts) src/app.ts",
  ],
  "git, the rest": [
    "git branch", "git branch -a", "git branch --show-current", "git branch -vv", "git rev-parse HEAD", "git rev-parse --abbrev-ref HEAD", "git rev-parse --show-toplevel", "git remote -v", "git tag --list",
    "git describe --tags --always", "git log $(git describe --tags --abbrev=0)..HEAD --oneline", "git ls-files", "git ls-files src | head -20", "git ls-files '*.ts' | wc -l", "git ls-files --others --exclude-standard", "git ls-tree -r HEAD --name-only", "git blame src/app.ts", "git blame -L 10,20 src/app.ts",
    "git grep -n parseDate", "git grep -l TODO -- '*.ts'", "git stash list", "git merge-base main HEAD", "git cat-file -p HEAD", "git check-ignore -v .env", "git config user.name", "git config --get core.autocrlf", "git submodule status", "git help log", "git --version", "git for-each-ref --format='%(refname)' refs/heads",
    "git rev-parse --is-inside-work-tree", "BRANCH=$(git branch --show-current); echo \"on $BRANCH\"",
  ],
  "rg and grep": [
    "rg parseDate", "rg -n 'export function' src", "rg -l TODO", "rg -t ts 'import .* from'", "rg -g '*.ts' useState", "rg -c TODO src", "rg -A3 -B3 'class App' src", "rg --files", "rg --files src | head -50", "rg --files -g '*.ts' | wc -l", "rg -o 'TODO.*' src | sort | uniq -c | sort -rn",
    "rg 'foo|bar' src --no-heading | head -20", "rg -n 'describe\\(' test", "rg --version", "rg --hidden x", "rg -uu x src", "rg -l parseDate src | xargs wc -l", "rg -l parseDate src | xargs sed -n '1,5p'",
    "grep -n TODO src/app.ts", "grep -rn TODO src", "grep -rn TODO .", "grep -rn 'parseDate' --include='*.ts' .", "grep -r x . --exclude-dir=node_modules", "grep -rn --include=*.py import src", "grep -rl parseDate src", "grep -c '' README.md", "grep -v '^#' config/app.yml", "grep -A5 scripts package.json", "grep -n '\"version\"' package.json", "grep -oE '[0-9]+' logs/app.log | sort -u",
    "grep -rn TODO src test | grep -v fixtures", "grep -rn 'x' src | wc -l", "grep -l parseDate src/*.ts", "cat package.json | grep version", "ps aux | grep node",
  ],
  "find and xargs": [
    "find . -name '*.ts'", "find . -type f -name '*.ts' -not -path '*/node_modules/*'", "find src -type f", "find . -maxdepth 2 -type d", "find . -name package.json -not -path './node_modules/*'", "find src -name '*.ts' | head -20", "find src -name '*.ts' | wc -l", "find . -newer package.json -name '*.ts'", "find . -path ./node_modules -prune -o -name '*.md' -print", "find . -type f | sed 's/.*\\.//' | sort | uniq -c",
    "find src -name '*.ts' | xargs wc -l", "find src -name '*.ts' | xargs grep -l parseDate", "find src -name '*.ts' -print0 | xargs -0 grep -n parseDate", "find src -name '*.ts' -exec grep -l parseDate {} +", "find src -name '*.ts' -exec wc -l {} +", "find src -name '*.ts' -exec grep -Hn TODO {} \\;", "find . -name '*.md' -not -path '*/node_modules/*' | xargs wc -w", "find . -name '*.json' -not -path './node_modules/*' -exec wc -c {} +",
    "find src \\( -name '*.ts' -o -name '*.py' \\) | xargs wc -l", "find src test -name '*.ts' | xargs wc -l | tail -1", "find src -name '*.ts' | sort | xargs wc -l", "find src -name '*.ts' | head -3 | xargs head -5", "find src -type f -name '*.ts' | xargs -I{} wc -l {}", "find . -name '*.js' -not -path '*/node_modules/*' | xargs grep -l x", "find src -name '*.ts' | xargs cat | wc -l", "find test -name '*.test.ts' | xargs -n1 basename",
    "git ls-files | xargs wc -l", "git ls-files '*.ts' | xargs wc -l | tail -1", "git ls-files | head -100", "git ls-files -z '*.ts' | xargs -0 wc -l", "git ls-files | xargs -n1 dirname | sort -u", "git ls-files | sed 's|/.*||' | sort | uniq -c", "grep -rl parseDate src | xargs sed -n '1,3p'", "ls src/*.ts | xargs wc -l", "fd -e ts", "fd -t f . src",
  ],
  "wc, head, tail, sed, awk": [
    "wc -l src/app.ts", "wc -l src/*.ts", "wc -l $(git ls-files '*.ts')", "wc -c dist/index.js", "head -50 README.md", "head -n 20 src/app.ts", "head -c 200 data/a.json", "tail -20 logs/app.log", "tail -n +10 README.md | head -5", "sed -n '1,40p' src/app.ts", "sed -n '10,20p;30p' src/app.ts", "sed -n '/class App/,/^}/p' src/app.ts", "sed 's/foo/bar/g' src/app.ts | head", "sed -e '1d' data/users.csv | wc -l",
    "awk '{print $1}' data/users.csv", "awk -F, '{print $2}' data/users.csv | sort | uniq -c", "awk 'NR>=10 && NR<=20' src/app.ts", "awk '{ if ($1 > 10) print $1 }' data/users.csv", "awk -F, 'NR>1 {s+=$3} END {print s}' data/users.csv", "awk '/TODO/ {print FILENAME\":\"FNR}' src/app.ts", "cat src/app.ts", "cat src/app.ts src/index.ts", "cat -n src/app.ts | sed -n '5,15p'", "cat package.json | head -30", "nl -ba src/app.ts | head", "cut -d, -f1 data/users.csv | sort -u", "sort data/users.csv | uniq -d", "tr ',' '\\n' < data/users.csv | head", "xxd dist/index.js | head -3", "strings build/app | head", "sha256sum dist/release.tar.gz",
  ],
  "ls, tree, du, stat, file": [
    "ls", "ls -la", "ls -la src", "ls -R src", "ls src/ test/", "ls *.json", "ls -lt | head", "ls -1 src | wc -l", "ls -d */", "ls node_modules | head", "ls node_modules/.bin", "tree -L 2", "tree src -I node_modules", "du -sh src", "du -sh *", "du -sh .", "du -a src | sort -rn | head", "df -h", "stat src/app.ts", "stat -c '%s %n' dist/index.js", "file build/app", "pwd", "basename src/app.ts .ts", "test -f package.json && echo yes", "[ -d src ] && ls src", "cd src && ls", "cd src && grep -n import app.ts", "pwd && ls -la",
  ],
  "loops, substitutions, idioms of the shell": [
    "for f in src/*.ts; do wc -l \"$f\"; done", "for f in src/*.ts; do echo \"== $f\"; head -5 \"$f\"; done", "for f in $(git ls-files '*.ts'); do head -1 \"$f\"; done", "for f in src/app.ts src/index.ts; do grep -c import $f; done", "for d in src test; do ls \"$d\"; done", "for i in 1 2 3; do echo $i; done", "for d in */; do echo \"$d\"; ls \"$d\" | wc -l; done",
    "find src -name '*.ts' | while IFS= read -r f; do head -1 \"$f\"; done", "while IFS= read -r line; do echo \"$line\"; done < README.md", "git diff --name-only | while read -r f; do wc -l \"$f\"; done", "x=5; echo $((x+1))", "a=5; [[ $a -gt 3 ]] && echo big", "set -x; ls", "ulimit -a", "jobs", "alias", "history", "f=src/app.ts; head -3 \"$f\"", "echo $(git rev-parse --short HEAD)", "echo \"$(wc -l < src/app.ts) lines\"", "if [ -f package.json ]; then cat package.json; fi", "n=3; head -n $n README.md",
    "diff <(ls src) <(ls test)", "comm -12 <(sort data/users.csv) <(sort data/users.csv)", "cat <(ls)", "diff src/app.ts src/index.ts", "diff -r src test", "cmp dist/index.js src/index.ts", "type git", "command -v node", "which node npm", "echo $?", "echo \"$HOME\"", "date", "date +%s", "printf '%s\\n' a b", "time ls",
  ],
  "jq and yq": [
    "jq . package.json", "jq -r .version package.json", "jq '.scripts' package.json", "jq -r '.dependencies | keys[]' package.json", "cat data/a.json | jq '.[0]'", "yq .services docker-compose.yml",
  ],
  "versions and what is installed": [
    "node --version", "node -v", "npm --version", "npm -v", "node --help", "python3 --version", "python --version", "pip --version", "pip list", "pip show requests", "go version", "go env GOPATH", "go env", "go doc fmt.Println", "go list -m all", "cargo --version", "rustc --version", "rustup show", "java -version", "javac -version", "mvn -v", "gradle --version", "yarn --version", "gcc --version", "gcc -v", "make --version", "cmake --version", "docker --version", "openssl version", "ssh -V",
    "npm ls", "npm ls --depth=0", "npm run", "npm config get registry", "npm root", "pkg-config --libs zlib", "bash --version", "tsc --version",
  ],
  "archives and binaries": [
    "tar tf dist/release.tar.gz", "tar -tzf dist/release.tar.gz | head", "unzip -l dist/release.zip", "gzip -l dist/release.tar.gz", "zcat logs/app.log.1.gz | head", "nm build/app", "objdump -d build/app | head -40", "readelf -h build/app", "size build/app",
  ],
  "checks that only read": ["gofmt -l .", "black --check .", "bash -n scripts/release.sh"],
  "the machine": [
    "ps aux", "ps -ef | head", "env | sort", "printenv PATH", "uname -a", "whoami", "id", "hostname", "nproc", "free -h", "lsof -i :3000", "ss -tlnp", "netstat -tlnp", "cat /etc/os-release", "cat /proc/cpuinfo | head -20", "cat /proc/meminfo", "ls /usr/include", "ls /tmp", "less README.md", "more README.md", "man ls",
  ],
};

/** Those that should ask, each with the reason why it should. */
export const ASKS: readonly (readonly [command: string, why: string])[] = [
  ["npm view react version", "the network"],
  ["npm outdated", "the network"],
  ["npm audit", "the network"],
  ["pip index versions requests", "the network"],
  ["go list ./...", "runs the toolchain that go.mod names, which may be downloaded"],
  ["pip freeze", "runs version control in the folders of editable packages, wherever they lie, and prints their addresses"],
  ["cargo tree", "may go to the network for packages"],
  ["cargo metadata --format-version 1", "may go to the network for packages"],
  ["gh pr list", "the network, in the user's name"],
  ["gh pr view 12", "the network, in the user's name"],
  ["gh run list", "the network, in the user's name"],
  ["docker ps", "asks a service, which may be on another machine"],
  ["docker images", "asks a service, which may be on another machine"],
  ["docker logs web", "asks a service, which may be on another machine"],
  ["kubectl get pods", "asks a cluster"],
  ["curl -s http://localhost:3000/health", "the network"],
  ["curl -I https://example.com", "the network"],
  ["ping -c 1 example.com", "the network"],
  ["git ls-remote origin", "the network"],
  ["git remote show origin", "the network"],
  ["git fetch --dry-run", "the network"],
  ["ls ~", "outside"],
  ["ls ..", "outside"],
  ["cat ~/.bashrc", "outside"],
  ["cat ../other/package.json", "outside"],
  ["cat .env", "a secret"],
  ["git config --list", "its values may be passwords"],
  ["find . -type f | xargs cat", "reads a secret"],
  ["mypy src", "runs plugins of the project, and writes a cache"],
  ["pytest --collect-only", "runs code of the project"],
  ["npx tsc --noEmit", "runs a program of the project"],
  ["npx eslint src", "runs code of the project"],
  ["npm test -- --listTests", "runs code of the project"],
  ["make -n", "may run recipes of the Makefile"],
  ["python3 -c 'print(1)'", "runs a program"],
  ["node -e 'console.log(1)'", "runs a program"],
  ["python3 -m json.tool data/a.json", "runs a program, and modules of the workspace before Python's own"],
  ["ruff check src", "writes a cache"],
  ["sqlite3 data/app.db '.tables'", "may run programs and write files"],
  ["terraform plan", "reaches other machines"],
];
