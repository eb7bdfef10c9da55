// A command line that an agent started: what `exec` and its like run has TOOLHOST_AGENT in its environment.
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { poll } from "../../harness/poll.js";
import { contentOf, tempFolder, type FileTree } from "../../unit/tools/workspace.js";
import { agentRig, onTerminal } from "./agentRig.js";
import type { Finished } from "./built.js";

const rig = agentRig();
const PATH = ".toolhost/schedules/s.md";
const SCHEDULE = '---\nschedule: "* * * * *"\ntime_zone: UTC\n---\nSay hello.\n';
const tree: FileTree = { [PATH]: SCHEDULE, "a.txt": "one\n", ".env": "KEY=secret\n" };
const WHO = "an agent started this command line (TOOLHOST_AGENT is set)";
const agents: NodeJS.ProcessEnv = {
  ...process.env,
  TOOLHOST_AGENT: "1",
  OPENAI_MODEL: "test-model",
  OPENAI_API_KEY: "",
};

async function inFolder(): Promise<{
  cwd: string;
  byAgent: (...args: string[]) => Promise<Finished>;
  byUser: (...args: string[]) => Promise<Finished>;
}> {
  const cwd = await tempFolder(tree);
  return {
    cwd,
    byAgent: (...args) => rig.cli.run(args, { cwd, env: { ...agents, OPENAI_BASE_URL: rig.server().baseUrl } }),
    byUser: (...args) => rig.cli.run(args, { cwd }),
  };
}

