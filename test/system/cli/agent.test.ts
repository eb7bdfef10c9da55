// `toolhost agent` as a process, on a real HTTP server.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../../src/agent/events.js";
import { workspaceStateFolder } from "../../../src/hosts/node/state/stateFolder.js";
import { OpenAiServer } from "../../harness/openai-server.js";
import { poll } from "../../harness/poll.js";
import { contentOf } from "../../unit/tools/workspace.js";
import { finish } from "./built.js";
import { agentRig, calls, gone, results, sessionOf, told } from "./agentRig.js";

const rig = agentRig();
const FILES = { "a.txt": "one\ntwo\n" };

describe("what it says", () => {
  test("the answer goes to standard output as the model streams it, and nothing else does", async () => {
    const { agent } = await rig.inFolder(FILES);
    const text = ["Größe: ", "12 µm, 日本", "語 🙂\r\n", "\u001b[31mred\u001b[0m\n\n", "`a.txt`"];
    const { code, out, err } = await agent([{ text, chunkBytes: 3 }], ["how", "big?"]);
    expect(out).toBe(`${text.join("")}\n`);
    expect(code).toBe(0);
    expect(err).toMatch(
      /^toolhost: 1 request, \d+ tokens in, \d+ out \(estimated\)\.\ntoolhost: Continue with: toolhost agent --session [\da-f-]{36} "…"\n$/,
    );
    expect(told(rig.server().chats()[0]?.body)).toEqual(["user: how big?"]);
  });

  test("calls run, each told in a line with its result; what the model says next is another paragraph", async () => {
    const { agent, folder, run } = await rig.inFolder(FILES);
    const script = [
      { text: "I look.", ...calls(["read", { path: "a.txt" }]), usage: { prompt_tokens: 100, completion_tokens: 10 } },
      {
        ...calls(["edit", { path: "a.txt", old_text: "two", new_text: "2" }], ["read", { path: "none.txt" }]),
        usage: { prompt_tokens: 200, completion_tokens: 20 },
      },
      { text: "Done.\n", usage: { prompt_tokens: 300, completion_tokens: 30 } },
    ];
    const { code, out, err } = await agent(script, ["change it"]);
    expect({ code, out }).toEqual({ code: 0, out: "I look.\n\nDone.\n" });
    expect(err).toMatch(/^• Read a\.txt\n {2}read: .*one.*\n/);
    expect(err).toContain("\n• Edit a.txt\n");
    expect(err).toMatch(/\n {2}read failed: Error \(not_found\): none\.txt: /);
    expect(err).toContain("\ntoolhost: 3 requests, 600 tokens in, 60 out. Undo its changes: toolhost undo\n");
    expect(await contentOf(folder, "a.txt")).toBe("one\n2\n");
    expect((await run("undo")).out).toContain("a.txt: restored");
    expect(await contentOf(folder, "a.txt")).toBe("one\ntwo\n");
  });

  test("--json: every event is a line of JSON, and nothing else is written", async () => {
    const { agent } = await rig.inFolder(FILES);
    const { code, out, err } = await agent(
      [
        { text: "I look.", ...calls(["read", { path: "a.txt" }]) },
        { text: ["It is ", "one."], usage: { prompt_tokens: 9, completion_tokens: 2 } },
      ],
      ["--json", "look"],
    );
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const events = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as AgentEvent);
    const [{ session } = { session: "" }] = events;
    expect(session).toMatch(/^[\da-f-]{36}$/);
    expect(events.map(({ type }) => type)).toEqual([
      "request",
      "text",
      "usage",
      "call",
      "result",
      "request",
      "text",
      "text",
      "usage",
      "end",
    ]);
    expect(events.every((event) => event.session === session)).toBe(true);
    expect(events.find(({ type }) => type === "call")).toEqual({
      type: "call",
      session,
      id: expect.any(String) as string,
      tool: "read",
      input: { path: "a.txt" },
      summary: "Read a.txt",
    });
    expect(events.find(({ type }) => type === "result")).toEqual({
      type: "result",
      session,
      id: expect.any(String) as string,
      tool: "read",
      ok: true,
      text: expect.stringContaining("one") as string,
      data: expect.objectContaining({ path: "a.txt", total_lines: 2 }) as object,
    });
    expect(events.at(-2)).toEqual({ type: "usage", session, tokens: { input: 9, output: 2, estimated: false } });
    expect(events.at(-1)).toEqual({ type: "end", session, turn: expect.any(String) as string, reason: "answered" });
  });

  test("--json gives programs what each call returned, or the type of its error", async () => {
    const { agent } = await rig.inFolder(FILES);
    const made = [
      { name: "exec", input: { command: "echo out; echo err >&2; exit 3" } },
      { name: "read", input: { path: "none.txt" } },
      { name: "read", input: { file: 1 } },
      { name: "nothing_like_it", input: {} },
      { name: "run_task", input: { name: "build" } },
      { name: "find_tool", input: {} },
      { name: "exec", input: { command: "rm a.txt" } },
    ];
    const { out } = await agent(
      [calls(...made.map(({ name, input }): [string, object] => [name, input])), { text: "Done." }],
      ["--json", "--allow", "exec(command: echo out; echo err >&2; exit 3)", "go"],
    );
    const events = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as AgentEvent);
    const results = events.flatMap((event) => (event.type === "result" ? [event] : []));
    expect(results.map(({ tool, ok, error }) => [tool, ok, error?.type])).toEqual(
      expect.arrayContaining([
        ["exec", true, undefined],
        ["read", false, "not_found"],
        ["read", false, "invalid_input"],
        ["nothing_like_it", false, "unknown_tool"],
        ["run_task", false, "unknown_tool"],
        ["find_tool", false, "invalid_input"],
        ["exec", false, "denied"],
      ]),
    );
    const textOf = (name: string): string | undefined => results.find(({ tool }) => tool === name)?.text;
    expect(textOf("run_task")).toMatch(/Hint: run_task needs tasks, which is not available here\.$/);
    expect(textOf("nothing_like_it")).toMatch(
      /Hint: The names of the tools are in your list, and find_tool finds others\.$/,
    );
    expect(results.find(({ tool, ok }) => tool === "exec" && ok)).toMatchObject({
      failed: "exit 3",
      data: { status: "exited", exit_code: 3 },
    });
    for (const { ok, text, error } of results.filter((result) => !result.ok)) {
      expect({ ok, isSaid: text.includes(error?.message ?? "?") }).toEqual({ ok: false, isSaid: true });
    }
  });

  test("what a command changed is told with its result", async () => {
    const { agent } = await rig.inFolder(FILES);
    const command = "install -d made";
    const { out } = await agent(
      [calls(["exec", { command }]), { text: "Done." }],
      ["--json", "--allow", `exec(command: ${command})`, "go"],
    );
    // On a busy machine there may be no time for the snapshot before the command.
    expect(out).toMatch(
      /\[(?:Changed: A made\/|Which files it changed is unknown: the snapshot before it took too long\.\])/,
    );
  });

  test("a subagent's calls are named as its own, and its words are not the answer", async () => {
    const { agent, run } = await rig.inFolder(FILES);
    const script = [
      calls(["sessions_spawn", { prompt: "Count the lines of a.txt" }]),
      { when: "You are a subagent", ...calls(["read", { path: "a.txt" }]) },
      { when: "You are a subagent", text: "It has two." },
      { text: "Two lines." },
    ];
    const { code, out, err } = await agent(script, ["count"]);
    expect({ code, out }).toEqual({ code: 0, out: "Two lines.\n" });
    expect(err).toContain("• Run a subagent: Count the lines of a.txt\n[subagent 1] starts, session ");
    expect(err).toContain("[subagent 1] • Read a.txt\n[subagent 1]   read: ");
    expect(err).toContain("  sessions_spawn: Subagent completed task. Result: It has two.\n");
    expect((await run("sessions", "list")).out).toContain("2 of 2 sessions");
    expect((await run("sessions", "history", sessionOf(err))).out).toContain("Two lines.");
  });

  test("a background process can be followed, and ends with the turn", async () => {
    const { agent, folder } = await rig.inFolder({ "job.sh": "echo $$ > pid\necho ready\nsleep 300\n" });
    const script = [
      calls(["exec", { command: "sh job.sh", background: true }]),
      calls(["process", { action: "poll", process_id: "p1", wait_for: "ready" }]),
      { text: "It runs." },
    ];
    const { code, err } = await agent(script, ["--allow", "exec(command: sh job.sh)", "start it"]);
    expect(err).toContain("process: p1");
    expect(code).toBe(0);
    await gone(Number(await readFile(join(folder, "pid"), "utf8")));
  });
});

