import { readdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../unit/tools/workspace.js";
import { builtCli } from "./built.js";

const cli = builtCli();
const tree = {
  "a.txt": "x\n",
  ".env": "S=1\n",
  "rules.json":
    '[{ "tool": "exec", "params": { "command": "npm test **" }, "decision": "allow" }, { "tool": "exec", "params": { "command": "git push **" }, "decision": "deny" }]',
  "broken.json": '[{ "tool": "exec", "decision": "alow" }]',
  "no.json": "{",
};

describe("toolhost explain", () => {
  const cases: {
    name: string;
    args: string[];
    env?: Record<string, string>;
    input?: string;
    code?: number;
    out?: string | RegExp;
    err?: string | RegExp;
  }[] = [
    {
      name: "what only reads",
      args: ["exec", "--input", '{"command":"ls"}', "--json"],
      out: '{"decision":"allow","rule":"default: calls that only read inside the workspace are allowed","reasons":["`ls` only reads."]}\n',
    },
    {
      name: "what asks, for people",
      args: ["exec", "--input", '{"command":"npm test -- x"}'],
      // Where the machine contains it, it does not ask.
      env: { TOOLHOST_SANDBOX: "read" },
      out: "ask (default: a command needs approval unless it is proven to only read, and always in mode ask)\n- Runs a script from package.json.\nA rule that would allow it: npm test **\n",
    },
    {
      name: "a rule that allows",
      args: ["exec", "--input", '{"command":"npm test"}', "--rules", "rules.json", "--json"],
      out: '{"decision":"allow","rule":"rules.json[0]: allow npm test **","reasons":["`npm test` is allowed."]}\n',
    },
    {
      name: "a rule that denies",
      args: ["exec", "--input", '{"command":"git push"}', "--rules", "rules.json", "--json"],
      out: /^\{"decision":"deny","rule":"rules\.json\[1\]: deny git push \*\*"/,
    },
    {
      name: "a rule of another kind",
      args: ["exec", "--input", '{"cmd":"npm test; rm x"}', "--rules", "rules.json", "--json"],
      out: /^\{"decision":"ask".*`rm x`.*"would_allow":\[\{"tool":"exec","params":\{"command":"rm x"\},"decision":"allow"\}\]\}\n$/,
    },
    {
      name: "a mode",
      args: ["exec", "--input", '{"command":"npm test"}', "--mode", "plan", "--json"],
      out: /^\{"decision":"deny","rule":"default: in mode plan nothing changes"/,
    },
    {
      name: "no trust",
      args: ["exec", "--input", '{"command":"ls"}', "--untrusted", "--json"],
      out: /^\{"decision":"deny","rule":"default: in an untrusted workspace/,
    },
    {
      name: "a file tool",
      args: ["read", "--input", '{"path":".env"}', "--json"],
      out: /^\{"decision":"ask","rule":"default: reading or changing a file that may hold secrets needs approval every time","reasons":\["Reads \.env: it may hold passwords or keys\."\]\}\n$/,
    },
    {
      name: "a tool that only VS Code has",
      args: ["run_task", "--input", '{"label":"build"}', "--json"],
      out: /^\{"decision":"ask"/,
    },
    {
      name: "an input that does not fit",
      args: ["exec", "--input", "{}", "--json"],
      code: 1,
      out: /^\{"error":\{"type":"invalid_input","message":"exec: command: required/,
    },
    {
      name: "a tool that is not there",
      args: ["exce"],
      code: 1,
      err: /^Error \(unknown_tool\): exce: there is no such tool\.\nHint: Did you mean exec/,
    },
    {
      name: "a path that no honest file has",
      args: ["read", "--input", '{"path":"//host/x"}', "--json"],
      code: 1,
      out: /^\{"error":\{"type":"invalid_input"/,
    },
    {
      name: "lines, one of them no JSON",
      args: ["exec", "--stdin"],
      input: '{"command":"ls"}\nnot JSON\n{"command":"rm x"}\n',
      code: 1,
      out: /^\{"decision":"allow",.*\n\{"error":\{"type":"invalid_input","message":"the line is not JSON: .*\n\{"decision":"ask",.*\n$/,
    },
    {
      name: "an input that is not quite JSON",
      args: ["exec", "--input", '{"command":"ls"}}', "--json"],
      out: /^\{"decision":"allow"/,
      err: "toolhost: The input was not quite JSON: a closing } too many was ignored.\n",
    },
    {
      name: "lines of Windows",
      args: ["exec", "--stdin"],
      input: '{"command":"ls"}\r\n{"command":"ls"}\r\n',
      out: /^(\{"decision":"allow",.*\n){2}$/,
    },
    {
      name: "malformed rules",
      args: ["exec", "--input", '{"command":"ls"}', "--rules", "broken.json", "--json"],
      out: /^\{"decision":"ask","rule":"broken\.json\[0\]: ask exec","reasons":\[.*"broken\.json\[0\]: decision: must be one of allow, ask, deny, got string \\"alow\\""\]\}\n$/,
      err: 'toolhost: broken.json[0]: decision: must be one of allow, ask, deny, got string "alow"\n',
    },
    {
      name: "a file that is no JSON",
      args: ["exec", "--rules", "no.json"],
      code: 2,
      err: /^toolhost: --rules no\.json is not JSON: /,
    },
    {
      name: "a file that is not there",
      args: ["exec", "--rules", "none.json"],
      code: 2,
      err: /^toolhost: --rules none\.json cannot be read: ENOENT/,
    },
    {
      name: "a mode that is not there",
      args: ["exec", "--mode", "yolo"],
      code: 2,
      err: /yolo.*default, ask, plan, bypass/,
    },
    {
      name: "an input beside lines",
      args: ["exec", "--stdin", "--input", "{}"],
      code: 2,
      err: /cannot be used with option/,
    },
  ];
  test.each(cases)("$name", async ({ args, env, input, code = 0, out = "", err = "" }) => {
    const cwd = await tempFolder(tree);
    const state = await tempFolder();
    const ran = await cli.run(["explain", ...args], {
      cwd,
      ...(input === undefined ? {} : { input }),
      env: { ...process.env, ...env, TOOLHOST_STATE: state },
    });
    expect(ran.err).toEqual(typeof err === "string" ? err : expect.stringMatching(err));
    expect(ran.out).toEqual(typeof out === "string" ? out : expect.stringMatching(out));
    expect(ran.code).toBe(code);
    // It runs nothing and leaves nothing behind.
    expect((await readdir(cwd)).sort()).toEqual(Object.keys(tree).sort());
    // The program's own compiled code.
    expect(await readdir(state)).toEqual(["code"]);
  });
});
