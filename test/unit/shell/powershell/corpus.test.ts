import { describe, expect, test } from "vitest";
import { world } from "../../core/permission/permissionRig.js";
import { ATTACKS } from "./attacks.js";
import { EVERYDAY } from "./everyday.js";

const { explain } = world({ inPowerShell: true });

test.each(EVERYDAY)("%s runs without a question", async (command) => {
  expect(await explain("exec", { command })).toMatchObject({ decision: "allow" });
});

const onWindows = world({ inPowerShell: true, onWindows: true });

/** Lines with whole paths, of a workspace in `C:/work` as on Windows. */
const WHOLE_PATHS = [
  "Get-Content C:\\work\\src\\a.ts",
  "gc c:\\WORK\\SRC\\A.ts",
  "gc 'C:/work/a.txt'",
  'Get-Content -Path "C:\\work\\src\\a.ts" -TotalCount 5',
  "Get-ChildItem C:\\work\\src -Recurse -Filter *.ts",
  "gci -Path:C:\\work\\src",
  "gc C:\\work\\src\\*.ts",
  "gci C:\\work\\src\\*.ts | gc",
  "sls 'import' C:\\work\\src\\a.ts,C:\\work\\src\\deep\\b.ts",
  "Test-Path C:\\work\\dist",
  "Set-Location C:\\work; git status",
  "cd C:\\work\\src; gc a.ts",
  "Set-Location -LiteralPath C:\\work\\src\\deep; gc b.ts",
  "rg foo C:\\work\\src",
];
test.each(WHOLE_PATHS)("the whole path in %s runs without a question on Windows", async (command) => {
  expect(await onWindows.explain("exec", { command })).toMatchObject({ decision: "allow" });
});

test.each([
  "gc C:\\work\\.env",
  "gc c:\\WORK\\.ENV",
  "gc C:\\work\\*",
  "gc C:\\work\\k*\\*",
  "gc C:\\work\\keys\\server.pem",
  "gci -Recurse C:\\work | gc",
  "gc C:\\etc\\passwd",
  "gc C:\\*",
  "gc C:\\e*\\passwd",
  "gci C:\\",
  "gc C:\\workshop\\a.txt",
  "gc C:\\work\\..\\etc\\passwd",
  "gc C:\\work\\outlink",
  "gc C:\\work\\dirlink\\passwd",
  "gc C:\\work\\envlink",
  "gc D:\\work\\a.txt",
  "gc C:work\\a.txt",
  "gc C:a.txt",
  "gc C:\\work\\a.txt:stream",
  "gc C:\\work\\.env::$DATA",
  "gc C:\\work\\CON",
  "gc C:\\work\\nul.txt",
  "gc C:\\work\\ENV~1",
  "gc 'C:\\work\\.env.'",
  "gc C:\\\\server\\share",
  "gc \\\\?\\C:\\work\\a.txt",
  "gc \\\\localhost\\C$\\work\\a.txt",
  "gc \\work\\a.txt",
  "gc /work/a.txt",
  "gc CC:\\work\\a.txt",
  "gc HKLM:\\work\\a.txt",
  "gc FileSystem::C:\\work\\a.txt",
  "cd C:\\work; gc .env",
  "cd C:\\; gc etc\\passwd",
  "cd C:\\work\\src; cd ..\\..\\..\\..; gc etc\\passwd",
  "cd C:\\work\\src; gc ..\\..\\etc\\passwd",
  "cd C:\\bare; git status",
  "cd C:\\work\\bare; git status",
  "cd D:\\; gc a.txt",
  "gc C:\\work\\a.txt > C:\\work\\b.txt",
  "ri C:\\work\\a.txt",
  "sc C:\\work\\a.txt x",
  "C:\\work\\git.exe status",
  "git show C:\\work\\keys\\server.pem",
  "git log -p -- C:\\work\\keys",
  "git grep x -- C:\\work",
  "git diff C:\\work\\.env",
  "git diff --no-index C:\\work\\a.txt C:\\work\\.env",
  "rg x C:\\etc",
  "rg x C:\\work --hidden",
])("the whole path in %s asks on Windows", async (command) => {
  expect(await onWindows.explain("exec", { command })).toMatchObject({ decision: "ask" });
});

