import { describe, expect, test } from "vitest";
import { PERMISSION_MODES, type PermissionMode } from "../../../../src/core/permission/modes.js";
import { readRules } from "../../../../src/core/permission/rules/readRules.js";
import { Rules } from "../../../../src/core/permission/rules/book.js";
import type { Rule } from "../../../../src/ports/rules.js";
import { tools } from "../../../../src/tools/index.js";
import { GLOB_NAMES, world } from "./permissionRig.js";

type Outcome = "allow" | "ask" | "deny";

const exec = (command: string): [tool: string, input: object] => ["exec", { command }];
const rule = (decision: Outcome, tool: string, params?: Record<string, string>): object => ({
  tool,
  ...(params === undefined ? {} : { params }),
  decision,
});

describe("commands by mode and trust", () => {
  test.each<{ command: string; by: Record<PermissionMode, Outcome> }>([
    { command: "git status", by: { default: "allow", ask: "ask", plan: "allow", bypass: "allow" } },
    { command: "# nothing", by: { default: "allow", ask: "allow", plan: "allow", bypass: "allow" } },
    { command: "npm test", by: { default: "ask", ask: "ask", plan: "deny", bypass: "allow" } },
    { command: "rm -rf build", by: { default: "ask", ask: "ask", plan: "deny", bypass: "allow" } },
    { command: "ls > out.txt", by: { default: "allow", ask: "ask", plan: "deny", bypass: "allow" } },
    { command: "echo $(", by: { default: "ask", ask: "ask", plan: "deny", bypass: "allow" } },
    { command: "cat .env", by: { default: "ask", ask: "ask", plan: "ask", bypass: "allow" } },
    { command: "cat /etc/passwd", by: { default: "ask", ask: "ask", plan: "ask", bypass: "allow" } },
    { command: "sudo ls", by: { default: "ask", ask: "ask", plan: "deny", bypass: "allow" } },
  ])("$command", async ({ command, by }) => {
    for (const mode of PERMISSION_MODES) {
      expect({ mode, ...(await world({ mode }).explain("exec", { command })) }).toMatchObject({
        mode,
        decision: by[mode],
      });
      expect({ mode, ...(await world({ mode, trusted: false }).explain("exec", { command })) }).toMatchObject({
        mode,
        decision: "deny",
        rule: expect.stringMatching(/untrusted/) as string,
      });
    }
  });

  test("where nothing can read commands, every one asks", async () => {
    expect(await world({ hasGrammar: false }).explain("exec", { command: "ls" })).toMatchObject({
      decision: "ask",
      reasons: ["What would run is not certain: commands cannot be parsed here."],
      derived: [],
    });
  });

  test.each([
    { what: "a variable that changes what runs", input: { command: "ls", env: { PATH: "/tmp" } }, decision: "ask" },
    {
      what: "a variable that is known to be harmless",
      input: { command: "ls", env: { NODE_ENV: "test" } },
      decision: "allow",
    },
    { what: "a variable of which nothing is known", input: { command: "ls", env: { LEVEL: "3" } }, decision: "ask" },
    {
      what: "nohup, which writes a file on a terminal",
      input: { command: "nohup ls", terminal: true },
      decision: "ask",
    },
    {
      what: "a variable that a test evaluates",
      input: { command: "[ $x ]", env: { x: "-v a[$(id)]" } },
      decision: "ask",
    },
    { what: "the user's own shell", input: { command: "ls", terminal: true }, decision: "ask" },
    {
      what: "a folder to run in, which paths are relative to",
      input: { command: "cat ../.env", workdir: "src" },
      decision: "ask",
    },
    {
      what: "the same where there is no such file",
      input: { command: "cat ../../a.txt", workdir: "src/deep" },
      decision: "allow",
    },
  ])("$what", async ({ input, decision }) => {
    expect(await world().explain("exec", input)).toMatchObject({ decision });
  });

  test.each([
    { what: "a megabyte", command: `echo ${"a".repeat(1_000_000)}` },
    { what: "10,000 nested substitutions", command: `echo ${"$(".repeat(10_000)}x${")".repeat(10_000)}` },
    { what: "a path of 15,000 steps", command: `cat ${"a/../".repeat(15_000)}a.txt` },
    {
      what: "5,000 names to follow",
      command: `cat ${Array.from({ length: 5_000 }, (_, at) => `src/../a${at}.txt`).join(" ")}`,
    },
  ])("$what asks", async ({ command }) => {
    expect(
      await world({ rules: [rule("allow", "exec", { command: "**" })] }).explain("exec", { command }),
    ).toMatchObject({ decision: "ask", derived: [] });
  });
});

