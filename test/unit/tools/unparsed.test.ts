import { expect, it } from "vitest";
import { failed, openWorkspace, result } from "./workspace.js";

/** Nothing of it is Java. */
const BROKEN = "%%% needle ((( }}} ;;; <<< needle\n";
const LONG = `// needle\n${"x = 1;\n".repeat(300_000)}`;

it("says of a file that it was not parsed, instead of that it has no symbols", async () => {
  const { call } = await openWorkspace({ "Broken.java": BROKEN, "long.js": LONG });
  expect(failed(await call("symbols", { path: "Broken.java" })).message).toBe(
    "Broken.java does not fit Java's grammar. So it is not known.",
  );
  expect(failed(await call("symbols", { path: "long.js" })).message).toBe(
    "long.js is not parsed, since it has more than 2,000,000 characters. So it is not known.",
  );
  expect(failed(await call("read", { path: "long.js", symbol: "needle" })).type).toBe("unsupported");
});

it("names the files that were not parsed with every answer that is from several", async () => {
  const { call } = await openWorkspace({
    ...{ "Broken.java": BROKEN, "long.js": LONG },
    ...{ "a.js": "export function needle() {}\n", "B.java": "class B {\n  void needle() {}\n}\n" },
  });
  const both =
    "Not parsed: Broken.java does not fit Java's grammar; long.js is not parsed, since it has more than 2,000,000 characters.";
  const symbols = result(await call("symbols", { query: "needle" }));
  expect(symbols.text).toContain(`[${both} There may be more.]`);
  expect(symbols.data).toMatchObject({ total: 2, partial: true });
  expect(failed(await call("references", { symbol: "nowhere" })).message).toBe(
    "nowhere: no such symbol is declared in the workspace, by syntax.",
  );
  expect(failed(await call("references", { symbol: "Other.needle" })).message).toBe(
    `Other.needle: no such symbol is declared in the workspace, by syntax. ${both}`,
  );
  // Only files of the same language can have references.
  expect(result(await call("references", { symbol: "needle", path: "B.java" })).text).toContain(
    "[Not parsed: Broken.java does not fit Java's grammar. There may be more.]",
  );
  expect(failed(await call("edit_symbol", { symbol: "B.needle", path: "B.java", action: "delete" }))).toMatchObject({
    type: "conflict",
    message: expect.stringMatching(
      /^B\.needle has 2 uses.*\nNot parsed: Broken\.java does not fit Java's grammar\.$/s,
    ) as string,
  });
});

it("searches the text of a file that does not fit its grammar, and says so at each search", async () => {
  const { call } = await openWorkspace({ "Broken.java": BROKEN });
  for (let time = 0; time < 2; time++) {
    const found = result(await call("code_search", { query: "needle" }));
    expect(found.data).toMatchObject({ hits: [{ path: "Broken.java", symbol: "" }] });
    expect(found.text).toContain(
      "[Not parsed: Broken.java does not fit Java's grammar and is searched without its symbols.]",
    );
  }
});
