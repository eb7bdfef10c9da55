// Commands as a user allows them: what the question shows, what a no and a yes do, and that all ends with the window.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { poll } from "../harness/poll";
import { sampleFixture, startServer } from "../harness/server";
import { openWorkbench, type Workbench } from "../harness/workbench";
import { allowOnce, resultTexts } from "./answers";

/** Whether a process runs; one that nobody has waited for yet does not. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

const settings = { "files.autoSave": "off", "workbench.colorTheme": "Default Light Modern" };

let window: Workbench;
let folder: string;
/** Commands that ran in this extension host: the next is a process one higher. */
let ran = 0;

beforeAll(async () => {
  const server = await startServer({ settings });
  folder = server.temporaryFolder("sample", sampleFixture);
  window = await openWorkbench(server, { folder, copilot: true });
});

describe("a command that Copilot's agent wants to run", () => {
  const ask = async (input: object): Promise<void> => {
    await window.model.script([{ calls: [{ name: "toolhost_exec", input }] }, { text: "Done." }], {
      toolPrefix: "toolhost_",
    });
    await window.chat.ask("Go on");
  };
  const told = async (): Promise<string> => resultTexts(await window.model.requests()).at(-1) ?? "";

  const commands: { name: string; command: string; env?: Record<string, string>; shown: string }[] = [
    {
      name: "one with backticks",
      command: "rm -f old; touch ran; echo `id -u` ``",
      shown: "rm -f old; touch ran; echo `id -u` ``",
    },
    {
      name: "several lines and a fake fence",
      command: "touch ran\n```\n# **Harmless**\n[Allow](command:x)\n````\n<b>x</b>",
      shown: "touch ran\n```\n# **Harmless**\n[Allow](command:x)\n````\n<b>x</b>",
    },
    {
      name: "variables",
      command: "touch ran",
      env: { BASH_ENV: "evil.sh" },
      shown: "export BASH_ENV=evil.sh\ntouch ran",
    },
    {
      name: "one of 700 characters",
      command: `rm -f old; touch ran; : ${"x".repeat(670)} end`,
      shown: `rm -f old; touch ran; : ${"x".repeat(670)} end`,
    },
  ];
  it.each(commands)("is shown exactly, and a no runs nothing: $name", async ({ name, command, env, shown }) => {
    await ask(env === undefined ? { command } : { command, env });
    const dialog = await window.dialog();
    // A short one is in the title, and not once more below.
    expect(`${dialog.message}\n\n${dialog.detail}`.replaceAll("\u00a0", " ")).toContain(shown);
    expect(dialog.buttons).toContain("Don't Allow");
    expect(dialog.buttons).not.toContain("Cancel");
    // What a user who was typing would press.
    expect(await window.page.evaluate(() => document.activeElement?.textContent)).toBe("Show in Editor…");
    await window.screenshot(`exec-question-${name.replaceAll(/\W+/g, "-")}`);
    await window.page.keyboard.press("Escape");
    await window.chat.waitForAnswer();
    expect(await told()).toMatch(/^Error \(denied\): exec: the user said no\. Nothing was done\./);
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });

  it("that is very long has its buttons on the screen, and says how much is not shown", async () => {
    await ask({ command: `touch ran\n${"echo line\n".repeat(3_000)}rm -f end` });
    const dialog = await window.dialog();
    expect(dialog.detail).toMatch(
      /^Too long to show: \d+ of 3002 lines are omitted\. “Show in Editor…” opens the full text\.\n/,
    );
    await window.screenshot("exec-question-long");
    await dialog.click("Don't Allow");
    await window.chat.waitForAnswer();
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });

  it("runs once it is allowed, and the model is told what it gave; the next one asks again", async () => {
    await ask({
      command:
        "git log >/dev/null 2>&1\nfor suite in parse check emit; do\n  echo \"ok $suite\"\ndone\ncat > report.md <<'END'\n# All suites pass\nEND\nexit 3",
    });
    const card = await window.chat.confirmation();
    expect(card.text).toContain("Writes to report.md.");
    await window.screenshot("exec-question");
    await card.allow();
    ran++;
    await window.chat.waitForAnswer();
    // On a busy machine there may be no time for the snapshot before the command.
    expect(await told()).toMatch(
      /^\[Exit code 3 after \d+\.\d s\.\]\nok parse\nok check\nok emit\n\[(?:Changed: A report\.md(?: \+\d+)?|Which files it changed is unknown: the snapshot before it took too long\.)\]$/,
    );
    await ask({ command: "install -d ran" });
    await (await window.chat.confirmation()).skip();
    await window.chat.waitForAnswer();
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });
});

describe("a dev server that @toolhost starts", () => {
  // With parts that do not listen to a polite signal, and that another shell started.
  const command =
    'echo $$ > server.pid; (trap "" TERM HUP; echo $BASHPID > deaf.pid; while :; do sleep 0.2; done) & sleep 1000 & echo $! > child.pid; sleep 0.5; echo "Listening on http://localhost:5173"; wait';
  // The one that leaves a fresh window comes first.
  const ends: { name: string; end: () => Promise<void> }[] = [
    { name: "it is loaded again", end: () => window.reload() },
    { name: "its page is closed", end: () => window.close() },
  ];

  it.each(ends)("is waited for, shown in the status bar, and ends with the window: $name", async ({ end }) => {
    const names = ["server", "deaf", "child"].map((name) => join(folder, `${name}.pid`));
    for (const name of names) rmSync(name, { force: true });
    await window.chat.newConversation();
    const id = `p${++ran}`;
    await window.model.script([
      { calls: [{ name: "toolhost_exec", input: { command, background: true } }] },
      {
        calls: [
          { name: "toolhost_process", input: { action: "poll", process_id: id, wait_for: "Listening on http://\\S+" } },
        ],
      },
      { text: "It listens." },
    ]);
    await window.chat.ask("@toolhost start the server");
    await allowOnce(window);
    expect(await window.chat.waitForAnswer()).toContain("It listens.");
    const texts = resultTexts(await window.model.requests());
    expect(texts[0]).toMatch(new RegExp(`^\\[Running in the background as ${id} for \\d+\\.\\d s\\.\\]`));
    expect(texts[1]).toMatch(/Running\. next_cursor=35\nListening on http:\/\/localhost:5173$/m);
    await window.page
      .locator('.statusbar-item[id="toolhost.toolhost.toolhost.processes"]')
      .filter({ hasText: "1 running" })
      .waitFor();
    await window.screenshot("exec-server");
    const pids = names.map((name) => Number(readFileSync(name, "utf8")));
    expect(pids.map(isRunning)).toEqual([true, true, true]);
    await end();
    ran = 0;
    await poll("all of it to be gone", () => !pids.some(isRunning));
  });
});