describe("which rule covers what", () => {
  test.each<{ what: string; rules: object[]; call: [string, object]; decision: Outcome; world?: object }>([
    {
      what: "words and more words",
      rules: [rule("allow", "exec", { command: "npm test **" })],
      call: exec("npm test -- --watch=false a"),
      decision: "allow",
    },
    {
      what: "no more words",
      rules: [rule("allow", "exec", { command: "npm test **" })],
      call: exec("npm test"),
      decision: "allow",
    },
    {
      what: "exactly these words",
      rules: [rule("allow", "exec", { command: "npm test" })],
      call: exec("npm   'test'"),
      decision: "allow",
    },
    {
      what: "not others",
      rules: [rule("allow", "exec", { command: "npm test" })],
      call: exec("npm test x"),
      decision: "ask",
    },
    {
      what: "one word for a star",
      rules: [rule("allow", "exec", { command: "npm run *" })],
      call: exec("npm run build"),
      decision: "allow",
    },
    {
      what: "not two",
      rules: [rule("allow", "exec", { command: "npm run *" })],
      call: exec("npm run build now"),
      decision: "ask",
    },
    {
      what: "a star in a word",
      rules: [rule("allow", "exec", { command: "npm run test:* **" })],
      call: exec("npm run test:unit -v"),
      decision: "allow",
    },
    {
      what: "a quoted star is one",
      rules: [rule("allow", "exec", { command: "git commit '*'" })],
      call: exec("git commit src"),
      decision: "ask",
    },
    {
      what: "every command needs its rule",
      rules: [rule("allow", "exec", { command: "npm test **" })],
      call: exec("npm test && git add a.txt"),
      decision: "ask",
    },
    {
      what: "several rules together",
      rules: [rule("allow", "exec", { command: "npm test **" }), rule("allow", "exec", { command: "git add **" })],
      call: exec("npm test && git add a.txt"),
      decision: "allow",
    },
    {
      what: "a word only known at run time",
      rules: [rule("allow", "exec", { command: "git add **" })],
      call: exec("git add $X"),
      decision: "ask",
    },
    {
      what: "what lies outside",
      rules: [rule("allow", "exec", { command: "mkdir **" })],
      call: exec("mkdir /tmp/x"),
      decision: "ask",
    },
    {
      what: "what is inside",
      rules: [rule("allow", "exec", { command: "mkdir **" })],
      call: exec("mkdir x"),
      decision: "allow",
    },
    {
      what: "what is protected",
      rules: [rule("allow", "exec", { command: "touch **" })],
      call: exec("touch package.json"),
      decision: "ask",
    },
    {
      what: "a redirection",
      rules: [rule("allow", "exec", { command: "npm test" })],
      call: exec("npm test > a.txt"),
      decision: "ask",
    },
    {
      what: "the whole line with its redirection",
      rules: [rule("allow", "exec", { command: "echo x > a.txt" })],
      call: exec("echo x > a.txt"),
      decision: "allow",
    },
    {
      what: "the line and another command",
      rules: [rule("allow", "exec", { command: "echo x > a.txt" })],
      call: exec("echo x > a.txt; rm a"),
      decision: "ask",
    },
    {
      what: "the whole line, outside",
      rules: [rule("allow", "exec", { command: "echo x > /tmp/a" })],
      call: exec("echo x > /tmp/a"),
      decision: "ask",
    },
    {
      what: "what destroys, by its name",
      rules: [rule("allow", "exec", { command: "rm **" })],
      call: exec("rm -rf build"),
      decision: "allow",
    },
    {
      what: "what destroys, by half of its name",
      rules: [rule("allow", "exec", { command: "git **" })],
      call: exec("git push"),
      decision: "ask",
    },
    {
      what: "what destroys, by all of its name",
      rules: [rule("allow", "exec", { command: "git push **" })],
      call: exec("git push origin main"),
      decision: "allow",
    },
    {
      what: "an interpreter, by its name",
      rules: [rule("allow", "exec", { command: "python3 **" })],
      call: exec("python3 -c x"),
      decision: "ask",
    },
    {
      what: "an interpreter, word for word",
      rules: [rule("allow", "exec", { command: "python3 b.py" })],
      call: exec("python3 b.py"),
      decision: "allow",
    },
    {
      what: "a program nobody knows",
      rules: [rule("allow", "exec", { command: "mytool **" })],
      call: exec("mytool -x y"),
      decision: "allow",
    },
    {
      what: "the same, outside",
      rules: [rule("allow", "exec", { command: "mytool **" })],
      call: exec("mytool --out=/tmp/y"),
      decision: "ask",
    },
    {
      what: "exec as a whole, ordinary work",
      rules: [rule("allow", "exec")],
      call: exec("npm test"),
      decision: "allow",
    },
    { what: "exec as a whole, destruction", rules: [rule("allow", "exec")], call: exec("rm x"), decision: "ask" },
    {
      what: "a task by its label",
      rules: [rule("allow", "run_task", { label: "build" })],
      call: ["run_task", { label: "build" }],
      decision: "allow",
    },
    {
      what: "another task",
      rules: [rule("allow", "run_task", { label: "build" })],
      call: ["run_task", { label: "deploy" }],
      decision: "ask",
    },
    { what: "all tasks", rules: [rule("allow", "run_task")], call: ["run_task", { label: "build" }], decision: "ask" },
    {
      what: "typed input, word for word",
      rules: [rule("allow", "process", { input: "y\n" })],
      call: ["process", { action: "input", process_id: "p1", input: "y\n" }],
      decision: "allow",
    },
    {
      what: "any typed input",
      rules: [rule("allow", "process", { input: "*" })],
      call: ["process", { action: "input", process_id: "p1", input: "y\n" }],
      decision: "ask",
    },
    {
      what: "a change below a folder",
      rules: [rule("allow", "write", { path: "src/**" })],
      call: ["write", { path: "src/deep/x.ts", content: "" }],
      world: { mode: "ask" },
      decision: "allow",
    },
    {
      what: "a change beside it",
      rules: [rule("allow", "write", { path: "src/**" })],
      call: ["write", { path: "srcs/x.ts", content: "" }],
      world: { mode: "ask" },
      decision: "ask",
    },
    {
      what: "a change behind a link",
      rules: [rule("allow", "write", { path: "inlink/**" })],
      call: ["write", { path: "inlink/x.ts", content: "" }],
      world: { mode: "ask" },
      decision: "ask",
    },
    {
      what: "by another name of the field",
      rules: [rule("allow", "write", { path: "src/**" })],
      call: ["write", { file_path: "src/x.ts", content: "" }],
      world: { mode: "ask" },
      decision: "allow",
    },
    {
      what: "a protected file, by a glob",
      rules: [rule("allow", "write", { path: "**" })],
      call: ["write", { path: "package.json", content: "" }],
      decision: "ask",
    },
    {
      what: "a protected file, by its name",
      rules: [rule("allow", "write", { path: "package.json" })],
      call: ["write", { path: "package.json", content: "" }],
      decision: "allow",
    },
    {
      what: "a secret, by a glob",
      rules: [rule("allow", "read", { path: "**" })],
      call: ["read", { path: ".env" }],
      decision: "ask",
    },
    {
      what: "a secret, by its name",
      rules: [rule("allow", "read", { path: ".env" })],
      call: ["read", { path: ".env" }],
      decision: "allow",
    },
    {
      what: "a secret behind a link, by the link's name",
      rules: [rule("allow", "read", { path: "envlink" })],
      call: ["read", { path: "envlink" }],
      decision: "ask",
    },
    {
      what: "several tools by a glob",
      rules: [rule("allow", "*", { path: "src/*.ts" })],
      call: ["write", { path: "src/x.ts", content: "" }],
      world: { mode: "ask" },
      decision: "allow",
    },
    {
      what: "another tool",
      rules: [rule("allow", "edit", { path: "src/**" })],
      call: ["write", { path: "src/x.ts", content: "" }],
      world: { mode: "ask" },
      decision: "ask",
    },
    {
      what: "deny before allow",
      rules: [rule("allow", "exec", { command: "git push **" }), rule("deny", "exec", { command: "git push **" })],
      call: exec("git push"),
      decision: "deny",
    },
    {
      what: "ask before allow",
      rules: [rule("allow", "exec", { command: "npm test **" }), rule("ask", "exec", { command: "npm **" })],
      call: exec("npm test"),
      decision: "ask",
    },
    {
      what: "deny what would be allowed",
      rules: [rule("deny", "exec", { command: "git log **" })],
      call: exec("ls | git log -1"),
      decision: "deny",
    },
    {
      what: "deny behind global flags",
      rules: [rule("deny", "exec", { command: "git push **" })],
      call: exec("git -C src --no-pager push -f"),
      decision: "deny",
    },
    {
      what: "deny a name in a folder",
      rules: [rule("deny", "exec", { command: "rm **" })],
      call: exec("/opt/x/rm a"),
      decision: "deny",
    },
    {
      what: "deny a path to a tool",
      rules: [rule("deny", "*", { path: "docs/**" })],
      call: ["read", { path: "docs/x.md" }],
      decision: "deny",
    },
    {
      what: "deny a path by its absolute name",
      rules: [rule("deny", "*", { path: "/work/docs/**" })],
      call: ["read", { path: "docs/x.md" }],
      decision: "deny",
    },
    {
      what: "deny a path to a command by its absolute name",
      rules: [rule("deny", "*", { path: "/work/docs/**" })],
      call: exec("cat docs/x.md"),
      decision: "deny",
    },
    {
      what: "deny a wrapped command with flags between",
      rules: [rule("deny", "exec", { command: "sudo rm **" })],
      call: exec("sudo -n rm x"),
      world: { mode: "bypass" },
      decision: "deny",
    },
    {
      what: "deny a subcommand by another of its names",
      rules: [rule("deny", "exec", { command: "npm i **" })],
      call: exec("npm install x"),
      world: { mode: "bypass" },
      decision: "deny",
    },
    {
      what: "deny a path in other letters",
      rules: [rule("deny", "*", { path: "docs/**" })],
      call: ["read", { path: "DOCS/x.md" }],
      decision: "deny",
    },
    {
      what: "deny a path behind a link",
      rules: [rule("deny", "*", { path: "src/deep/**" })],
      call: ["read", { path: "inlink/b.ts" }],
      decision: "deny",
    },
    {
      what: "deny a path to a command",
      rules: [rule("deny", "*", { path: "docs/**" })],
      call: exec("cat docs/x.md"),
      decision: "deny",
    },
    {
      what: "deny a path to a command by a pattern",
      rules: [rule("deny", "*", { path: "docs/**" })],
      call: exec("cat d*/x.md"),
      decision: "deny",
    },
    {
      what: "deny a path in a folder that is searched",
      rules: [rule("deny", "*", { path: "docs/**" })],
      call: ["grep", { pattern: "x" }],
      decision: "ask",
    },
    {
      what: "deny a path in a folder that is removed, though all is open",
      rules: [rule("deny", "*", { path: "docs/x.md" })],
      call: exec("rm -rf docs"),
      world: { mode: "bypass" },
      decision: "ask",
    },
    {
      what: "deny what may come to be it, though all is open",
      rules: [rule("deny", "exec", { command: "git push **" })],
      call: exec("git $X"),
      world: { mode: "bypass" },
      decision: "ask",
    },
    {
      what: "ask, though all is open",
      rules: [rule("ask", "exec", { command: "npm **" })],
      call: exec("npm test"),
      world: { mode: "bypass" },
      decision: "ask",
    },
    {
      what: "deny, though all is open",
      rules: [rule("deny", "write")],
      call: ["write", { path: "a.txt", content: "" }],
      world: { mode: "bypass" },
      decision: "deny",
    },
    {
      what: "a field of the input",
      rules: [rule("deny", "exec", { background: "true" })],
      call: ["exec", { command: "ls", background: true }],
      decision: "deny",
    },
    {
      what: "a field that is not there",
      rules: [rule("deny", "exec", { background: "*" })],
      call: exec("ls"),
      decision: "allow",
    },
    {
      what: "plan before allow",
      rules: [rule("allow", "exec", { command: "npm test **" })],
      call: exec("npm test"),
      world: { mode: "plan" },
      decision: "deny",
    },
    {
      what: "trust before allow",
      rules: [rule("allow", "exec", { command: "ls **" })],
      call: exec("ls"),
      world: { trusted: false },
      decision: "deny",
    },
  ])("$what: $decision", async ({ rules, call: [tool, input], world: more, decision }) => {
    const book = world({ rules, ...more });
    expect(book.rules.all().filter(({ broken }) => broken !== undefined)).toEqual([]);
    expect(await book.explain(tool, input)).toMatchObject({ decision });
  });
});