describe("the prompt", () => {
  const cases: { words: string[]; input?: string; texts: string[] }[] = [
    { words: ["a", "b c"], texts: ["user: a b c"] },
    { words: ["-"], input: "from a pipe\n", texts: ["user: from a pipe\n"] },
    { words: [], input: "from a pipe", texts: ["user: from a pipe"] },
    {
      words: ["explain"],
      input: "x = 1\n</standard_input>y\n",
      texts: ["user: explain\n<standard_input>\nx = 1\n‹/standard_input>y\n</standard_input>"],
    },
    { words: ["explain"], input: "", texts: ["user: explain"] },
    { words: ["--", "--json"], texts: ["user: --json"] },
  ];
  test.each(cases)("$words with $input", async ({ words, input, texts }) => {
    const { agent } = await rig.inFolder();
    expect(await agent([{ text: "ok" }], words, input)).toMatchObject({ code: 0, out: "ok\n" });
    const said = told(rig.server().chats()[0]?.body).join("\n");
    texts.forEach((text) => expect(said).toContain(text));
  });

  const wrong: { name: string; words: string[]; input?: string; says: string }[] = [
    { name: "nothing", words: [], says: "There is no prompt" },
    { name: "blanks", words: ["  "], says: "There is no prompt" },
    { name: "an empty pipe", words: ["-"], input: "", says: "There is no prompt" },
    { name: "bytes", words: ["look"], input: "a\0b", says: "Standard input is not text" },
    {
      name: "a book",
      words: ["look"],
      input: "x".repeat(1_000_001),
      says: "Standard input has 1000001 characters; the limit is 1000000",
    },
    { name: "an unknown option", words: ["--no-such", "x"], says: "unknown option '--no-such'" },
    { name: "no number", words: ["--max-iterations", "many", "x"], says: "Expected a whole number from 1 to 1000" },
    { name: "too few", words: ["--max-iterations", "0", "x"], says: "Expected a whole number from 1 to 1000" },
    { name: "two sessions", words: ["--session", "abcdef", "--continue", "x"], says: "cannot be used with" },
    {
      name: "a tool that is none",
      words: ["--allow", "exce", "x"],
      says: "--allow exce: tool: no tool is called exce (did you mean exec?)",
    },
    {
      name: "another system's tool",
      words: ["--allow", "bash(command: npm test)", "x"],
      says: "--allow bash(command: npm test): tool: no tool is called bash (did you mean exec?)",
    },
    {
      name: "another system's rule",
      words: ["--allow", "Bash(npm test)", "x"],
      says: "Name the field, as in exec(command: npm test).",
    },
    {
      name: "another system's tool to send",
      words: ["--tools", "TodoWrite", "x"],
      says: "--tools TodoWrite: there is no such tool or group. Use todo.",
    },
    {
      name: "a field that is none",
      words: ["--allow", "exec(comand: npm)", "x"],
      says: "--allow exec(comand: npm): params.comand: no matching tool has this field (did you mean command?)",
    },
    {
      name: "a field left out",
      words: ["--allow", "exec(npm test)", "x"],
      says: "Name the field, as in exec(command: npm test).",
    },
    {
      name: "several rules in one",
      words: ["--allow", "write, edit", "x"],
      says: "--allow write, edit: expected one rule. Repeat the flag for each: --allow write --allow edit.",
    },
    { name: "half JSON", words: ["--allow", '{"tool":', "x"], says: '--allow {"tool":: it is not JSON' },
    {
      name: "a rule that denies",
      words: ["--allow", '{"tool":"exec","decision":"deny"}', "x"],
      says: "rules of --allow always allow; omit it",
    },
    {
      name: "a rule with an odd field",
      words: ["--allow", '{"tool":"exec","param":{}}', "x"],
      says: "param: a rule has no such field (did you mean params?)",
    },
  ];
  test.each(wrong)("$name is wrong usage, and asks no model", async ({ words, input, says }) => {
    const { agent } = await rig.inFolder();
    const { code, out, err } = await agent([], words, input);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(says);
    expect(rig.server().requests()).toEqual([]);
  });
});

