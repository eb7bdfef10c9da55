// Writes test/fixtures/code/questions.json: 40 questions about a real project, answered by TypeScript's compiler.
// Run it again when ensure-project.mjs takes another version: node scripts/code-questions.mjs
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { ensureProject, findProject } from "./ensure-project.mjs";
import { repository } from "./paths.mjs";

/**
 * @typedef {{ tool: string, input: Record<string, unknown>, expected: string[] }} Question what to call, and the places
 * (`path:line`) that the answer has
 * @typedef {ts.NamedDeclaration & { name: ts.Identifier }} Named
 * @typedef {{ node: Named, name: string, container: string | undefined, file: ts.SourceFile }} Declared
 */

await ensureProject();
const project = findProject();
const files = readdirSync(join(project, "src"), { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => join(project, "src", name))
  .sort();
const { config } = ts.readConfigFile(join(project, "tsconfig.json"), (path) => ts.sys.readFile(path));
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, project);
const service = ts.createLanguageService({
  getCompilationSettings: () => options,
  getScriptFileNames: () => files,
  getScriptVersion: () => "1",
  getScriptSnapshot: (path) =>
    ts.sys.fileExists(path) ? ts.ScriptSnapshot.fromString(readFileSync(path, "utf8")) : undefined,
  getCurrentDirectory: () => project,
  getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
  ...{ fileExists: ts.sys.fileExists, readFile: ts.sys.readFile, readDirectory: ts.sys.readDirectory },
  ...{ directoryExists: ts.sys.directoryExists, getDirectories: ts.sys.getDirectories },
});
const program = service.getProgram();
if (program === undefined) throw new Error("no program");

/** @param {string} path @param {number} offset @returns {string} */
const place = (path, offset) => {
  const source = program.getSourceFile(path);
  const line = source === undefined ? 0 : source.getLineAndCharacterOfPosition(offset).line + 1;
  return `${relative(project, path)}:${line}`;
};
/** @param {string[]} places @returns {string[]} */
const sorted = (places) => [...new Set(places)].sort();

