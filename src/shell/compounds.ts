/** Walks constructs made of several commands: conditions, loops, cases and functions. */
import type { SyntaxNode } from "../ports/shellGrammar.js";
import { either, sameFolders, staying, type Flow, type Folders } from "./folders.js";
import { parted, type Printed } from "./known.js";
import { walkSimple } from "./simpleCommands.js";
import type { StatementWalk } from "./statements.js";
import { loopValue } from "./words/variableValues.js";
import type { Word } from "./words/words.js";

/** Walks what is between `if` (or `elif`) and its end. */
export function walkIf(walk: StatementWalk, tokens: readonly SyntaxNode[], folders: Folders): Flow {
  const then = tokens.findIndex((token) => token.type === "then");
  const rest = tokens.findIndex((token) => token.type === "elif_clause" || token.type === "else_clause");
  if (then === -1) {
    walk.doubt("a condition is not understood");
    return staying(undefined);
  }
  const condition = walk.sequence(tokens.slice(0, then), folders);
  const body = walk.sequence(tokens.slice(then + 1, rest === -1 ? undefined : rest), condition.ok);
  let [ends, failing]: [Folders, Folders] = [either(body.ok, body.fail), condition.fail];
  for (const clause of rest === -1 ? [] : tokens.slice(rest)) {
    const inside = walk.tokens(clause).slice(1);
    const flow = clause.type === "elif_clause" ? walkIf(walk, inside, failing) : walk.sequence(inside, failing);
    ends = either(ends, flow.ok, flow.fail);
    failing = clause.type === "elif_clause" ? either(failing, flow.fail) : failing;
  }
  return staying(either(ends, failing));
}

export function walkLoop(walk: StatementWalk, node: SyntaxNode, folders: Folders): Flow {
  const tokens = walk.tokens(node);
  const body = tokens.at(-1);
  const head = tokens.slice(0, -1);
  walk.folders = folders;
  const { stdin } = walk;
  const outer = walk.loops.length;
  walk.repeated += 1;
  const start = node.type === "while_statement" ? whileHead(walk, head, folders) : forHead(walk, node, head, folders);
  if (body === undefined || (body.type !== "do_group" && body.type !== "compound_statement")) {
    walk.repeated -= 1;
    walk.doubt("a loop is not understood");
    return staying(undefined);
  }
  const condition = walk.text.slice(head[0]?.endIndex, body.startIndex);
  if (isEndless(keywordOf(head), condition)) {
    walk.doubt(`\`${keywordOf(head)} ${condition.trim().replace(/\s*;$/, "")}\` is an endless loop`);
  }
  if (node.type === "while_statement" && keywordOf(head) === "while") {
    readEach(walk, condition, stdin);
  }
  const flow =
    body.type === "do_group" ? walk.sequence(walk.inside(body, "do", "done"), start) : walk.statement(body, start);
  walk.repeated -= 1;
  walk.loops.length = outer;
  const end = either(folders, start, flow.ok, flow.fail);
  if (!sameFolders(end, folders)) {
    walk.doubt("a loop changes folders");
  }
  return staying(end);
}

/** Conditions that always hold, and those that never do. */
const ALWAYS =
  /^(?:true|:|\/(?:usr\/)?bin\/true|\[ [^\s$`*?[\]-][^\s$`*?[\]]* \]|test \w+|\[\[ \w+ \]\]|\(\( *0*[1-9]\d* *\)\)|! *false)$/;
const NEVER = /^(?:false|\/(?:usr\/)?bin\/false|\[ \]|\(\( *0+ *\)\)|! *(?:true|:))$/;

/** Matches a condition whose last command never fails: `while sleep 1`, `while clear; date`. */
const LAST_SUCCEEDS =
  /(?:^|[;\n&|]) *(?:time +|command +|env +|exec +|nice +|\/(?:usr\/)?bin\/)*(?:sleep|echo|printf|date|pwd|uptime|true|:|clear|tput|uname|hostname|whoami|id|who|w|sync|let [1-9]\d*)(?:[ \t][^;&|\n]*)?$/;

/** Whether a loop's head shows that only its body can end it. */
function isEndless(keyword: string | undefined, condition: string): boolean {
  const plain = condition.trim().replace(/\s*;$/, "");
  const [goesOn, negated] = keyword === "while" ? [ALWAYS, NEVER] : [NEVER, ALWAYS];
  const isNegation = /^!\s/.test(plain);
  const inner = plain.replace(/^!\s+/, "");
  return (
    goesOn.test(plain) ||
    (isNegation && negated.test(inner)) ||
    (LAST_SUCCEEDS.test(inner) && isNegation === (keyword === "until"))
  );
}

function keywordOf(head: readonly SyntaxNode[]): string | undefined {
  return head[0]?.type;
}

/**
 * Handles `… | while IFS= read -r f; do`: in the body, `f` is one of the incoming names. If another command reads the
 * same input, it may leave only part of a name.
 * @param condition as written
 */
