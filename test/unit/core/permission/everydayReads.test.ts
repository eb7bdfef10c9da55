import { describe, expect, test } from "vitest";
import { ASKS, EVERYDAY_FILES, EVERYDAY_TEXTS, READS } from "./everydayReads.js";
import { world } from "./permissionRig.js";

const { explain } = world({ files: EVERYDAY_FILES, texts: EVERYDAY_TEXTS });
const all = [...Object.values(READS).flat(), ...ASKS.map(([command]) => command)];

describe("364 everyday commands that look around", () => {
  test("are as many, and each is there once", () => {
    expect(new Set(all).size).toBe(364);
    expect(all).toHaveLength(364);
  });

  test("ask only where they should", async () => {
    const decided = await Promise.all(
      all.map(async (command) => ({ command, ...(await explain("exec", { command })) })),
    );
    const asking = decided.filter(({ decision }) => decision !== "allow").map(({ command }) => command);
    expect(asking.toSorted()).toEqual(ASKS.map(([command]) => command).toSorted());
    expect(asking.length).toBeLessThanOrEqual(40);
  });
});

/** Files that make something else of a command which is unasked without them. */
const STEERED: readonly (readonly [file: string, text: string, commands: readonly string[]])[] = [
  [".mvn/jvm.config", "-javaagent:x.jar\n", ["mvn -v", "mvn --version"]],
  ["gradle.properties", "org.gradle.java.home=evil\n", ["gradle --version"]],
  ["gradle/gradle-daemon-jvm.properties", "x\n", ["gradle -v"]],
  ["rust-toolchain", "evil\n", ["rustup show", "cargo --version", "rustc --version"]],
  [
    "rust-toolchain.toml",
    '[toolchain]\npath = "evil"\n',
    [
      "rustup show",
      "cargo -V",
      "rustc --version",
      "cd src && cargo --version",
      "find src -name '*.rs' -exec rustc --version \\;",
    ],
  ],
  ["go.mod", "module example.com/x\n\nrequire example.com/y v1.0.0\n", ["go doc fmt.Println"]],
  ["go.mod", "module example.com/x\ntoolchain go1.99.0-evil\n", ["go doc fmt.Println"]],
  ["go.mod", `${"\n".repeat(5_000)}${" \n".repeat(5_000)}!\n`, ["go doc fmt.Println"]],
  ["go.work", "use ./x\n", ["go doc fmt"]],
  ["package.json", '{ "packageManager": "pnpm@9.0.0" }', ["pnpm --version"]],
  ["package.json", '{ "package\\u004danager": "pnpm@9.0.0" }', ["pnpm -v"]],
  [".yarnrc.yml", "yarnPath: evil.cjs\n", ["yarn --version", "yarn -v"]],
  [".yarnrc.yml", '"yarn\\u0050ath": evil.cjs\n', ["yarn --version"]],
  [".yarnrc.yml", "plugins:\n  - evil.cjs\n", ["yarn --version"]],
  [".yarnrc", "yarn-path evil.js\n", ["yarn --version"]],
  ["package.json", '{ "devEngines": {} }', ["yarn --version", "pnpm -v"]],
  [".bundle/config", '---\nBUNDLE_PATH: "vendor"\n', ["bundle -v", "bundle --version"]],
  [".bundle/config", '---\nBUNDLE_DEPLOYMENT: "true"\n', ["bundle --version"]],
  ["sitecustomize.py", "import os\n", ["pip list", "pip show x", "pip --version", "black --check ."]],
  ["pyproject.toml", "[tool.black]\ninclude = '.env'\n", ["black --check .", "black --diff ."]],
  ["pyproject.toml", "[tool.black]\n\"\\u0069nclude\" = '.env'\n", ["black --check ."]],
  ["go.mod", "module example.com/x\n\nrequire example.com/y v1.0.0\n", ["go list -m all"]],
  [".git/config", '[man]\n\tviewer = evil\n[man "evil"]\n\tcmd = evil\n', ["git help log"]],
  [".git/config", "[help]\n\tformat = web\n", ["git help log"]],
];

describe("commands that a file of the workspace steers", () => {
  test.each(STEERED.flatMap(([file, text, commands]) => commands.map((command) => [command, file, text] as const)))(
    "%s asks while %s says so, and runs without it",
    async (command, file, text) => {
      const files = [".git/HEAD", "src/a.ts"];
      const decide = async (texts: Record<string, string>): Promise<string> =>
        (await world({ files, texts }).explain("exec", { command })).decision;
      expect(await decide({})).toBe("allow");
      expect(await decide({ [file]: text })).toBe("ask");
      const inner = await world({ files, texts: { [file]: text } }).explain("exec", { command, workdir: "src" });
      expect(inner.decision).toBe("ask");
    },
  );
});

