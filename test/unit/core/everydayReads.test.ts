import { describe, expect, test } from "vitest";
import { ASKS, EVERYDAY_FILES, READS } from "./everydayReads.js";
import { world } from "./permissionRig.js";

/** Those of `READS` that ask all the same. */
const FALSE_ALARMS: readonly string[] = [
  "git -C . log --oneline -3",
  "git -C src log --oneline -3",
  "git -C /work status",
  "git -c color.ui=false log -3",
  "GIT_PAGER=cat git log -3",
  "PAGER=cat git log -1",
  "git check-ignore -v .env",
  "git submodule status",
  "git help log",
  "rg parseDate",
  "rg -l TODO",
  "rg --version",
  "rg --hidden x",
  "grep -rn TODO .",
  "grep -r x . --exclude-dir=node_modules",
  "awk '{ if ($1 > 10) print $1 }' data/users.csv",
  "awk -F, 'NR>1 {s+=$3} END {print s}' data/users.csv",
  "node --help",
  "pip list",
  "pip show requests",
  "pip freeze",
  "go env GOPATH",
  "go env",
  "go doc fmt.Println",
  "rustup show",
  "javac -version",
  "mvn -v",
  "gradle --version",
  "yarn --version",
  "gcc -v",
  "openssl version",
  "ssh -V",
  "npm run",
  "npm config get registry",
  "pkg-config --libs zlib",
  "bash --version",
  "tar tf dist/release.tar.gz",
  "tar -tzf dist/release.tar.gz | head",
  "unzip -l dist/release.zip",
  "gzip -l dist/release.tar.gz",
  "zcat logs/app.log.1.gz | head",
  "nm build/app",
  "objdump -d build/app | head -40",
  "readelf -h build/app",
  "size build/app",
  "gofmt -l .",
  "black --check .",
  "bash -n scripts/release.sh",
  "lsof -i :3000",
  "ss -tlnp",
  "netstat -tlnp",
  "cat /etc/os-release",
  "cat /proc/cpuinfo | head -20",
  "cat /proc/meminfo",
  "ls /usr/include",
  "ls /tmp",
  "less README.md",
  "more README.md",
  "man ls",
];

const { explain } = world({ files: EVERYDAY_FILES });
const all = [...Object.values(READS).flat(), ...ASKS.map(([command]) => command)];

describe("364 everyday commands that look around", () => {
  test("are as many, and each is there once", () => {
    expect(new Set(all).size).toBe(364);
    expect(all).toHaveLength(364);
  });

  test("ask only where they should", async () => {
    const decided = await Promise.all(all.map(async (command) => ({ command, ...(await explain("exec", { command })) })));
    const asking = decided.filter(({ decision }) => decision !== "allow").map(({ command }) => command);
    expect(asking.toSorted()).toEqual([...FALSE_ALARMS, ...ASKS.map(([command]) => command)].toSorted());
  });
});
