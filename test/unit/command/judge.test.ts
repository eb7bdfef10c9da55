import { describe, expect, it } from "vitest";
import { commandWords, judge } from "../../../src/command/judge.js";
import { argWords } from "./words.js";

/** Lines that are more than reading, and what the reason must say. */
const notReads: readonly (readonly [string, string])[] = [
  // Writes in read-only clothes (peers.md §2.4).
  ["sed -i s/a/b/ f", "-i"],
  ["sed -Ei s/a/b/ f", "-i"],
  ["sed -n -i.bak p f", "-i"],
  ["sed --in-place=x p f", "--in-place"],
  ["sed --in-pl p f", "--in-pl"],
  ["perl -pi.bak -e s/a/b/ f", "runs a program"],
  ["gawk -i inplace '{print}' f", "-i"],
  ["gawk -iinplace '{print}' f", "-i"],
  ["sort -o x f", "-o"],
  ["sort -ox f", "-o"],
  ["sort -nro x f", "-o"],
  ["sort --output=x f", "--output"],
  ["sort --outp=x f", "--outp"],
  ["sort f --o x", "--o"],
  ["sort --compress-program=./x f", "--compress-program"],
  ["sort -T /other f", "-T"],
  ["sort *.txt", "any flag"],
  ["sort -- $f", "which file"],
  ["curl -o x https://a.b", "network"],
  ["curl -sSLo x https://a.b", "network"],
  ["wget https://a.b", "network"],
  ["tee x", "overwrites"],
  ["dd of=x", "disks"],
  ["patch -p1", "patch"],
  ["git -C /repo -c user.name=x commit", "-C"],
  ["git stash", "puts changes away"],
  ["yarn", "installs"],
  ["python -m pip install x", "runs a module"],
  ["go get x", "network"],
  ["uniq a b", "writes `b`"],
  ["uniq *", "how many words"],
  ["xxd a b", "writes `b`"],
  ["xxd -r a", "-r"],
  ["xxd -revert a", "-revert"],
  ["date -s 2020-01-01", "-s"],
  ["date --se=x", "--se"],
  ["date 01010101", "clock"],
  ["hostname x", "nothing is known of the word"],
  ["file -C", "-C"],
  ["tree -o x", "-o"],
  ["find . -delete", "-delete"],
  ["find . -exec rm {} ;", "-exec"],
  ["find . -execdir chmod x {} +", "-execdir"],
  ["find . -ok rm {} ;", "-ok"],
  ["find . -fprint x", "-fprint"],
  ["find . -fprintf x %p", "-fprintf"],
  ["find . -fls x", "-fls"],
  ["find . -name *", "value of a flag"],
  ["find $x", "depends on the run"],
  ["fd x -x rm", "-x"],
  ["fd x --exec-batch rm", "--exec-batch"],
  ["fd -Hx rm", "-x"],
  ["diff --paginate a b", "--paginate"],
  ["wc --files0-from=x", "--files0-from"],
  ["md5sum -c list", "--check"],
  ["printf -v PATH x", "sets a variable"],
  ["printf -vPATH x", "sets a variable"],
  ["printf $x PATH y", "sets a variable"],
  ["test -v 'a[$(id)]'", "arithmetic"],
  ["[ $a $b ]", "arithmetic"],
  ["[[ 'a[$(id)]' -eq 1 ]]", "arithmetic"],
  ["[[ $x -gt 1 ]]", "arithmetic"],
  ["ps auxe", "environments"],
  ["ps e", "environments"],
  ["jq -f prog f", "-f"],
  ["jq -nf prog", "-f"],
  ["jq 'import \"x\" as $d; $d' f", "module"],
  ["jq -L /x . f", "-L"],
  ["yq -i .a=1 f", "-i"],
  ["yq 'load(\"/etc/x\")' f", "load"],
  // Flags of rg and git.
  ["rg --pre cmd x", "--pre"],
  ["rg --pre=cmd x", "--pre"],
  ["rg --hostname-bin x y", "--hostname-bin"],
  ["rg --search-zip x", "--search-zip"],
  ["rg -z x", "-z"],
  ["rg -nz x", "-z"],
  ["rg $x", "any flag"],
  ["git -c core.pager=x log", "-c"],
  ["git -ccore.pager=x log", "-c"],
  ["git log --output=/x", "--output"],
  ["git log --output /x", "--output"],
  ["git log --outp=/x", "--outp"],
  ["git log -p --ext-diff", "--ext-diff"],
  ["git diff --textconv", "--textconv"],
  ["git show --ext-d", "--ext-d"],
  ["git diff --ext-diff", "--ext-diff"],
  ["git log '--format=%G?'", "gpg"],
  ["git log --show-signature", "gpg"],
  ["git log $x", "any flag"],
  ["git log *", "any flag"],
  ["git log --frobnicate", "nothing is known of the flag `--frobnicate`"],
  ["git diff -- ':(top)x'", "pathspec magic"],
  ["git difftool -x 'rm -rf ~'", "run programs"],
  ["git logout", "git logout"],
  ["git --git-dir=/evil/.git status", "--git-dir"],
  ["git --git-dir /evil/.git status", "--git-dir"],
  ["git --work-tree=/evil status", "--work-tree"],
  ["git --exec-path=/evil status", "--exec-path"],
  ["git -C /other status", "-C"],
  ["git -C/other status", "-C"],
  ["git -p log", "-p"],
  ["git --frob status", "--frob"],
  ["git grep -O x", "-O"],
  ["git grep -Ovim x", "-O"],
  ["git grep --open-files-in-pager=vim x", "--open-files-in-pager"],
  ["git cat-file --filters HEAD:x", "--filters"],
  ["git cat-file --batch", "--batch"],
  ["git branch x", "makes a branch"],
  ["git branch -v x", "makes a branch"],
  ["git branch -D x", "-D"],
  ["git branch --del x", "--del"],
  ["git branch -m a b", "-m"],
  ["git tag x", "makes a tag"],
  ["git tag -d x", "-d"],
  ["git config user.name x", "configuration"],
  ["git config --get http.https://a.b/.extraheader", "password"],
  ["git config --list", "password"],
  ["git remote add x y", "repositories"],
  ["git remote show origin", "repositories"],
  ["git reflog expire --all", "forgets"],
  ["git symbolic-ref HEAD refs/heads/x", "force"],
  ["git worktree remove x", "deletes"],
  ["git stash drop", "deletes"],
  ["git $x", "nothing is known"],
  // What hides a command.
  ["sudo rm x", "rights"],
  ["sudo -n ls", "rights"],
  ["env rm x", "nothing is known of the word"],
  ["env PATH=/x ls", "nothing is known of the word"],
  ["timeout 30 ls", "another command"],
  ["/usr/bin/time -o x ls", "another command"],
  ["command rm x", "another command"],
  ["exec ls", "another command"],
  ["xargs cat", "another command"],
  ["bash -c 'rm x'", "program of its own"],
  ["eval ls", "shell itself"],
  [". ./x", "shell itself"],
  ["export PATH=/x", "PATH"],
  ["export LD_PRELOAD", "LD_PRELOAD"],
  ["export $x", "depends on the run"],
  ["declare -n x=PATH", "-n"],
  ["read PATH", "PATH"],
  ["read -r 'a[$(id)]'", "not the name of a variable"],
  ["unset 'a[$(id)]'", "not the name of a variable"],
  ["alias ls=rm", "changes the shell"],
  ["set -- a b", "changes the shell"],
  ["./ls", "nothing is known"],
  ["bin/ls", "nothing is known"],
  ["/usr/local/bin/ls", "nothing is known"],
  ["/tmp/ls", "nothing is known"],
  ["LS", "nothing is known"],
  ["constructor", "nothing is known"],
  ["__proto__ x", "nothing is known"],
  ["$x a", "depends on the run"],
  ["whoami x", "nothing is known of the word"],
  ["cat --frob x", "--frob"],
  ["cat $x", "which file"],
  ["wc -l $x", "depends on the run"],
  ["node -e 1", "runs a program"],
  ["node -v -e 1", "nothing is known"],
  ["python x.py", "runs a program"],
  ["npm testevil", "npm testevil"],
  ["npm ls --prefix /x", "--prefix"],
  ["npm view x", "network"],
  ["rm -r -f x", "deletes"],
  ["/bin/rm -rf x", "deletes"],
  ["ln -s /etc x", "another"],
];

