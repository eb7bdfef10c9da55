import type { SyntaxNode } from "../ports/shellGrammar.js";

/**
 * Returns the node of a type that starts at an offset in a tree; the outermost if there are several.
 * @param at offset into the text, in UTF-16 units
 */
export function nodeAt(tree: SyntaxNode, at: number, type: string): SyntaxNode | undefined {
  let node: SyntaxNode | undefined = tree;
  while (node !== undefined) {
    if (node.type === type && node.startIndex === at) {
      return node;
    }
    node = childAround(node, at);
  }
  return undefined;
}

/** Returns the child that contains an offset. A program may have thousands of children, so this is a binary search. */
function childAround({ children }: SyntaxNode, at: number): SyntaxNode | undefined {
  let [low, high] = [0, children.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((children[middle]?.endIndex ?? 0) > at) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  const child = children[low];
  return child !== undefined && child.startIndex <= at ? child : undefined;
}

/** Returns all outermost nodes of some types in a tree, in source order. */
export function outermost(tree: SyntaxNode, types: ReadonlySet<string>): readonly SyntaxNode[] {
  return types.has(tree.type) ? [tree] : tree.children.flatMap((child) => outermost(child, types));
}