describe("malformed rules allow nothing, and deny what is understood of them", () => {
  test.each<{ what: string; rules: unknown; broken: RegExp; npmTest: Outcome; ls: Outcome }>([
    { what: "no list", rules: { tool: "exec" }, broken: /^expected a list of rules/, npmTest: "ask", ls: "allow" },
    {
      what: "no object",
      rules: ["deny everything"],
      broken: /^expected a rule \{tool, params, decision\}, got string "deny everything"/,
      npmTest: "ask",
      ls: "allow",
    },
    {
      what: "nothing in it",
      rules: [{}],
      broken: /decision: must be one of allow, ask, deny/,
      npmTest: "ask",
      ls: "allow",
    },
    {
      what: "an unknown decision",
      rules: [{ tool: "exec", decision: "alow" }],
      broken: /^decision: must be one of allow, ask, deny, got string "alow"$/,
      npmTest: "ask",
      ls: "ask",
    },
    {
      what: "a tool that is no text",
      rules: [{ tool: 5, decision: "deny" }],
      broken: /^tool: expected a tool's name or a glob/,
      npmTest: "deny",
      ls: "deny",
    },
    {
      what: "a tool that is not there",
      rules: [{ tool: "exce", decision: "deny" }],
      broken: /^tool: no tool is called exce \(did you mean exec\?\)$/,
      npmTest: "ask",
      ls: "allow",
    },
    {
      what: "a tool of another system",
      rules: [{ tool: "Bash", params: { command: "rm **" }, decision: "deny" }],
      broken: /^tool: no tool is called Bash \(did you mean exec\?\)$/,
      npmTest: "ask",
      ls: "allow",
    },
    {
      what: "a field of a rule that is not there",
      rules: [{ tool: "exec", parms: {}, decision: "deny" }],
      broken: /^parms: a rule has no such field \(did you mean params\?\)$/,
      npmTest: "deny",
      ls: "deny",
    },
    {
      what: "a param no tool has, to deny",
      rules: [{ tool: "exec", params: { comand: "npm **" }, decision: "deny" }],
      broken: /^params\.comand: no matching tool has this field \(did you mean command\?\)$/,
      npmTest: "deny",
      ls: "deny",
    },
    {
      what: "a param no tool has, to allow",
      rules: [{ tool: "exec", params: { comand: "npm **" }, decision: "allow" }],
      broken: /comand/,
      npmTest: "ask",
      ls: "allow",
    },
    {
      what: "an alias",
      rules: [{ tool: "exec", params: { cmd: "npm **" }, decision: "allow" }],
      broken: /^params\.cmd: no matching tool has this field \(did you mean command\?\)$/,
      npmTest: "ask",
      ls: "allow",
    },
    {
      what: "a param that is no text",
      rules: [{ tool: "exec", params: { command: 1 }, decision: "deny" }],
      broken: /^params\.command: expected text, got number 1$/,
      npmTest: "deny",
      ls: "deny",
    },
    {
      what: "params that are no object",
      rules: [{ tool: "exec", params: "npm", decision: "allow" }],
      broken: /^params: expected an object/,
      npmTest: "ask",
      ls: "allow",
    },
    {
      what: "an open quote, to allow",
      rules: [{ tool: "exec", params: { command: "npm 'test" }, decision: "allow" }],
      broken: /^params\.command: its ' is not closed$/,
      npmTest: "ask",
      ls: "allow",
    },
    {
      what: "an open quote, to deny",
      rules: [{ tool: "exec", params: { command: "npm 'test" }, decision: "deny" }],
      broken: /not closed/,
      npmTest: "deny",
      ls: "allow",
    },
    {
      what: "a shell's signs, to deny",
      rules: [{ tool: "exec", params: { command: "npm test; rm x" }, decision: "deny" }],
      broken: /^params\.command: ";" is not part of a word$/,
      npmTest: "deny",
      ls: "allow",
    },
    {
      what: "more behind **",
      rules: [{ tool: "exec", params: { command: "npm ** x" }, decision: "allow" }],
      broken: /^params\.command: \*\* is only allowed at the end$/,
      npmTest: "ask",
      ls: "allow",
    },
    {
      what: "an empty pattern",
      rules: [{ tool: "exec", params: { command: " " }, decision: "deny" }],
      broken: /^params\.command: it is empty$/,
      npmTest: "deny",
      ls: "deny",
    },
    {
      what: "a pattern without end",
      rules: [{ tool: "exec", params: { path: "a".repeat(2_000) }, decision: "allow" }],
      broken: /^params\.path: at most 1000 characters, got 2000$/,
      npmTest: "ask",
      ls: "allow",
    },
  ])("$what", async ({ rules, broken, npmTest, ls }) => {
    const book = world({ rules });
    const [placed] = book.rules.all();
    expect(placed?.broken).toMatch(broken);
    expect(placed?.place).toBe(Array.isArray(rules) ? "rules[0]" : "rules");
    expect(await book.explain("exec", { command: "npm test" })).toMatchObject({ decision: npmTest });
    expect(await book.explain("exec", { command: "ls" })).toMatchObject({ decision: ls });
  });

  test("the place is that of the rule", () => {
    const placed = readRules([{ tool: "exec", decision: "deny" }, 7], "settings", "toolhost.permissions.rules", tools);
    expect(placed.map(({ place, broken }) => [place, broken === undefined])).toEqual([
      ["toolhost.permissions.rules[0]", true],
      ["toolhost.permissions.rules[1]", false],
    ]);
  });

  test.each([
    "*".repeat(500),
    `${"a*".repeat(300)}b`,
    `${"**/".repeat(300)}x`,
    "{a,b}".repeat(180),
    `${"[".repeat(400)}`,
    "+(a|+(b|+(c)))".repeat(30),
  ])("no glob takes its time: %s", async (path) => {
    const { explain } = world({
      rules: [
        { tool: "*", params: { path, pattern: path }, decision: "deny" },
        { tool: path, decision: "deny" },
      ],
    });
    expect((await explain("read", { path: `${"a".repeat(200)}/${"a/".repeat(300)}x` })).decision).toMatch(/allow|deny/);
  });
});

