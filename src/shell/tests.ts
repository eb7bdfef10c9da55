/** `[ … ]` is a command with words, and `[[ … ]]` a shell expression. tree-sitter reads both as expressions. */
import type { SyntaxNode } from "../ports/shellGrammar.js";
import { staying, type Flow, type Folders } from "./folders.js";
import { isDigits } from "./known.js";
import { runCommand } from "./runCommand.js";
import type { StatementWalk } from "./statements.js";
import { readWord, type Word } from "./words/words.js";

/** Operators that evaluate both sides as arithmetic, in which a subscript may run a command. */
const ARITHMETIC = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);

/** Operators on a variable's name, which may have a subscript. */
const OF_VARIABLE = new Set(["-v", "-R"]);

/** Walks `[ … ]`: words up to `]`, which bash splits at whitespace; an operator among them ends the command early. */
export function walkTest(walk: StatementWalk, node: SyntaxNode, folders: Folders): Flow {
  const words = wordsOf(walk, node, folders, /^(?:[ \t]|\\\n)*/);
  if (words === undefined || words.at(-1)?.raw !== "]") {
    walk.doubt(`\`${walk.shown(node)}\` is not one command`);
    walk.loosely(node, folders);
    return staying(folders);
  }
  const text = walk.text.slice(node.startIndex, node.endIndex);
  return runCommand(walk.program, { words, text, wrappers: walk.program.wrappers, folders });
}

/** Walks `[[ … ]]`, which runs nothing except substitutions. */
export function walkConditional(walk: StatementWalk, node: SyntaxNode, folders: Folders): Flow {
  if (walk.program.dialect !== "bash") {
    walk.doubt("`[[` is a command in other shells");
  }
  const words = wordsOf(walk, node, folders, /^(?:[ \t\n]|\\\n|&&|[|()]|[<>](?!\())*/);
  if (
    words === undefined ||
    words[0]?.raw !== "[[" ||
    words.findIndex((word) => word.raw === "]]") !== words.length - 1
  ) {
    walk.doubt(`\`${walk.shown(node)}\` is not understood`);
    walk.loosely(node, folders);
    return staying(folders);
  }
  words.forEach((word, index) => {
    // Compares the word's value, because a line continuation may split the operator. A quoted operator then counts as
    // one too, which only adds doubts.
    const operator = word.value ?? "";
    const sides = OF_VARIABLE.has(operator)
      ? [words[index + 1]]
      : ARITHMETIC.has(operator)
        ? [words[index - 1], words[index + 1]]
        : [];
    if (sides.some((side) => !isNumber(side, OF_VARIABLE.has(operator)))) {
      walk.doubt(`\`${word.raw}\` evaluates its operands`);
    }
  });
  return staying(folders);
}

/** Returns the words in a node's text; undefined if there is anything between them that `between` does not allow. */
function wordsOf(
  walk: StatementWalk,
  node: SyntaxNode,
  folders: Folders,
  between: RegExp,
): readonly Word[] | undefined {
  walk.folders = folders;
  const words: Word[] = [];
  let at = node.startIndex;
  while (at < node.endIndex) {
    const read = readWord(walk, at);
    if (read.end === at || read.end > node.endIndex) {
      return undefined;
    }
    words.push(...read.words);
    at = read.end + (between.exec(walk.text.slice(read.end, node.endIndex))?.[0].length ?? 0);
  }
  return words;
}

function isNumber(word: Word | undefined, orName: boolean): boolean {
  if (
    word?.known?.known.kind === "alike" &&
    isDigits(word.known.known.text) &&
    word.known.before === "" &&
    word.known.after === ""
  ) {
    return true;
  }
  return (
    word !== undefined &&
    (/^(?:-?[0-9]+|\$[#?]|"\$[#?]")$/.test(word.raw) || (orName && /^[A-Za-z_][A-Za-z0-9_]*$/.test(word.raw)))
  );
}
