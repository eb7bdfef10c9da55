import { describe, expect, test } from "vitest";
import { ToolError } from "../../../src/core/errors.js";
import { withParts } from "../../../src/core/toolParts.js";
import { understandInput } from "../../../src/core/pipeline/input.js";
import { otherThanEdit } from "../../../src/core/pipeline/peerTools.js";
import { meantCall, nameHint, unknownTool, type Lacking } from "../../../src/core/pipeline/unknownTool.js";
import { tools } from "../../../src/tools/index.js";
import { openWorkspace } from "./workspace.js";

/** A call as another system's model writes it, and what the tool gets. */
interface PeerCall {
  tool: string;
  raw: Record<string, unknown>;
  input: Record<string, unknown>;
  /** What the caller is told. */
  notes?: string[];
}

function toolNamed(name: string): (typeof tools)[number] {
  const tool = tools.find((other) => other.name === name);
  if (tool === undefined) {
    throw new Error(`no tool ${name}`);
  }
  return tool;
}

describe("fields of other systems", () => {
  const edit = { path: "a.ts", old_text: "x", new_text: "y" };
  test.each<PeerCall>([
    // Memory by path
    { tool: "memory_read", raw: { path: "release-steps" }, input: { key: "release-steps" } },
    { tool: "memory_read", raw: { path: ".toolhost/memory/release.steps.md" }, input: { key: "release.steps" } },
    {
      tool: "memory_write",
      raw: { command: "create", path: "/memories/style.md", file_text: "MyST" },
      input: { key: "style", value: "MyST" },
    },
    // Claude Code
    { tool: "exec", raw: { command: "ls", description: "List files" }, input: { command: "ls" } },
    {
      tool: "grep",
      raw: { pattern: "x", output_mode: "files_with_matches", "-i": true, "-n": true, glob: "*.ts", head_limit: 5 },
      input: { pattern: "x", output: "files", ignore_case: true, include: "*.ts", max_results: 5 },
    },
    // Robota's agent-tools
    {
      tool: "grep",
      raw: { pattern: "x", outputMode: "content", contextLines: 2, headLimit: 5 },
      input: { pattern: "x", output: "content", context: 2, max_results: 5 },
    },
    {
      tool: "grep",
      raw: { pattern: "x", "-C": 2, head_limit: 0, offset: 3 },
      input: { pattern: "x", context: 2, offset: 3 },
    },
    {
      tool: "grep",
      raw: { pattern: "x", "-A": "3", "-B": 1 },
      input: { pattern: "x", after: 3, before: 1 },
    },
    { tool: "grep", raw: { pattern: "x", type: "go" }, input: { pattern: "x", include: "*.go" } },
    {
      tool: "grep",
      raw: { pattern: "x", glob: "src/**/*.tsx", type: "ts" },
      input: { pattern: "x", include: "src/**/*.tsx" },
    },
    {
      tool: "read",
      raw: { file_path: "a.pdf", pages: "2-3" },
      input: { path: "a.pdf" },
      notes: ["pages has no effect: the text of a PDF says where each page begins. Go on with offset."],
    },
    { tool: "exec", raw: { command: "make", timeout: 0 }, input: { command: "make" } },
    {
      tool: "grep",
      raw: { pattern: "x", max_results: 5_000, "-C": "500" },
      input: { pattern: "x", max_results: 1_000, context: 100 },
      notes: ["max_results=5000 was lowered to the maximum of 1000.", "context=500 was lowered to the maximum of 100."],
    },
    {
      tool: "ls",
      raw: { depth: 10 },
      input: { depth: 5 },
      notes: ["depth=10 was lowered to the maximum of 5."],
    },
    {
      tool: "read_result",
      raw: { id: "r1", pattern: "x", context: 50 },
      input: { id: "r1", pattern: "x", context: 20 },
      notes: ["context=50 was lowered to the maximum of 20."],
    },
    { tool: "exec", raw: { command: "make", timeout: "60s" }, input: { command: "make", timeout: 60 } },
    { tool: "exec", raw: { command: "make", timeout: "1.5 min" }, input: { command: "make", timeout: 90 } },
    { tool: "exec", raw: { command: "make", timeout: "45000ms" }, input: { command: "make", timeout: 45 } },
    {
      tool: "multi_edit",
      raw: { file_path: "a.ts", edits: [{ old_string: "x", new_string: "y", replace_all: "true" }] },
      input: { edits: [{ ...edit, replace_all: true }] },
    },
    {
      tool: "multi_edit",
      raw: { path: "a.ts", edits: '[{"old_string":"x","new_string":"y"}]' },
      input: { edits: [edit] },
    },
    {
      tool: "multi_edit",
      raw: { path: "a.ts", edits: '[{"old_string":"x","new_string":"y\nz"}]}' },
      input: { edits: [{ ...edit, new_text: "y\nz" }] },
      notes: [
        "The input was not quite JSON: line endings and tabs in strings were not escaped; a closing } too many was ignored.",
      ],
    },
    {
      tool: "edit",
      raw: { path: "a.ts", edits: '[{"oldText":"x","newText":"y\nz"}]' },
      input: { ...edit, new_text: "y\nz" },
      notes: ["The input was not quite JSON: line endings and tabs in strings were not escaped."],
    },
    {
      tool: "exec",
      raw: { command: "ls", env: '{"A":"1"}}' },
      input: { command: "ls", env: { A: "1" } },
      notes: ["The input was not quite JSON: a closing } too many was ignored."],
    },
    {
      tool: "multi_edit",
      raw: { file_path: "a.ts", edits: [{ file_path: "b.ts", old_string: "x", new_string: "y" }] },
      input: { edits: [{ ...edit, path: "b.ts" }] },
    },
    {
      tool: "sessions_spawn",
      raw: { prompt: "Look", description: "Look", subagent_type: "Explore" },
      input: { prompt: "Look" },
      notes: ["subagent_type has no effect here."],
    },
    {
      tool: "exec",
      raw: { command: "make", timeout: 120_000 },
      input: { command: "make", timeout: 120 },
      notes: ["timeout=120000 was taken as milliseconds: 120 s."],
    },
    {
      tool: "exec",
      raw: { command: "make", timeout: "60000" },
      input: { command: "make", timeout: 60 },
      notes: ["timeout=60000 was taken as milliseconds: 60 s."],
    },
    { tool: "exec", raw: { command: "make", timeout: 3_600 }, input: { command: "make", timeout: 3_600 } },
    { tool: "exec", raw: { command: "make", timeout: 7_200 }, input: { command: "make", timeout: 7_200 } },
    { tool: "exec", raw: { command: "make", timeout: 36_000 }, input: { command: "make", timeout: 36_000 } },
    { tool: "exec", raw: { command: "make", timeout: 1_000 }, input: { command: "make", timeout: 1_000 } },
    // Copilot
    {
      tool: "exec",
      raw: { command: "npm start", explanation: "Start", goal: "See it", mode: "async", isBackground: true },
      input: { command: "npm start", background: true },
    },
    {
      tool: "grep",
      raw: { query: "a(b", isRegexp: false, includePattern: "src/**", maxResults: 9, includeIgnoredFiles: true },
      input: { pattern: "a(b", literal: true, include: "src/**", max_results: 9, include_ignored: true },
    },
    {
      tool: "multi_edit",
      raw: {
        explanation: "why",
        replacements: [{ filePath: "a.ts", oldString: "x", newString: "y", explanation: "z" }],
      },
      input: { edits: [edit] },
    },
    { tool: "edit", raw: { filePath: "a.ts", oldString: "x", newString: "y", explanation: "why" }, input: edit },
    { tool: "apply_patch", raw: { input: "*** Begin Patch", explanation: "why" }, input: { patch: "*** Begin Patch" } },
    { tool: "glob", raw: { query: "**/*.ts", maxResults: 5 }, input: { pattern: "**/*.ts", max_results: 5 } },
    { tool: "read", raw: { filePath: "a", startLine: 38, endLine: 70 }, input: { path: "a", offset: 38, limit: 33 } },
    // Lists of steps: Claude Code, Codex, Gemini CLI, Copilot, Cursor, Roo, words alone
    ...[
      {
        todos: [
          { content: "Read", status: "completed", activeForm: "Reading" },
          { content: "Write", status: "in_progress", activeForm: "Writing" },
        ],
      },
      {
        explanation: "why",
        plan: [
          { step: "Read", status: "completed" },
          { step: "Write", status: "in_progress" },
        ],
      },
      {
        todos: [
          { description: "Read", status: "completed" },
          { description: "Write", status: "in_progress" },
        ],
      },
      {
        operation: "write",
        todoList: [
          { id: 1, title: "Read", description: "All of it", status: "completed" },
          { id: 2, title: "Write", description: "", status: "in-progress" },
        ],
      },
      {
        merge: false,
        todos: '[{"id":"1","content":"Read","status":"Done"},{"content":"Write","status":"In Progress"}]',
      },
      { todos: "[x] Read\n- [-] Write\n" },
    ].map((raw) => ({
      tool: "todo",
      raw,
      input: {
        todos: [
          { content: "Read", status: "completed" },
          { content: "Write", status: "in_progress" },
        ],
      },
    })),
    { tool: "todo", raw: { steps: ["Read"] }, input: { todos: [{ content: "Read", status: "pending" }] } },
    {
      tool: "todo",
      raw: {
        todos: [
          { description: "Read", status: "cancelled" },
          { description: "Write", status: "blocked" },
        ],
      },
      input: { todos: [{ content: "Write", status: "pending" }] },
      notes: ["Cancelled steps are not kept."],
    },
    // Questions: Claude Code, Copilot, Gemini CLI, Codex, Cline, Roo
    ...[
      {
        questions: [
          {
            question: "Which?",
            header: "Store",
            multiSelect: false,
            options: [{ label: "A", description: "One file." }, { label: "B" }],
          },
        ],
      },
      {
        questions: [
          {
            header: "Store",
            question: "Which?",
            multiSelect: false,
            allowFreeformInput: true,
            options: [{ label: "A", description: "One file." }, { label: "B" }],
          },
        ],
      },
      { question: "Which?", multiSelect: "false", options: '[{"label":"A","description":"One file."},"B"]' },
      { question: "Which?", several: false, follow_up: [{ text: "A", description: "One file.", mode: "code" }, "B"] },
    ].map((raw) => ({
      tool: "ask_user",
      raw,
      input: {
        question: "Which?",
        several: false,
        choices: [{ label: "A", description: "One file." }, { label: "B" }],
      },
    })),
    {
      tool: "ask_user",
      raw: { questions: [{ type: "yesno", question: "Go on?" }, { question: "Where?" }] },
      input: { question: "Go on?", choices: [{ label: "Yes" }, { label: "No" }] },
      notes: ["Only the first of 2 questions was asked. Ask the others one by one, if still needed."],
    },
    {
      tool: "ask_user",
      raw: { question: "Which?", options: [{ label: "A", recommended: true }, "B"], header: "x" },
      input: { question: "Which?", choices: [{ label: "A", description: "(recommended)" }, { label: "B" }] },
    },
    {
      tool: "wait_task",
      raw: { questions: [{ question: "Which?", options: [{ label: "A", description: "One file." }, "B"] }, "Where?"] },
      input: { reason: "Which?\n- A: One file.\n- B\n\nWhere?" },
    },
    {
      tool: "wait_task",
      raw: { question: "Which?", choices: ["A", "B"], several: true },
      input: { reason: "Which?\n- A\n- B" },
    },
    // Codex
    {
      tool: "exec",
      raw: { command: ["bash", "-lc", "ls | wc -l"], timeout_ms: 20_000 },
      input: { command: "ls | wc -l", timeout: 20 },
    },
    {
      tool: "exec",
      raw: { command: ["grep", "it's $HOME", "a b.txt"] },
      input: { command: `grep 'it'\\''s $HOME' 'a b.txt'` },
    },
    {
      tool: "exec",
      raw: { cmd: "ls", yield_time_ms: 1_000, justification: "to see" },
      input: { command: "ls" },
      notes: ["yield_time_ms has no effect here."],
    },
    {
      tool: "process",
      raw: { action: "input", session_id: "p1", chars: "y\n" },
      input: { action: "input", process_id: "p1", input: "y\n" },
    },
    { tool: "process", raw: { action: "kill", id: "p1" }, input: { action: "signal", process_id: "p1" } },
    {
      tool: "process",
      raw: { action: "poll", id: "p1", wait_for: "exit", timeout: 30_000 },
      input: { action: "poll", process_id: "p1", wait_for: "exit", timeout: 30 },
      notes: ["timeout=30000 was taken as milliseconds: 30 s."],
    },
    // Gemini CLI
    {
      tool: "grep",
      raw: {
        pattern: "x",
        dir_path: "src",
        include_pattern: "*.ts",
        case_sensitive: false,
        fixed_strings: true,
        names_only: true,
      },
      input: { pattern: "x", path: "src", include: "*.ts", ignore_case: true, literal: true, output: "files" },
    },
    {
      tool: "edit",
      raw: { file_path: "a.ts", instruction: "why", old_string: "x", new_string: "y", allow_multiple: true },
      input: { ...edit, replace_all: true },
    },
    {
      tool: "edit",
      raw: { file_path: "a.ts", old_string: "x", new_string: "y", expected_replacements: 2 },
      input: { ...edit, replace_all: true, expected_count: 2 },
    },
    {
      tool: "glob",
      raw: { pattern: "*.ts", dir_path: "src", respect_git_ignore: false },
      input: { pattern: "*.ts", path: "src", include_ignored: true },
    },
    { tool: "ls", raw: { dir_path: "src" }, input: { path: "src" } },
    { tool: "read", raw: { file_path: "a", start_line: 5, end_line: 5 }, input: { path: "a", offset: 5, limit: 1 } },
    { tool: "read", raw: { file_path: "a", end_line: "20" }, input: { path: "a", limit: 20 } },
    // Cline, pi, and Anthropic's text editor tool
    { tool: "exec", raw: { command: "ls", requires_approval: false }, input: { command: "ls" } },
    {
      tool: "exec",
      raw: { command: ["bash", "-lc", "ls"], with_escalated_permissions: false, justification: "x", shell: "bash" },
      input: { command: "ls", outside: false },
    },
    {
      tool: "exec",
      raw: { cmd: "ls", sandbox_permissions: "use_default", prefix_rule: ["ls"] },
      input: { command: "ls", outside: false },
    },
    {
      tool: "exec",
      raw: { cmd: "ls", tty: false, require_user_approval: true },
      input: { command: "ls" },
      notes: ["tty has no effect here."],
    },
    { tool: "ls", raw: { path: "a", ignore: ["b"] }, input: { path: "a" }, notes: ["ignore has no effect here."] },
    { tool: "read", raw: { paths: ["a"], should_read_entire_file: true }, input: { path: "a" } },
    {
      tool: "read_result",
      raw: { result_id: "r1", pattern: "error", ignore_case: true, head_limit: 30 },
      input: { id: "r1", pattern: "(?i)error", limit: 30 },
    },
    {
      tool: "read_result",
      raw: { id: "r1", pattern: "x", "-A": 6, "-n": true, max_results: 5 },
      input: { id: "r1", pattern: "x", context: 6, limit: 5 },
      notes: ["-A=6 was taken as context=6, on both sides."],
    },
    { tool: "read_result", raw: { id: "r1", "-i": false }, input: { id: "r1" } },
    { tool: "query", raw: { file: "a.json", query: "$" }, input: { path: "a.json", expression: "$" } },
    { tool: "memory_search", raw: { q: "x" }, input: { query: "x" } },
    {
      tool: "ls",
      raw: { path: "src", recursive: true },
      input: { path: "src", depth: 5 },
      notes: ["recursive was taken as depth=5."],
    },
    { tool: "edit", raw: { path: "a.ts", edits: [{ oldText: "x", newText: "y" }] }, input: edit },
    {
      tool: "read",
      raw: { command: "view", path: "a", view_range: [10, 20] },
      input: { path: "a", offset: 10, limit: 11 },
    },
    { tool: "read", raw: { path: "a", view_range: [10, -1] }, input: { path: "a", offset: 10 } },
    { tool: "edit", raw: { command: "str_replace", path: "a.ts", old_str: "x", new_str: "y" }, input: edit },
    { tool: "write", raw: { command: "create", path: "a.ts", file_text: "x" }, input: { path: "a.ts", content: "x" } },
    // Lists of globs
    {
      tool: "grep",
      raw: { pattern: "x", include: ["*.ts", "*.tsx"] },
      input: { pattern: "x", include: "{*.ts,*.tsx}" },
    },
    {
      tool: "grep",
      raw: { pattern: "x", glob: ["*.ts", "src/*.js"] },
      input: { pattern: "x", include: "{**/*.ts,src/*.js}" },
    },
    { tool: "grep", raw: { pattern: "x", include: ["*.ts"] }, input: { pattern: "x", include: "*.ts" } },
    { tool: "grep", raw: { pattern: "x", include: '["*.ts"]' }, input: { pattern: "x", include: "*.ts" } },
    { tool: "grep", raw: { pattern: "x", include: ['["*.ts"]'] }, input: { pattern: "x", include: "*.ts" } },
    {
      tool: "grep",
      raw: { pattern: "x", glob: ' ["*.ts", "*.js"]', exclude: ["*.test.ts", "dist/**"] },
      input: { pattern: "x", include: "{*.ts,*.js}", exclude: "{**/*.test.ts,dist/**}" },
    },
    { tool: "grep", raw: { pattern: "x", include: "[ab]*.ts" }, input: { pattern: "x", include: "[ab]*.ts" } },
    { tool: "glob", raw: { pattern: ["*.ts", "*.js"] }, input: { pattern: "{*.ts,*.js}" } },
    { tool: "glob", raw: { pattern: '["src/*.ts"]' }, input: { pattern: "src/*.ts" } },
    { tool: "read", raw: { path: "a", view_range: "[3,-1]" }, input: { path: "a", offset: 3 } },
    { tool: "read", raw: { path: "a", view_range: "[3, 5]" }, input: { path: "a", offset: 3, limit: 3 } },
    { tool: "read", raw: { path: "a", view_range: ["3", "-1"] }, input: { path: "a", offset: 3 } },
    { tool: "read", raw: { path: "a", lines: "3-5" }, input: { path: "a", offset: 3, limit: 3 } },
    { tool: "grep", raw: { pattern: "x", path: ["src"] }, input: { pattern: "x", path: "src" } },
    {
      tool: "grep",
      raw: { pattern: "x", max_matches_per_file: 3 },
      input: { pattern: "x" },
      notes: ["max_matches_per_file has no effect here."],
    },
    { tool: "process", raw: { action: "poll", shellId: "p1" }, input: { action: "poll", process_id: "p1" } },
  ])("$tool $raw", ({ tool, raw, input, notes = [] }) => {
    expect(understandInput(toolNamed(tool), raw)).toEqual({ input, notes });
  });

  test.each<{ tool: string; raw: Record<string, unknown>; message: string }>([
    { tool: "ask_user", raw: { questions: [] }, message: "question: required" },
    { tool: "ask_user", raw: { questions: [{ ask: "?" }] }, message: "questions: unknown field" },
    { tool: "todo", raw: { operation: "read" }, message: "operation: unknown field" },
    {
      tool: "grep",
      raw: { pattern: "x", type: "cobol" },
      message: "type: not a type of file that is known here. Give a glob as include",
    },
    { tool: "grep", raw: { pattern: "x", type: "go", include: "src/**" }, message: "include: given twice" },
    { tool: "grep", raw: { pattern: "x", path: ["a", "b"] }, message: "path: takes one path per call. Make 2 calls" },
    { tool: "grep", raw: { pattern: "x", output_mode: "json" }, message: "output_mode: unknown field" },
    { tool: "grep", raw: { pattern: "x", include: ["*.ts", "!a.ts"] }, message: "include: expected string" },
    { tool: "grep", raw: { pattern: "x", isRegexp: false, literal: false }, message: "literal: given twice" },
    { tool: "exec", raw: { command: "x", mode: "sync", background: true }, message: "background: given twice" },
    { tool: "exec", raw: { command: [] }, message: "command: expected string" },
    { tool: "glob", raw: { pattern: "x", case_sensitive: false }, message: "case_sensitive: unknown field" },
    {
      tool: "edit",
      raw: {
        path: "a",
        edits: [
          { oldText: "x", newText: "y" },
          { oldText: "z", newText: "y" },
        ],
      },
      message: "edits: takes one edit. Call multi_edit",
    },
    {
      tool: "multi_edit",
      raw: { edits: [{ file_path: "a", path: "b", old_text: "x", new_text: "y" }] },
      message: "edits[0].path: given twice",
    },
    {
      tool: "edit",
      raw: { path: "a", old_text: "x", new_text: "y", instructions: "z" },
      message: "instructions: unknown field",
    },
    { tool: "read", raw: { path: "a", startLine: 9, endLine: 5 }, message: "limit: must be at least 1, got -3" },
  ])("refused where the meaning is not ours: $tool $raw", ({ tool, raw, message }) => {
    expect(() => understandInput(toolNamed(tool), raw)).toThrow(message);
  });

  test("the fields of a list's entries are named in the error", () => {
    let error: unknown;
    try {
      understandInput(toolNamed("multi_edit"), { edits: [{ file: "a" }] });
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(ToolError);
    expect(error).toMatchObject({
      hint: "Fields of multi_edit: edits (array of {path, old_text, new_text, replace_all}, required).",
    });
  });

  test("nothing of it is sent to a model", () => {
    expect(JSON.stringify(tools.map(({ description, inputSchema }) => ({ description, inputSchema })))).not.toMatch(
      /old_string|output_mode|isRegexp|run_in_background|file_path|multiSelect|activeForm/,
    );
  });
});

describe("tools of other systems", () => {
  test.each([
    { name: "Read", input: { file_path: "a.ts" }, ours: "read" },
    { name: "read_file", input: { filePath: "a.ts" }, ours: "read" },
    { name: "bash", input: { command: "ls" }, ours: "exec" },
    { name: "functions.Bash", input: { command: "ls", description: "List" }, ours: "exec" },
    { name: "run_in_terminal", input: { command: "ls", explanation: "x", goal: "y", mode: "sync" }, ours: "exec" },
    { name: "Grep", input: { pattern: "x", output_mode: "content" }, ours: "grep" },
    { name: "grep_search", input: { query: "x", isRegexp: true }, ours: "grep" },
    { name: "str_replace", input: { path: "a", old_str: "x", new_str: "y" }, ours: "edit" },
    { name: "str_replace_based_edit_tool", input: { command: "view", path: "a" }, ours: "read" },
    { name: "str_replace_based_edit_tool", input: { command: "create", path: "a", file_text: "" }, ours: "write" },
    { name: "MultiEdit", input: { file_path: "a", edits: [{ old_string: "x", new_string: "y" }] }, ours: "multi_edit" },
    { name: "list_dir", input: { path: "src" }, ours: "ls" },
    { name: "BashOutput", input: { bash_id: "p1", filter: "x" }, ours: "process" },
    { name: "KillShell", input: { shell_id: "p1" }, ours: "process" },
    { name: "write_stdin", input: { session_id: "p1", chars: "y\n", yield_time_ms: 10 }, ours: "process" },
    { name: "Task", input: { prompt: "x", description: "y", subagent_type: "z" }, ours: "sessions_spawn" },
    { name: "TodoWrite", input: { todos: [] }, ours: "todo" },
    { name: "update_plan", input: { plan: [{ step: "x", status: "pending" }] }, ours: "todo" },
    { name: "write_todos", input: { todos: [{ description: "x", status: "pending" }] }, ours: "todo" },
    { name: "manage_todo_list", input: { todoList: [{ id: 1, title: "x", status: "not-started" }] }, ours: "todo" },
    { name: "bash", input: { command: "ls", restart: false }, ours: "exec" },
    { name: "memory", input: { command: "create", path: "/memories/a.md", file_text: "x" }, ours: "memory_write" },
    { name: "memory", input: { command: "view", path: "/memories/a.md" }, ours: "memory_read" },
    { name: "memory", input: { command: "delete", path: "/memories/a.md" }, ours: "memory_delete" },
    { name: "AskUserQuestion", input: { questions: [{ question: "?" }] }, ours: "ask_user" },
    { name: "vscode_askQuestions", input: { questions: [{ question: "?" }] }, ours: "ask_user" },
    { name: "ask_followup_question", input: { question: "?" }, ours: "ask_user" },
    { name: "request_user_input", input: { questions: [{ question: "?" }] }, ours: "ask_user" },
    { name: "save_memory", input: { fact: "x" }, ours: "memory_write" },
    {
      name: "str_replace_based_edit_tool",
      input: { command: "insert", path: "a", insert_line: 2, insert_text: "x" },
      ours: "apply_patch",
    },
    { name: "edit", input: { path: "a", insert_line: 2, new_str: "x" }, ours: "apply_patch" },
    {
      name: "replace_in_file",
      input: { path: "a", diff: "------- SEARCH\nx\n=======\ny\n+++++++ REPLACE" },
      ours: "apply_patch",
    },
    { name: "replace_in_file", input: { path: "a", old_str: "x", new_str: "y" }, ours: "edit" },
    {
      name: "edit",
      input: {
        path: "a",
        edits: [
          { old_text: "x", new_text: "y" },
          { old_text: "z", new_text: "y" },
        ],
      },
      ours: "multi_edit",
    },
    { name: "Edit", input: { file_path: "a", old_string: "", new_string: "x" }, ours: "write" },
    {
      name: "str_replace_based_edit_tool",
      input: { command: "str_replace", path: "a", old_str: "", new_str: "x" },
      ours: "write",
    },
    { name: "delegate_to_agent", input: { prompt: "look", description: "x" }, ours: "sessions_spawn" },
    // Cline's command line.
    { name: "run_commands", input: { commands: ["ls"] }, ours: "exec" },
    { name: "search_codebase", input: { queries: ["x"] }, ours: "grep" },
    // Claude Code, Copilot, opencode, MCP's fetch server.
    { name: "WebFetch", input: { url: "https://a.example", prompt: "What is new?" }, ours: "web_fetch" },
    { name: "fetch_webpage", input: { urls: ["https://a.example"], query: "install" }, ours: "web_fetch" },
    { name: "webfetch", input: { url: "https://a.example", format: "markdown", timeout: 30 }, ours: "web_fetch" },
    { name: "fetch", input: { url: "https://a.example", max_length: 5000, start_index: 0 }, ours: "web_fetch" },
    // Cursor, Copilot.
    {
      name: "codebase_search",
      input: { query: "x", target_directories: ["src"], explanation: "y" },
      ours: "code_search",
    },
    { name: "codebase_search", input: { query: "x", target_directories: [] }, ours: "code_search" },
    { name: "semantic_search", input: { query: "x" }, ours: "code_search" },
    { name: "editor", input: { path: "a", new_text: "x" }, ours: "write" },
    { name: "editor", input: { path: "a", old_text: "x", new_text: "y" }, ours: "edit" },
    { name: "editor", input: { path: "a", insert_line: 1, new_text: "y" }, ours: "apply_patch" },
  ])("$name runs $ours", ({ name, input, ours }) => {
    expect(meantCall(name, input, tools)?.tool.name).toBe(ours);
  });

  test.each([
    {
      name: "Read",
      input: {},
      hint: /^read does here what Read does\. read: path: required \(string\), got nothing\.\nFields of read: path/,
    },
    { name: "bash", input: { restart: true }, hint: /^exec does here what bash does\. exec: command: required/ },
    {
      name: "str_replace_based_edit_tool",
      input: { command: "insert", path: "a" },
      hint: /^Use read, write or edit\.$/,
    },
    { name: "run_commands", input: { commands: ["ls", "pwd"] }, hint: /commands: exec takes one command per call\./ },
    {
      name: "save_memory",
      input: { fact: "!" },
      hint: /^memory_write does here what save_memory does\. memory_write: key: required \(string\)/,
    },
    { name: "runTests", input: { files: ["a"] }, hint: /^Run the project's tests with exec\.$/ },
    { name: "get_changed_files", input: {}, hint: /^Use exec with git status\.$/ },
    {
      name: "insert_edit_into_file",
      input: { filePath: "a", code: "x", explanation: "y" },
      hint: /^No tool here guesses where code belongs\. Give edit the exact old_text/,
    },
    { name: "undo", input: {}, hint: /^Only the user can undo with Toolhost\./ },
  ])("$name $input is not run", ({ name, input, hint }) => {
    expect(meantCall(name, input, tools)).toBeUndefined();
    const { type, message, hint: said } = unknownTool(name, input, tools, { ifNone: "" });
    expect(type === "unknown_tool" ? said : `${message}\n${said ?? ""}`).toMatch(hint);
  });

  test("an edit that replaces nothing makes a file, but no file that is there", () => {
    const input = { file_path: "a", old_string: "", new_string: "x", command: "str_replace" };
    expect(meantCall("Edit", input, tools)?.input).toEqual({ file_path: "a", content: "x", on_conflict: "error" });
  });

  test.each<{ name: string; input: object }>([
    { name: "Edit", input: { file_path: "a", old_string: "", new_string: "x", replace_all: false } },
    { name: "edit", input: { path: "a", old_text: "", new_text: "x", replace_all: "false", expected_count: 1 } },
    { name: "replace", input: { file_path: "a", instruction: "y", old_string: "", new_string: "x" } },
    { name: "replace", input: { file_path: "a", old_string: "", new_string: "x", expected_replacements: 1 } },
    { name: "replace", input: { file_path: "a", old_string: "", new_string: "x", allow_multiple: false } },
    { name: "edit", input: { path: "a", edits: [{ oldText: "", newText: "x" }] } },
    { name: "edit", input: { path: "a", edits: '[{"oldText":"","newText":"x"}]' } },
    { name: "edit", input: { edits: [{ path: "a", old_text: "", new_text: "x", replace_all: false }] } },
  ])("$name $input makes a file", ({ name, input }) => {
    const meant = meantCall(name, input, tools);
    expect(meant?.tool.name).toBe("write");
    expect(understandInput(meant?.tool ?? toolNamed("write"), meant?.input).input).toEqual({
      path: "a",
      content: "x",
      on_conflict: "error",
    });
  });

  test.each([
    { path: "a", old_text: "", new_text: "x", replace_all: true },
    { path: "a", old_text: "", new_text: "x", allow_multiple: "true" },
    { path: "a", old_text: "", edits: [{ oldText: "y", new_text: "x" }] },
    { path: "a", old_text: "", new_text: "x", edits: [{ old_text: "", new_text: "y" }] },
  ])("Edit %j makes none", (input) => {
    expect(otherThanEdit("Edit", input)).toBeUndefined();
  });

  test("a file that is there is not made, and the answer says how to insert into it", async () => {
    const ws = await openWorkspace({ a: "1\n" });
    const outcome = await ws.call("Edit", { file_path: "a", old_string: "", new_string: "x" });
    expect(outcome).toMatchObject({ ok: false, error: { type: "path_conflict" } });
    expect(outcome.ok ? "" : outcome.error.hint).toBe(
      "To insert, call edit with the line before or after as old_text, and repeat it in new_text. To replace the whole file, read it, then write with on_conflict=overwrite.",
    );
    expect((await ws.bytes("a")).toString()).toBe("1\n");
  });

  test("what is refused with the call to make instead is told alone", () => {
    const refusal = (): unknown =>
      understandInput(toolNamed("edit"), { path: "a", edits: [{ old_text: "x" }, { old_text: "y" }] });
    expect(refusal).toThrow(
      expect.objectContaining({
        message: "edit: edits: takes one edit. Call multi_edit with the same path and edits.",
        hint: undefined,
      }) as Error,
    );
  });

  const PATCH = ["*** Begin Patch", "*** Update File: a", "@@", "-$x", "+`y`", "*** End Patch"].join("\n");
  const heredoc = (mark: string, text = PATCH): string => `apply_patch <<${mark}\n${text}\nEOF\n`;

  test.each([
    { name: "shell", input: { command: ["apply_patch", PATCH] } },
    { name: "shell", input: { command: ["bash", "-lc", heredoc("'EOF'")], workdir: "." } },
    { name: "exec", input: { command: heredoc('"EOF"') } },
    { name: "exec_command", input: { cmd: heredoc("'EOF'") } },
  ])("$name $input applies the patch that it types as a command", ({ name, input }) => {
    expect(meantCall(name, input, tools)).toMatchObject({ tool: { name: "apply_patch" }, input: { patch: PATCH } });
  });

  test("a patch that is typed as a command in a folder is about files in it", () => {
    const patch = ["*** Begin Patch", "*** Add File: a", "+*** Add File: b", "*** Update File: c", "*** Move to: d"];
    const command = `cd lib/x && ${heredoc("'EOF'", [...patch, "@@", "-1", "+2", "*** End Patch"].join("\n"))}`;
    expect(meantCall("shell", { command }, tools)?.input).toEqual({
      patch: [
        ...["*** Begin Patch", "*** Add File: lib/x/a", "+*** Add File: b"],
        ...["*** Update File: lib/x/c", "*** Move to: lib/x/d", "@@", "-1", "+2", "*** End Patch"],
      ].join("\n"),
    });
  });

  test.each([
    { what: "does more", input: { command: `${heredoc("'EOF'")}ls` } },
    { what: "does more before", input: { command: `cd a && ls && ${heredoc("'EOF'")}` } },
    { what: "leads out of the folder", input: { command: `cd a/../.. && ${heredoc("'EOF'")}` } },
    { what: "goes to an absolute folder", input: { command: `cd /a && ${heredoc("'EOF'")}` } },
    { what: "lets the shell change the text", input: { command: heredoc("EOF") } },
    { what: "works in another folder", input: { command: heredoc("'EOF'"), workdir: "a" } },
    { what: "works in another folder, in other words", input: { command: ["apply_patch", PATCH], cwd: "a" } },
    {
      what: "names files of another kind of patch in a folder",
      input: { command: `cd a && ${heredoc("'EOF'", `*** Begin Patch\n--- a/x\n+++ b/x\n*** End Patch`)}` },
    },
    { what: "never ends its text", input: { command: `apply_patch <<'EOF'\n${"\nEOF x".repeat(100_000)}` } },
    { what: "is all blanks", input: { command: `apply_patch <<${" ".repeat(300_000)}` } },
    { what: "has no patch", input: { command: heredoc("'EOF'", "one") } },
  ])("a command that $what is a command", ({ input }) => {
    expect(meantCall("shell", input, tools)?.tool.name).not.toBe("apply_patch");
  });

  test("a patch that is typed as a command is refused as one where there is no apply_patch", () => {
    const offered = tools.filter(({ name }) => name !== "apply_patch");
    const { message } = unknownTool("shell", { command: ["apply_patch", PATCH] }, offered, { ifNone: "" });
    expect(message).toContain("apply_patch is a tool, not a command");
  });

  test("a name that says what to do with a process does so", () => {
    expect(meantCall("BashOutput", { bash_id: "p1" }, tools)?.input).toEqual({ action: "poll", bash_id: "p1" });
    expect(meantCall("KillShell", { shell_id: "p1" }, tools)?.input).toEqual({ action: "signal", shell_id: "p1" });
    expect(meantCall("KillShell", { shell_id: "p1", action: "list" }, tools)?.input).toMatchObject({ action: "list" });
  });

  test("a question waits for its answer in a task, and is not asked where nobody can be asked", () => {
    const of = (...names: string[]) => tools.filter(({ name }) => names.includes(name));
    for (const name of ["ask_user", "AskUserQuestion"]) {
      const input = { question: "Which?", choices: ["A", "B"] };
      expect(meantCall(name, input, of("read", "wait_task"))?.tool.name).toBe("wait_task");
      expect(meantCall(name, input, of("read"))).toBeUndefined();
      expect(unknownTool(name, input, of("read"), { ifNone: "" }).hint).toBe(
        "Nobody can be asked here. Decide yourself if that is safe; otherwise end your turn with the question.",
      );
    }
  });

  test("leads to no tool that is not offered", () => {
    const offered = tools.filter(({ name }) => name === "read");
    expect(meantCall("bash", { command: "ls" }, offered)).toBeUndefined();
    expect(unknownTool("bash", { command: "ls" }, offered, { ifNone: "" }).hint).toBe("No tool here does that.");
  });

  // The names that the systems' models know, as their tools are called.
  const ALL: Record<string, string> = {
    "Claude Code":
      "Agent AskUserQuestion Bash BashOutput Edit EnterPlanMode ExitPlanMode Glob Grep KillShell ListMcpResourcesTool LS LSP MultiEdit NotebookEdit NotebookRead Read ReadMcpResourceTool SendMessage Skill SlashCommand Task TaskCreate TaskOutput TaskStop TaskUpdate TodoRead TodoWrite WebFetch WebSearch Write CronCreate CronDelete CronList",
    Codex:
      "apply_patch close_agent container.exec exec_command grep_files list_dir list_mcp_resources local_shell read_file read_mcp_resource request_permissions request_user_input shell shell_command spawn_agent send_input update_plan view_image wait_agent web_search write_stdin js_repl",
    Copilot:
      "apply_patch await_terminal copilot_getNotebookSummary create_and_run_task create_directory create_file create_new_jupyter_notebook create_new_workspace edit_notebook_file execution_subagent fetch_webpage file_search get_changed_files get_errors get_project_setup_info get_task_output get_terminal_output get_vscode_api github_repo grep_search insert_edit_into_file install_extension kill_terminal list_code_usages list_dir manage_todo_list memory multi_replace_string_in_file open_simple_browser read_file read_notebook_cell_output read_project_structure replace_string_in_file run_in_terminal run_notebook_cell run_task run_vscode_command runSubagent runTests search_subagent search_workspace_symbols semantic_search send_to_terminal switch_agent test_failure view_image vscode_askQuestions vscode_listCodeUsages vscode_renameSymbol",
    "Copilot CLI":
      "ask_user bash create edit glob grep list_bash read_bash report_intent skill stop_bash store_memory task view web_fetch write_bash",
    "Gemini CLI and Qwen Code":
      "activate_skill ask_user codebase_investigator complete_task enter_plan_mode exit_plan_mode glob google_web_search grep_search invoke_agent list_background_processes list_directory lsp read_background_output read_file read_many_files replace run_shell_command save_memory search_file_content task todo_write update_topic web_fetch write_file write_todos",
    Cline:
      "apply_patch ask_question editor fetch_web_content read_files run_commands search_codebase skills submit_and_exit access_mcp_resource ask_followup_question attempt_completion execute_command list_code_definition_names list_files new_task plan_mode_respond read_file replace_in_file search_files use_mcp_tool write_to_file",
    "Roo Code":
      "apply_diff codebase_search edit_file generate_image insert_content read_command_output search_and_replace search_replace switch_mode update_todo_list browser_action",
    "Cursor and Windsurf":
      "codebase_search command_status create_diagram delete_file diff_history edit_file find_by_name glob_file_search grep_search list_dir propose_code read_file read_lints read_url_content replace_file_content run_command run_terminal_cmd search_replace search_web todo_write view_code_item view_file write_to_file",
    "opencode and pi":
      "bash batch codesearch edit find glob grep list ls lsp multiedit patch plan_exit question read skill task todoread todowrite webfetch websearch write",
    serena:
      "activate_project check_onboarding_performed create_text_file delete_lines delete_memory execute_shell_command find_file find_referencing_symbols find_symbol get_symbols_overview initial_instructions insert_after_symbol insert_at_line insert_before_symbol list_dir list_memories onboarding read_file read_memory rename_symbol replace_content replace_lines replace_regex replace_symbol_body restart_language_server search_for_pattern switch_modes think_about_collected_information write_memory",
    "MCP's file system server and Anthropic's tools":
      "create_directory directory_tree edit_file get_file_info list_directory list_directory_with_sizes move_file read_media_file read_multiple_files read_text_file search_files write_file str_replace_editor str_replace_based_edit_tool undo_edit code_interpreter",
    "the systems that Toolhost unites":
      "Bash Read Write Edit Glob Grep WebFetch WebSearch bash read patch agent read_file write_file edit_file run_command glob_files grep_search go_test create_task list_tasks view_task update_task delete_task create_schedule list_schedules list_threads view_thread search_threads spawn_worker read_large_result membot_add membot_copy membot_count_lines membot_diff membot_edit membot_exists membot_info membot_list membot_move membot_pipe membot_prune membot_query membot_read membot_refresh membot_remove membot_search membot_stats membot_tree membot_versions membot_write",
  };

  test.each(Object.entries(ALL).flatMap(([system, names]) => names.split(" ").map((name) => ({ system, name }))))(
    "$name of $system gets an answer of its own",
    ({ name }) => {
      const own = tools.some((tool) => tool.name === name);
      const hint = own ? "" : unknownTool(name, { $: 1 }, tools, { ifNone: "" }).hint;
      expect(hint).not.toMatch(/^Tools: |^Did you mean|^The names of/);
      for (const [, named = ""] of hint?.matchAll(/\bUse (\w+)/g) ?? []) {
        expect(withParts(tools).map((tool) => tool.name)).toContain(named);
      }
    },
  );

  test.each([
    { name: "WebFetch", hint: "Fields of web_fetch: url (string, required), find (string)." },
    { name: "delete_file", hint: "Use apply_patch with the line *** Delete File: <path>." },
    { name: "find_symbol", hint: "Use symbols." },
    { name: "memory", hint: "Use memory_read, memory_write or memory_delete." },
    { name: "exit_plan_mode", hint: "There are no modes to change. Write a plan as your answer." },
    { name: "runTests", hint: "Run the project's tests with exec." },
    { name: "get_changed_files", hint: "Use exec with git status." },
    {
      name: "delegate_to_agent",
      hint: "Fields of sessions_spawn: prompt (string, required), tools (read_only|inherit), sandbox (worktree).",
    },
    {
      name: "insert_edit_into_file",
      hint: "No tool here guesses where code belongs. Give edit the exact old_text and its new_text.",
    },
  ])("$name: $hint", ({ name, hint }) => {
    expect(unknownTool(name, {}, tools, { ifNone: "" }).hint).toBe(hint);
  });

  test("what to use instead is only what is offered", () => {
    const reading = tools.filter(({ name }) => name === "read");
    expect(unknownTool("WebFetch", {}, reading, { ifNone: "" }).hint).toBe("No tool here reaches the web.");
    expect(unknownTool("delete_file", {}, reading, { ifNone: "" }).hint).toBe("Tools: read.");
    expect(unknownTool("str_replace_editor", {}, reading, { ifNone: "" }).hint).toBe("Use read.");
    expect(unknownTool("complete_task", {}, reading, { ifNone: "" }).hint).toBe(
      "Answer without a call: that ends the turn.",
    );
  });

  test("a name like no other is told where the names are, and the list only where it is short", () => {
    const hint = (name: string, lacking: Lacking = {}): string | undefined =>
      unknownTool(name, {}, tools, { ifNone: "", ...lacking }).hint;
    expect(hint("no_tool_is_like_this")).toBe("The names of the tools are in your list.");
    expect(hint("no_tool_is_like_this", { toolList: "/tools lists them." })).toBe("/tools lists them.");
    expect(hint("reed")).toBe("Did you mean read?");
    const inWindow = tools.filter(({ needs }) => !needs.includes("code") && !needs.includes("languageServers"));
    for (const name of ["get_symbols_overview", "usages", "go_to_definition", "problems", "rename"]) {
      expect(unknownTool(name, {}, inWindow, { ifNone: "" }).hint).toMatch(/^No tool here asks a language server\. ./);
    }
    expect(hint("get_symbols_overview")).toBe("Use symbols.");
    expect(hint("go_to_definition")).toBe("Use references; its kind says what to find, such as definition or callers.");
  });

  test("a tool that the caller lacks, by its name, a like one or another system's, is told why", () => {
    const offered = tools.filter(({ name }) => name !== "process");
    const absent = new Map([["process", "process is elsewhere."]]);
    for (const name of ["process", "Process", "proces", "process_poll", "KillShell"]) {
      expect(unknownTool(name, {}, offered, { ifNone: "", absent }).hint).toBe("process is elsewhere.");
      expect(nameHint(name, offered, { absent })).toBe("process is elsewhere.");
    }
    expect(unknownTool("bash", { command: "ls" }, offered, { ifNone: "", absent }).hint).toMatch(/^Use exec\./);
  });

  test("calls of the systems that Toolhost unites run", () => {
    for (const [name, input, ours] of [
      ["membot_write", { path: "a.md", content: "x" }, "context_write"],
      ["membot_read", { logical_path: "a.md" }, "context_read"],
      ["membot_pipe", { tool_name: "ls", tool_input: {}, path: "x" }, "pipe"],
      ["membot_query", { logical_path: "a.json", expression: "$" }, "query"],
      ["read_large_result", { id: "lr_1", page: 2 }, "read_result"],
      ["membot_search", { query: "x" }, "context_search"],
      ["create_task", { name: "x", description: "y" }, "document"],
      ["CronList", {}, "cron"],
    ] as const) {
      expect([name, meantCall(name, input, tools)?.tool.name]).toEqual([name, ours]);
    }
  });
});