/** What is more than unknown: it asks in our own dialog, whatever the flags. */
const destroying =
  "rm x|rm -rf x|rm --recursive --force x|rm -Rf x|/bin/rm -rf x|sudo -n rm x|dd if=a of=b|shred x|truncate -s 0 x|kill 1|pkill x|chmod 777 x|chown a x|sudo ls|doas ls|shutdown|systemctl stop x|git push|git push --force|git -C x push -f|git reset --hard|git clean -fdx|git checkout -- a|git checkout src|git restore a|git branch -D x|git tag -d x|git filter-branch|git gc --prune=now|git stash drop|git stash clear|git commit --amend|git switch -f x|npm publish|npm publ|npm --workspace=a publish|npm unpublish x|npm login|npm token list|cargo publish|docker rm x|docker system prune|docker --host x rmi y|kubectl delete x|terraform destroy|aws s3 rm x|gh pr merge 1|gh repo delete x|crontab x|mount x y|iptables -F|useradd x|passwd";

/** Ordinary commands with a word that takes them beyond it: no rule by prefix may cover them. */
const beyond: readonly string[] = [
  "npm test --script-shell=./x",
  "npm test --script-she=./x",
  "npm test -script-shell=./x",
  "npm --prefix /x test",
  "npm -C /x test",
  "npm run build --prefix=/x",
  "npm test --node-options=--require=x",
  "npm install -g x",
  "make -C /x",
  "make -f x",
  "make -kC /x",
  "make SHELL=./x test",
  "make test CC=./x",
  "make test $x",
  "cargo --config x test",
  "cargo test --config x",
  "cargo build --manifest-path /x/Cargo.toml",
  "go test -exec ./x ./...",
  "go test --exec=./x ./...",
  "go build -toolexec ./x",
  "go build -o /x",
  "pytest -p x",
  "pytest -px",
  "pytest -c x",
  "pytest -qc x",
  "pytest --rootdir=/x",
  "pytest --rootd=/x",
  "python -m pytest -p x",
  "git commit --amend",
  "git commit -F x",
  "git rebase -x ./x main",
  "git rebase --exec=./x main",
  "git fetch --upload-pack=./x",
  "git fetch ext::x",
  "git pull /other",
  "git pull https://a.b/c",
  "git merge -s x b",
  "cp -r a b",
  "cp -as a b",
  "mv ../. b",
  "jest --config=/x",
  "tsc --outDir /x",
  "eslint -o x",
  "docker build -f /x .",
  "docker compose -f x up",
];

