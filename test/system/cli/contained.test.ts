// Commands that only read, contained where an agent calls for them.
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../unit/tools/workspace.js";
import { missingSandbox } from "../hosts/processes/missingSandbox.js";
import { builtCli } from "./built.js";
import { connect, connectOver } from "./mcpRig.js";

const cli = builtCli();
const LOOK = { command: "ls -l .env a.txt" };
/** A file of secrets has its own mode outside, and none where it is hidden. */
const OUTSIDE = /^-rw-r--r-- .* \.env$/m;
const INSIDE = /^---------- .* \.env$/m;

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
    expect(await text("exec", { ...LOOK, background: true, wait_for: "a.txt" })).toMatch(listed);
  });

  test("runs as before where namespaces are forbidden", async () => {
    const folder = await folderWithSecret();
    const transport = new StdioClientTransport({
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
    const { text } = await connectOver(transport, "2025-11-25");
    expect(await text("exec", LOOK)).toMatch(OUTSIDE);
  });

  test("is not, where it is about the machine", async () => {
    const { text } = await connect(cli, await folderWithSecret());
    expect(await text("exec", { command: `ps -p ${process.pid}` })).toContain(String(process.pid));
  });
});
