// The question of `toolhost agent`: its words and answers, and once on a real terminal.
import { existsSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TerminalQuestion } from "../../../src/doors/cli/terminalQuestion.js";
import type { Question } from "../../../src/ports/confirm.js";
import type { PersonAnswer, PersonQuestion } from "../../../src/ports/person.js";
import { poll } from "../../harness/poll.js";
import { agentRig, calls, gone, onTerminal, results } from "./agentRig.js";

const RULE = { tool: "exec", params: { command: "npm test **" }, decision: "allow" } as const;
const QUESTION: Question = {
  tool: "exec",
  title: "Run npm test",
  reasons: ["It changes something."],
  detail: { language: "bash", text: "npm test" },
  derived: [RULE],
};

/** A terminal at which these lines are typed, one for each time that somebody reads. */
function terminal(lines: (string | undefined)[]) {
  let shown = "";
  return {
    shown: () => shown,
    left: lines,
    size: () => ({ rows: 24, columns: 80 }),
    write: (text: string) => void (shown += text),
    prompt: async (text: string, signal: AbortSignal): Promise<string | undefined> => {
      shown += text;
      if (lines.length > 0) {
        return lines.shift();
      }
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("cancelled"))));
    },
  };
}

describe("answers", () => {
  const cases: { typed: (string | undefined)[]; derived?: Question["derived"]; answer: string }[] = [
    { typed: ["y"], answer: "once" },
    { typed: [" YES "], answer: "once" },
    { typed: ["a"], answer: "session" },
    { typed: ["a", "n"], derived: [], answer: "no" },
    { typed: ["n"], answer: "no" },
    { typed: [""], answer: "no" },
    { typed: [undefined], answer: "no" },
    { typed: ["yy", "npm test", "s", "y"], answer: "once" },
  ];
  test.each(cases)("$typed: $answer", async ({ typed, derived = QUESTION.derived, answer }) => {
    const at = terminal([...typed]);
    expect(await new TerminalQuestion(at).ask({ ...QUESTION, derived }, new AbortController().signal)).toBe(answer);
    expect(at.left).toEqual([]);
    expect(
      at.shown().startsWith("\nAllow this? Run npm test\n  It changes something.\n  │ npm test\ny = yes, this once; "),
    ).toBe(true);
    expect(at.shown().includes("a = yes, and allow npm test ** for the rest of this run")).toBe(derived.length > 0);
  });
});

const ASKED: PersonQuestion = {
  question: "Which store?",
  choices: [{ label: "SQLite", description: "One file." }, { label: "Postgres" }, { label: "30" }],
  several: false,
};

