// What language servers give, in our form.
import * as vscode from "vscode";
import type { CodePosition, CodeRange, CodeSymbol } from "../../../ports/code.js";

export function ourPosition({ line, character }: vscode.Position): CodePosition {
  return { line: line + 1, column: character + 1 };
}

export function theirPosition({ line, column }: CodePosition): vscode.Position {
  return new vscode.Position(line - 1, column - 1);
}

export function ourRange({ start, end }: vscode.Range): CodeRange {
  return { start: ourPosition(start), end: ourPosition(end) };
}

/** Returns the name of a kind: `class`, `enum member`. */
export function kindName(kind: vscode.SymbolKind): string {
  return (vscode.SymbolKind[kind] ?? "symbol").replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}

/** A document's symbol: VS Code gives servers' flat ones and nested ones in one list. */
type Given = vscode.DocumentSymbol | vscode.SymbolInformation;

/** Returns a document's symbols in the order of the text, those inside of others after them. */
export function flatSymbols(given: readonly Given[], container: readonly string[] = []): CodeSymbol[] {
  return given.flatMap((symbol) => {
    if (!("selectionRange" in symbol) || symbol.selectionRange === undefined) {
      return [flatSymbol(symbol as vscode.SymbolInformation)];
    }
    const named = { ...ownName(symbol.name, container), kind: kindName(symbol.kind) };
    const own = { ...named, nameAt: ourPosition(symbol.selectionRange.start), range: ourRange(symbol.range) };
    return [own, ...flatSymbols(symbol.children, [...own.container, own.name])];
  });
}

/** Converts a symbol without the symbols around it; its range may begin with its name or with all of it. */
export function flatSymbol({ name, kind, containerName, location }: vscode.SymbolInformation): CodeSymbol {
  const range = ourRange(location.range);
  const around = containerName === "" || containerName === undefined ? [] : [containerName];
  return { ...ownName(name, around), kind: kindName(kind), nameAt: range.start, range };
}

/**
 * Takes a name out of what servers show: `(get) size`, `match(String) : boolean`, `(*Router).Match`, `impl Route for Router`.
 */
function ownName(shown: string, container: readonly string[]): Pick<CodeSymbol, "name" | "container"> {
  const [, receiver, method] = /^\(\*?([\w.]+)\)\.(.+)$/.exec(shown) ?? [];
  if (receiver !== undefined && method !== undefined) {
    return { name: method, container: [...container, receiver] };
  }
  const [, implementing] = /^impl(?:<[^>]*>)?\s+(?:.+\s+for\s+)?([\w:]+)/.exec(shown) ?? [];
  const plain = implementing ?? shown.replace(/^\((?:get|set)\) /, "");
  return { name: plain.replace(/(?<=[^\s(])\s*\(.*$/s, ""), container };
}