function readEach(walk: StatementWalk, condition: string, stdin: Printed | undefined): void {
  const name = /^[ \t]+(?:IFS=(?:''|"")?[ \t]+)?read[ \t]+(?:-r[ \t]+)?([A-Za-z_]\w*)[ \t]*[;\n]\s*$/.exec(
    condition,
  )?.[1];
  if (name === undefined || stdin?.kind !== "names" || stdin.ends !== "line") {
    return;
  }
  const value = loopValue(
    name,
    [{ value: undefined, known: { known: { ...stdin, uses: parted(stdin.uses, "blanks") }, before: "", after: "" } }],
    walk.folders,
  );
  if (value !== undefined && !walk.loops.includes(name)) {
    walk.program.findings.setByLoop(name);
    walk.values = walk.values.with(name, value);
    walk.loops.push(name);
    walk.fed = [...walk.fed, name];
  }
}

function whileHead(walk: StatementWalk, head: readonly SyntaxNode[], folders: Folders): Folders {
  const [keyword, ...condition] = head;
  if (keyword !== undefined) {
    walk.expect(keyword, ["while", "until"]);
  }
  const flow = walk.sequence(condition, folders);
  return either(flow.ok, flow.fail);
}

function forHead(walk: StatementWalk, node: SyntaxNode, head: readonly SyntaxNode[], folders: Folders): Folders {
  if (node.type === "c_style_for_statement") {
    walk.doubt("a C-style loop is not understood");
    walk.loosely({ ...node, children: head }, folders);
    return folders;
  }
  const [keyword, variable, ...rest] = head;
  walk.expect(keyword ?? node, walk.program.dialect === "bash" ? ["for", "select"] : ["for"]);
  const name = variable === undefined ? "" : walk.text.slice(variable.startIndex, variable.endIndex);
  if (keyword?.type === "select") {
    walk.program.findings.sets("REPLY");
  }
  const words: Word[] = [];
  for (const token of rest) {
    if (token.isNamed) {
      const read = walk.word(token);
      noteNames(walk, read);
      words.push(...read);
    } else {
      walk.expect(token, ["in", ";", "\n"]);
    }
  }
  const value = keyword?.type === "for" && !walk.loops.includes(name) ? loopValue(name, words, folders) : undefined;
  walk.program.findings.sets(
    name,
    false,
    value === undefined ? "something" : value.kind === "alike" ? "number" : "loop",
  );
  walk.values = value === undefined ? walk.values.without(name) : walk.values.with(name, value);
  walk.loops.push(name);
  return folders;
}

/** Reports a pattern that reveals which files exist outside: `for f in ~/.ssh/*`. */
function noteNames(walk: StatementWalk, words: readonly Word[]): void {
  const outside = words.find(({ glob }) => glob !== undefined && /^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(glob));
  if (outside !== undefined) {
    walk.doubt(`the files that \`${outside.raw.slice(0, 60)}\` matches may be outside the workspace`);
  }
}

export function walkCase(walk: StatementWalk, node: SyntaxNode, folders: Folders): Flow {
  const [value, ...rest] = walk.inside(node, "case", "esac");
  walk.folders = folders;
  if (value !== undefined) {
    walk.word(value);
  }
  let ends = folders;
  for (const item of rest) {
    if (item.type !== "case_item") {
      walk.expect(item, ["in", ";", "\n"]);
      continue;
    }
    const flow = caseItem(walk, item, either(folders, ends));
    ends = either(ends, flow.ok, flow.fail);
  }
  return staying(ends);
}

function caseItem(walk: StatementWalk, item: SyntaxNode, folders: Folders): Flow {
  const tokens = walk.tokens(item);
  const close = tokens.findIndex((token) => token.type === ")");
  walk.folders = folders;
  for (const pattern of tokens.slice(0, close)) {
    if (pattern.isNamed) {
      walk.word(pattern);
    } else {
      walk.expect(pattern, ["(", "|"]);
    }
  }
  const body = tokens.slice(close + 1);
  const isEnded = [";;", ";&", ";;&"].includes(body.at(-1)?.type ?? "");
  return walk.sequence(isEnded ? body.slice(0, -1) : body, folders);
}

export function walkFunction(walk: StatementWalk, node: SyntaxNode, folders: Folders): Flow {
  const tokens = walk.tokens(node);
  const name = tokens.find((token) => token.type === "word");
  if (name === undefined || (walk.program.dialect !== "bash" && tokens[0]?.type === "function")) {
    walk.doubt("a function is not understood");
  } else {
    walk.program.findings.defines(walk.text.slice(name.startIndex, name.endIndex));
  }
  for (const token of tokens.filter((child) => child !== name)) {
    if (token.type.endsWith("_redirect")) {
      walkSimple(walk, [token], folders, { before: staying(folders) });
    } else if (token.isNamed) {
      walk.statement(token, folders);
    } else {
      walk.expect(token, ["function", "(", ")"]);
    }
  }
  return staying(folders);
}
