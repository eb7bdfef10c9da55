// What differs about files on a Mac, on a disk in memory that is like one: case and composed accents do not count, and
// `/tmp` is a link to `/private/tmp`.
import { describe, expect, test } from "vitest";
import { MemoryDisk } from "../../../memory/disk.js";
import { MemoryFiles } from "../../../memory/files.js";
import { world } from "./permissionRig.js";

const COMPOSED = "priv\u00E9";
const DECOMPOSED = "prive\u0301";

describe("a workspace below /tmp", () => {
  const disk = new MemoryDisk({ mac: true });
  disk.write("/private/tmp/Work/src/a.ts", "a");
  disk.write("/private/tmp/Work/.env", "a");
  disk.write(`/private/tmp/Work/${COMPOSED}/b.ts`, "a");
  disk.write("/private/etc/hosts", "a");
  disk.link("/tmp", "/private/tmp");
  disk.link("/etc", "/private/etc");
  const files = new MemoryFiles(disk, [{ name: "Work", path: "/tmp/Work", scheme: "memory" }]);

  test.each([
    ["src/a.ts", "src/a.ts", "src/a.ts"],
    ["SRC/A.TS", "SRC/A.TS", "src/a.ts"],
    ["/tmp/Work/src/a.ts", "src/a.ts", "src/a.ts"],
    ["/TMP/work/src/a.ts", "src/a.ts", "src/a.ts"],
    ["/private/tmp/Work/src/a.ts", "src/a.ts", "src/a.ts"],
    ["/PRIVATE/tmp/work/.ENV", ".ENV", ".env"],
    [`${DECOMPOSED}/b.ts`, `${DECOMPOSED}/b.ts`, `${COMPOSED}/b.ts`],
    [`${COMPOSED.toUpperCase()}/B.TS`, `${COMPOSED.toUpperCase()}/B.TS`, `${COMPOSED}/b.ts`],
  ])("%s is in it", async (given, path, realPath) => {
    expect(await files.resolve(given)).toMatchObject({ path, realPath });
  });

  test.each(["/etc/hosts", "/private/etc/hosts", "/tmp/Workshop/a", "/private/tmp/other"])(
    "%s is not",
    async (given) => {
      await expect(files.resolve(given)).rejects.toMatchObject({ type: "outside_workspace" });
      expect((await files.outside(given)).absolute).toMatch(/^\/private\//);
    },
  );
});

describe("case does not hide what is protected", () => {
  const { explain } = world({ onMac: true });
  test.each([
    "cat .ENV",
    "cat .Env",
    "cat KEYS/SERVER.PEM",
    "cat keys/Server.pem",
    "cat ENVLINK",
    "cat OUTLINK",
    "cat DIRLINK/passwd",
    "cat SRC/../.ENV",
    "cat KEYS/*",
    "sed -i s/a/b/ .GIT/config",
    "sed -i s/a/b/ .Git/Hooks/pre-commit",
    "sed -i s/a/b/ .VSCODE/settings.json",
    "cd BARE; git status",
  ])("%s asks", async (command) => {
    expect(await explain("exec", { command })).toMatchObject({ decision: "ask" });
  });

  test.each([
    ["sECRET", "Secret/**"],
    ["Secret", "secret/deep/**"],
    ["sECRET/Deep", "secret/**"],
    ["secret", "SECRET/deep/**"],
    [".", "SECRET/**"],
  ])("a search in %s may reach what a rule for %s denies", async (path, denied) => {
    const rules = [{ tool: "grep", params: { path: denied }, decision: "deny" }];
    const secret = world({ onMac: true, files: ["secret/deep/a.txt"], rules });
    expect((await secret.explain("grep", { pattern: "x", path })).decision).not.toBe("allow");
  });

  test.each(["cat SRC/A.ts", "cat Package.json", "ls DOCS"])("%s is an ordinary file", async (command) => {
    expect(await explain("exec", { command })).toMatchObject({ decision: "allow" });
  });

  test.each([".ENV", "Keys/Server.PEM", "EnvLink"])("read of %s is not allowed unasked", async (path) => {
    expect((await explain("read", { path })).decision).not.toBe("allow");
  });
});

describe.each([
  ["composed", COMPOSED],
  ["decomposed", DECOMPOSED],
])("a folder whose name is stored %s", (_, stored) => {
  test.each([
    [COMPOSED, COMPOSED],
    [COMPOSED, DECOMPOSED],
    [DECOMPOSED, COMPOSED],
    [DECOMPOSED, DECOMPOSED],
    [COMPOSED.toUpperCase(), DECOMPOSED],
    [DECOMPOSED, COMPOSED.toUpperCase()],
  ])("is denied by a rule for %j when a call names %j", async (rule, given) => {
    const { explain } = world({
      onMac: true,
      files: [`${stored}/a.txt`],
      rules: [{ tool: "read", params: { path: `${rule}/**` }, decision: "deny" }],
    });
    expect(await explain("read", { path: `${given}/a.txt` })).toMatchObject({ decision: "deny" });
  });
});