describe("Python's programs", () => {
  test.each(["pip list", "black --check ."])("%s asks while a variable adds to what Python loads", async (command) => {
    expect((await world({ files: ["a.py"], exported: ["PYTHONPATH"] }).explain("exec", { command })).decision).toBe(
      "ask",
    );
    expect((await world({ files: ["a.py"], exported: ["PATH"] }).explain("exec", { command })).decision).toBe("allow");
  });

  test("black asks by the folder that it is given, too", async () => {
    const { explain: decide } = world({
      files: [],
      texts: { "app/pyproject.toml": "[tool.black]\ninclude = '.env'\n", "app/a.py": "x\n" },
    });
    expect((await decide("exec", { command: "black --check app" })).decision).toBe("ask");
    expect((await decide("exec", { command: "black --check app/a.py" })).decision).toBe("ask");
    expect((await decide("exec", { command: "black --check app/*.py" })).decision).toBe("ask");
  });

  test("black and gofmt ask where a link leads out", async () => {
    const { explain: decide } = world({
      files: ["a.py"],
      links: { "src/x.py": "/etc/passwd", "go/x.go": "/work/.env" },
      texts: { ".env": "x\n", "src/a.py": "x\n", "go/a.go": "x\n" },
    });
    expect((await decide("exec", { command: "black --check src" })).decision).toBe("ask");
    expect((await decide("exec", { command: "gofmt -l go" })).decision).toBe("ask");
  });
});

/** Words that make more of a command that is unasked. */
const MORE = [
  "pip list -o",
  "pip list --outdated",
  "pip list --python x",
  "pip --python x list",
  "pip list --log x",
  "pip list --path ..",
  "pip freeze",
  "pip install x",
  "black .",
  "black . --check",
  "black --check --config x .",
  "black --check ../x",
  "black --check -c x",
  "black --check .env",
  "gofmt -w .",
  "gofmt -l -w .",
  "gofmt -r 'a -> b' .",
  "gofmt -cpuprofile=x .",
  "gofmt ..",
  "gofmt .env",
  "go list ./...",
  "go list -m -u all",
  "go list -m x@latest",
  "go list -m -versions x",
  "go list -mod=mod -m all",
  "yarn",
  "yarn --version build",
  "yarn -v --cwd x",
  "yarn --cwd x --version",
  "npm run build",
  "npm run -- build",
  "npm run *",
  "npm run $x",
  "npm run -s",
  "npm --prefix /x run",
  "npm --script-shell=x run",
  "npm config get registry //x/:_authToken",
  "npm config get //x/:_authToken",
  "npm config set registry x",
  "npm config list",
  "mvn -v -Dx=y",
  "mvn -v clean",
  "gradle --version -p /x",
  "gradle build --version",
  "rustup update",
  "rustup show --x",
  "rustup toolchain link x y",
  "go doc -http",
  "go doc ./x",
  "go doc /x",
  "go doc ..",
  "go doc -C /x fmt",
  "git help -w log",
  "git help -i log",
  "git help ../x",
  "git -c man.viewer=x help log",
  "cargo --version build",
  "yarn run",
  "pnpm run",
  "tar tf *.tar",
  "tar tf evil:x.tar",
  "tar tf x.tar --to-command=x",
  "less *",
  "more +!x",
  "less [+]x",
  "objdump -d -j @x build/app",
  "objdump --section=@x build/app",
  "nm @x",
  "nm *",
  "nm --plugin x build/app",
  "size --format @x build/app",
  "lsof -i @example.com",
  "lsof -i@example.com:80",
  "ss dst example.com",
  "ss -t sport = example.com:80",
  "ss -K",
  "ss -D x",
  "ss -F x",
  "netstat -c",
  "gzip -l -d x.gz",
  "unzip -lo x",
  "man -P x ls",
  "man ./x",
  "pkg-config --log-file=x zlib",
];

const STILL_READS = [
  "pip list --format=json",
  "pip3 show -f requests",
  "pip check",
  "black --check src",
  "black --diff -q src/main.py",
  "gofmt -d src",
  "gofmt -l -s src/main.go",
  "go list -m",
  "tar tf build/*.tar",
  "less README.md",
  "objdump -d -j .text build/app",
  "size --format=sysv build/app",
  "lsof -iTCP:3000 -sTCP:LISTEN",
  "lsof -i :3000 -t",
  "ss -tln sport = :80",
  "ss state established",
  "cargo --version",
  "pnpm -v",
  "go doc net/http.Client",
  "git help -g",
];

test.each(STILL_READS)("%s runs unasked", async (command) => {
  expect((await explain("exec", { command })).decision).toBe("allow");
});

test.each(MORE)("%s asks", async (command) => {
  expect((await explain("exec", { command })).decision).toBe("ask");
});
