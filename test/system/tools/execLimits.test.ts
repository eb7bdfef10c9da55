import { describe, expect, it } from "vitest";
import { poll } from "../../harness/poll.js";
import { failed, openWorkspace, result, type CallOptions, type TestWorkspace } from "../../unit/tools/workspace.js";

interface Data {
  status: string;
  exit_code: number | null;
  process_id?: string;
  left_running: boolean | null;
}

const UNASKED: CallOptions = { as: "model" };

async function exec(workspace: TestWorkspace, input: object, options = UNASKED): Promise<{ text: string; data: Data }> {
  return result<Data>(await workspace.call("exec", input, options));
}

/** What makes a command too long for an argument. */
const LONG = `: ${"é".repeat(60_000)}\n`;

describe.skipIf(process.platform !== "linux")("a command that nobody was asked about", () => {
  it.each(["", LONG])("is told of its limits by the system (%#)", async (before) => {
    const workspace = await openWorkspace({}, { limits: { memory: 64 * 2 ** 20, seconds: 77 } });
    const { text } = await exec(workspace, { command: `${before}ulimit -d; ulimit -t; echo "$0"` });
    expect(text.split("\n").slice(1, 3)).toEqual(["65536", "77"]);
    const { text: owners } = await exec(workspace, { command: `${before}ulimit -d; ulimit -t` }, { as: "owner" });
    expect(owners).not.toMatch(/^65536$|^77$/m);
  });

  it("has none when a rule allows it, or a person said yes", async () => {
    const ruled = await openWorkspace(
      {},
      { limits: { seconds: 77 }, rules: [{ tool: "exec", params: { command: "install **" }, decision: "allow" }] },
    );
    expect((await exec(ruled, { command: "install -d x; ulimit -t" })).text).not.toMatch(/^77$/m);
    const asked = await openWorkspace({}, { limits: { seconds: 77 } });
    expect((await exec(asked, { command: "true; ulimit -t" }, { as: "model", answer: true })).text).not.toMatch(
      /^77$/m,
    );
    expect(asked.asked).toHaveLength(1);
  });

  it.each([
    "while :; do :; done",
    "awk 'BEGIN { while (1) x++ }'",
    "true; awk 'BEGIN { while (1) x++ }'",
    "bash -c 'while :; do :; done'; exit $?",
  ])("is ended when a program of it has computed for as long as it may, in words: %s", async (command) => {
    const workspace = await openWorkspace({}, { limits: { seconds: 1 }, rules: [] });
    const process = await workspace.processes.start(
      { command, workdir: await workspace.files.resolve("."), env: {}, interactive: false, title: "x", unasked: true },
      false,
      { session: "s", callId: "c" },
    );
    const { status, limit } = await process.ended;
    expect({ status, limit }).toEqual({
      status: "limited",
      limit: "one of its programs used 1 s of CPU time, the limit for a command that nobody was asked about",
    });
  });

  it("says nothing of limits when it was asked about, or exits by itself", async () => {
    const workspace = await openWorkspace({}, { limits: { seconds: 77 } });
    expect((await exec(workspace, { command: "kill -XCPU $$" }, { as: "owner" })).text).toMatch(/^\[Ended by SIGXCPU/);
    expect((await exec(workspace, { command: "ulimit -c; ulimit -Ht" })).text).toMatch(/\n0\n82$/);
  });

  it("is refused more memory than it may have", async () => {
    const workspace = await openWorkspace({}, { limits: { memory: 100 * 2 ** 20, look: 20 } });
    const { data } = await exec(workspace, { command: "x=$(yes)" });
    expect(data.status === "limited" || data.exit_code !== 0).toBe(true);
    expect(data.status).not.toBe("timeout");
  });

  it("is ended when all its processes take too much memory", async () => {
    const workspace = await openWorkspace(
      { big: "x".repeat(31_000_000) },
      { limits: { memory: 100 * 2 ** 20, look: 20 } },
    );
    // It keeps the end of what it reads, which does not come.
    const holding = "tail -c 30000000 <(cat big; sleep 1000)";
    const { text, data } = await exec(workspace, {
      command: `${holding} & ${holding} & ${holding} & ${holding} & wait`,
    });
    expect(data).toMatchObject({ status: "limited", left_running: false });
    expect(text).toMatch(/it took \d+ MB of memory, and a command that nobody was asked about may take 100\./);
  });

  it("is ended when it runs too many processes", async () => {
    const workspace = await openWorkspace({}, { limits: { processes: 3, look: 20 } });
    const { text, data } = await exec(workspace, {
      command: "sleep 1000 & sleep 1000 & sleep 1000 & sleep 1000 & wait",
    });
    expect(data).toMatchObject({ status: "limited", left_running: false });
    expect(text).toMatch(
      /^\[Ended after .* s: it ran [45] processes at the same time, and a command that nobody was asked about may run 3\./,
    );
  });

  it("leaves none of too many running", async () => {
    const workspace = await openWorkspace({}, { limits: { processes: 3, look: 1_000_000 } });
    const { text, data } = await exec(workspace, {
      command: "sleep 1000 & sleep 1000 & sleep 1000 & sleep 1000 & echo done",
    });
    expect(data).toMatchObject({ status: "limited", left_running: false });
    expect(text).toMatch(/done$/);
  });

  it("waits its turn when many run already", async () => {
    const workspace = await openWorkspace({}, { limits: { commands: 2 } });
    const [first] = await Promise.all([1, 2].map(() => exec(workspace, { command: "sleep 1000", background: true })));
    const refused = failed(await workspace.call("exec", { command: "ls" }, UNASKED));
    expect(refused).toMatchObject({
      type: "unavailable",
      message: "2 commands that nobody was asked about are already running.",
    });
    expect((await exec(workspace, { command: "echo mine" }, { as: "owner" })).text).toMatch(/mine$/);
    await workspace.processes.find(first?.data.process_id ?? "")?.stop("cancelled");
    await poll("room for another", async () => (await workspace.call("exec", { command: "ls" }, UNASKED)).ok);
  });
});
