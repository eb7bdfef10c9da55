// The local sandbox, chosen by its name or address: a folder of this machine, in bubblewrap.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { tempFolder, type FileTree } from "../../unit/tools/workspace.js";
import { OpenAiServer } from "../../harness/openai-server.js";
import { poll } from "../../harness/poll.js";
import { calls, onTerminal, results } from "../cli/agentRig.js";
import { builtCli, type Finished } from "../cli/built.js";
import { missingSandbox } from "../hosts/processes/missingSandbox.js";

const cli = builtCli();
let model: OpenAiServer;
beforeAll(async () => {
  model = await OpenAiServer.start();
  return () => model.stop();
});

async function place(files: FileTree = {}) {
  const folder = await tempFolder(files);
  const run = (...args: string[]): Promise<Finished> =>
    cli.run(["--sandbox", "local", ...args], { cwd: folder, env: { ...process.env, MY_API_TOKEN: "token-value" } });
  return { folder, run };
}

describe.skipIf(missingSandbox() !== undefined)("the local sandbox", { timeout: 60_000 }, () => {
  test("has the folder's files read, searched and changed, and undone", async () => {
    const { folder, run } = await place({
      "a.txt": "one\n",
      "src/b.ts": "needle\n",
      ".gitignore": "out/\n",
      "out/c": "needle",
    });
    expect((await run("read", "a.txt")).out).toBe("1\tone\n");
    const found = await run("grep", "needle");
    expect(found.out).toContain("src/b.ts");
    expect(found.out).not.toContain("out/c");
    expect((await run("edit", "a.txt", "--old-text", "one", "--new-text", "two")).code).toBe(0);
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("two\n");
    expect((await run("undo")).code).toBe(0);
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("one\n");
  });

  test("lets a command change the folder, and reach nothing else", async () => {
    const { folder, run } = await place({ ".git/config": "[core]\n" });
    const [beside, home] = [await tempFolder({ "n.txt": "beside" }), await mkdtemp(join(homedir(), ".toolhost-test-"))];
    onTestFinished(() => rm(home, { recursive: true }));
    await writeFile(join(home, "key"), "of the home");
    const server = createServer((socket) => socket.end("reached"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const tried = [
      `cat ${join(beside, "n.txt")}`,
      `cat ${join(home, "key")}`,
      `ls ${process.env["TOOLHOST_STATE"]}/*`,
      `echo x > ${join(homedir(), "x")} && cat ${join(homedir(), "x")} > inside-home`,
      "echo x > /etc/toolhost-test",
      "echo x > .git/config",
      "cat /etc/shadow | grep root:",
      `exec 5<>/dev/tcp/127.0.0.1/${port} && cat <&5`,
      `ln -s ${join(beside, "n.txt")} link; cat link`,
      `kill -0 ${process.pid} && echo alive`,
      "env",
    ];
    const { out } = await run(
      "exec",
      `echo made > made.txt; ${tried.map((each) => `( ${each} ) 2>/dev/null;`).join(" ")} pwd`,
    );
    for (const secret of ["beside", "of the home", "state.db", "root:", "reached", "alive", "token-value"]) {
      expect([secret, out.includes(secret)]).toEqual([secret, false]);
    }
    expect(out.trimEnd().split("\n").at(-1)).toBe(folder);
    expect(await readFile(join(folder, "made.txt"), "utf8")).toBe("made\n");
    expect(await readFile(join(folder, ".git/config"), "utf8")).toBe("[core]\n");
    // Its home is empty, and what it puts there is gone with it.
    expect(existsSync(join(homedir(), "x"))).toBe(false);
    expect(existsSync("/etc/toolhost-test")).toBe(false);
  });

  test("gives a command its exit code, its variables and its folder, and ends all that it started with it", async () => {
    const { folder, run } = await place({ "sub/x": "" });
    const { out, code } = await run(
      ...["exec", "echo $A; pwd; sleep 1000 & exit 3", "--workdir", "sub", "--env", '{"A":"it\'s"}'],
    );
    expect([out.split("\n").slice(1, 3), code]).toEqual([["it's", `${folder}/sub`], 3]);
  });

  test.each(["SIGTERM", "SIGKILL"] as const)("ends its commands if this one is ended by %s", async (signal) => {
    const { folder } = await place();
    const child = cli.start(["--sandbox", "local", "exec", "touch started; exec sleep 1017"], {
      cwd: folder,
      stdio: "ignore",
    });
    await poll("its start", () => existsSync(join(folder, "started")));
    const pid = await pidOf("sleep\x001017");
    child.kill(signal);
    await poll("its end", () => !isRunning(pid));
  });

  test("is not left by a path, not even through a link", async () => {
    const { folder, run } = await place();
    const beside = await tempFolder({ "n.txt": "beside" });
    await symlink(beside, join(folder, "link"));
    for (const path of ["link/n.txt", join(beside, "n.txt"), "../x"]) {
      const { code, err, out } = await run("read", path);
      expect([path, code, out]).toEqual([path, 1, ""]);
      expect(err).toMatch(/Error \((outside_workspace|not_found)\)/);
    }
  });

  test("is named in questions; a call that would leave it asks, and reads nothing outside even after a yes", async () => {
    const { folder } = await place({ "a.txt": "one\n" });
    const beside = await tempFolder({ "n.txt": "what is beside", "m.txt": "what is beside" });
    const PROMPT = "n = no (default): ";
    model.script(
      calls(["read", { path: join(beside, "n.txt") }]),
      calls(["read", { path: join(beside, "m.txt") }]),
      calls(["exec", { command: "touch made" }]),
      { text: "Done." },
    );
    const { code, shown, type } = onTerminal(
      `${process.execPath} ${cli.script} --sandbox local agent --base-url ${model.baseUrl} --model m go`,
      { cwd: folder },
    );
    const asked = (title: string): Promise<unknown> =>
      poll(title, () => shown().includes(`Allow this? local: ${title}\n`) && shown().endsWith(PROMPT));
    await asked(`Read ${join(beside, "n.txt")}`);
    expect(shown()).toContain(`Reads ${join(beside, "n.txt")}, which lies outside the workspace.`);
    type("n\n");
    await asked(`Read ${join(beside, "m.txt")}`);
    type("y\n");
    await asked("Run touch made");
    expect(existsSync(join(folder, "made"))).toBe(false);
    type("y\n");
    expect(await code).toBe(0);
    expect(existsSync(join(folder, "made"))).toBe(true);
    expect(results(model.chats().at(-1)?.body).join("\n")).not.toContain("what is beside");
  });
});

describe.skipIf(missingSandbox() !== undefined)(
  "a folder that is none for a local sandbox",
  { timeout: 60_000 },
  () => {
    test.each([
      [`local://${homedir()}`, "which is kept from sandboxes"],
      ["local:///", "which is kept from sandboxes"],
      ["local:///no/such/folder", "/no/such/folder: there is no such folder for a local sandbox."],
      ["local:relative", "is not the address of a sandbox"],
      ["local://relative", "is not the address of a sandbox"],
    ])("%s is refused", async (address, message) => {
      const { code, err } = await cli.run(["--sandbox", address, "ls", "."], { cwd: "/" });
      expect([code === 0, err]).toEqual([false, expect.stringContaining(message)]);
    });

    test("or that is removed meanwhile is told as such", async () => {
      const folder = await tempFolder();
      const gone = join(folder, "gone");
      await mkdir(gone);
      const { localBridge } = await import("../../../src/hosts/node/sandbox/local.js");
      const { BridgeClient } = await import("../../../src/hosts/node/sandbox/bridgeClient.js");
      const client = new BridgeClient(localBridge(gone, join(folder, "state")));
      await rm(gone, { recursive: true });
      await expect(client.readFile(join(gone, "x"))).rejects.toMatchObject({
        type: "unavailable",
        message: expect.stringMatching(/^The local sandbox does not start: bwrap: /) as string,
      });
      expect(await readdir(folder)).toEqual(["state"]);
    });
  },
);

async function pidOf(words: string): Promise<number> {
  let found: number | undefined;
  await poll(words, async () => {
    for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
      const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
      found = line.startsWith(words) ? Number(pid) : found;
    }
    return found !== undefined;
  });
  return found ?? 0;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
