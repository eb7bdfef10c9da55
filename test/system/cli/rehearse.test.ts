// `toolhost agent` on a terminal: a command that asks is tried first, and the question shows what it did.
import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { poll } from "../../harness/poll.js";
import { tempFolder } from "../../unit/tools/workspace.js";
import { treeOf } from "../faults/tree.js";
import { missingSandbox } from "../hosts/processes/missingSandbox.js";
import { agentRig, calls, gone, onTerminal, results } from "./agentRig.js";

const rig = agentRig();
const PROMPT = "n = no (default): ";
const UNKNOWN = `eval "$(cat script)"`;

/** Runs `toolhost agent`, whose model calls for one command, on a terminal of its own. */
async function agentOnTerminal(script: string, more: Record<string, string> = {}, files: Record<string, string> = {}) {
  const { folder } = await rig.inFolder({ "a.txt": "one\n", script, ...files });
  const state = await tempFolder();
  const env = { ...process.env, TOOLHOST_SANDBOX: "work", TOOLHOST_STATE: state, ...more };
  rig.server().script(calls(["exec", { command: UNKNOWN }]), { text: "Done." });
  const command = `${process.execPath} ${rig.cli.script} agent --base-url ${rig.server().baseUrl} --model m go`;
  return { folder, env, views: join(state, "views"), ...onTerminal(command, { cwd: folder, env }) };
}

describe.skipIf(missingSandbox() !== undefined)("a command that asks on a terminal", () => {
  test("shows what it did, yes makes exactly that, and undo takes it back", async () => {
    const { folder, env, views, code, shown, type } = await agentOnTerminal("echo $RANDOM$RANDOM >> a.txt; echo said");
    await poll("the question", () => shown().endsWith(PROMPT));
    const before = await treeOf(folder);
    expect(before["a.txt"]).toBe("one\n");
    expect(shown()).toContain(
      "It was tried in a sandbox, without network, home and secrets: exit code 0; 1 changed (M a.txt +1).",
    );
    expect(shown()).toContain("Yes makes exactly these changes. It is not run again.");
    const added = /│ \+(\d+)\n/.exec(shown())?.[1];
    expect(readdirSync(views)).toEqual([]);
    type("y\n");
    expect(await code).toBe(0);
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe(`one\n${added}\n`);
    expect(results(rig.server().chats().at(-1)?.body)[0]).toMatch(
      /^It ran in a sandbox.*\n\[Exit code 0.*\nsaid\n\[Changed: M a\.txt \+1\]/,
    );
    expect((await rig.cli.run(["undo"], { cwd: folder, env })).code).toBe(0);
    expect(await treeOf(folder)).toEqual(before);
  });

  test("shows no secret of the workspace", async () => {
    const secret = "q7Zt0vXw93LmKpRb";
    const { folder, code, shown, type } = await agentOnTerminal(
      `echo ${secret} >> a.txt; echo said ${secret}`,
      {},
      {
        ".env": `API_TOKEN=${secret}\n`,
      },
    );
    await poll("the question", () => shown().endsWith(PROMPT));
    expect(shown()).toContain("│ said ⟦secret API_TOKEN");
    expect(shown()).toContain("│ +⟦secret API_TOKEN");
    type("y\n");
    await code;
    expect(shown()).not.toContain(secret);
    expect(results(rig.server().chats().at(-1)?.body)[0]).toMatch(/^said ⟦secret API_TOKEN/m);
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe(`one\n${secret}\n`);
  });

  test("leaves nothing after a no, and is not tried where the user does not want that", async () => {
    for (const more of [{}, { TOOLHOST_REHEARSE: "off" }]) {
      const { folder, views, code, shown, type } = await agentOnTerminal("echo x >> a.txt; echo said", more);
      await poll("the question", () => shown().endsWith(PROMPT));
      expect(shown().includes("It was tried in a sandbox")).toBe(!("TOOLHOST_REHEARSE" in more));
      type("n\n");
      await code;
      expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("one\n");
      expect(results(rig.server().chats().at(-1)?.body)[0]).not.toMatch(/^said/m);
      expect(existsSync(views) ? readdirSync(views) : []).toEqual([]);
    }
  });

  test("ends with a process that is killed, and the next removes what it left", async () => {
    const { folder, env, views, code } = await agentOnTerminal("echo x >> a.txt; sleep 600");
    const view = await poll("its change", () =>
      readdirSync(views).find((name) => existsSync(join(views, name, "0-changes/a.txt"))),
    );
    const host = Number(view.split("-")[0]);
    const inView = (): number[] => processesWith(folder).filter((pid) => pid !== host);
    const pids = inView();
    expect(pids.length).toBeGreaterThan(0);
    process.kill(host, "SIGKILL");
    await code;
    await Promise.all(pids.map(gone));
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("one\n");
    await rig.cli.run(["explain", "exec", "--input", JSON.stringify({ command: "npm test" })], { cwd: folder, env });
    expect(readdirSync(views)).toEqual([]);
  });
});

/** The processes that run in a folder. */
function processesWith(folder: string): number[] {
  return readdirSync("/proc").flatMap((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`) === folder ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}
