import { describe, expect, it } from "vitest";
import type { CodeAction, FileEdits, LanguageServers } from "../../../src/ports/languageServers.js";
import { servers } from "./serverTools.js";
import { failed, openWorkspace, result, type TestWorkspace } from "./workspace.js";

const insert = (text: string): readonly FileEdits[] => [
  { path: "a.ts", edits: [{ range: { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } }, text }] },
];
const ACTIONS: CodeAction[] = [
  { title: "Add import", kind: "quickfix", isPreferred: true, edits: insert("import x;\n") },
  {
    title: "Move to a new file",
    kind: "refactor.move",
    isPreferred: false,
    refused: "runs a command of its extension",
  },
];

function open(given: Partial<LanguageServers> = {}): Promise<TestWorkspace> {
  const asked: LanguageServers = servers({
    actions: async (_at, _range, { only }) => ({
      ...{ state: "answered" as const, by: "server" as const },
      value:
        only === "source.organizeImports"
          ? [{ title: "Organize", kind: only, isPreferred: false, edits: insert("// tidy\n") }]
          : ACTIONS,
    }),
    format: async () => ({ state: "answered", by: "server", value: insert("")?.[0]?.edits.slice() ?? [] }),
    ...given,
  });
  return openWorkspace({ "a.ts": "x();\n" }, { capabilities: { languageServers: asked } });
}

describe("code_actions", () => {
  it("lists what is offered and changes nothing", async () => {
    const { call, bytes } = await open();
    const listed = result(await call("code_actions", { path: "a.ts", line: 1 }, { as: "model", mode: "plan" }));
    expect(listed.text).toBe(
      "- Add import (quickfix, preferred)\n- Move to a new file (refactor.move)\n[Apply one by its title.]",
    );
    expect(listed.data).toMatchObject({ applied: null, actions: [{ title: "Add import", preferred: true }, {}] });
    expect(String(await bytes("a.ts"))).toBe("x();\n");
  });

  it("applies one, as a change that plan mode refuses", async () => {
    const { call, bytes } = await open();
    const apply = { path: "a.ts", line: 1, apply: "Add import" };
    expect(failed(await call("code_actions", apply, { as: "model", mode: "plan" })).type).toBe("denied");
    expect(result(await call("code_actions", apply)).text).toBe("Applied: Add import.\n- a.ts (+1 −0)");
    expect(String(await bytes("a.ts"))).toBe("import x;\nx();\n");
    result(await call("code_actions", { path: "a.ts", apply: "organize_imports" }));
    expect(String(await bytes("a.ts"))).toBe("// tidy\nimport x;\nx();\n");
    expect(result(await call("code_actions", { path: "a.ts", apply: "format" })).text).toBe(
      "Format: there was nothing to change.",
    );
  });

  it("says what it cannot apply", async () => {
    const { call } = await open();
    expect(failed(await call("code_actions", { path: "a.ts", apply: "Add imports" }))).toMatchObject({
      type: "not_found",
      hint: 'Did you mean "Add import"?',
    });
    expect(failed(await call("code_actions", { path: "a.ts", apply: "Move to a new file" })).message).toBe(
      '"Move to a new file" runs a command of its extension. Nothing was changed.',
    );
    expect(failed(await call("code_actions", { path: "a.ts", line: 9 })).message).toBe("a.ts has 2 lines, not 9.");
    expect(failed(await call("code_actions", { path: "a.ts", line: 1, text: "y" })).type).toBe("no_match");
    expect(failed(await call("code_actions", { path: "nope.ts" })).type).toBe("not_found");
  });
});
