import { expect, test } from "vitest";
import { contentOf, tempFolder } from "../../unit/tools/workspace.js";
import { builtCli } from "./built.js";

const cli = builtCli();

test("documents on the command line: a kind and a verb, its name in rules, or the tool's; a person is not asked, and can undo", async () => {
  const cwd = await tempFolder();
  const run = async (...args: string[]): Promise<string> => {
    const { code, out, err } = await cli.run(args, { cwd });
    return code === 0 ? out : `${code}: ${err}`;
  };
  expect(await run("task", "list")).toBe(
    '[There are no tasks yet. document {"action": "write", "kind": "task"} creates one.]\n',
  );
  expect(await run("task", "write", "Fix the login", "--description", "Do it.", "--priority", "high")).toBe(
    "Wrote the task fix-the-login (new): .toolhost/tasks/fix-the-login.md\n",
  );
  expect(await run("task_write", "Tell them", "--blocked-by", "fix-the-login")).toMatch(/^Wrote the task tell-them/);
  expect(await run("task", "list", "--status", "pending")).toMatch(
    /^tell-them {2}\[pending, medium\] Tell them \(after fix-the-login\)\nfix-the-login {2}/,
  );
  expect(
    await run(
      "skill",
      "write",
      "deploy",
      "--description",
      "Ship it.",
      "--body",
      "Ship to $1.",
      "--arguments",
      '[{"name":"where"}]',
    ),
  ).toMatch(/^Wrote the skill deploy/);
  expect(await run("skill", "read", "deploy", "--arguments", "prod")).toMatch(/\nShip to prod\.\n$/);
  expect(await run("schedule", "write", "night", "--schedule", "0 2 * * *", "--prompt", "Sweep.")).toMatch(
    /^Wrote the schedule night/,
  );
  expect(await run("prompt", "write", "review", "--body", "Review this.")).toMatch(/^Wrote the prompt review/);
  expect(await contentOf(cwd, ".github/prompts/review.prompt.md")).toBe("Review this.\n");
  expect(await run("undo")).toContain(".github/prompts/review.prompt.md: deleted again");
  expect(
    await run("task", "edit", "tell-them", "--patches", '[{"start_line":99,"end_line":0,"content":"Kindly."}]'),
  ).toMatch(/^Edited the task tell-them: \+\d −\d lines\.\n$/);
  expect(await run("task", "read", "tell-then")).toBe(
    "1: Error (not_found): task tell-then: not found.\nHint: Did you mean tell-them?\n",
  );
  expect(await run("task", "write")).toMatch(/^2: .*name: required/);
  expect(await run("document", "read", "task", "--name", "tell-them")).toContain("Kindly.");
  expect(await run("run", "task_list", "--input", '{"status":"failed"}')).toBe(
    "[No task matches. There are 2 in all.]\n",
  );
  const help = await run("--help");
  expect(help).toMatch(/^ {2}task\b.*the task tools/m);
  expect(help).not.toContain("task_list");
});