describe.each([false, true])("commits, on Windows: %s", (isWindows) => {
  const { explain: judged } = world({ inPowerShell: true, onWindows: isWindows });
  test.each([
    "git diff HEAD~1",
    "git diff HEAD~2 HEAD~1",
    "git diff HEAD^ HEAD",
    "git diff HEAD~1 -- src/a.ts",
    "git diff HEAD~1 --stat",
    "git diff main~3..HEAD~1",
    "git diff main...HEAD",
    "git log -p HEAD~3..HEAD -- src\\a.ts",
    "git show HEAD~1",
    "git show HEAD~1 --stat",
    "git show HEAD:src/a.ts",
    "git show HEAD~2:src/a.ts",
    "git show main:package.json | Select-Object -First 20",
    "git show 'HEAD:src/a.ts'",
    "git show HEAD:./a.txt",
  ])("%s only reads", async (command) => {
    expect(await judged("exec", { command })).toMatchObject({ decision: "allow" });
  });

  test.each([
    "git diff --output=x HEAD~1",
    "git diff HEAD~1 --output=x",
    "git diff HEAD~1 --output x",
    "git diff --ext-diff HEAD~1",
    "git log -p --ext-diff HEAD~1",
    "git show --ext-diff HEAD~1",
    "git diff --textconv HEAD~1",
    "git show --textconv HEAD:src/a.ts",
    "git -c core.pager=x diff HEAD~1",
    "git -c diff.external=x diff HEAD~1",
    "git --paginate diff HEAD~1",
    "git -p show HEAD:src/a.ts",
    "git show HEAD:src/a.ts > x",
    "git show HEAD:src/a.ts | Out-File x",
    "git show HEAD:src/a.ts | sc x",
    "git show HEAD:.env",
    "git show HEAD~1:.env",
    "git show HEAD:keys/server.pem",
    "git show HEAD:.\\.env",
    "git show HEAD:..\\secret",
    "git show C:/work/.env",
    "git show C:.env",
    "git diff --no-index HEAD~1 .env",
    "git diff --no-index a.txt SECRET~1.TXT",
    "git diff -- SECRET~1.TXT",
    "git diff -- HEAD~1",
    "git diff ENV~1 a.txt",
    "git diff SECRET~1..",
    "git show HEAD:con",
    "git show HEAD:a.txt:stream",
  ])("%s asks", async (command) => {
    expect(await judged("exec", { command })).toMatchObject({ decision: "ask" });
  });

  test.each(["git diff HEAD~1", "git show HEAD~1", "git log -p HEAD~2..HEAD", "git show HEAD:keys"])(
    "%s asks where Git tracks a secret",
    async (command) => {
      const tracks = world({ inPowerShell: true, onWindows: isWindows, tracked: ["a.txt", "keys/server.pem"] });
      expect(await tracks.explain("exec", { command })).toMatchObject({ decision: "ask" });
    },
  );
});

const attacks = Object.entries(ATTACKS).flatMap(([does, lines]) => lines.map((line) => [does, line] as const));

test.each(attacks)("what %s asks: %s", async (_, command) => {
  expect(await explain("exec", { command })).toMatchObject({ decision: "ask" });
});

test.each([
  "gci src\\*.ts | gc",
  "gci src\\* -Include *.ts | sls x",
  "gci src -Recurse -Include *.ts | gci | gc",
  "gci src -Recurse -Filter *.ts | gci -Recurse | sls x",
  "gci src -Filter *.ts | ? Length | gci | gc",
  "gi src\\*.ts | gci | gc",
  "rvpa src\\*.ts | gci | gc",
  "gci src\\*.ts -Recurse | gc",
  "gci S*\\x.TS | gc",
])("a folder with the name of a source is not one: %s", async (command) => {
  const files = ["src/a.ts", "src/x.ts/.env", "src/x.ts/b.ts"];
  expect(await world({ inPowerShell: true, files }).explain("exec", { command })).toMatchObject({ decision: "ask" });
  // The same without the secret.
  const harmless = world({ inPowerShell: true, files: ["src/a.ts", "src/x.ts/b.ts"] });
  expect(await harmless.explain("exec", { command })).toMatchObject({ decision: "allow" });
});

test("a filter finds longer endings by their short names, too", async () => {
  const command = "gci src -Filter *.sql | gc";
  const short = world({ inPowerShell: true, files: ["src/a.sql", "src/.env.sqlite"] });
  expect(await short.explain("exec", { command })).toMatchObject({ decision: "ask" });
  const harmless = world({ inPowerShell: true, files: ["src/a.sql", "src/.env.local"] });
  expect(await harmless.explain("exec", { command })).toMatchObject({ decision: "allow" });
});

test.each(["", ".ps1", ".exe", ".js", ".vbs", ".wsf", ".msc"])(
  "a program of the workspace with the ending «%s» in PATH asks",
  async (ending) => {
    const files = ["bin/git", "a.txt"];
    const find = async (name: string): Promise<string[]> => (name === `git${ending}` ? [`/work/bin/${name}`] : []);
    const there = world({ inPowerShell: true, files, programs: { find } });
    expect(await there.explain("exec", { command: "git --version" })).toMatchObject({ decision: "ask" });
    const elsewhere = world({ inPowerShell: true, files, programs: { find: async () => ["/usr/bin/git"] } });
    expect(await elsewhere.explain("exec", { command: "git --version" })).toMatchObject({ decision: "allow" });
  },
);

test("the tables are long enough to mean something", () => {
  expect(new Set(EVERYDAY).size).toBeGreaterThanOrEqual(75);
  expect(new Set(attacks.map(([, line]) => line)).size).toBeGreaterThanOrEqual(400);
});
