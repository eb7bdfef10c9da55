import { describe, expect, it } from "vitest";
import type { FileEdits } from "../../../src/ports/languageServers.js";
import { servers } from "./serverTools.js";
import { failed, openWorkspace, result, type TestWorkspace, type WorkspaceOptions } from "./workspace.js";

const FILES = { "a.ts": "export function old() {}\n", "b.ts": 'import { old } from "./a.js";\r\nold();\r\n' };
const at = (line: number, from: number, to: number, text: string): FileEdits["edits"][number] => ({
  range: { start: { line, column: from }, end: { line, column: to } },
  text,
});
const EDITS: FileEdits[] = [
  { path: "a.ts", edits: [at(1, 17, 20, "new_")] },
  { path: "b.ts", edits: [at(2, 1, 4, "new_"), at(1, 10, 13, "new_")] },
];

function open(edits: FileEdits[] = EDITS, options: WorkspaceOptions = {}, files = {}): Promise<TestWorkspace> {
  const languageServers = servers({ rename: async () => ({ state: "answered", by: "server", value: edits }) });
  return openWorkspace({ ...FILES, ...files }, { ...options, capabilities: { languageServers } });
}
const INPUT = { symbol: "old", path: "a.ts", new_name: "new_" };

describe("rename_symbol", () => {
  it("changes every file, in one step that undo takes back", async () => {
    const { call, bytes, changes, files } = await open();
    const done = result(await call("rename_symbol", INPUT, { session: "s", turn: "t" }));
    expect(done.text).toBe("Renamed old to new_: 3 places in 2 files.\n- a.ts (+1 −1)\n- b.ts (+2 −2)");
    expect(done.data).toMatchObject({
      old_name: "old",
      places: 3,
      files: [{ path: "a.ts", saved: true }, { path: "b.ts" }],
    });
    expect(String(await bytes("b.ts"))).toBe('import { new_ } from "./a.js";\r\nnew_();\r\n');
    const who = { session: "s", turn: "u", callId: "u", door: "api", summary: "Undo" } as const;
    await changes.undo(who, { session: "s", turn: "t" }, files, new AbortController().signal);
    expect(String(await bytes("a.ts"))).toBe(FILES["a.ts"]);
    expect(String(await bytes("b.ts"))).toBe(FILES["b.ts"]);
  });

  it("asks with the diff of every file, and does nothing after a no", async () => {
    const { call, asked, bytes } = await open();
    expect(failed(await call("rename_symbol", INPUT, { as: "model", answer: false })).type).toBe("denied");
    expect(asked[0]?.detail.text).toContain("-old();");
    expect(asked[0]?.detail.text).toContain("+export function new_() {}");
    expect(String(await bytes("a.ts"))).toBe(FILES["a.ts"]);
    result(await call("rename_symbol", INPUT, { as: "model", answer: true }));
    expect(String(await bytes("a.ts"))).toBe("export function new_() {}\n");
  });

  it("is refused where a rule denies one of its files", async () => {
    const rules = [{ tool: "rename_symbol", decision: "deny", path: "b.ts" }];
    const { call, bytes } = await open(EDITS, { rules });
    const { type, message } = failed(await call("rename_symbol", INPUT, { as: "model" }));
    expect(type).toBe("denied");
    expect(message).toContain("a user's rule denies it");
    expect(String(await bytes("a.ts"))).toBe(FILES["a.ts"]);
  });

  it("asks about protected files, and reaches none outside", async () => {
    const guarded = [...EDITS, { path: ".vscode/settings.json", edits: [at(1, 1, 1, "old")] }];
    const one = await open(guarded, {}, { ".vscode/settings.json": "{}" });
    expect(failed(await one.call("rename_symbol", INPUT, { as: "model", mode: "default", answer: false })).type).toBe(
      "denied",
    );
    expect(one.asked[0]?.reasons.join()).toContain(".vscode/settings.json");
    const outside = await open([{ path: "/etc/hosts", edits: [at(1, 1, 1, "x")] }]);
    expect(failed(await outside.call("rename_symbol", INPUT, { as: "model", answer: false })).type).toMatch(
      /outside_workspace|denied/,
    );
  });

  it("changes nothing if the server does not know a text", async () => {
    const { call, bytes } = await open([EDITS[0] as FileEdits, { path: "b.ts", edits: [at(2, 4, 7, "new_")] }]);
    expect(failed(await call("rename_symbol", INPUT))).toMatchObject({ type: "stale" });
    expect(String(await bytes("a.ts"))).toBe(FILES["a.ts"]);
    const far = await open([{ path: "a.ts", edits: [at(9, 1, 2, "x")] }]);
    expect(failed(await far.call("rename_symbol", INPUT)).type).toBe("stale");
    const twice = await open([{ path: "a.ts", edits: [at(1, 17, 20, "x"), at(1, 18, 20, "y")] }]);
    expect(failed(await twice.call("rename_symbol", INPUT)).type).toBe("stale");
  });

  it("says what is not known, and what would change nothing", async () => {
    const late = servers({ rename: async () => ({ state: "not_ready", why: "The server has not answered." }) });
    const { call } = await openWorkspace(FILES, { capabilities: { languageServers: late } });
    expect(failed(await call("rename_symbol", INPUT)).type).toBe("unavailable");
    const none = await open([]);
    expect(failed(await none.call("rename_symbol", INPUT)).message).toBe("Renaming old to new_ would change nothing.");
    const alone = await openWorkspace(FILES);
    expect(failed(await alone.call("rename_symbol", INPUT)).type).toMatch(/unavailable|unknown_tool/);
  });
});