describe("derived rules", () => {
  const allow = (tool: string, params?: Record<string, string>): Rule => ({
    tool,
    ...(params === undefined ? {} : { params }),
    decision: "allow",
  });
  test.each<{ what: string; call: [string, object]; derived: Rule[]; world?: object }>([
    {
      what: "words that say what it does",
      call: exec("npm test -- x"),
      derived: [allow("exec", { command: "npm test **" })],
    },
    {
      what: "one for each command",
      call: exec("npm test && npm run build"),
      derived: [allow("exec", { command: "npm test **" }), allow("exec", { command: "npm run build **" })],
    },
    {
      what: "what destroys, word for word",
      call: exec("rm -rf build"),
      derived: [allow("exec", { command: "rm -rf build" })],
    },
    {
      what: "a quoted word",
      call: exec("rm -rf 'my build'"),
      derived: [allow("exec", { command: "rm -rf 'my build'" })],
    },
    {
      what: "a quote in a word",
      call: exec(`rm "it's"`),
      derived: [allow("exec", { command: String.raw`rm 'it'\''s'` })],
    },
    {
      what: "an interpreter, word for word",
      call: exec("python3 b.py"),
      derived: [allow("exec", { command: "python3 b.py" })],
    },
    {
      what: "a line with a redirection",
      call: exec("npm test > out.txt"),
      derived: [allow("exec", { command: "npm test > out.txt" })],
    },
    { what: "none for other rights", call: exec("sudo npm test"), derived: [] },
    { what: "none for what is not certain", call: exec("npm test $(x)"), derived: [] },
    { what: "none for a word only known at run time", call: exec("rm $X"), derived: [] },
    { what: "none for a secret", call: exec("cat .env"), derived: [] },
    { what: "none for outside", call: exec("cat /etc/passwd"), derived: [] },
    { what: "none where one part has none", call: exec("npm test; cat .env"), derived: [] },
    {
      what: "the folder of a change",
      call: ["write", { path: "src/deep/x.ts", content: "" }],
      world: { mode: "ask" },
      derived: [allow("write", { path: "src/deep/**" })],
    },
    {
      what: "a file at the top",
      call: ["write", { path: "x.ts", content: "" }],
      world: { mode: "ask" },
      derived: [allow("write", { path: "x.ts" })],
    },
    {
      what: "the common folder of a patch",
      call: [
        "apply_patch",
        { patch: "*** Begin Patch\n*** Add File: src/x.ts\n+x\n*** Add File: src/deep/y.ts\n+y\n*** End Patch\n" },
      ],
      world: { mode: "ask" },
      derived: [allow("apply_patch", { path: "src/**" })],
    },
    { what: "none for a protected file", call: ["write", { path: "package.json", content: "" }], derived: [] },
    {
      what: "a name with a glob's signs",
      call: ["write", { path: "[x].ts", content: "" }],
      world: { mode: "ask" },
      derived: [allow("write", { path: "\\[x\\].ts" })],
    },
    {
      what: "a folder with a glob's signs",
      call: ["write", { path: "app/[id]/page.tsx", content: "" }],
      world: { mode: "ask" },
      derived: [allow("write", { path: "app/\\[id\\]/**" })],
    },
    { what: "a task", call: ["run_task", { label: "build" }], derived: [allow("run_task", { label: "build" })] },
    {
      what: "none for what is typed",
      call: ["process", { action: "input", process_id: "p1", input: "y" }],
      derived: [],
    },
    {
      what: "the file of a read outside, not what lies beside it",
      call: ["read", { path: "/usr/include/stdio.h" }],
      derived: [allow("read", { path: "/usr/include/stdio.h" })],
    },
    {
      what: "a folder outside",
      call: ["ls", { path: "/usr/include" }],
      derived: [allow("ls", { path: "/usr/include/**" })],
    },
    { what: "none for a write outside", call: ["write", { path: "/usr/include/x.h", content: "" }], derived: [] },
  ])("$what", async ({ call: [tool, input], world: more, derived }) => {
    expect(await world({ ...more }).explain(tool, input)).toMatchObject({ decision: "ask", derived });
    if (derived.length > 0) {
      expect(await world({ ...more, rules: derived }).explain(tool, input)).toMatchObject({ decision: "allow" });
    }
  });
});