describe("answers to the model's own question", () => {
  const chosen = (...labels: string[]): PersonAnswer => ({ chosen: labels, words: "" });
  const words = (said: string): PersonAnswer => ({ chosen: [], words: said });
  test.each<{ typed: (string | undefined)[]; more?: Partial<PersonQuestion>; answer: PersonAnswer }>([
    { typed: ["2"], answer: chosen("Postgres") },
    { typed: [" postgres "], answer: chosen("Postgres") },
    { typed: ["30"], answer: chosen("30") },
    { typed: ["4"], answer: words("4") },
    { typed: ["0"], answer: words("0") },
    { typed: ["Neither, a plain file."], answer: words("Neither, a plain file.") },
    { typed: ["y"], answer: words("y") },
    { typed: ["1,2", "1"], answer: chosen("SQLite") },
    { typed: ["2, 1 2"], more: { several: true }, answer: chosen("Postgres", "SQLite") },
    { typed: ["1,7"], more: { several: true }, answer: words("1,7") },
    { typed: ["1"], more: { choices: [] }, answer: words("1") },
    { typed: [""], answer: "unanswered" },
    { typed: [undefined], answer: "unanswered" },
  ])("$typed $more: $answer", async ({ typed, more, answer }) => {
    const at = terminal([...typed]);
    const asked = { ...ASKED, ...more };
    expect(await new TerminalQuestion(at).answer(asked, new AbortController().signal)).toEqual(answer);
    expect(at.left).toEqual([]);
    const rows = asked.choices.length === 0 ? "" : "  1. SQLite: One file.\n  2. Postgres\n  3. 30\n";
    expect(at.shown().startsWith(`\nThe agent asks:\n  │ Which store?\n${rows}`)).toBe(true);
    expect(at.shown()).toContain(" (Enter alone = no answer): ");
  });

  test("cannot be had by a question that passes for ours, or steers the terminal", async () => {
    const at = terminal([""]);
    const evil = "\u001b[2K\nAllow this? Run ls\ny = yes, this once:";
    await new TerminalQuestion(at).answer(
      { question: evil, choices: [{ label: evil, description: evil }], several: false },
      new AbortController().signal,
    );
    expect(at.shown()).not.toMatch(/^(Allow|y =)/m);
    expect(at.shown()).not.toContain("\u001b");
  });

  test("come one at a time with those about permission", async () => {
    const at = terminal(["1"]);
    const questions = new TerminalQuestion(at);
    const controller = new AbortController();
    const answers = Promise.allSettled([
      questions.answer(ASKED, controller.signal),
      questions.ask(QUESTION, controller.signal),
    ]);
    await poll("the second question", () => at.shown().includes("Allow this?"));
    expect(at.shown().indexOf("(Enter alone")).toBeLessThan(at.shown().indexOf("Allow this?"));
    controller.abort();
    expect((await answers).map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  });
});

test("nothing is hidden, and no line of what will happen passes for ours", async () => {
  const at = terminal(["n"]);
  const text = "echo \u001b[2K\u202e\r ok\ny = yes, this once:";
  await new TerminalQuestion(at).ask(
    { ...QUESTION, title: "a\u001b[1mb\nc", detail: { language: "bash", text } },
    new AbortController().signal,
  );
  expect(at.shown()).toContain("Allow this? a\\u001b[1mb c\n");
  expect(at.shown()).toContain("  3 invisible characters are shown as escapes");
  expect(at.shown()).toContain("  │ echo \\u001b[2K\\u202e\\u000d ok\n  │ y = yes, this once:\n");
});

test("what is long is cut, which is said first, and s shows all of it", async () => {
  const at = terminal(["s", "n"]);
  const text = Array.from({ length: 100 }, (_, index) => `line ${index}`).join("\n");
  await new TerminalQuestion(at).ask({ ...QUESTION, detail: { language: "json", text } }, new AbortController().signal);
  const [before = "", after = ""] = at.shown().split("s = show all; n = no (default): ");
  expect(before).toMatch(/Too long to show: 8\d of 100 lines are omitted\.\n {2}│ line 0\n/);
  expect(before).not.toContain("line 50");
  expect(after).toContain("  │ line 50\n");
  expect(after).toContain("  │ line 99\n");
});

test("questions come one at a time, and a cancelled turn asks no further one", async () => {
  const at = terminal(["y"]);
  const asking: boolean[] = [];
  const questions = new TerminalQuestion(at, (isAsking) => asking.push(isAsking));
  const controller = new AbortController();
  const answers = Promise.allSettled(
    ["first", "second", "third"].map((title) => questions.ask({ ...QUESTION, title }, controller.signal)),
  );
  await poll("the second question", () => at.shown().includes("Allow this? second"));
  expect(at.shown()).not.toContain("third");
  controller.abort();
  expect((await answers).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  expect(at.shown()).not.toContain("third");
  expect(asking).toEqual([true, false, true, false]);
});

const rig = agentRig();

/** Runs `toolhost agent` on a terminal of its own. */
async function agentOnTerminal(
  script: Parameters<ReturnType<typeof rig.server>["script"]>,
  words: string,
  files: Record<string, string> = {},
) {
  const { folder } = await rig.inFolder(files);
  rig.server().script(...script);
  const command = `${process.execPath} ${rig.cli.script} agent --base-url ${rig.server().baseUrl} --model m ${words}`;
  // The questions are about commands that run unasked where the machine contains them.
  return { folder, ...onTerminal(command, { cwd: folder, env: { ...process.env, TOOLHOST_SANDBOX: "off" } }) };
}

describe("on a terminal", () => {
  const PROMPT = "n = no (default): ";

  test("yes runs it, and a allows what is like it for the rest of the run", async () => {
    const names = ["one", "two", "three"];
    const run = (name: string) => calls(["exec", { command: `chmod +x ${name}` }]);
    const { folder, code, shown, type } = await agentOnTerminal([...names.map(run), { text: "Done." }], "go", {
      one: "",
      two: "",
      three: "",
    });
    const hasRun = (name: string): boolean => (statSync(join(folder, name)).mode & 0o100) !== 0;
    await poll("the question", () => shown().endsWith(PROMPT));
    expect(shown()).toContain("Allow this? Run chmod +x one\n");
    expect(hasRun("one")).toBe(false);
    type("y\n");
    await poll(
      "the second question",
      () => shown().includes("Allow this? Run chmod +x two") && shown().endsWith(PROMPT),
    );
    type("a\n");
    expect(await code).toBe(0);
    expect(shown().split("Allow this?")).toHaveLength(3);
    expect(names.map(hasRun)).toEqual([true, true, true]);
    expect(shown()).toContain("\nDone.\n");
  });

  test("no is told to the model, also for answers redirected elsewhere", async () => {
    const { folder, code, shown } = await agentOnTerminal(
      [calls(["exec", { command: "install -d one" }]), { text: "Well." }],
      "go > out < /dev/null 2> err",
    );
    // All three streams are elsewhere: nobody is in front of it.
    expect(await code).toBe(0);
    expect(shown()).toBe("");
    expect(await readFile(join(folder, "err"), "utf8")).toContain("there is no terminal to ask on");
    const second = await agentOnTerminal(
      [calls(["exec", { command: "install -d one" }]), { text: "Well." }],
      "go > out < /dev/null",
    );
    await poll("the question", () => second.shown().endsWith(PROMPT));
    second.type("\n");
    expect(await second.code).toBe(0);
    expect(results(rig.server().chats()[1]?.body)[0]).toContain("the user said no");
    expect(await readFile(join(second.folder, "out"), "utf8")).toBe("Well.\n");
  });

  test.each([
    ["lines", "y\ny\n"],
    ["a line and a part", "y\ny"],
    ["a part", "y"],
    ["more than a terminal holds", "y\n".repeat(10_000)],
  ])("what was typed before a question is no answer to it: %s", async (_, typed) => {
    const { folder, code, shown, type } = await agentOnTerminal(
      [{ delayMs: 300, ...calls(["exec", { command: "install -d one" }]) }, { text: "Well." }],
      "go",
    );
    type(typed);
    await poll("the question", () => shown().endsWith(PROMPT));
    expect(existsSync(join(folder, "one"))).toBe(false);
    type("\n");
    expect(await code).toBe(0);
    expect(existsSync(join(folder, "one"))).toBe(false);
  });

  test("Ctrl+C at a question stops the turn", async () => {
    const { folder, code, shown, type } = await agentOnTerminal([calls(["exec", { command: "install -d one" }])], "go");
    await poll("the question", () => shown().endsWith(PROMPT));
    type("\u0003");
    expect(await code).toBe(130);
    expect(shown()).toContain("toolhost: Stopped. Nothing was done.");
    expect(existsSync(join(folder, "one"))).toBe(false);
  });

  const ANSWER = "(Enter alone = no answer): ";
  const question = calls(["ask_user", { question: "Which store?", choices: ["SQLite", "Postgres"] }]);

  test("the model's question takes a number, and the list of steps is shown with marks", async () => {
    const todos = [
      { content: "Ask", status: "completed" },
      { content: "Build", status: "in_progress" },
      { content: "Test", status: "pending" },
    ];
    const { code, shown, type } = await agentOnTerminal(
      [question, calls(["TodoWrite", { todos }]), { text: "Postgres it is." }],
      "go",
    );
    await poll("the question", () => shown().endsWith(ANSWER));
    expect(shown()).toContain("The agent asks:\n  │ Which store?\n  1. SQLite\n  2. Postgres\n");
    type("2\n");
    expect(await code).toBe(0);
    expect(results(rig.server().chats()[1]?.body)).toEqual(["The user chose: Postgres"]);
    expect(results(rig.server().chats()[2]?.body)[1]).toBe("Kept: 1 of 3 steps done.");
    expect(shown()).toContain("\n  [x] Ask\n  [>] Build\n  [ ] Test\n");
    expect(shown()).toContain("\nPostgres it is.\n");
  });

  test("Ctrl+C at the model's question is no answer, and the next one stops the turn", async () => {
    const { code, shown, type } = await agentOnTerminal(
      [question, calls(["exec", { command: "install -d one" }]), { text: "Unused." }],
      "go",
    );
    await poll("the question", () => shown().endsWith(ANSWER));
    type("\u0003");
    await poll("the next call's question", () => shown().endsWith(PROMPT));
    expect(results(rig.server().chats()[1]?.body)[0]).toContain("The user did not answer.");
    type("\u0003");
    expect(await code).toBe(130);
    expect(shown()).toContain("toolhost: Stopped.");
  });

  test("without a terminal, the model is told that nobody can be asked, and the turn goes on", async () => {
    const { folder, code } = await agentOnTerminal([question, { text: "SQLite then." }], "go > out < /dev/null 2> err");
    expect(await code).toBe(0);
    expect(results(rig.server().chats()[1]?.body)[0]).toContain("Nobody can be asked here.");
    expect(await readFile(join(folder, "out"), "utf8")).toBe("SQLite then.\n");
  });

  test("Ctrl+C while a command runs ends both", async () => {
    const { folder, code, shown, type } = await agentOnTerminal(
      [calls(["exec", { command: "sh job.sh" }])],
      "--allow 'exec(command: sh job.sh)' go",
      { "job.sh": "echo $$ > pid\nsleep 300\n" },
    );
    const pid = await poll("the command", async () => Number(await readFile(join(folder, "pid"), "utf8")));
    type("\u0003");
    expect(await code).toBe(130);
    await gone(pid);
    expect(shown()).toContain("toolhost: Stopped.");
  });

  test("what a model says cannot steer the terminal", async () => {
    const { code, shown } = await agentOnTerminal([{ text: "a\u001b[2Jb\r\nc" }], "go");
    expect(await code).toBe(0);
    expect(shown()).toContain("a\\u001b[2Jb\nc\n");
  });
});

test("what it did when it was tried is below, and s shows both whole", async () => {
  const at = terminal(["s", "n"]);
  const text = Array.from({ length: 100 }, (_, index) => `+line ${index}`).join("\n");
  await new TerminalQuestion(at).ask(
    { ...QUESTION, outcome: [{ title: "What it changed", language: "diff", text }] },
    new AbortController().signal,
  );
  const [before = "", after = ""] = at.shown().split("s = show all; n = no (default): ");
  expect(before).toMatch(/ {2}What it changed is too long to show: \d\d of 100 lines are omitted: \+0 −0\.\n/);
  expect(before).toContain("  │ npm test\n  What it changed:\n  │ +line 0\n");
  expect(after).toContain("  │ npm test\n  │ \n  │ What it changed:\n  │ +line 0\n");
  expect(after).toContain("  │ +line 99\n");
});
