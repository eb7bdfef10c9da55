// Commands that only read, contained where an agent calls for them.
import { execFileSync } from "node:child_process";
import { chmod, readdir } from "node:fs/promises";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../unit/tools/workspace.js";
import { missingSandbox } from "../hosts/processes/missingSandbox.js";
import { builtCli } from "./built.js";
import { connect, connectOver } from "./mcpRig.js";

const cli = builtCli();
const LOOK = { command: 'echo "parent $PPID"; cat a.txt' };
/** In a namespace of its own, the first process starts the command. */
const OUTSIDE = /^parent (?!1$)\d+$/m;
const INSIDE = /^parent 1$/m;

async function folderWithSecret(): Promise<string> {
  const folder = await tempFolder({ ".env": "KEY=value\n", "a.txt": "a\n" });
  await chmod(join(folder, ".env"), 0o644);
  return folder;
}

describe.skipIf(missingSandbox() !== undefined)("a command that only reads", () => {
  test.each<[string, Record<string, string>, RegExp]>([
    ["is contained", {}, INSIDE],
    ["is not if the user turned that off", { TOOLHOST_SANDBOX: "off" }, OUTSIDE],
    [
      "is, whatever a command line that an agent started says",
      { TOOLHOST_SANDBOX: "off", TOOLHOST_AGENT: "1" },
      INSIDE,
    ],
  ])("%s", async (_, env, listed) => {
    const { text } = await connect(cli, await folderWithSecret(), [], "2025-11-25", env);
    expect(await text("exec", LOOK)).toMatch(listed);
    expect(await text("exec", { ...LOOK, background: true, wait_for: "^a$" })).toMatch(listed);
  });

  test("runs as before where namespaces are forbidden; work asks, and why is said once", async () => {
    const folder = await folderWithSecret();
    const transport = new StdioClientTransport({
      stderr: "pipe",
      command: "bwrap",
      args: [
        ...[
          "--unshare-user",
          "--unshare-pid",
          "--disable-userns",
          "--bind",
          "/",
          "/",
          "--dev",
          "/dev",
          "--proc",
          "/proc",
        ],
        ...["--chdir", folder, process.execPath, cli.script, "mcp"],
      ],
      env: process.env as Record<string, string>,
    });
    let told = "";
    transport.stderr?.on("data", (chunk: Buffer) => (told += chunk.toString()));
    const { text } = await connectOver(transport, "2025-11-25");
    expect(await text("exec", LOOK)).toMatch(OUTSIDE);
    for (const name of ["one", "two"]) {
      expect(await text("exec", { command: `node -e 'fs.writeFileSync("${name}", "")'` })).toMatch(/^Error \(denied\)/);
    }
    // What changes only files that it names needs no sandbox.
    expect(await text("exec", { command: "cp a.txt b.txt" })).toContain("A b.txt +1");
    expect(await readdir(folder)).toEqual([".env", "a.txt", "b.txt"]);
    expect(told.match(/bubblewrap does not work here/g)).toHaveLength(1);
  });

  test("sees the sizes and lines of files with secrets as they are, and Git their state", async () => {
    const folder = await folderWithSecret();
    execFileSync("git", ["init", "-q"], { cwd: folder });
    execFileSync("git", ["add", "-f", "."], { cwd: folder });
    const { text } = await connect(cli, folder);
    expect(await text("exec", { command: "ls -l .env" })).toMatch(/^-rw-r--r-- .* 10 .*\.env$/m);
    expect(await text("exec", { command: "wc -l .env a.txt" })).toContain("1 .env");
    expect(await text("exec", { command: "git status --short" })).toMatch(/^A {2}\.env$/m);
  });

  test("is not, where it is about the machine", async () => {
    const { text } = await connect(cli, await folderWithSecret());
    expect(await text("exec", { command: `ps -p ${process.pid}` })).toContain(String(process.pid));
  });
});
