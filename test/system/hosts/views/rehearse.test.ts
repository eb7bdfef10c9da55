// A command that asks is tried in a view first: the question shows what it did, yes makes exactly that, no leaves nothing.
import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Answer, Question } from "../../../../src/ports/confirm.js";
import { stateRoot } from "../../../../src/hosts/node/state/stateFolder.js";
import { poll } from "../../../harness/poll.js";
import { tempFolder } from "../../../unit/tools/workspace.js";
import { treeOf } from "../../faults/tree.js";
import { missingSandbox } from "../processes/missingSandbox.js";
import { openRig, type RigOptions, type ViewRig } from "./rig.js";

const FILES = { "a.txt": "one\ntwo\n", "d/b.txt": "b\n", ".env": "KEY=value-of-the-secret\n" };
const TRIED = /^It was tried in a sandbox, without network, home and secrets/;
const KEPT = "Yes makes exactly these changes. It is not run again.";
const AGAIN = "It was tried in a sandbox first, and then run outside of it, since ";

/** Wraps a script so that nobody knows what it does before it runs. */
function unknown(script: string): string {
  return `eval "$(printf %s ${quoted(script)})"`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

interface Asked extends ViewRig {
  questions: Question[];
}

/** @param ask what happens while the question is open */
async function rigThatAsks(
  answer: Answer,
  ask: (rig: ViewRig) => unknown = () => undefined,
  options: RigOptions = {},
): Promise<Asked> {
  const questions: Question[] = [];
  const rig: ViewRig = await openRig(FILES, {
    ...options,
    ask: async (question) => {
      questions.push(question);
      await ask(rig);
      return answer;
    },
  });
  return { ...rig, questions };
}

/** What the questions said of what was tried. */
function remarks({ questions }: Asked): string {
  return questions
    .map(({ reasons }) => reasons.slice(reasons.findIndex((each) => TRIED.test(each))).join(" "))
    .join("\n");
}

/** Everything that the questions showed of what the command did. */
function outcome({ questions }: Asked): string {
  return questions.flatMap((question) => (question.outcome ?? []).map(({ text }) => text)).join("\n");
}

describe.skipIf(missingSandbox() !== undefined)("a command that asks", () => {
  test("is tried first, and yes makes exactly what the question showed", async () => {
    const seen: unknown[] = [];
    const rig = await rigThatAsks("once", async ({ folder, processes }) => {
      seen.push(await treeOf(folder), processes.list(), viewFolders());
    });
    const before = await treeOf(rig.folder);
    const text = await rig.told(
      unknown("echo run $RANDOM$RANDOM$$ >> a.txt; rm d/b.txt; mkdir n; echo x > n/x; echo said"),
    );
    expect(seen).toEqual([before, [], []]);
    expect(remarks(rig)).toMatch(
      /exit code 0; 1 created, 1 changed, 1 deleted \(M a\.txt \+1, D d\/b\.txt −1, A n\/x \+1\)/,
    );
    expect(remarks(rig)).toContain(KEPT);
    const [question] = rig.questions;
    const [diff, output, ...more] = question?.outcome ?? [];
    const line = /^\+(run \d+)$/m.exec(diff?.text ?? "")?.[1];
    expect(question?.detail).toMatchObject({
      language: "bash",
      text: expect.not.stringContaining("a/a.txt") as string,
    });
    expect(diff).toMatchObject({ title: "What it changed in the sandbox", language: "diff" });
    expect(diff?.text).toContain("--- a/a.txt\n+++ b/a.txt\n");
    expect([output, ...more]).toEqual([{ title: "The end of its output there", language: "text", text: "said" }]);
    expect(await treeOf(rig.folder)).toEqual({
      ".env": FILES[".env"],
      "a.txt": `${FILES["a.txt"]}${line}\n`,
      "d/": "folder",
      "n/": "folder",
      "n/x": "x\n",
    });
    expect(text).toMatch(
      /^It ran in a sandbox.*while the user was asked.*\n\[Exit code 0.*\]\nsaid\n\[Changed: M a\.txt/,
    );
    await rig.undo();
    expect(await treeOf(rig.folder)).toEqual(before);
  });

  test("is tried where mode ask asks about ordinary work", async () => {
    const rig = await rigThatAsks("once", undefined, { mode: "ask" });
    expect(await rig.told('python3 -c \'open("n", "w").write("x")\'')).toContain("[Changed: A n");
    expect(remarks(rig)).toContain("1 created (A n");
    expect(await rig.told("ls")).toContain("a.txt");
    expect(remarks(rig)).toContain("nothing in the workspace changed");
  });

  test("leaves nothing after a no", async () => {
    const rig = await rigThatAsks("no");
    const before = await treeOf(rig.folder);
    const text = await rig.told(unknown("echo x > a.txt; rm -r d; echo told"));
    expect(text).toMatch(/^Error \(denied\): exec: the user said no\. Nothing was done\./);
    expect(text).not.toContain("told");
    expect(remarks(rig)).toContain("1 changed, 1 deleted");
    expect([await treeOf(rig.folder), rig.processes.list(), viewFolders()]).toEqual([before, [], []]);
    expect((await rig.changes.journal()).lastTurn()).toBeUndefined();
  });

  test.each<[what: string, others: (folder: string) => Promise<unknown>]>([
    ["a file that it changed", (folder) => writeFile(join(folder, "a.txt"), "the user's\n")],
    ["a folder that it writes to", (folder) => writeFile(join(folder, "d/other"), "the user's\n")],
  ])("runs once more, as usual, where others changed %s meanwhile", async (_, others) => {
    const rig = await rigThatAsks("once", ({ folder }) => others(folder));
    const text = await rig.told(unknown("echo mine >> a.txt; echo mine >> d/n"));
    expect(remarks(rig)).toContain(KEPT);
    expect(text).toMatch(new RegExp(`^${AGAIN}.* was changed by somebody else since it started\\.\\n\\[Exit code 0`));
    expect((await readFile(join(rig.folder, "a.txt"), "utf8")).match(/mine/g)).toHaveLength(1);
    expect(await readFile(join(rig.folder, "d/n"), "utf8")).toBe("mine\n");
  });

  test.each<[what: string, script: (outside: string) => string, why: RegExp]>([
    ["failed", (outside) => `cat ${outside}/x.txt`, /it failed there/],
    ["missed a file", (outside) => `cat ${outside}/x.txt | cat`, /it missed something there/],
    [
      "missed the network",
      () =>
        `node -e 'require("dns").lookup("example.com", (error) => console.log(error?.code ?? "", "inside " + !!error))'`,
      /its output says that it missed something there/,
    ],
    [
      "missed the home",
      () => "touch ~/.x-of-a-rehearsal; rm -f ~/.x-of-a-rehearsal; true",
      /it missed something there/,
    ],
    ["said too much", () => "seq 20000", /its output was too long to keep/],
    ["made a link", () => "ln -sf a.txt l", /its changes cannot be kept: .*l \(a link\)/],
    ["made a protected file", () => "mkdir -p .vscode; echo '{}' > .vscode/tasks.json", /cannot be kept: .*protected/],
    ["was killed by a signal", () => "kill -9 $$", /it (?:failed|was ended) there/],
  ])("is run as usual after a yes if it %s", async (_, script, why) => {
    const outside = await tempFolder({ "x.txt": "outside\n" });
    const seen: unknown[] = [];
    const rig = await rigThatAsks("once", async ({ folder }) => seen.push(await treeOf(folder)));
    const before = await treeOf(rig.folder);
    const text = await rig.told(unknown(`${script(outside)}; code=$?; echo n >> n; exit $code`));
    expect(seen).toEqual([before]);
    expect(remarks(rig)).toMatch(why);
    expect(remarks(rig)).toContain("Yes runs it outside of the sandbox, since ");
    expect(text).toMatch(new RegExp(`^${AGAIN}`));
    if (why.source !== "it (?:failed|was ended) there") {
      expect(await readFile(join(rig.folder, "n"), "utf8")).toBe("n\n");
    }
  });

  test("says that it missed the network only if that is known", async () => {
    const rig = await rigThatAsks("no");
    await rig.told(unknown('node -e \'require("dns").lookup("example.com", (error) => console.log(error?.code))\''));
    expect(remarks(rig)).toContain("Its output says that it missed the network.");
    await rig.told(unknown("echo x"));
    expect(remarks(rig).split("\n")[1]).not.toContain("network.");
  });

  test("is ended after 10 s, and asked about without what it did", { timeout: 60_000 }, async () => {
    const rig = await rigThatAsks("no", () => expect(viewFolders()).toEqual([]));
    const before = await treeOf(rig.folder);
    await rig.told(unknown("trap '' TERM; echo x > a.txt; sleep 600 & sleep 600; sleep 600"));
    expect(remarks(rig)).toMatch(/and stopped after 10 s: what it does is not known\./);
    expect(rig.questions[0]?.outcome).toEqual([]);
    expect(await treeOf(rig.folder)).toEqual(before);
  });

  test("is ended with its call, and never asked about", async () => {
    const rig = await rigThatAsks("once");
    const before = await treeOf(rig.folder);
    const stop = new AbortController();
    const running = rig.exec(unknown("echo x > a.txt; sleep 600"), {}, stop.signal).catch((error: unknown) => error);
    await poll("its change", () =>
      viewFolders().some((name) => existsSync(join(stateRoot(), "views", name, "0-changes/a.txt"))),
    );
    stop.abort();
    await running;
    await poll("the end of its view", () => viewFolders().length === 0);
    expect([rig.questions, await treeOf(rig.folder), rig.processes.list()]).toEqual([[], before, []]);
  });

  test("is ended with the window", async () => {
    const rig = await rigThatAsks("once");
    const running = rig.exec(unknown("echo x > a.txt; sleep 600"));
    await poll("its change", () =>
      viewFolders().some((name) => existsSync(join(stateRoot(), "views", name, "0-changes/a.txt"))),
    );
    await rig.processes.closeAll();
    expect(viewFolders()).toEqual([]);
    await running;
    expect(await readFile(join(rig.folder, "a.txt"), "utf8")).not.toContain("x");
  });

  test.each<[what: string, command: string, more?: object]>([
    ["destroys", "rm -rf d"],
    ["destroys in a line that is not understood", `rm -rf d; ${unknown("true")}`],
    ["pushes", "git push"],
    ["publishes", "npm publish"],
    ["deploys", "npm run deploy"],
    ["changes the repository", "git commit -m x"],
    ["installs", "npm install left-pad"],
    ["reaches the network", "curl https://example.com"],
    ["takes another user's rights", `sudo true; ${unknown("true")}`],
    ["reads secrets", `cat .env; ${unknown("true")}`],
    ["reads outside", `cat /etc/hostname; ${unknown("true")}`],
    ["writes outside", `echo x > /tmp/x-of-a-rehearsal; ${unknown("true")}`],
    ["changes a protected file", `touch .vscode/tasks.json; ${unknown("true")}`],
    ["goes on in the background", unknown("true"), { background: true }],
    ["is to run outside", unknown("true"), { outside: true }],
    ["runs in the user's shell", unknown("true"), { terminal: true }],
  ])("is not tried if it %s", async (_, command, more) => {
    const rig = await rigThatAsks("no");
    expect(await rig.told(command, more)).toContain("Error (denied)");
    expect(rig.questions.map(({ reasons }) => reasons.some((each) => TRIED.test(each)))).toEqual([false]);
  });

  test("is not tried if a rule asks about it, or may deny it", async () => {
    const rules = [
      { tool: "exec", params: { command: "deny-me **" }, decision: "deny" },
      { tool: "exec", params: { command: "ask-me **" }, decision: "ask" },
    ];
    const rig = await rigThatAsks("no", undefined, { rules });
    await rig.told(unknown("true"));
    await rig.told("ask-me now");
    expect(rig.questions.map(({ reasons }) => reasons.some((each) => TRIED.test(each)))).toEqual([false, false]);
  });

  test("is not tried for a program, or for a form that repeats the call", async () => {
    const rig = await rigThatAsks("no", undefined, { isAttended: false });
    await rig.told(unknown("true"));
    expect(rig.questions.map(({ reasons }) => reasons.some((each) => TRIED.test(each)))).toEqual([false]);
  });

  test("has variables that no program outside of the sandbox gets", async () => {
    const env: Record<string, string> = { "-u": "odd", X: "its own\n=" };
    const rig = await rigThatAsks("no", undefined, { env });
    // The loader of each program that starts with these writes a file.
    Object.assign(env, { LD_DEBUG: "files", LD_DEBUG_OUTPUT: join(rig.folder, "loaded") });
    await rig.told(unknown('echo "$X"; ls loaded.* | wc -l > seen'));
    expect(outcome(rig)).toContain("its own\n=");
    expect(outcome(rig)).toMatch(/^\+[1-9]\d*$/m);
    expect(Object.keys(await treeOf(rig.folder)).filter((name) => name.startsWith("loaded"))).toEqual([]);
  });

  test("does not choose what it sees of the home", async () => {
    const home = await tempFolder({ ".ssh/id_rsa": "the user's key\n" });
    vi.stubEnv("HOME", home);
    onTestFinished(() => void vi.unstubAllEnvs());
    const rig = await rigThatAsks("no", undefined, { env: { PATH: `${process.env["PATH"]}:${home}/.ssh` } });
    await rig.told(unknown("cat ~/.ssh/id_rsa; echo done"));
    expect(outcome(rig)).toMatch(/No such file[^]*done/);
    expect(outcome(rig)).not.toContain("the user's key");
  });

  test("reaches no service of the machine while it is tried", async () => {
    const home = await tempFolder();
    const tmp = await tempFolder();
    const heard: string[] = [];
    const serve = async (at: string | number): Promise<Server> => {
      const server = createServer((socket) => {
        heard.push(String(at));
        socket.on("error", () => undefined).end();
      });
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(typeof at === "number" ? { port: at, host: "127.0.0.1" } : { path: at }, resolve);
      });
      onTestFinished(() => void server.close());
      return server;
    };
    const rig = await rigThatAsks("no", undefined, {
      env: { HOME: home, SSH_AUTH_SOCK: join(tmp, "agent.sock"), DOCKER_HOST: `unix://${home}/docker.sock` },
    });
    await mkdir(join(home, ".docker/run"), { recursive: true });
    const sockets = [
      join(tmp, "agent.sock"),
      join(tmp, "bus"),
      join(home, "docker.sock"),
      join(home, ".docker/run/docker.sock"),
      join(rig.folder, "in-workspace.sock"),
      join(homedir(), `.x-of-a-rehearsal-${process.pid}.sock`),
      `/var/tmp/x-of-a-rehearsal-${process.pid}.sock`,
      "\0x-of-a-rehearsal",
    ];
    for (const at of sockets) {
      await serve(at);
    }
    const { port } = (await serve(0)).address() as { port: number };
    // Those of the machine itself, if there are any.
    const known = ["/var/run/docker.sock", "/run/dbus/system_bus_socket", "/tmp/.X11-unix/X0", "/run/systemd/private"];
    const probe = `const net = require("net");
const reached = (options) => new Promise((resolve) => {
  const socket = net.connect(options).on("connect", () => (socket.destroy(), resolve(true))).on("error", () => resolve(false));
});
(async () => {
  const all = [...${JSON.stringify([...sockets, ...known])}.map((path) => ({ path })), { port: ${port}, host: "127.0.0.1" }];
  console.log("reached:", JSON.stringify((await Promise.all(all.map(reached))).filter(Boolean)));
})();`;
    await rig.told(unknown(`node -e ${quoted(probe)}; cat .env; ls -A ${home} ${tmp} | wc -l; ls ${stateRoot()}`));
    expect(outcome(rig)).toContain("reached: []");
    expect(outcome(rig)).not.toContain("value-of-the-secret");
    expect(heard).toEqual([]);
  });
});

function viewFolders(): string[] {
  const place = join(stateRoot(), "views");
  // Other tests may use the same state.
  return existsSync(place) ? readdirSync(place).filter((name) => name.startsWith(`${process.pid}-`)) : [];
}