/** Ordinary commands, and how many words a rule keeps of each. */
const prefixes: readonly (readonly [string, number])[] = [
  ["npm test", 2],
  ["npm test -- --watch", 2],
  ["npm t", 2],
  ["npm run build", 3],
  ["npm run build -- --x", 3],
  ["npm run --silent build", 0],
  ["npm --silent run build", 0],
  ["npm ci", 2],
  ["yarn test", 2],
  ["pnpm install", 2],
  ["make test", 2],
  ["make", 0],
  ["make -k", 0],
  ["cargo test --all", 2],
  ["go test ./...", 2],
  ["pytest -q tests", 1],
  ["python -m pytest", 3],
  ["python3 -m pytest -x", 3],
  ["tsc --noEmit", 1],
  ["eslint src", 1],
  ["vitest run", 1],
  ["mvn test", 2],
  ["./gradlew build", 2],
  ["dotnet test", 2],
  ["bundle exec rspec", 3],
  ["git add a", 2],
  ["git commit -m x", 2],
  ["git commit -am 'a; rm -rf /'", 2],
  ["git switch main", 2],
  ["git fetch origin main:main", 2],
  ["git pull", 2],
  ["git stash", 2],
  ["git stash pop", 3],
  ["git branch x", 2],
  ["mkdir -p a/b", 1],
  ["touch a", 1],
  ["cp a b", 0],
  ["docker compose up -d", 3],
];

const paths: readonly (readonly [string, string])[] = [
  ["cat ~/.ssh/id_rsa", "read ~/.ssh/id_rsa"],
  ["cat /etc/shadow -n", "read /etc/shadow"],
  ["cat a -- -b", "read a|read -b"],
  ["cat *.pem", "read *.pem"],
  ["head -n5 a b", "read a|read b"],
  ["head -n 5 a", "read a"],
  ["tail -f /dev/random", "read /dev/random"],
  ["grep x", ""],
  ["grep x a", "read a"],
  ["grep -e x a", "read a"],
  ["grep -ex a", "read a"],
  ["grep -f list a", "read list|read a"],
  ["grep -r . /", "read / deep"],
  ["grep -rn x", "read . deep"],
  ["grep x* src", "read x*|read src"],
  ["rg x", "read ."],
  ["rg --hidden x src", "read src deep"],
  ["rg -uu x", "read . deep"],
  ["rg -f list x", "read list|read x"],
  ["rg --files", "read ."],
  ["ls", "read ."],
  ["ls ../x", "read ../x"],
  ["find / -name x", "read /|read ."],
  ["find . -newer /x", "read /x|read ."],
  ["cd", "read ~"],
  ["cd ../x", "read ../x"],
  ["git diff --no-index /dev/null ~/.ssh/id_rsa", "read /dev/null|read ~/.ssh/id_rsa|read ."],
  ["git diff /etc/passwd /etc/shadow", "read /etc/passwd|read /etc/shadow|read ."],
  ["git show HEAD:.env", "read HEAD:.env|read .env|read ."],
  ["git log -p -- .env", "read .env|read ."],
  ["git log -L 1,2:.env", "read .env|read ."],
  ["git log -L1,2:.env", "read .env|read ."],
  ["git blame --contents /x a", "read /x|read a|read ."],
  ["git ls-files -X /x", "read /x|read ."],
  ["git diff -O/x", "read /x|read ."],
  ["git -C /other status", "read /other|read ."],
  ["git --git-dir=/evil/.git status", "read /evil/.git|read ."],
  ["sort a -o /x", "write /x|read a"],
  ["sed -i p a", "write a"],
  ["sed -e p a", "read a"],
  ["jq --rawfile x /etc/x . a", "read /etc/x|read a"],
  ["cp a b/", "read a|write b/|write b/a"],
  ["mv x/settings.json .vscode", "write x/settings.json|write .vscode|write .vscode/settings.json"],
  ["cp -t .vscode a", "read a|write .vscode|write .vscode/a"],
  ["dd if=/dev/zero of=/dev/sda", "write if=/dev/zero|write of=/dev/sda|write /dev/zero|write /dev/sda"],
  ["prettier --write package.json", "write package.json|read ."],
  ["npm test", "read ."],
  ["npm test /etc/x", "read /etc/x|read ."],
  ["mytool a -I/usr/x -Lb --out=/etc/x k=../v @../f file:///etc/p -xf/etc/q --z=@/r", "write a|write /usr/x|write b|write /etc/x|write k=../v|write ../v|write @../f|write ../f|write file:///etc/p|write /etc/p|write f/etc/q|write /etc/q|write @/r|write /r"],
  ["mytool https://a.b/c 5", ""],
  ["./x.sh a", "read ./x.sh|write a"],
];

