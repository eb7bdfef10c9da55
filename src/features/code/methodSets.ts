// What implements an interface in a language whose types do not say it: those that have methods of all its names.
import type { CodeAnswer, CodePlace, CodePosition } from "../../ports/code.js";
import type { SyntaxScan, SyntaxSymbol } from "../../ports/syntax.js";
import { parentPath } from "../../core/paths/pathShape.js";
import { contains } from "./ranges.js";

/** Methods of an interface that are looked for, those with the longest names first, and types that are located. */
const MAX_METHODS = 20;
const MAX_TYPES = 200;

const REMARK =
  "Types were taken that have methods of all its names: methods that come by embedding, and what an interface embeds, were not looked at.";

interface ScannedFile extends SyntaxScan {
  path: string;
}

interface Asked {
  /** The declaration asked about; undefined if the position is no declaration's. */
  declared: SyntaxSymbol | undefined;
  /** The file that has it. */
  symbols: readonly SyntaxSymbol[];
  shown: string;
}

/** Whether types of a language do not name the interfaces that they implement. */
export function hasMethodSets(language: string | undefined): boolean {
  return language === "Go";
}

/**
 * Finds types that have all methods of an interface, or their methods of one name.
 *
 * @param scanAll parses the files that have a name
 */
export async function methodSetImplementations(
  { declared, symbols, shown }: Asked,
  scanAll: (name: string) => Promise<{ files: ScannedFile[]; partial?: string }>,
): Promise<CodeAnswer<CodePlace[]>> {
  const owner = declared === undefined ? undefined : interfaceOf(declared, symbols);
  const methods = owner === undefined ? [] : methodsOf(owner, symbols);
  if (methods.length === 0) {
    return {
      state: "no_server",
      why: `By syntax, implementations in Go are only found of an interface that declares methods, and of these; ${shown} is none.`,
    };
  }
  const looked = [...methods].sort((a, b) => b.length - a.length).slice(0, MAX_METHODS);
  const partial = new Set<string>();
  /** Of the types that have all methods so far: the method asked about, or any. */
  let types: Map<string, CodePlace> | undefined;
  /** Where types are declared, as far as the files of their methods have that. */
  const declarations = new Map<string, CodePlace>();
  for (const method of looked) {
    const found = await scanAll(method);
    partial.add(found.partial ?? "");
    const having = new Map(found.files.flatMap((file) => receivers(file, method)));
    for (const [type, place] of found.files.flatMap((file) => typesOf(file))) {
      declarations.set(type, place);
    }
    const before = types;
    types = new Map(
      [...having].flatMap(([type, place]): [string, CodePlace][] => {
        const known = before?.get(type);
        return before !== undefined && known === undefined
          ? []
          : [[type, method === declared?.name ? place : (known ?? place)]];
      }),
    );
    if (types.size === 0) {
      break;
    }
  }
  const all = [...(types ?? [])];
  const value: CodePlace[] = [];
  for (const [type, place] of all.slice(0, MAX_TYPES)) {
    value.push(declared === owner ? (declarations.get(type) ?? (await placeOfType(type, scanAll)) ?? place) : place);
  }
  partial.add(all.length > MAX_TYPES ? `Only ${MAX_TYPES} of ${all.length} types are listed.` : "");
  partial.add(
    looked.length < methods.length ? `Only ${MAX_METHODS} of ${methods.length} methods were looked for.` : "",
  );
  partial.add(REMARK);
  return { state: "answered", by: "syntax", value, partial: [...partial].filter((note) => note !== "").join(" ") };
}

/** Returns the interface that a symbol is, or that declares it. */
function interfaceOf(declared: SyntaxSymbol, symbols: readonly SyntaxSymbol[]): SyntaxSymbol | undefined {
  if (declared.kind === "type") {
    return declared;
  }
  const name = declared.container.at(-1);
  return symbols.find((each) => each.kind === "type" && each.name === name && isIn(declared, each));
}

function methodsOf(owner: SyntaxSymbol, symbols: readonly SyntaxSymbol[]): string[] {
  return symbols.filter((each) => each.kind === "method" && isIn(each, owner)).map(({ name }) => name);
}

/** Returns the types whose method of a name a file declares, each by its package's folder and name. */
function receivers({ path, symbols }: ScannedFile, method: string): [string, CodePlace][] {
  return symbols
    .filter(({ kind, name, container }) => kind === "method" && name === method && container.length > 0)
    .filter((each) => !symbols.some((type) => type.kind === "type" && isIn(each, type)))
    .map(({ container, nameAt, range }) => [
      `${parentPath(path)}\n${container.at(-1)}`,
      { path, range: { start: nameAt, end: range.end } },
    ]);
}

/** Returns the types that a file declares, each by its package's folder and name. */
function typesOf({ path, symbols }: ScannedFile): [string, CodePlace][] {
  return symbols
    .filter(({ kind, container }) => kind === "type" && container.length === 0)
    .map(({ name, nameAt, range }) => [
      `${parentPath(path)}\n${name}`,
      { path, range: { start: nameAt, end: range.end } },
    ]);
}

/** Finds a type that is declared in another file than its methods. */
async function placeOfType(
  type: string,
  scanAll: (name: string) => Promise<{ files: ScannedFile[] }>,
): Promise<CodePlace | undefined> {
  const { files } = await scanAll(type.slice(type.indexOf("\n") + 1));
  return files.flatMap((file) => typesOf(file)).find(([each]) => each === type)?.[1];
}

function isIn({ nameAt }: { nameAt: CodePosition }, outer: SyntaxSymbol): boolean {
  return contains(outer.range, nameAt);
}
