// Blocks of SEARCH and REPLACE, as Cline and Roo Code have models write edits.
import { expect, test } from "vitest";
import { failed, openWorkspace, result } from "./workspace.js";

const TEXT = "import a\n\nfunction f() {\n  return 1;\n}\n\nfunction g() {\n  return 1;\n}\nend";
const block = (search: string, replace: string): string =>
  `------- SEARCH\n${search}=======\n${replace}+++++++ REPLACE\n`;

test.each<{ name: string; diff: string; after: string }>([
  {
    name: "one block",
    diff: block("function f() {\n  return 1;\n", "function f() {\n  return 2;\n"),
    after: TEXT.replace("return 1", "return 2"),
  },
  {
    name: "several, in another order, one of which deletes lines",
    diff: `${block("end\n", "the end\n")}\n${block("import a\n\n", "")}`,
    after: TEXT.replace("import a\n\n", "").replace("\nend", "\nthe end"),
  },
  {
    name: "the older form, in a fence",
    diff: "```\n<<<<<<< SEARCH\nimport a\n=======\nimport b\nimport c\n>>>>>>> REPLACE\n```",
    after: TEXT.replace("import a", "import b\nimport c"),
  },
  {
    name: "Roo Code's line, which tells two places apart",
    diff: "<<<<<<< SEARCH\n:start_line:8\n-------\n  return 1;\n=======\n  return 3;\n>>>>>>> REPLACE",
    after: TEXT.replace(/return 1(?=;\n\}\nend)/, "return 3"),
  },
  {
    name: "text that looks like parts of other patches",
    diff: block("end\n", "-end\n+end\n*** End Patch\n@@ -1 +1 @@\n-------\n"),
    after: TEXT.replace(/end$/, "-end\n+end\n*** End Patch\n@@ -1 +1 @@\n-------"),
  },
])("$name", async ({ diff, after }) => {
  const { call, bytes } = await openWorkspace({ "a.ts": TEXT });
  result(await call("replace_in_file", { path: "a.ts", diff }));
  expect(String(await bytes("a.ts"))).toBe(after);
  const second = await openWorkspace({ "a.ts": TEXT });
  result(await second.call("apply_patch", { file_path: "a.ts", diff }));
  expect(String(await second.bytes("a.ts"))).toBe(after);
});

test.each<{ name: string; diff: string; message: RegExp }>([
  { name: "two places", diff: block("  return 1;\n", "  return 2;\n"), message: /matches 2 places|2 places/ },
  { name: "no place", diff: block("import x\n", "import y\n"), message: /not found|does not match/ },
  { name: "a part of a line", diff: block("import\n", "export\n"), message: /not found|does not match/ },
  {
    name: "a second middle",
    diff: block("import a\n=======\nx\n", "y\n"),
    message:
      /a block has a second ======= line \(line 5\), so where its SEARCH part ends is not clear\. Nothing was changed\. Use edit/,
  },
  { name: "a block that is cut off", diff: "------- SEARCH\nend\n=======\nthe e", message: /may be cut off/ },
  { name: "no middle", diff: "------- SEARCH\nend\n+++++++ REPLACE", message: /has no ======= line/ },
  { name: "a block within a block", diff: `------- SEARCH\n${block("end\n", "x\n")}`, message: /has no REPLACE line/ },
  {
    name: "nothing to search for",
    diff: block("", "x\n"),
    message: /nothing to search for.*write replaces a whole file/,
  },
  {
    name: "words around it",
    diff: `I change the end:\n${block("end\n", "x\n")}`,
    message: /line 1 is outside of the blocks/,
  },
])("$name is refused, and nothing changes", async ({ diff, message }) => {
  const { call, bytes } = await openWorkspace({ "a.ts": TEXT });
  const error = failed(await call("apply_patch", { path: "a.ts", diff }));
  expect(`${error.message} ${error.hint ?? ""}`).toMatch(message);
  expect(String(await bytes("a.ts"))).toBe(TEXT);
});

test("says where such a text belongs", async () => {
  const { call } = await openWorkspace({ "a.ts": TEXT });
  const diff = block("end\n", "x\n");
  expect(failed(await call("edit", { path: "a.ts", diff })).message).toBe(
    "edit: diff: edit replaces one text. Call apply_patch with path and diff.",
  );
  expect(failed(await call("apply_patch", { patch: diff })).message).toBe(
    "apply_patch: patch: has SEARCH and REPLACE blocks, which need the file as path.",
  );
});