const named: readonly (readonly [string, string])[] = [
  ["git push -f", "git push -f"],
  ["git -C x --no-pager push -f", "git push -f"],
  ["git -Cx push", "git push"],
  ["git -c a=b -c c=d push", "git push"],
  ["git --git-dir=x push", "git push"],
  ["git --git-dir x push", "git push"],
  ["git --frob push", "git push"],
  ["/usr/bin/git push", "git push"],
  ["npm --prefix x publish", "npm publish"],
  ["npm --pref x publish", "npm publish"],
  ["npm -w a publish", "npm publish"],
  ["npm publ", "npm publish"],
  ["npm run-script x", "npm run x"],
  ["docker --host x rm a", "docker rm a"],
  ["/usr/local/bin/rm x", "rm x"],
  ["./rm x", "./rm x"],
  ["git -C x foo -C", "git foo -C"],
  ["git --version", "git --version"],
  ["ls -C x", "ls -C x"],
];

function shownPaths(line: string): string {
  return judge(argWords(line))
    .paths.map((path) => `${path.kind} ${path.path}${path.deep === true ? " deep" : ""}`)
    .join("|");
}

describe("judge", () => {
  it.each(notReads)("does not take `%s` for reading: %s", (line, why) => {
    const judged = judge(argWords(line));
    expect(judged.effect).not.toBe("reads");
    expect(judged.why).toContain(why);
  });

  it.each(destroying.split("|"))("knows that `%s` destroys or publishes, and offers no prefix of it", (line) => {
    expect(judge(argWords(line))).toMatchObject({ effect: "destroys", prefix: 0 });
  });

  it.each(beyond)("lets no rule by prefix cover `%s`", (line) => {
    expect(judge(argWords(line))).toMatchObject({ beyondPrefix: true, prefix: 0 });
    expect(judge(argWords(line)).effect).not.toBe("reads");
  });

  it.each(prefixes)("knows `%s` for ordinary work, of which a rule keeps %i words", (line, prefix) => {
    expect(judge(argWords(line))).toMatchObject({ effect: "changes", prefix, beyondPrefix: false });
  });

  it.each(paths)("finds the paths of `%s`: %s", (line, expected) => {
    expect(shownPaths(line)).toBe(expected);
  });

  it("says of no words that nothing is known of them", () => {
    expect(judge([]).effect).toBe("unknown");
    expect(judge([{ value: "" }]).effect).toBe("unknown");
    expect(commandWords([])).toEqual([]);
  });

  it("judges ten thousand words fast", () => {
    const words = [{ value: "git" }, { value: "log" }, ...Array.from({ length: 10_000 }, (_, at) => ({ value: `--flag${at}` }))];
    const start = performance.now();
    expect(judge(words).effect).toBe("unknown");
    expect(performance.now() - start).toBeLessThan(1000);
  });
});

describe("commandWords", () => {
  it.each(named)("sees `%s` as `%s`", (line, expected) => {
    const words = argWords(line).map((word) => word.value);
    expect(commandWords(words).join(" ")).toBe(expected);
  });
});
