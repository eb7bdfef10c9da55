import { describe, expect, test } from "vitest";
import { world } from "./permissionRig.js";

/** One step away from what `everydayReads.ts` has run unasked. */
const ASKS: readonly string[] = [
  "tar xf a.tar",
  "tar tf host:a.tar",
  "tar -tf a.tar --to-command=sh",
  "tar tf a.tar -I sh",
  "tar tf ../a.tar",
  "unzip a.zip",
  "unzip -l ~/a.zip",
  "gzip a.txt",
  "gzip -d a.txt",
  "zcat /etc/a.gz",
  "zcat .env",
  "nm @list",
  "nm *",
  "nm --plugin x a.o",
  "objdump -S a.o",
  "objdump -d @list",
  "pkg-config --define-variable=prefix=/ x",
  "ss -K",
  "ss -D dump",
  "lsof -D w x",
  "less +!id a.txt",
  "less -o log a.txt",
  "less .env",
  "man ./a.txt",
  "man -P id ls",
  "man -H ls",
  "cat /etc/passwd",
  "cat /etc/hostname",
  "cat /proc/self/environ",
  "ls /home",
  "ls ~",
  "ls -la /root",
  "grep -r x /usr/include",
  "cat /tmp/a",
  "cp /etc/os-release /tmp",
  "cat /usr/share/a",
  "git -C .. log",
  "git -C ../other status",
  "git -C bare log",
  "git -C bare/deep status",
  "git -C src push",
  "git -C $x log",
  "git -C src -c core.fsmonitor=id status",
  "git -c core.fsmonitor=id status",
  "git -c core.pager=id log",
  "git -c color.ui=false push",
  "git -c alias.x=!id x",
  "git -C src show HEAD:.env",
  "git submodule update",
  "git submodule foreach id",
  "GIT_PAGER=id git log",
  "PAGER='cat; id' git log",
  "PAGER=cat",
  "MANPAGER=id man ls",
  "GIT_PAGER=$x git log",
  "bash -n -c 'rm x'",
  "bash -n",
  "bash a.txt",
  "bash -n ../a.sh",
  "ssh -V host",
  "gcc -v a.c",
  "openssl version -d x",
  "javac -version a.java",
  "awk '{print > \"f\"}' a.txt",
  "awk '{ if (1) { x = 1 } print $1 > \"f\"; if (2) { y = 1 } }' a.txt",
  "awk '1 { print } END { print x > \"f\" }' a.txt",
  'awk \'NR > 1 { printf "x" > "f" }\' a.txt',
  "awk '{ while (x > 1) print > \"f\" }' a.txt",
  "go env -w GOFLAGS=x",
  "go env -u GOFLAGS",
  "kubectl get secret db -o yaml",
  "kubectl delete pod x",
  "docker inspect web",
  "wc -l .env ../x",
];

describe("what looks like a command that only inspects", () => {
  const { explain } = world();
  test.each(ASKS)("asks: %s", async (command) => {
    expect(await explain("exec", { command })).toMatchObject({ decision: "ask" });
  });
});

describe("ordinary work that asks a service, or runs the project's compiler", () => {
  const cases: readonly (readonly [command: string, rule: string])[] = [
    ["docker ps", "docker ps **"],
    ["kubectl get pods", "kubectl get pods **"],
    ["npx tsc --noEmit", "npx tsc **"],
    ["node --test", "node --test **"],
    ["node --test src/a.ts", "node --test **"],
    ["node scripts/x.js --fix --out=a.txt", "node scripts/x.js **"],
    ["node ./scripts/x.mjs", "node ./scripts/x.mjs **"],
    ["python manage.py test", "python manage.py test **"],
    ["deno test", "deno test **"],
    ["php artisan test", "php artisan test **"],
    ["bin/rails test", "bin/rails test **"],
    ["gh pr view 12", "gh pr view **"],
    ["gh run list", "gh run list **"],
    ["terraform plan", "terraform plan **"],
    ["chmod +x src/a.ts", "chmod +x **"],
  ];
  test.each(cases)("%s is covered by %s", async (command, rule) => {
    const { derived, decision } = await world().explain("exec", { command });
    expect({ decision, derived }).toEqual({
      decision: "ask",
      derived: [{ tool: "exec", params: { command: rule }, decision: "allow" }],
    });
  });
});

describe("one step away from ordinary work", () => {
  const rules = [
    "node **",
    "node --test **",
    "node scripts/x.js **",
    "python manage.py **",
    "deno test **",
    "php artisan **",
    "bin/rails **",
    "gh pr view **",
    "terraform plan **",
    "chmod +x **",
  ].map((command) => ({ tool: "exec", params: { command }, decision: "allow" }));
  const { explain } = world({ rules });
  test.each([
    "node -e 1",
    "node --test --import ./a.mjs",
    "node --test --require=./a.js",
    "node --test -r ./a.js",
    "node --test --test-reporter-destination=/etc/x",
    "node --test /etc/x.js",
    "node ../x.js",
    "node /etc/x.js",
    "node scripts/x.js --out=/etc/x",
    "node scripts/x.js ../x",
    "node scripts/x.js .git/config",
    "node $x",
    "node scripts/x.js $x",
    "node scripts/x.js *",
    "node scripts/x.js ~/x",
    "node scripts/*.js",
    "node",
    "node --import ./x.mjs scripts/x.js",
    "deno test https://example.com/x.ts",
    "deno test jsr:@x/y",
    "deno test $x",
    "deno run x.ts",
    "gh pr view 12 --web",
    "gh pr merge 12",
    "terraform plan -out=x",
    "terraform plan --out x",
    "terraform apply",
    "chmod +x /etc/x",
    "chmod +x .git/hooks/pre-commit",
    "chmod -R 777 .",
    "chmod +x -R .",
    "chmod +x $x",
  ])("asks: %s", async (command) => {
    expect(await explain("exec", { command })).toMatchObject({ decision: "ask" });
  });
});
