import { expect, test, vi } from "vitest";
import { Agents } from "../../../src/agent/agents.js";
import { FolderGuides } from "../../../src/agent/folderGuides.js";
import { workspaceNotes } from "../../../src/agent/workspaceNotes.js";
import { toolLike } from "../core/someTool.js";
import { openWorkspace, type FileTree } from "../tools/workspace.js";
import { answering, call, lines, ScriptedModel, sessionLog, text, turn } from "./rig.js";

const never = new AbortController().signal;
const TREE: FileTree = {
  "AGENTS.md": "Top.\n",
  "src/AGENTS.md": "Of src.\n",
  "src/deep/CLAUDE.md": "Of deep.\n",
  "src/deep/a.ts": "a\n",
  "src/deep/b.css": "b\n",
  "lib/x.ts": "x\n",
  ".github/instructions/ts.instructions.md": '---\napplyTo: "**/*.ts,**/*.{tsx,mts}"\n---\nUse types.\n',
  ".github/instructions/css.instructions.md": "---\napplyTo: src/**/*.css\n---\nUse grid.\n",
  ".github/instructions/byHand.instructions.md": "Only by hand.\n",
};

test.each<{ path: string; told: string[] }>([
  { path: "src/deep/a.ts", told: ["Of src.", "Of deep.", "Use types."] },
  { path: "src/deep/b.css", told: ["Of src.", "Of deep.", "Use grid."] },
  { path: "lib/x.ts", told: ["Use types."] },
  { path: "src/AGENTS.md", told: [] },
  { path: "src", told: [] },
  { path: "src/missing.ts", told: [] },
  { path: "../elsewhere.ts", told: [] },
])("$path is told with $told", async ({ path, told }) => {
  const { files } = await openWorkspace(TREE);
  const notes = await new FolderGuides(files).of(path, () => false, never);
  expect(notes.map((note) => note.text.trim())).toEqual(told);
});

test("a file that is read again is not looked up again", async () => {
  const { files } = await openWorkspace(TREE);
  const resolve = vi.spyOn(files, "resolve");
  const guides = new FolderGuides(files);
  const first = await guides.of("src/deep/a.ts", () => false, never);
  resolve.mockClear();
  expect(await guides.of("src/deep/a.ts", () => false, never)).toEqual(first);
  expect(resolve).not.toHaveBeenCalled();
});

test.each<{ what: string; tree: FileTree; told: string[] }>([
  { what: "both", tree: { "AGENTS.md": "A.", "CLAUDE.md": "C." }, told: ["A.", "C."] },
  { what: "only CLAUDE.md", tree: { "CLAUDE.md": "C." }, told: ["C."] },
  { what: "the same text twice", tree: { "AGENTS.md": "A.", "CLAUDE.md": "A." }, told: ["A."] },
  { what: "one that includes the other", tree: { "AGENTS.md": "A.", "CLAUDE.md": "@AGENTS.md\n" }, told: ["A."] },
  { what: "Copilot's", tree: { ".github/copilot-instructions.md": "P." }, told: ["P."] },
])("the system prompt has the guides of the top folder: $what", async ({ tree, told }) => {
  const { files } = await openWorkspace(tree);
  expect((await workspaceNotes(files, true, never)).map((note) => note.text)).toEqual(told);
});

test("guides follow the first result about a file below them, once", async () => {
  const { files } = await openWorkspace(TREE);
  const scripts = [
    [call("1", "read", { path: "src/deep/a.ts" })],
    [call("2", "edit", { path: "src/deep/a.ts" })],
    [text("ok")],
  ];
  const { model } = await turn(scripts, { guides: new FolderGuides(files), callTool: answering() });
  const [first = "", second = ""] = lines(model.requests[2]?.messages ?? []).filter((line) =>
    line.startsWith("user: ←"),
  );
  expect(first).toContain('result of read\n\n<workspace_file path="src/AGENTS.md">\nOf src.\n</workspace_file>');
  expect(first).toContain("Of deep.");
  expect(second).toBe("user: ← result of edit");
});

test.each([true, false])("an agent in a workspace whose trust is %s gets them only with trust", async (isTrusted) => {
  const { files } = await openWorkspace(TREE);
  const log = sessionLog();
  const callTool = answering();
  const agents = new Agents({
    ...{ log: () => Promise.resolve(log), files, results: undefined, tools: () => [], callTool, now: Date.now },
    models: {
      list: () => Promise.resolve({ models: [], problems: [] }),
      find: () => Promise.reject(new Error("none")),
    },
    ...{ isTrusted: () => isTrusted, hasMemory: () => true },
  });
  const model = new ScriptedModel([[call("1", "read", { path: "src/deep/a.ts" })], [text("ok")]]);
  await agents.run({
    ...{ session: "s", kind: "agent", content: [{ type: "text", text: "Do it." }], model, callTool },
    tools: [toolLike({ name: "read" })],
    ...{ signal: never, onEvent: () => undefined },
  });
  expect(JSON.stringify(model.requests[1]).includes("Of src.")).toBe(isTrusted);
  expect(JSON.stringify(model.requests[1]).includes("workspace_file path")).toBe(isTrusted);
});
