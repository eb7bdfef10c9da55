// The tables of README.md and docs/permissions.md that say what asks in which mode, held to what is decided, cell by
// cell.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { PermissionMode } from "../../../../src/core/permission/modes.js";
import { world, type World } from "./permissionRig.js";

type Call = [tool: string, input: object];

const exec = (command: string): Call => ["exec", { command }];

const READS: Call[] = [
  ["read", { path: "a.txt" }],
  ["read", { path: "package.json" }],
  ["grep", { pattern: "x" }],
  ["ls", {}],
];
const READING = [exec("git status"), exec("ls | head -3")];
const CHANGES: Call[] = [
  ["write", { path: "new.txt", content: "" }],
  ["write", { path: "a.txt", content: "" }],
  ["edit", { path: "src/a.ts", old_text: "x", new_text: "y" }],
  ["memory_write", { key: "k", value: "v" }],
  ["context_write", { path: "n.md", content: "" }],
  ...[
    "mkdir x",
    "touch x",
    "cp a.txt b.txt",
    "mv a.txt b.txt",
    "sed -i s/a/b/ a.txt",
    "echo x > b.txt",
    "git add a.txt",
  ].map(exec),
];
const UNREAD: Call[] = [["write", { path: "a.txt", content: "" }]];
const ORDINARY = [exec("npm test"), exec("npm ci"), exec("git commit -m x"), exec("npm run build")];
const WORK = [exec("npm test"), exec("npm run build"), exec("make"), exec("pytest && touch x"), exec("go test ./...")];
const OTHER: Call[] = [
  ...[
    exec("rm -rf build"),
    exec("git push"),
    exec("npm publish"),
    exec("npm run deploy"),
    exec("npm install left-pad"),
    exec("echo $("),
    exec("$X a"),
    exec("nobody-knows-it"),
    exec("sudo ls"),
    exec("touch /tmp/x"),
    exec("touch .env"),
  ],
  ["run_task", { label: "build" }],
  ["process", { action: "input", process_id: "p1", input: "y\n" }],
];
const SECRETS: Call[] = [
  ["read", { path: ".env" }],
  ["read", { path: "keys/server.pem" }],
  ["read", { path: "envlink" }],
];
const GUARDED: Call[] = [
  ["write", { path: ".env", content: "" }],
  ["write", { path: ".git/hooks/post-checkout", content: "" }],
  ["write", { path: "package.json", content: "" }],
  ["write", { path: "AGENTS.md", content: "" }],
  ["write", { path: ".github/workflows/x.yml", content: "" }],
];
const READS_OUTSIDE: Call[] = [
  ["read", { path: "/etc/passwd" }],
  ["read", { path: "outlink" }],
];
const CHANGES_OUTSIDE: Call[] = [["write", { path: "/etc/new", content: "" }]];
const COMMANDS_REACHING = [exec("cat .env"), exec("cat /etc/passwd"), exec("cat outlink")];
const OTHERS: Call[] = [
  ["message", { to: "webhook:team", content: "x" }],
  ["mcp_exec", { server: "x", tool: "y" }],
];
const PAGES: Call[] = [["web_fetch", { url: "https://example.com/" }]];