describe("a command line that an agent started", () => {
  test("approves no schedule, and says who can", async () => {
    const { byAgent, byUser } = await inFolder();
    const { code, out, err } = await byAgent("work", "--approve", "s");
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(`schedule s was not approved: ${WHO}, and only the user can approve.`);
    expect(err).toContain(
      "Ask the user to run “Toolhost: Approve Schedules…” in VS Code, or toolhost work --approve s in their own terminal.",
    );
    expect((await byUser("cron", "list")).out).toContain("does nothing until the user approves it");
    expect((await byUser("work", "--approve", "s")).code).toBe(0);
    expect((await byAgent("cron", "list")).out).not.toContain("does nothing");
  });

  test("adds no schedule", async () => {
    const { cwd, byAgent } = await inFolder();
    const { code, err } = await byAgent("cron", "add", "--schedule", "0 9 * * *", "--prompt", "x", "--id", "new");
    expect(code).toBe(1);
    expect(err).toContain(
      `cron needs the user's permission: ${WHO}, and there is no terminal to ask on. Nothing was done.`,
    );
    expect(err).toContain("let them run this command in their own terminal");
    expect(existsSync(join(cwd, ".toolhost/schedules/new.md"))).toBe(false);
  });

  test("with a terminal, which the agent may have made, adds one that does nothing, and asks about none there is", async () => {
    const { cwd, byUser } = await inFolder();
    const add = onTerminal(
      `${process.execPath} ${rig.cli.script} cron add --schedule "0 9 * * *" --prompt x --id new`,
      { cwd, env: agents },
    );
    await poll("the question", () => add.shown().endsWith("n = no (default): "));
    add.type("y\n");
    expect(await add.code).toBe(0);
    expect(add.shown()).toContain(
      "It does nothing until the user approves it (Toolhost: Approve Schedules…, or toolhost work --approve in their own terminal).",
    );
    expect((await byUser("cron", "list")).out).toMatch(/new .*\[does nothing until the user approves it\]/);
    const approve = onTerminal(`${process.execPath} ${rig.cli.script} work --approve s`, { cwd, env: agents });
    expect(await approve.code).toBe(1);
    expect(approve.shown()).toContain("only the user can approve");
    const worker = onTerminal(`${process.execPath} ${rig.cli.script} work --schedules-only`, {
      cwd,
      env: { ...agents, OPENAI_BASE_URL: rig.server().baseUrl },
    });
    await poll("the notice", () => worker.shown().includes("The schedule s does nothing until you approve it"));
    worker.type("\u0003");
    expect(await worker.code).toBe(0);
    expect(worker.shown()).not.toContain("Approve the schedule");
  });

  test.each<[string, string[]]>([
    ["a read", ["read", "a.txt"]],
    ["a search", ["grep", "one"]],
    ["a command that only reads", ["exec", "cat a.txt"]],
    ["an edit that can be undone", ["run", "edit", "--input", '{"path":"a.txt","old_text":"one","new_text":"two"}']],
    ["a new file", ["run", "write", "--input", '{"path":"b.txt","content":"b"}']],
  ])("does %s unasked, as for any agent", async (_what, args) => {
    const { byAgent } = await inFolder();
    expect(await byAgent(...args)).toMatchObject({ code: 0, err: "" });
  });

  test.each<[string, string[]]>([
    ["a command that changes something", ["exec", "touch new"]],
    ["a file that nobody read is replaced", ["run", "write", "--input", '{"path":"a.txt","content":"two"}']],
    [
      "a protected file",
      ["run", "edit", "--input", JSON.stringify({ path: PATH, old_text: "hello", new_text: "goodbye" })],
    ],
    ["a secret", ["read", ".env"]],
    ["a file outside", ["read", "/etc/hostname"]],
  ])("is denied without a terminal: %s", async (_what, args) => {
    const { cwd, byAgent } = await inFolder();
    const { code, out, err } = await byAgent(...args);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(`Error (denied): `);
    expect(err).toContain(WHO);
    expect([
      readFileSync(join(cwd, "a.txt"), "utf8"),
      await contentOf(cwd, PATH),
      existsSync(join(cwd, "new")),
    ]).toEqual(["one\n", SCHEDULE, false]);
  });

  test("undoes nothing, on a terminal neither, and lists what could be undone", async () => {
    const { cwd, byAgent, byUser } = await inFolder();
    expect(await byUser("edit", "a.txt", "--old-text", "one", "--new-text", "two")).toMatchObject({ code: 0 });
    for (const words of [[], ["--id", "1"]]) {
      const { code, out, err } = await byAgent("undo", ...words);
      expect([code, out]).toEqual([1, ""]);
      expect(err).toBe(
        `Error (denied): undo: nothing was undone: ${WHO}, and only the user can undo.\nHint: Ask the user to run “Toolhost: Undo Last Turn” in VS Code, or toolhost undo in their own terminal.\n`,
      );
    }
    const at = onTerminal(`${process.execPath} ${rig.cli.script} undo`, { cwd, env: agents });
    expect(await at.code).toBe(1);
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("two\n");
    expect((await byAgent("undo", "--list")).out).toContain("edit  a.txt");
    expect(await byUser("undo")).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("one\n");
  });

  test("is asked about on its terminal", async () => {
    const { cwd } = await inFolder();
    const at = onTerminal(`${process.execPath} ${rig.cli.script} exec "touch new"`, { cwd, env: agents });
    await poll("the question", () => at.shown().endsWith("n = no (default): "));
    expect(existsSync(join(cwd, "new"))).toBe(false);
    at.type("y\n");
    expect(await at.code).toBe(0);
    expect(existsSync(join(cwd, "new"))).toBe(true);
  });

  test.each([{}, { env: { TOOLHOST_AGENT: "" } }])("is what exec runs, with %j too", async (more) => {
    const { byUser } = await inFolder();
    const { out } = await byUser(
      "run",
      "exec",
      "--input",
      JSON.stringify({ command: `${process.execPath} ${rig.cli.script} work --approve s 2>&1`, ...more }),
    );
    expect(out).toContain("only the user can approve");
    expect((await byUser("cron", "list")).out).toContain("does nothing until the user approves it");
  });

  test.each([
    "TOOLHOST_AGENT= toolhost cron add",
    "env TOOLHOST_AGENT= toolhost cron add",
    "unset TOOLHOST_AGENT; toolhost cron add",
    "export TOOLHOST_AGENT=; toolhost cron add",
  ])("no rule for it covers: %s", async (command) => {
    const { cwd, byUser } = await inFolder();
    await writeFile(
      join(cwd, "rules.json"),
      JSON.stringify([
        { tool: "exec", params: { command: "toolhost **" }, decision: "allow" },
        { tool: "exec", params: { command: "toolhost cron add" }, decision: "allow" },
      ]),
    );
    const explained = async (line: string): Promise<unknown> =>
      JSON.parse(
        (
          await byUser(
            "explain",
            "exec",
            "--input",
            JSON.stringify({ command: line }),
            "--rules",
            "rules.json",
            "--json",
          )
        ).out,
      );
    expect(await explained("toolhost cron add")).toMatchObject({ decision: "allow" });
    expect(await explained(command)).toMatchObject({ decision: "ask" });
  });
});