describe("the rule for a file outside, whose name has the signs of globs", () => {
  const others = [...GLOB_NAMES, "a.txt", "1.txt", "x", "!a.txt"];
  test.each(GLOB_NAMES)("%s: that file, and no other", async (name) => {
    const read = (path: string): [string, object] => ["read", { path: `/home/u/${path}` }];
    const { derived } = await world().explain(...read(name));
    expect(derived).toHaveLength(1);
    const { explain } = world({ rules: derived ?? [] });
    const allowed = [];
    for (const other of others) {
      allowed.push(...((await explain(...read(other))).decision === "allow" ? [other] : []));
    }
    expect(allowed).toEqual([name]);
  });

  test("one with secrets: a rule that escapes its signs is its own name", async () => {
    const rules = [rule("allow", "read", { path: "\\[x\\]/.env" })];
    const files = ["[x]/.env", "x/.env"];
    expect(await world({ files, rules }).explain("read", { path: "[x]/.env" })).toMatchObject({ decision: "allow" });
    expect(await world({ files, rules }).explain("read", { path: "x/.env" })).toMatchObject({ decision: "ask" });
  });
});

describe("outside the workspace", () => {
  test.each<{ mode: PermissionMode; trusted: boolean; read: Outcome; write: Outcome }>([
    { mode: "default", trusted: true, read: "ask", write: "ask" },
    { mode: "ask", trusted: true, read: "ask", write: "ask" },
    { mode: "plan", trusted: true, read: "ask", write: "deny" },
    { mode: "bypass", trusted: true, read: "deny", write: "deny" },
    { mode: "default", trusted: false, read: "deny", write: "deny" },
  ])("mode $mode, trusted $trusted", async ({ mode, trusted, read, write }) => {
    const { explain } = world({ mode, trusted });
    expect(await explain("read", { path: "/usr/include/stdio.h" })).toMatchObject({ decision: read });
    expect(await explain("write", { path: "/usr/include/x.h", content: "" })).toMatchObject({ decision: write });
  });

  test("a rule for the workspace does not reach there", async () => {
    expect(
      await world({ rules: [rule("allow", "*", { path: "**" })] }).explain("read", { path: "/usr/include/stdio.h" }),
    ).toMatchObject({ decision: "ask" });
  });
});