/** Calls for each row, by its first cell. */
const README: Record<string, Call[]> = {
  "reading inside the workspace": READS,
  "commands that are proven to only read": READING,
  "changing files inside, which can be undone: also by `mkdir`, `cp`, `mv`, `touch`, `sed -i`, `>` and `git add`":
    CHANGES,
  "replacing a file whose current version the agent has not read": UNREAD,
  "tests, builds and other work on the project, where the system contains it (Linux with bubblewrap)": WORK,
  "other ordinary commands (`npm ci`, `git commit`), and such work elsewhere": ORDINARY,
  "commands that destroy, publish, install named packages, or cannot be analysed; tasks; input for a process": OTHER,
  "reading files that may hold secrets": SECRETS,
  "changing those, or protected files": GUARDED,
  "reading files outside the workspace": READS_OUTSIDE,
  "changing files outside": CHANGES_OUTSIDE,
  "commands that read secrets or files outside": COMMANDS_REACHING,
  "fetching web pages": PAGES,
  "messages that leave the machine, third-party tools": OTHERS,
};
const PERMISSIONS: Record<string, Call[]> = {
  "reads inside the workspace": READS,
  "runs commands that are proven to only read there": READING,
  "changes files there, which can be undone": CHANGES,
  "replaces a file that was not read as it is now": UNREAD,
  "works on the project by commands that the system contains (below)": WORK,
  "runs other commands that do ordinary work": ORDINARY,
  "runs any other command or a task, or types into a process": OTHER,
  "reads a file that may hold secrets": SECRETS,
  "changes such a file, or a protected one": GUARDED,
  "reads a file outside the workspace": READS_OUTSIDE,
  "changes a file outside": CHANGES_OUTSIDE,
  "runs a command that reads secrets or files outside": COMMANDS_REACHING,
  "fetches a web page": PAGES,
  "sends a message off this machine, or calls a tool of others": OTHERS,
};

/** What the cells of both tables say. */
const VERDICTS: Record<string, string> = {
  ...{ run: "allow", ask: "ask", "**our own question**": "ask every time", refused: "deny" },
  ...{ allowed: "allow", asks: "ask", "asks every time": "ask every time", denied: "deny" },
};

const COLUMNS: { name: string; world: World }[] = [
  ...(["default", "ask", "plan", "bypass"] satisfies PermissionMode[]).map((mode) => ({ name: mode, world: { mode } })),
  { name: "Restricted Mode", world: { trusted: false } },
];

/** The rows of the table whose head begins with this text: the first cell, and the others. */
function tableOf(file: string, head: string): [string, string[]][] {
  const text = readFileSync(new URL(`../../../../${file}`, import.meta.url), "utf8");
  const table = text.slice(text.indexOf(head)).split("\n\n")[0] ?? "";
  return table
    .split("\n")
    .slice(2)
    .map((row) => {
      const [first = "", ...others] = row
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim());
      return [first, others];
    });
}

describe.each([
  { file: "README.md", head: "| | in `default` | in `ask` |", calls: README, columns: COLUMNS },
  {
    file: "docs/permissions.md",
    head: "| A call that | mode `default` |",
    calls: PERMISSIONS,
    columns: COLUMNS.slice(0, -1),
  },
])("what asks in which mode, as $file says", ({ file, head, calls, columns }) => {
  const rows = tableOf(file, head);

  test("every row has calls that show it", () => {
    expect(rows.map(([what]) => what)).toEqual(Object.keys(calls));
  });

  test.each(rows)("%s", async (what, cells) => {
    for (const [at, { name, world: options }] of columns.entries()) {
      for (const [tool, input] of calls[what] ?? []) {
        const decision = await world({
          ...options,
          ...{ hasSeen: calls[what] !== UNREAD, contains: calls[what] === WORK },
        }).decide(tool, input);
        const decided = decision.decision === "ask" && decision.everyTime ? "ask every time" : decision.decision;
        expect({ name, tool, input, decided }).toEqual({ name, tool, input, decided: VERDICTS[cells[at] ?? ""] });
      }
    }
  });

  test("nothing else is decided on: what changes no file and starts no command runs in every mode", async () => {
    const others: Call[] = [
      ["message", { to: "window:", content: "x" }],
      ["sessions_send", { session_id: "abcdef", content: "x" }],
      ["process", { action: "signal", process_id: "p1" }],
      ["sessions_spawn", { prompt: "x" }],
      ["complete_task", { summary: "x" }],
    ];
    for (const { name, world: options } of columns) {
      for (const [tool, input] of others) {
        expect({ name, tool, ...(await world(options).decide(tool, input)) }).toMatchObject({
          name,
          tool,
          decision: "allow",
        });
      }
    }
  });
});
