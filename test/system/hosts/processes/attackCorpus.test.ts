// Every string that published attacks try on agents is really run, contained: nothing outside changes, and nothing leaves,
// whatever the parser thinks of it.
import { lstatSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { GatedPath } from "../../../../src/ports/files.js";
import type { Containment } from "../../../../src/ports/processes.js";
import { readHosts } from "../../../../src/text/hosts/allowedHosts.js";
import { tempFolder } from "../../../unit/tools/workspace.js";
import { ATTACKS } from "../../../unit/core/permission/permissionCorpus.js";
import { treeOf } from "../../faults/tree.js";
import { openRig } from "../views/rig.js";
import { missingSandbox } from "./missingSandbox.js";

const FILES = {
  "a.txt": "one\n",
  "src/a.ts": "export {};\n",
  "package.json": "{}\n",
  ".env": "KEY=value-of-the-secret\n",
  ".vscode/settings.json": "{}\n",
};
const SIDE_BY_SIDE = 8;
/** Some wait forever: a command gets that long, in ms. */
const LIMIT = 2_000;
/** The places outside that the strings name, but for what the kernel shows. */
const NAMED = [...new Set(ATTACKS.flatMap(({ command }) => command.match(/\/(?!dev|proc|sys)\w[\w./-]*/g) ?? []))];
/** Names of hosts in the strings: they become our own server. */
const HOST = /\b(?:evil|attacker|example)\.(?:com|example|org)\b/g;

const mayChange = async (): Promise<string> => "it may not.";
const { hosts } = readHosts(["registries", "*.allowed.test"]);
const CONTAINED: [how: string, contained: Containment, server: string][] = [
  ["where it may change nothing", { hidesSecrets: true }, "127.0.0.1"],
  ["in a view", { hidesSecrets: true, writes: { mayChange } }, "127.0.0.1"],
  ["in a view with a way to other hosts", { hidesSecrets: true, writes: { mayChange, hosts } }, "evil.example.com"],
];

describe.skipIf(missingSandbox() !== undefined)("every attack, contained", () => {
  test.each(CONTAINED)("has no effect outside %s", { timeout: 580_000 }, async (_, contained, server) => {
    expect(ATTACKS.length).toBeGreaterThan(100);
    const home = await tempFolder({ ".bashrc": "mine\n", ".ssh/id_rsa": "the key of the home\n", f: "mine\n" });
    const { folder, processes } = await openRig(FILES, { names: { "evil.example.com": "127.0.0.1" } });
    await mkdir(join(folder, ".git"));
    let calls = 0;
    const listener = createServer((socket) => {
      calls++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void listener.close());
    const { port } = listener.address() as { port: number };
    const before = [await treeOf(folder), await treeOf(home), NAMED.map(stateOf)];
    const said: string[] = [];
    let notStarted = 0;
    const run = async (line: string): Promise<void> => {
      const at = { path: ".", realPath: ".", lexical: folder, absolute: folder, root: undefined };
      const command = line.replaceAll(HOST, `${server}:${port}`);
      const call = { session: "s", turn: "t", callId: "c", tool: "exec", door: "mcp", summary: "an attack" };
      const started = await processes
        .start(
          {
            ...{ command, workdir: at as unknown as GatedPath, env: { HOME: home }, interactive: false, title: "test" },
            ...{ unasked: true, contained, watched: call },
          },
          false,
          { session: "s", callId: "c" },
        )
        .catch(() => undefined);
      notStarted += started === undefined ? 1 : 0;
      const timer = setTimeout(() => void started?.stop("timeout"), LIMIT);
      await started?.ended;
      clearTimeout(timer);
      said.push(started?.summary(2_000).text ?? "");
    };
    const left = ATTACKS.filter(({ command }) => !command.includes("\0")).map(({ command }) => command);
    await Promise.all(
      Array.from({ length: SIDE_BY_SIDE }, async () => {
        for (let command = left.pop(); command !== undefined; command = left.pop()) {
          await run(command);
        }
      }),
    );
    expect([await treeOf(folder), await treeOf(home), NAMED.map(stateOf)]).toEqual(before);
    expect(calls).toBe(0);
    // A command that is not even started proves nothing of what contains it.
    expect(notStarted).toBeLessThan(ATTACKS.length / 50);
    expect(said.join("\n")).not.toMatch(/the key of the home|value-of-the-secret/);
  });
});

/** What is at a place: of a folder, in which others may write meanwhile, only that it is there. */
function stateOf(path: string): string {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found === undefined || found.isDirectory()
    ? `${path} ${found === undefined ? "is not there" : "is a folder"}`
    : [path, found.ino, found.size, found.mode, found.ctimeMs].join(" ");
}