describe("permission without a terminal", () => {
  const cases: { call: [string, object]; allow: string[]; runs: boolean }[] = [
    { call: ["exec", { command: "install -d made" }], allow: [], runs: false },
    { call: ["exec", { command: "install -d made" }], allow: ["exec"], runs: true },
    { call: ["exec", { command: "install -d made" }], allow: ["e*"], runs: true },
    { call: ["exec", { command: "install -d made" }], allow: ["exec(command: mkdir **)"], runs: false },
    {
      call: ["exec", { command: "install -d made" }],
      allow: ["exec(command: mkdir **)", "exec( command : install -d made )"],
      runs: true,
    },
    {
      call: ["exec", { command: "install -d made" }],
      allow: ['{"tool":"exec","params":{"command":"install -d made"},"decision":"allow"}'],
      runs: true,
    },
    { call: ["exec", { command: "install -d made; sh x.sh" }], allow: ["exec(command: install -d made)"], runs: false },
    { call: ["exec", { command: "rm -rf sub" }], allow: ["exec"], runs: false },
    { call: ["exec", { command: "rm -rf sub" }], allow: ["exec(command: rm -rf sub)"], runs: true },
    {
      call: ["exec", { command: "sudo install -d made" }],
      allow: ["exec", "*", "exec(command: sudo install -d made)"],
      runs: false,
    },
    { call: ["read", { path: ".env" }], allow: ["read", "*"], runs: false },
    { call: ["read", { path: ".env" }], allow: ["read(path: .env)"], runs: true },
    { call: ["write", { path: ".vscode/settings.json", content: "{}" }], allow: ["write"], runs: false },
    { call: ["write", { path: "a.txt", content: "new" }], allow: [], runs: false },
    { call: ["write", { path: "new.txt", content: "new" }], allow: [], runs: true },
    { call: ["edit", { path: "sub/b.txt", old_text: "b", new_text: "c" }], allow: [], runs: true },
  ];
  test.each(cases)("$call with $allow: $runs", async ({ call, allow, runs }) => {
    const { agent } = await rig.inFolder({ ...FILES, ".env": "KEY=1\n", "sub/b.txt": "b\n" });
    const { code, err } = await agent(
      [calls(call), { text: "ok" }],
      [...allow.flatMap((rule) => ["--allow", rule]), "do it"],
    );
    const [result = ""] = results(rig.server().chats()[1]?.body);
    expect(code).toBe(0);
    expect({ runs: !result.startsWith("Error"), result }).toEqual({ runs, result });
    expect(err.includes(`${call[0]} failed: `)).toBe(!runs);
  });

  test("a place outside is opened by its absolute path, never by a tool's name", async () => {
    const { agent } = await rig.inFolder();
    const outside = await rig.inFolder({ "b.txt": "behind the fence\n" });
    const call = calls(["read", { path: join(outside.folder, "b.txt") }]);
    const read = async (...allow: string[]): Promise<boolean> => {
      await agent([call, { text: "ok" }], [...allow.flatMap((rule) => ["--allow", rule]), "look"]);
      return results(rig.server().chats()[1]?.body)[0]?.includes("behind the fence") === true;
    };
    expect([
      await read(),
      await read("read"),
      await read("*", "read(path: **)"),
      await read(`read(path: ${outside.folder}/**)`),
    ]).toEqual([false, false, false, true]);
  });

  test("a refusal names the flag that allows the call, and that flag does", async () => {
    const { agent, folder } = await rig.inFolder(FILES);
    const call = calls(["exec", { command: "install -d 'it'\"'\"'s made'" }]);
    const { err } = await agent([call, { text: "no" }], ["do it"]);
    expect(err).toContain("needs the user's permission, and there is no terminal to ask on. Nothing was done.");
    const [, flag = ""] = /starting the command with: (--allow .*)\n/.exec(err) ?? [];
    const words = execFileSync("sh", ["-c", `printf '%s\\n' ${flag}`], { encoding: "utf8" })
      .trimEnd()
      .split("\n");
    await agent([call, { text: "yes" }], [...words, "do it"]);
    expect(existsSync(join(folder, "it's made"))).toBe(true);
  });

  test("where no rule is offered, the flag is named that allows exactly the call", async () => {
    const { agent } = await rig.inFolder(FILES);
    const script = [
      calls(["exec", { command: "cat", background: true }]),
      calls(["process", { action: "input", process_id: "p1", input: "hello\n" }]),
      { text: "Done." },
    ];
    const { err } = await agent(script, ["do it"]);
    expect(err).toContain("Types into a running process.");
    const rule = JSON.stringify({ tool: "process", params: { input: "hello\n" } });
    expect(err).toContain(`The user can allow exactly this by starting the command with: --allow '${rule}'`);
    expect((await agent(script, ["--allow", rule, "do it"])).err).not.toContain("denied");
  });

  test("what no flag opens says so, and what one opens names it", async () => {
    const { agent } = await rig.inFolder({ ".env": "KEY=1\n" });
    const { err } = await agent([calls(["exec", { command: "cat .env" }]), { text: "no" }], ["do it"]);
    expect(err).toContain("No --allow covers this. The user has to run the command in a terminal, which asks them.");
    const read = await agent([calls(["read", { path: ".env" }]), { text: "no" }], ["do it"]);
    expect(read.err).toContain(
      "The user can allow exactly this by starting the command with: --allow 'read(path: .env)'",
    );
    expect(JSON.stringify(rig.server().requests())).not.toContain("KEY=1");
  });

  test("--allow-all asks nothing about what is inside the folder, and opens no place outside to file tools", async () => {
    const [{ agent, folder }, outside] = [await rig.inFolder({ ".env": "KEY=1\n" }), await rig.inFolder(FILES)];
    const { code } = await agent(
      [
        calls(
          ["exec", { command: "sh -c 'install -d made'" }],
          ["read", { path: ".env" }],
          ["read", { path: `${outside.folder}/a.txt` }],
        ),
        { text: "Done." },
      ],
      ["--allow-all", "do it"],
    );
    expect(code).toBe(0);
    expect(existsSync(join(folder, "made"))).toBe(true);
    const told = results(rig.server().chats()[1]?.body);
    expect(told[1]).toContain("KEY=1");
    expect(told[2]).toContain("Error (outside_workspace)");
  });

  test("--plan changes nothing, whatever is allowed", async () => {
    const { agent, folder } = await rig.inFolder(FILES);
    const { code } = await agent(
      [
        calls(
          ["write", { path: "new.txt", content: "x" }],
          ["exec", { command: "install -d made" }],
          ["read", { path: "a.txt" }],
        ),
        { text: "A plan." },
      ],
      ["--plan", "--allow-all", "--allow", "*", "--allow", "exec", "do it"],
    );
    expect(code).toBe(0);
    expect((await readdir(folder)).sort()).toEqual(["a.txt"]);
    expect(results(rig.server().chats()[1]?.body).map((text) => text.startsWith("Error (denied)"))).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe("sessions", () => {
  test("--session goes on by the whole id or the beginning of it, --continue with the latest", async () => {
    const { agent } = await rig.inFolder(FILES);
    const session = sessionOf((await agent([calls(["read", { path: "a.txt" }]), { text: "One." }], ["first"])).err);
    for (const [index, words] of [
      ["--session", session],
      ["--session", session.slice(0, 8)],
      ["--continue"],
    ].entries()) {
      expect(sessionOf((await agent([{ text: `Answer ${index}.` }], [...words, `more ${index}`])).err)).toBe(session);
      const said = told(rig.server().chats()[0]?.body);
      expect(said[0]).toBe("user: first");
      expect(said.slice(3)).toEqual([
        "assistant: One.",
        ...Array.from({ length: index }, (_, at) => [`user: more ${at}`, `assistant: Answer ${at}.`]).flat(),
        `user: more ${index}`,
      ]);
    }
  });

  const unknown = [
    { words: ["--session", "abcdef12"], says: '"abcdef12": there is no such session' },
    { words: ["--continue"], says: "--continue: this folder has no session of toolhost agent." },
  ];
  test.each(unknown)("$words where there is none", async ({ words, says }) => {
    const { agent } = await rig.inFolder();
    const { code, out, err } = await agent([], [...words, "x"]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(says);
  });

  test("killed in the middle of an answer, it goes on from what was kept", async () => {
    const { start, agent, run } = await rig.inFolder(FILES);
    const { child, out, finished } = start(
      [calls(["read", { path: "a.txt" }]), { text: "Half an ans", hang: true }],
      ["first"],
    );
    await poll("the answer to begin", () => out() === "Half an ans");
    child.kill("SIGKILL");
    await finished;
    expect((await run("sessions", "list")).out).toContain('  interrupted  agent  "first"');
    const { code } = await agent([{ text: "Whole." }], ["--continue", "go on"]);
    expect(code).toBe(0);
    const said = told(rig.server().chats()[0]?.body);
    expect(said[0]).toBe("user: first");
    expect(said[2]).toContain("one");
    expect(said.at(-1)).toContain("go on");
  });

  test("killed while a command runs, it leaves none behind, and goes on", async () => {
    const { start, agent, folder } = await rig.inFolder({ "job.sh": "echo $$ > pid\nsleep 300\n" });
    const { child, finished } = start(
      [calls(["exec", { command: "sh job.sh" }])],
      ["--allow", "exec(command: sh job.sh)", "run it"],
    );
    const pid = await poll("the command", async () => Number(await readFile(join(folder, "pid"), "utf8")));
    child.kill("SIGKILL");
    await finished;
    await gone(pid);
    expect(await agent([{ text: "It broke off." }], ["--continue", "what happened?"])).toMatchObject({
      code: 0,
      out: "It broke off.\n",
    });
    expect(results(rig.server().chats()[0]?.body)).toHaveLength(1);
  });

  test("a state that another process holds: the turn runs, and says that it is not written down", async () => {
    const { agent, folder, run } = await rig.inFolder(FILES);
    await agent([{ text: "ok" }], ["first"]);
    const state = workspaceStateFolder([folder]);
    const [name = ""] = (await readdir(state)).filter((each) => /\.(db|sqlite)$/.test(each));
    const other = new DatabaseSync(join(state, name));
    other.exec("BEGIN EXCLUSIVE");
    try {
      const { code, out, err } = await agent([calls(["read", { path: "a.txt" }]), { text: "Answered." }], ["second"]);
      expect({ code, out }).toEqual({ code: 0, out: "Answered.\n" });
      expect(err).toContain("another process is busy with Toolhost's state");
    } finally {
      other.exec("ROLLBACK");
      other.close();
    }
    expect((await run("sessions", "list")).out).not.toContain("second");
  });
});

describe("how it ends", () => {
  const failing: {
    name: string;
    script: Parameters<OpenAiServer["script"]>;
    words?: string[];
    code: number;
    says: string;
  }[] = [
    {
      name: "401",
      script: [{ status: 401, body: { error: { message: "bad key" } } }],
      code: 1,
      says: "OPENAI_API_KEY",
    },
    {
      name: "404",
      script: [
        { status: 404, body: { error: { message: "The model `test-model` does not exist", code: "model_not_found" } } },
      ],
      code: 1,
      says: "test-model",
    },
    {
      name: "500, five times",
      script: Array.from({ length: 5 }, () => ({ status: 500, headers: { "retry-after": "0" }, body: "oops" })),
      code: 1,
      says: "500",
    },
    { name: "HTML", script: [{ body: "<html><body>Login</body></html>" }], code: 1, says: "toolhost: " },
    { name: "nothing, twice", script: [{ text: "" }, { text: "" }], code: 1, says: "gave no answer twice" },
    {
      name: "the limit",
      script: [calls(["read", { path: "a.txt" }]), { text: "So far." }],
      words: ["--max-iterations", "1"],
      code: 1,
      says: "Stopped after 1 rounds of tool calls",
    },
    {
      name: "500 once",
      script: [{ status: 500, headers: { "retry-after": "0" }, body: "oops" }, { text: "ok" }],
      code: 0,
      says: "! ",
    },
  ];
  test.each(failing)("$name", async ({ script, words = [], code, says }) => {
    const { agent } = await rig.inFolder(FILES);
    const ran = await agent(script, [...words, "go"]);
    expect({ code: ran.code, says: ran.err.includes(says), err: ran.err }).toEqual({ code, says: true, err: ran.err });
    expect(ran.err).toContain("Continue with: toolhost agent --session ");
  });

  const unasked: { name: string; words: string[]; says: string }[] = [
    { name: "no server", words: ["--base-url", ""], says: "Say which server to use: --base-url or OPENAI_BASE_URL" },
    { name: "an invalid address", words: ["--base-url", "ftp://x"], says: "--base-url must be an address" },
  ];
  test.each(unasked)("$name", async ({ words, says }) => {
    const { folder } = await rig.inFolder();
    const { code, out, err } = await rig.cli.run(["agent", ...words, "go"], {
      cwd: folder,
      env: { ...process.env, OPENAI_BASE_URL: "", OPENAI_MODEL: "m" },
    });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(says);
  });

  test("a server that is down", async () => {
    const server = await OpenAiServer.start();
    const { baseUrl } = server;
    await server.stop();
    const { agent } = await rig.inFolder();
    const { code, out, err } = await agent([], ["--base-url", baseUrl, "go"]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(new URL(baseUrl).host);
  });

  test("Ctrl+C in the middle of the answer tells what was done, and keeps it", async () => {
    const { start, run } = await rig.inFolder(FILES);
    const { child, out, finished } = start(
      [calls(["write", { path: "new.txt", content: "x\n" }]), { text: "Half an ans", hang: true }],
      ["go"],
    );
    await poll("the answer to begin", () => out() === "Half an ans");
    child.kill("SIGINT");
    const { code, err, out: said } = await finished;
    expect({ code, said }).toEqual({ code: 130, said: "Half an ans\n" });
    expect(err).toContain("toolhost: Stopped. Done so far: Write new.txt. Their changes stay. The session is kept.\n");
    await poll("the server to see it", () => rig.server().chats().at(-1)?.aborted === true);
    expect((await run("sessions", "list")).out).toContain('  idle  agent  "go"');
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s while a command runs ends that, too", async (signal) => {
    const { start, folder } = await rig.inFolder({ "job.sh": "echo $$ > pid\nsleep 300\n" });
    const { child, finished } = start(
      [calls(["exec", { command: "sh job.sh" }])],
      ["--allow", "exec(command: sh job.sh)", "run it"],
    );
    const pid = await poll("the command", async () => Number(await readFile(join(folder, "pid"), "utf8")));
    child.kill(signal);
    const { code, err } = await finished;
    expect(code).toBe(130);
    expect(err).toContain("exec: [Stopped after ");
    await gone(pid);
  });

  test("Ctrl+C while it waits for standard input, which it says it does", async () => {
    const { folder } = await rig.inFolder();
    const child = rig.cli.start(["agent", "go"], { cwd: folder, stdio: ["pipe", "pipe", "pipe"] });
    let err = "";
    child.stderr?.on("data", (chunk: Buffer) => (err += chunk.toString()));
    await poll("the hint", () => err.includes("Waiting for standard input to end."));
    child.kill("SIGINT");
    expect(await finish(child)).toMatchObject({ code: 130, out: "" });
  });

  test("with --json, why it did not end well is in the last event and on standard error", async () => {
    const { agent } = await rig.inFolder();
    const { code, out, err } = await agent(
      [{ status: 401, body: { error: { message: "bad key" } } }],
      ["--json", "go"],
    );
    const last = JSON.parse(out.trimEnd().split("\n").at(-1) ?? "") as {
      type: string;
      reason: string;
      message: string;
    };
    expect({ code, type: last.type, reason: last.reason, err }).toEqual({
      code: 1,
      type: "end",
      reason: "failed",
      err: `toolhost: ${last.message}\n`,
    });
  });

  test("a session whose turn is under way elsewhere is left alone", async () => {
    const { start, agent } = await rig.inFolder();
    const first = start([{ text: "Half", hang: true }], ["go"]);
    await poll("the answer to begin", () => first.out() === "Half");
    const { code, err } = await agent([], ["--continue", "me, too"]);
    expect(code).toBe(1);
    expect(err).toMatch(/one of its turns is in progress in a command line \(process \d+\)\. Wait until it ends/);
    first.child.kill("SIGINT");
    expect((await first.finished).code).toBe(130);
  });

  test("a second Ctrl+C ends at once, and leaves no command behind", async () => {
    // A command that takes no notice of being asked to end.
    const { start, folder } = await rig.inFolder({
      "job.sh": "trap '' TERM INT HUP\necho $$ > pid\nwhile :; do sleep 1; done\n",
    });
    const { child, finished } = start(
      [calls(["exec", { command: "sh job.sh" }])],
      ["--allow", "exec(command: sh job.sh)", "run it"],
    );
    const pid = await poll("the command", async () => Number(await readFile(join(folder, "pid"), "utf8")));
    child.kill("SIGINT");
    await poll(
      "the first to be taken",
      () => (child.kill("SIGINT"), child.signalCode !== null || child.exitCode !== null),
    );
    const { code, signal } = await finished;
    expect(signal === "SIGINT" || code === 130).toBe(true);
    await gone(pid);
  });

  test("a reader that leaves ends the turn in order", async () => {
    const { start, run } = await rig.inFolder(FILES);
    const { child, finished, out } = start(
      [{ text: "first", ...calls(["read", { path: "a.txt" }]) }, { text: ["more", "and more"] }, { hang: true }],
      ["go"],
    );
    child.stdout?.once("data", () => child.stdout?.destroy());
    await finished;
    expect(out()).toBe("first");
    expect((await run("sessions", "list")).out).toContain('  idle  agent  "go"');
  });

  test("a model the server does not list is asked all the same; without a name the only one is taken", async () => {
    const { agent, folder } = await rig.inFolder();
    await agent([{ text: "ok" }], ["--model", "hidden", "go"]);
    expect(rig.server().chats()[0]?.body?.model).toBe("hidden");
    rig.server().script({ text: "ok" });
    const { code } = await rig.cli.run(["agent", "--base-url", rig.server().baseUrl, "--api-key", "k-12345678", "go"], {
      cwd: folder,
      env: { ...process.env, OPENAI_MODEL: "", OPENAI_BASE_URL: "", OPENAI_API_KEY: "" },
    });
    expect(code).toBe(0);
    expect(rig.server().chats()[0]).toMatchObject({
      body: { model: "test-model" },
      headers: { authorization: "Bearer k-12345678" },
    });
  });
});

test("files for agents in the folder are told to the model, and the workspace may be another folder", async () => {
  const { agent, folder } = await rig.inFolder({ "in/AGENTS.md": "Say moo.\n" });
  await mkdir(join(folder, "other"));
  await writeFile(join(folder, "other", "x"), "");
  rig.server().script({ text: "moo" });
  const { err } = await rig.cli.run(
    ["--workspace", join(folder, "in"), "agent", "--base-url", rig.server().baseUrl, "--model", "m", "go"],
    { cwd: join(folder, "other") },
  );
  expect(rig.server().chats()[0]?.body?.messages[0]?.content).toContain("Say moo.");
  expect(err).toContain(`Continue with: toolhost --workspace ${join(folder, "in")} agent --session `);
  expect(await agent([{ text: "ok" }], ["--continue", "x"])).toMatchObject({ code: 1 });
});
