import { describe, expect, test } from "vitest";
import { failed, hosts, openWorkspace, result, type FileTree } from "./workspace.js";
import { pathsOf, tree, type GlobData } from "./globTree.js";

describe.each(hosts)("what matches, on the %s host", (host) => {
  const cases: { name: string; input: { pattern: string; path?: string }; found: string[] }[] = [
    { name: "a name at any depth", input: { pattern: "a.ts" }, found: ["a.ts", "src/a.ts", "src/deep/a.ts"] },
    { name: "a glob of names at any depth", input: { pattern: "*.js*" }, found: ["b.js", "src/b.jsx"] },
    { name: "hidden files", input: { pattern: "x.*" }, found: [".hidden/x.ts"] },
    { name: "hidden folders by **", input: { pattern: "**/x.ts" }, found: [".hidden/x.ts"] },
    { name: "never .git", input: { pattern: "**/config" }, found: [] },
    { name: "a path from the workspace", input: { pattern: "src/*.ts" }, found: ["src/a.ts"] },
    {
      name: "a path with ** over no folder, too",
      input: { pattern: "src/**/*.ts" },
      found: ["src/a.ts", "src/deep/a.test.ts", "src/deep/a.ts"],
    },
    {
      name: "a path from path",
      input: { pattern: "deep/*.ts", path: "src" },
      found: ["src/deep/a.test.ts", "src/deep/a.ts"],
    },
    { name: "./ in front", input: { pattern: "./src/*.ts" }, found: ["src/a.ts"] },
    { name: "./ in front of a name, which is then one path", input: { pattern: "./a.ts" }, found: ["a.ts"] },
    {
      name: "./ in front of names, which then count from path",
      input: { pattern: "./*.ts", path: "src" },
      found: ["src/a.ts"],
    },
    { name: "a folder with its /", input: { pattern: "src/deep/" }, found: ["src/deep/a.test.ts", "src/deep/a.ts"] },
    { name: "a folder without /: a glob finds files", input: { pattern: "src" }, found: [] },
    { name: "braces", input: { pattern: "src/**/*.{jsx,test.ts}" }, found: ["src/b.jsx", "src/deep/a.test.ts"] },
    { name: "?", input: { pattern: "?.ts" }, found: ["a.ts", "src/a.ts", "src/deep/a.ts", ".hidden/x.ts"].sort() },
    { name: "a class", input: { pattern: "[ab].{ts,js}" }, found: ["a.ts", "b.js", "src/a.ts", "src/deep/a.ts"] },
    { name: "case", input: { pattern: "A.ts" }, found: [] },
    { name: "brackets as they are", input: { pattern: "[[]id].ts" }, found: ["[id].ts"] },
    { name: "braces as they are", input: { pattern: "[{]x[}].ts" }, found: ["{x}.ts"] },
    { name: "a dash in front", input: { pattern: "-*" }, found: ["-dash.ts"] },
    { name: "what reads as a flag", input: { pattern: "--pre=id" }, found: [] },
    { name: "a ! in front is a !", input: { pattern: "!bang.ts" }, found: ["!bang.ts"] },
    { name: "a # in front is a #", input: { pattern: "#hash.ts" }, found: ["#hash.ts"] },
    { name: "blanks", input: { pattern: "docs/read me.md" }, found: ["docs/read me.md"] },
    {
      name: "one of several",
      input: { pattern: "@(a|b).@(t|j)s" },
      found: ["a.ts", "b.js", "src/a.ts", "src/deep/a.ts"],
    },
    {
      name: "one of several, one in another",
      input: { pattern: "**/a@(.@(test|spec)|).ts" },
      found: ["a.ts", "src/a.ts", "src/deep/a.test.ts", "src/deep/a.ts"],
    },
    {
      name: "one or none",
      input: { pattern: "src/**/a?(.test).ts" },
      found: ["src/a.ts", "src/deep/a.test.ts", "src/deep/a.ts"],
    },
    { name: "an unclosed one is text", input: { pattern: "a@(b.ts" }, found: [] },
    {
      name: "braces with an empty part",
      input: { pattern: "a{,.test}.ts" },
      found: ["a.ts", "src/a.ts", "src/deep/a.test.ts", "src/deep/a.ts"],
    },
  ];
  test.each(cases)("$name", async ({ input, found }) => {
    const { call } = await openWorkspace(tree, { host });
    const { text, data } = result<GlobData>(await call("glob", input));
    expect(pathsOf(data)).toEqual(found);
    // Why nothing is found is told behind it (below).
    expect(found.length === 0 ? text.split("\n")[0] : text).toBe(
      [
        ...found,
        found.length === 0 ? "[No file matches.]" : `[${found.length} file${found.length === 1 ? "" : "s"}.]`,
      ].join("\n"),
    );
    expect(data).toMatchObject({ total: found.length, sorted_by: "path", partial: false });
  });

  const nothing: { pattern: string; path?: string; says: string }[] = [
    { pattern: "src/deep", says: "src/deep is a folder: src/deep/** finds the 2 files below it." },
    { pattern: "deep", says: "src/deep is a folder: src/deep/** finds what is below it." },
    { pattern: "A.TEST.ts", says: "Case matters: 1 file, such as src/deep/a.test.ts." },
    {
      pattern: "src\\*.ts",
      says: "Folders are separated by /, and \\ escapes the next character: src/*.ts would find 1 file, such as src/a.ts.",
    },
    {
      pattern: "*.jsx|*.js",
      says: "Alternatives are written {a,b}: {*.jsx,*.js} would find 2 files, such as b.js, src/b.jsx.",
    },
    {
      pattern: "*.jsx, *.js",
      says: "Alternatives are written {a,b}: {*.jsx,*.js} would find 2 files, such as b.js, src/b.jsx.",
    },
    {
      pattern: "*.jsx *.js",
      says: "Alternatives are written {a,b}: {*.jsx,*.js} would find 2 files, such as b.js, src/b.jsx.",
    },
    {
      pattern: "*.jsx; *.js",
      says: "Alternatives are written {a,b}: {*.jsx,*.js} would find 2 files, such as b.js, src/b.jsx.",
    },
    {
      pattern: "src/(b|z).jsx",
      says: "Alternatives are written {a,b}: src/{b,z}.jsx would find 1 file, such as src/b.jsx.",
    },
    {
      pattern: "deep\\a.test.ts",
      says: "Folders are separated by /, and \\ escapes the next character: **/deep/a.test.ts would find 1 file, such as src/deep/a.test.ts.",
    },
    {
      pattern: "src/[a-z]+\\.(ts|jsx)$",
      says: "A glob is not a regular expression: src/*.{ts,jsx} would find 2 files, such as src/a.ts, src/b.jsx.",
    },
    { pattern: "**/deep", says: "src/deep is a folder: src/deep/** finds what is below it." },
    {
      pattern: "src|docs",
      says: "Alternatives are written {a,b}: {src,docs}/** would find 5 files, such as docs/read me.md, src/a.ts, src/b.jsx.",
    },
    {
      pattern: '"src/b.jsx"',
      says: "Quotes and @ are part of the name: src/b.jsx would find 1 file, such as src/b.jsx.",
    },
    { pattern: "src/b", says: "A glob must match the whole name: src/b.* would find 1 file, such as src/b.jsx." },
    {
      pattern: "src/{b,z}",
      says: "A glob must match the whole name: src/{b,z}.* would find 1 file, such as src/b.jsx.",
    },
    { pattern: ".*\\.jsx$", says: "A glob is not a regular expression: *.jsx would find 1 file, such as src/b.jsx." },
    {
      pattern: "ws/src/*.jsx",
      says: "Globs start inside the searched folder, without its name: src/*.jsx would find 1 file, such as src/b.jsx.",
    },
    {
      pattern: "src/deep/*.ts",
      path: "src",
      says: "Globs are relative to path: deep/*.ts would find 2 files, such as src/deep/a.test.ts, src/deep/a.ts.",
    },
    { pattern: "deep/a.ts", says: "It is in another folder: **/deep/a.ts would find 1 file, such as src/deep/a.ts." },
    {
      pattern: "lib/*.jsx",
      says: "Files with such names are in other folders: **/*.jsx would find 1 file, such as src/b.jsx.",
    },
    {
      pattern: "lib/b.jsx",
      says: "A file with that name is in another folder: **/b.jsx would find 1 file, such as src/b.jsx.",
    },
    { pattern: ".jsx", says: "A glob must match the whole name: *.jsx would find 1 file, such as src/b.jsx." },
    { pattern: "read", says: "A glob must match the whole name: *read* would find 1 file, such as docs/read me.md." },
  ];
  test.each(nothing)("$pattern that finds nothing says why", async ({ says, ...input }) => {
    const { call } = await openWorkspace(tree, { host });
    expect(result(await call("glob", input)).text).toBe(`[No file matches.]\n[${says}]`);
  });

  test.each(["third/**", "third/*", "third/**/*"])(
    "%s that finds nothing advises nothing that finds every file",
    async (pattern) => {
      const { call } = await openWorkspace(tree, { host });
      expect(result(await call("glob", { pattern })).text).toBe("[No file matches.]");
    },
  );

  test("** within a name is told to be *", async () => {
    const { call } = await openWorkspace(tree, { host });
    expect(result(await call("glob", { pattern: "src/**.ts" })).text).toBe(
      "src/a.ts\n[1 file.]\n[** inside a name means the same as *: src/**/*.ts also searches folders.]",
    );
  });

  test("** that is all of a name in braces is not", async () => {
    const { call } = await openWorkspace(tree, { host });
    expect(result(await call("glob", { pattern: "{none,src/**}" })).text).not.toContain("inside a name");
    expect(result(await call("glob", { pattern: "{none,src/**.ts}" })).text).toContain("** inside a name");
  });

  const refused: { name: string; input: object; type: string; message: RegExp | string }[] = [
    {
      name: "a repetition",
      input: { pattern: "+(a|b).ts" },
      type: "invalid_input",
      message:
        "Invalid glob: +(a|b).ts contains +(…), a repetition; globs here support *, **, ?, [a-z], {a,b}, @(a|b) and ?(a).",
    },
    {
      name: "an optional repetition",
      input: { pattern: "src/*(a).ts" },
      type: "invalid_input",
      message: /contains \*\(…\), a repetition;/,
    },
    {
      name: "what does not match",
      input: { pattern: "!(*.go)" },
      type: "invalid_input",
      message: /contains !\(…\), a negation;/,
    },
    {
      name: "too many forms",
      input: { pattern: "@(a|b|c)".repeat(6) },
      type: "invalid_input",
      message: /expands to more than 200 globs/,
    },
    {
      name: "an unclosed brace",
      input: { pattern: "src/{a" },
      type: "invalid_input",
      message: "Invalid glob: src/{a has a { without its }.",
    },
    {
      name: "an unopened brace",
      input: { pattern: "a}" },
      type: "invalid_input",
      message: "Invalid glob: a} has a } without its {.",
    },
    {
      name: "an unclosed bracket",
      input: { pattern: "[z" },
      type: "invalid_input",
      message: "Invalid glob: [z has a [ without its ].",
    },
    { name: "a negation as a member", input: { pattern: "[!]" }, type: "invalid_input", message: /without its \]/ },
    { name: "nothing", input: { pattern: "" }, type: "invalid_input", message: /^glob: pattern: / },
    { name: "blanks", input: { pattern: "  " }, type: "invalid_input", message: /^Invalid glob: it is empty/ },
    { name: "NUL", input: { pattern: "a\0" }, type: "invalid_input", message: /NUL/ },
    {
      name: "an absolute path",
      input: { pattern: "/etc/*" },
      type: "invalid_input",
      message: /not relative to the searched folder/,
    },
    { name: "..", input: { pattern: "../*" }, type: "invalid_input", message: /not relative to the searched folder/ },
    {
      name: "a drive of Windows",
      input: { pattern: "C:/x/*.ts" },
      type: "invalid_input",
      message: /not relative to the searched folder/,
    },
    {
      name: "a file for a folder",
      input: { pattern: "*", path: "a.ts" },
      type: "invalid_input",
      message: "a.ts is not a folder, so it contains no files.",
    },
    {
      name: "a missing folder",
      input: { pattern: "*", path: "scr" },
      type: "not_found",
      message: "scr: there is no such file or folder.",
    },
    { name: "max_results 0", input: { pattern: "*", max_results: 0 }, type: "invalid_input", message: /max_results/ },
    {
      name: "max_results 5001",
      input: { pattern: "*", max_results: 5001 },
      type: "invalid_input",
      message: /max_results/,
    },
    { name: "another order", input: { pattern: "*", sort: "size" }, type: "invalid_input", message: /sort/ },
  ];
  test.each(refused)("$name is refused", async ({ input, type, message }) => {
    const { call } = await openWorkspace(tree, { host });
    const error = failed(await call("glob", input));
    expect(error.type).toBe(type);
    expect(error.message).toMatch(message);
  });

  test.each(["query", "glob"])("%s is understood as pattern", async (field) => {
    const { call } = await openWorkspace(tree, { host });
    expect(pathsOf(result<GlobData>(await call("glob", { [field]: "b.js" })).data)).toEqual(["b.js"]);
  });
});

