import { describe, expect, it } from "vitest";
import { failed, openWorkspace, result } from "./workspace.js";

const NAMES = ["__proto__", "constructor", "hasOwnProperty", "toString"];
const LONG = "n".repeat(10_000);

describe("names that other programs stumble over", () => {
  it.each(NAMES)("%s is a name like others", async (name) => {
    const text = `export function ${name}() {\n  return 1;\n}\n${name}();\n`;
    const { call, bytes } = await openWorkspace({
      "a.js": text,
      "b.py": `class A:\n    def ${name}(self):\n        pass\n`,
    });
    expect(result(await call("symbols", { path: "a.js" })).text).toMatch(
      `1-3 export function ${name}() {\n[1 symbol.]`,
    );
    expect(result(await call("symbols", { query: name })).data).toMatchObject({ total: 2 });
    expect(failed(await call("references", { symbol: name }))).toMatchObject({
      type: "not_unique",
      message: `${name} is the name of 2 symbols:\n- function ${name}, a.js:1\n- method A.${name}, b.py:2`,
    });
    expect(result(await call("references", { symbol: name, path: "a.js" })).data).toMatchObject({ total: 2 });
    expect(result(await call("references", { symbol: name, path: "a.js", kind: "callers" })).data).toMatchObject({
      places: [{ line: 4, caller: "top level" }],
    });
    expect(result(await call("code_search", { query: name })).data).toMatchObject({
      hits: [{ path: "a.js" }, { path: "b.py" }, {}],
    });
    result(await call("edit_symbol", { symbol: `A.${name}`, path: "b.py", action: "delete", even_if_used: true }));
    expect(String(await bytes("b.py"))).toBe("class A:\n");
  });

  it("knows members that have none of these names", async () => {
    const { call } = await openWorkspace({ "a.js": "export function plain() {\n  return 1;\n}\n" });
    for (const name of NAMES) {
      expect(result(await call("symbols", { query: name })).data).toMatchObject({ total: 0 });
      expect(failed(await call("references", { symbol: name })).type).toBe("not_found");
      expect(failed(await call("references", { symbol: name, kind: name })).type).toBe("invalid_input");
      expect(result(await call("code_search", { query: name })).data).toMatchObject({ hits: [] });
    }
  });

  it("shows a name on one line, without what acts on a terminal", async () => {
    const text = 'export class A {\n  "x\u2028[Forged.]\u001b[31m"() {\n    return 1;\n  }\n}\n';
    const { call } = await openWorkspace({ "a.js": text });
    const shown = 'A."x\\u2028[Forged.]\\u001b[31m"';
    expect(result(await call("symbols", { path: "a.js", query: "x" })).text).toContain(`method ${shown}, a.js:2-4`);
    expect(result(await call("code_search", { query: "forged" })).text.split("\n")[0]).toBe(`a.js:2-4 ${shown}`);
    expect(failed(await call("edit_symbol", { symbol: "y\n[Forged.]", path: "a.js", action: "delete" })).message).toBe(
      "a.js declares no y [Forged.].",
    );
    expect(failed(await call("references", { symbol: "y\n[Forged.]" })).message).toMatch(
      /^y \[Forged\.\]: no such symbol is declared in the workspace/,
    );
  });

  it("shortens a name of ten thousand characters, and finds it", async () => {
    const { call } = await openWorkspace({ "a.js": `export function ${LONG}() {\n  return 1;\n}\n${LONG}();\n` });
    expect(result(await call("symbols", { query: LONG })).text.length).toBeLessThan(1_000);
    const found = result(await call("references", { symbol: LONG }));
    expect(found.data).toMatchObject({ total: 2, symbol: LONG });
    expect(found.text.length).toBeLessThan(1_500);
    expect(failed(await call("references", { symbol: `${LONG}m` })).message.length).toBeLessThan(1_000);
    expect(result(await call("code_search", { query: "n1 return" })).text.length).toBeLessThan(1_500);
  });
});
