import { setFlagsFromString } from "node:v8";
import type { Parser, Tree, TreeCursor } from "web-tree-sitter";
import type { ShellGrammar, SyntaxNode } from "../../ports/shellGrammar.js";
import { loadGrammar } from "./treeSitter.js";

/** Time limit for parsing one program, in ms. A typical one takes 0.5 ms; recovery from errors can be slow. */
const MAX_MILLISECONDS = 200;

/**
 * Maximum nodes and levels of a tree. More than anything a person writes; each node also takes memory outside the
 * parser.
 */
const MAX_NODES = 100_000;
const MAX_LEVELS = 800;

/**
 * V8 compiles the grammar's lexer, a single function with thousands of branches, a second time to make it faster. That
 * takes 500 MB and seconds of a core, although programs are parsed in less than a millisecond either way (Node 24).
 * Both flags are needed, and apply to code that is loaded after they are set.
 */
const COMPILED_ONCE = ["--no-wasm-tier-up", "--no-wasm-dynamic-tiering"];

/**
 * tree-sitter's bash grammar as WebAssembly. It is loaded on first use. A load that failed is not tried again, since
 * its files do not come back while this process runs. A parser that crashed is not used again either.
 */
export class WasmShellGrammar implements ShellGrammar {
  readonly #folder: string;
  readonly #isOwnProcess: boolean;
  #parser: Promise<Parser> | undefined;

  /**
   * @param folder that contains `web-tree-sitter.wasm` and `tree-sitter-bash.wasm`
   * @param options.isOwnProcess whether this process is ours alone, so that V8's flags may be set: they apply to all
   *   WebAssembly in it
   */
  constructor(folder: string, { isOwnProcess = false }: { isOwnProcess?: boolean } = {}) {
    this.#folder = folder;
    this.#isOwnProcess = isOwnProcess;
  }

  async parse(program: string): Promise<SyntaxNode | undefined> {
    this.#parser ??= this.#load();
    const parser = await this.#parser;
    const end = performance.now() + MAX_MILLISECONDS;
    // Returning true stops the parser, whatever the declared type says (web-tree-sitter, `ProgressCallback`).
    const tree = this.#run(() => parser.parse(program, null, { progressCallback: () => performance.now() > end }));
    if (tree === null) {
      parser.reset();
      return undefined;
    }
    try {
      return this.#run(() => plainTree(tree));
    } finally {
      tree.delete();
    }
  }

  #load(): Promise<Parser> {
    if (this.#isOwnProcess) {
      COMPILED_ONCE.forEach((flag) => setFlagsFromString(flag));
    }
    return loadParser(this.#folder);
  }

  /**
   * Runs the parser. One that crashed half-way (out of memory, say) would continue the old program when given the next
   * one, so it is not used again.
   */
  #run<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      const broken = new Error(`The shell command parser crashed: ${String(error)}. Restart Toolhost.`, {
        cause: error,
      });
      this.#parser = Promise.reject(broken);
      this.#parser.catch(() => undefined);
      throw broken;
    }
  }
}

async function loadParser(folder: string): Promise<Parser> {
  try {
    return await loadGrammar(folder, "bash");
  } catch (error) {
    throw new Error(`The shell grammar cannot be loaded from ${folder}: ${String(error)}. Reinstall Toolhost.`, {
      cause: error,
    });
  }
}

/** Copies a tree out of the parser's memory; undefined if it is too large. */
function plainTree(tree: Tree): SyntaxNode | undefined {
  const cursor = tree.walk();
  try {
    return plainNode(cursor, { left: MAX_NODES }, 0);
  } finally {
    cursor.delete();
  }
}

function plainNode(cursor: TreeCursor, nodes: { left: number }, level: number): SyntaxNode | undefined {
  if (level > MAX_LEVELS || nodes.left-- <= 0) {
    return undefined;
  }
  const children: SyntaxNode[] = [];
  const { nodeType: type, nodeIsNamed: isNamed, startIndex, endIndex } = cursor;
  const missing = cursor.nodeIsMissing || type === "ERROR";
  if (cursor.gotoFirstChild()) {
    do {
      const child = plainNode(cursor, nodes, level + 1);
      if (child === undefined) {
        return undefined;
      }
      children.push(child);
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
  }
  return {
    type,
    isNamed,
    hasError: missing || children.some((child) => child.hasError),
    startIndex,
    endIndex,
    children,
  };
}