/** @type {Declared[]} */
const declared = [];
/** @type {Map<string, number>} */
const counts = new Map();
for (const path of files) {
  const file = program.getSourceFile(path);
  if (file === undefined) continue;
  /** @param {ts.Node} node */
  const visit = (node) => {
    const name = /** @type {Partial<Named>} */ (node).name;
    if (name !== undefined && ts.isIdentifier(name) && isDeclaration(node)) {
      const { parent } = node;
      const container =
        ts.isClassDeclaration(parent) || ts.isInterfaceDeclaration(parent) ? parent.name?.text : undefined;
      declared.push({ node: /** @type {Named} */ (node), name: name.text, container, file });
      const key = container === undefined ? name.text : `${container}.${name.text}`;
      for (const each of container === undefined ? [key] : [key, name.text])
        counts.set(each, (counts.get(each) ?? 0) + 1);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
}

/** @param {ts.Node} node */
function isDeclaration(node) {
  return (
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isMethodSignature(node) ||
    ts.isEnumDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertySignature(node) ||
    ts.isModuleDeclaration(node) ||
    ts.isParameter(node)
  );
}

/** Those whose name alone says which they are. @param {(node: ts.Node) => boolean} isWanted */
const named = (isWanted) =>
  declared.filter(
    ({ node, name, container }) =>
      isWanted(node) &&
      counts.get(container === undefined ? name : `${container}.${name}`) === 1 &&
      (container === undefined || counts.get(container) === 1),
  );

/** Every n-th of what gives a question, so that they come from the whole project. @template T @param {readonly T[]} all @param {number} wanted @param {(one: T) => Question | undefined} ask */
function some(all, wanted, ask) {
  const questions = [];
  const step = Math.max(1, Math.floor(all.length / (wanted * 3)));
  for (let start = 0; start < step && questions.length < wanted; start++) {
    for (let at = start; at < all.length && questions.length < wanted; at += step) {
      const one = all[at];
      const question = one && ask(one);
      if (question !== undefined) questions.push(question);
    }
  }
  return questions;
}

/** @param {Declared} declared */
const symbolOf = ({ name, container }) => (container === undefined ? name : `${container}.${name}`);
/** @param {Declared} declared @returns {[string, number]} */
const at = ({ node, file }) => [file.fileName, node.name.getStart(file)];
/** @param {Question} question @param {number} least @param {number} most @returns {Question | undefined} */
const sized = (question, least, most) =>
  question.expected.length >= least &&
  question.expected.length <= most &&
  question.expected.every((each) => each.startsWith("src/"))
    ? question
    : undefined;

const references = some(
  named(
    (node) =>
      ts.isClassDeclaration(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isMethodDeclaration(node) ||
      ts.isInterfaceDeclaration(node),
  ),
  10,
  (one) => {
    const found = service.getReferencesAtPosition(...at(one)) ?? [];
    if (new Set(found.map(({ fileName }) => fileName)).size < 3) return undefined;
    return sized(
      {
        tool: "references",
        input: { symbol: symbolOf(one) },
        expected: sorted(found.map(({ fileName, textSpan }) => place(fileName, textSpan.start))),
      },
      5,
      80,
    );
  },
);

const implementations = some(
  named(
    (node) =>
      ts.isInterfaceDeclaration(node) ||
      ts.isMethodSignature(node) ||
      (ts.isClassDeclaration(node) && (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Abstract) !== 0),
  ),
  8,
  (one) => {
    const found = service.getImplementationAtPosition(...at(one)) ?? [];
    return sized(
      {
        tool: "references",
        input: { symbol: symbolOf(one), kind: "implementations" },
        expected: sorted(found.map(({ fileName, textSpan }) => place(fileName, textSpan.start))),
      },
      2,
      40,
    );
  },
);

const callers = some(
  named((node) => ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)),
  6,
  (one) => {
    const found = service.provideCallHierarchyIncomingCalls(...at(one));
    return sized(
      {
        tool: "references",
        input: { symbol: symbolOf(one), kind: "callers" },
        expected: sorted(found.flatMap(({ from, fromSpans }) => fromSpans.map(({ start }) => place(from.file, start)))),
      },
      3,
      40,
    );
  },
);

/** Calls of methods of things whose type is not written next to them. @type {{ file: ts.SourceFile, name: ts.Identifier }[]} */
const uses = [];
for (const path of files) {
  const file = program.getSourceFile(path);
  if (file === undefined) continue;
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      ts.isIdentifier(node.expression.name)
    )
      uses.push({ file, name: node.expression.name });
    ts.forEachChild(node, visit);
  };
  visit(file);
}
const definitions = some(uses, 10, ({ file, name }) => {
  const { line } = file.getLineAndCharacterOfPosition(name.getStart(file));
  const text = file.text.split("\n")[line] ?? "";
  // One of several of that name, so that a search does not tell.
  if (text.split(name.text).length !== 2 || (counts.get(name.text) ?? 0) < 3) return undefined;
  const found = (service.getDefinitionAtPosition(file.fileName, name.getStart(file)) ?? []).filter(({ fileName }) =>
    fileName.startsWith(join(project, "src")),
  );
  return sized(
    {
      tool: "references",
      input: { symbol: name.text, path: relative(project, file.fileName), line: line + 1, kind: "definition" },
      expected: sorted(found.map(({ fileName, textSpan }) => place(fileName, textSpan.start))),
    },
    1,
    1,
  );
});

const outlines = some(files, 6, (path) => {
  const own = declared.filter(
    ({ file, node }) =>
      file.fileName === path &&
      (ts.isClassDeclaration(node) ||
        ts.isInterfaceDeclaration(node) ||
        ts.isFunctionDeclaration(node) ||
        ts.isMethodDeclaration(node) ||
        ts.isEnumDeclaration(node)),
  );
  return sized(
    {
      tool: "symbols",
      input: { path: relative(project, path) },
      expected: sorted(own.map(({ node, file }) => place(file.fileName, node.name.getStart(file)))),
    },
    8,
    60,
  );
});

const questions = [...references, ...implementations, ...callers, ...definitions, ...outlines];
writeFileSync(
  join(repository, "test", "fixtures", "code", "questions.json"),
  `[\n${questions.map((each) => JSON.stringify(each)).join(",\n")}\n]\n`,
);
console.log(
  `${questions.length} questions: ${[references, implementations, callers, definitions, outlines].map((each) => each.length).join(" + ")}`,
);
