// The texts at run time that VS Code's views show, for translators: what `vscode.l10n.t` gets in src/views.
import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";

const VIEWS = new URL("../src/views/", import.meta.url);
/** Its texts are problems of files, which models read, too. */
const FOR_MODELS = "tools/diagnostics.ts";
/** What begins like a title or a sentence. */
const WORDS = /^[“(]?(?:A \p{Ll}|\p{Lu}[\p{L}'’]*\p{Ll}[\p{L}'’]*(?:[\s…:.,?!)“”{]|$))/u;
/** Calls whose texts are not for people or are put together by the callee. */
const OTHER_CALLS = /(?:^|\.)(?:count|note|log|info|warn|error)$/;
const LOCALIZED = /\bl10n\.t$/;
/** Its second and third argument are texts: for one, and for several. */
const COUNTED = /\bl10n\.many$/;
/** Names that no language translates, those of keys among them. */
const NAMES = ["Toolhost", "Enter", "Escape"];

/**
 * @typedef {object} Found
 * @property {string} text with `{0}` for what is filled in
 * @property {string} place `file:line`
 * @property {boolean} isLocalized
 */

/** Returns the texts for people in all views that know VS Code. @returns {Found[]} */
export function viewTexts() {
  return readdirSync(VIEWS, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".ts") && path !== FOR_MODELS)
    .sort()
    .flatMap((path) => textsOf(`src/views/${path}`, readFileSync(new URL(path, VIEWS), "utf8")));
}

/** @param {string} path @param {string} code @returns {Found[]} none of a module that does not know VS Code */
export function textsOf(path, code) {
  if (!/^import (?:\* as vscode from "vscode"|\{ l10n \} from "[\w./]+l10n\.js");/m.test(code)) {
    return [];
  }
  const source = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true);
  /** @type {Found[]} */
  const found = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    const text = textOf(node);
    const localized = isLocalizedText(node);
    if (text !== undefined && (localized || (WORDS.test(text) && !NAMES.includes(text) && !isOther(node)))) {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      found.push({ text, place: `${path}:${line}`, isLocalized: localized });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Returns VS Code's bundle of the texts: each is its own key. @param {readonly Found[]} texts @returns {Record<string, string>} */
export function bundleOf(texts) {
  const localized = texts.filter(({ isLocalized }) => isLocalized).map(({ text }) => text);
  return Object.fromEntries([...new Set(localized)].sort().map((text) => [text, text]));
}

/** @param {ts.Node} node @returns {string | undefined} */
function textOf(node) {
  if (ts.isStringLiteralLike(node)) {
    return node.text;
  }
  return ts.isTemplateExpression(node)
    ? node.head.text + node.templateSpans.map(({ literal }, index) => `{${index}}${literal.text}`).join("")
    : undefined;
}

/** @param {ts.Node} node */
function isLocalizedText(node) {
  const { parent } = node;
  if (parent === undefined || !ts.isCallExpression(parent)) {
    return false;
  }
  const [callee, place] = [parent.expression.getText(), parent.arguments.findIndex((argument) => argument === node)];
  return (place === 0 && LOCALIZED.test(callee)) || ([1, 2].includes(place) && COUNTED.test(callee));
}

/** Whether a text is not for people, or is filled into one that is. @param {ts.Node} node */
function isOther(node) {
  for (let at = node, up = node.parent; up !== undefined; at = up, up = up.parent) {
    if (
      ts.isImportDeclaration(up) ||
      ts.isTypeNode(up) ||
      (ts.isNewExpression(up) && up.expression.getText().endsWith("Error")) ||
      (ts.isCallExpression(up) && OTHER_CALLS.test(up.expression.getText())) ||
      (ts.isPropertyAssignment(up) && up.name === at)
    ) {
      return true;
    }
  }
  return false;
}