describe("the book", () => {
  test("a grant holds for its session, and is read at once", async () => {
    const { explain, rules } = world();
    rules.grantForSession("mine", [{ tool: "exec", params: { command: "npm test **" }, decision: "allow" }]);
    expect(await explain("exec", { command: "npm test" }, "mine")).toMatchObject({
      decision: "allow",
      rule: "this session: allow npm test **",
    });
    expect(await explain("exec", { command: "npm test" }, "another")).toMatchObject({ decision: "ask" });
    rules.grantForSession("mine", [{ tool: "exec", params: { command: "npm test **" }, decision: "allow" }]);
    expect(rules.rules("mine")).toHaveLength(1);
    const [granted] = rules.rules("mine");
    rules.revoke(granted ?? expect.fail());
    expect(await explain("exec", { command: "npm test" }, "mine")).toMatchObject({ decision: "ask" });
  });

  test("never forgets what a session is denied, however many sessions have grants", () => {
    const book = new Rules({ rules: () => [], add: async () => undefined }, () => 0);
    const denied: Rule = { tool: "*", decision: "deny", beyond: { access: "write", globs: ["src/**"] } };
    book.grantForSession("mine", [denied]);
    for (let each = 0; each < 200; each++) {
      book.grantForSession(String(each), [{ tool: "ls", decision: "allow" }]);
    }
    expect(book.rules("mine").map(({ rule: kept }) => kept)).toEqual([denied]);
    expect(book.rules("0")).toEqual([]);
  });

  test("it knows when a rule last decided, by what the rule says", () => {
    let now = 5;
    const [first, second] = readRules([rule("allow", "exec"), rule("deny", "write")], "settings", "r", tools);
    const book = new Rules({ rules: () => [], add: async () => undefined }, () => now++);
    book.matched(first ?? expect.fail());
    expect([first, second].map((each) => book.lastMatched(each ?? expect.fail()))).toEqual([5, undefined]);
    expect(
      book.lastMatched(readRules([rule("deny", "exec")], "settings", "r", tools)[0] ?? expect.fail()),
    ).toBeUndefined();
  });
});