describe.each(hosts)("ignored files, on the %s host", (host) => {
  const files: FileTree = {
    ".gitignore": "*.log\nout/\n",
    "a.log": "",
    "out/b.ts": "",
    "src/.ignore": "gen.ts\n",
    "src/gen.ts": "",
    "src/a.ts": "",
    "keep.ts": "",
    ".toolhost/context/c.ts": "",
  };

  test("are left out, and told when nothing else matches", async () => {
    const { call } = await openWorkspace(files, { host });
    expect(pathsOf(result<GlobData>(await call("glob", { pattern: "*.ts" })).data)).toEqual(["keep.ts", "src/a.ts"]);
    expect(result(await call("glob", { pattern: "*.log" })).text).toBe(
      "[No file matches.]\n[1 in ignored files only. Set include_ignored to see them.]",
    );
    expect(result(await call("glob", { pattern: "out/*" })).text).toBe(
      "[No file matches.]\n[1 in ignored files only. Set include_ignored to see them.]",
    );
    expect(result(await call("glob", { pattern: "none" })).text).toBe("[No file matches.]");
    expect(result(await call("glob", { pattern: "*", path: "out" })).text).toBe("out/b.ts\n[1 file.]");
  });

  test("are found with include_ignored; the context cache is not", async () => {
    const { call } = await openWorkspace(files, { host });
    expect(pathsOf(result<GlobData>(await call("glob", { pattern: "*.ts", include_ignored: true })).data)).toEqual([
      "keep.ts",
      "out/b.ts",
      "src/a.ts",
      "src/gen.ts",
    ]);
    expect(result(await call("glob", { pattern: "c.ts", include_ignored: true })).text).toBe("[No file matches.]");
  });

  test("secrets may be named, without a question", async () => {
    const { call, asked } = await openWorkspace({ ".env": "K=1", id_rsa: "K=1" }, { host });
    expect(result(await call("glob", { pattern: "{.env,id_rsa}" }, { as: "model", answer: false })).text).toBe(
      ".env\nid_rsa\n[2 files.]",
    );
    expect(asked).toEqual([]);
  });
});

test("a glob of absolute paths in the searched folder is one relative to it", async () => {
  const { call, folder } = await openWorkspace({ "a.ts": "", "src/b.ts": "" });
  expect(result(await call("glob", { pattern: `${folder}/src/*.ts` })).text).toBe("src/b.ts\n[1 file.]");
  expect(result(await call("glob", { pattern: `${folder}/src/*.ts`, path: "src" })).text).toBe("src/b.ts\n[1 file.]");
  expect(failed(await call("glob", { pattern: `${folder}/*.ts`, path: "src" })).type).toBe("invalid_input");
  expect(failed(await call("glob", { pattern: `${folder}x/*.ts` })).type).toBe("invalid_input");
});
