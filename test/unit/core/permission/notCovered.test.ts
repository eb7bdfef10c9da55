// A rule of the user's that seems to allow a call and does not is named, with the reason.
import { expect, test } from "vitest";
import type { PermissionMode } from "../../../../src/core/permission/modes.js";
import { world } from "./permissionRig.js";

interface Case {
  rule: { tool: string; params?: Record<string, string> };
  tool?: string;
  mode?: PermissionMode;
  input: Record<string, unknown>;
  /** What follows "The rule … (rules[0]) does not cover"; undefined if the rule is not mentioned. */
  says: string | undefined;
}

const exec = (command: string): Case["rule"] => ({ tool: "exec", params: { command } });
const ANYTHING =
  "such a command can run or reach anything, so only a rule without * that is exactly this command does.";
const NEVER = "no rule allows commands to use other users' rights, secrets, protected files or places outside.";

const CASES: readonly Case[] = [
  { rule: exec("python3 **"), input: { command: "python3 a.py" }, says: `\`python3 a.py\`: ${ANYTHING}` },
  { rule: exec("node src/**"), input: { command: "node -e 1" }, says: undefined },
  {
    rule: exec("curl -s localhost:3000/*"),
    input: { command: "curl -s localhost:3000/x" },
    says: `\`curl -s localhost:3000/x\`: ${ANYTHING}`,
  },
  { rule: exec("npx **"), input: { command: "npx left-pad" }, says: `\`npx left-pad\`: ${ANYTHING}` },
  { rule: exec("python3 **"), input: { command: "npm test && python3 a.py" }, says: `\`python3 a.py\`: ${ANYTHING}` },
  { rule: exec("npm test **"), input: { command: "python3 a.py" }, says: undefined },
  { rule: exec("python3 a.py"), input: { command: "python3 b.py" }, says: undefined },
  {
    rule: exec("git **"),
    input: { command: "git push --force" },
    says: "`git push --force`: the rule must begin with git push.",
  },
  {
    rule: exec("git log **"),
    input: { command: "git log --output=x" },
    says: "`git log --output=x`: its words make it write, run or reach something else, so only a rule without * that is exactly this command does.",
  },
  { rule: exec("cat **"), input: { command: "cat .env" }, says: `\`cat .env\`: ${NEVER}` },
  { rule: exec("cat **"), input: { command: "cat /etc/shadow" }, says: `\`cat /etc/shadow\`: ${NEVER}` },
  { rule: exec("npm test **"), input: { command: "sudo npm test" }, says: `\`npm test\`: ${NEVER}` },
  {
    rule: exec("npm test **"),
    input: { command: "npm test $X" },
    says: "`npm test $X`: no rule allows words that are only known at run time.",
  },
  {
    rule: exec("npm test **"),
    input: { command: "npm test > out.txt" },
    says: "the redirection: only a rule that is exactly the whole line does.",
  },
  {
    rule: exec("rm **"),
    input: { command: "find src -name x -exec rm -v a.txt \\;" },
    says: "`rm -v a.txt`: find runs it with other words or elsewhere, so only a rule that is exactly the whole line does.",
  },
  {
    rule: { tool: "exec" },
    input: { command: "rm -r src" },
    says: "`rm -r src`: without command, a rule allows ordinary work only.",
  },
  {
    rule: { tool: "read" },
    tool: "read",
    input: { path: ".env" },
    says: ".env: a secret or protected file needs its exact path in the rule.",
  },
  {
    rule: { tool: "read", params: { path: "**" } },
    tool: "read",
    input: { path: ".env" },
    says: ".env: a secret or protected file needs its exact path in the rule.",
  },
  {
    rule: { tool: "read" },
    tool: "read",
    input: { path: "/etc/passwd" },
    says: "/etc/passwd: a place outside needs its path in the rule.",
  },
  {
    rule: { tool: "write", params: { path: "inlink/**" } },
    tool: "write",
    mode: "ask",
    input: { path: "inlink/b.ts", content: "x" },
    says: "inlink/b.ts, which is really src/deep/b.ts: it must match both.",
  },
  { rule: { tool: "read", params: { path: "src/**" } }, tool: "read", input: { path: ".env" }, says: undefined },
  {
    rule: { tool: "run_task" },
    tool: "run_task",
    input: { label: "build" },
    says: "it: one for tasks must name the label.",
  },
  {
    rule: { tool: "process", params: { action: "input" } },
    tool: "process",
    input: { action: "input", id: "p1", input: "y\n" },
    says: "it: one for typed input must name the input, without *.",
  },
  {
    rule: { tool: "message" },
    tool: "message",
    input: { to: "webhook:x", text: "hello" },
    says: "it: one for message must name to.",
  },
  {
    rule: { tool: "*" },
    tool: "mcp_exec",
    input: { server: "s", tool: "t", input: {} },
    says: "it: one for tools of others must name the tool.",
  },
];

test.each(CASES)("$rule for $input: $says", async ({ rule, tool = "exec", mode = "default", input, says }) => {
  const { decision, reasons } = await world({ mode, rules: [{ ...rule, decision: "allow" }] }).explain(tool, input);
  expect(decision).toBe("ask");
  const mentions = reasons.filter((reason) => reason.startsWith("The rule "));
  expect(mentions.map((reason) => reason.replace(/^The rule .+? \(rules\[0\]\) does not cover /, ""))).toEqual(
    says === undefined ? [] : [says],
  );
});

test("a rule that asks is the reason alone: no rule that allows would win over it", async () => {
  const rules = [
    { ...exec("python3 **"), decision: "allow" },
    { ...exec("python3 **"), decision: "ask" },
  ];
  const { reasons } = await world({ rules }).explain("exec", { command: "python3 a.py" });
  expect(reasons).toEqual(["A rule asks about it (rules[1]: ask python3 **).", "Runs a program."]);
});
