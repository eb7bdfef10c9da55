import { ToolError } from "../../core/errors.js";
import { resolveFrom } from "../../core/paths/resolveFrom.js";
import type {
  Code,
  CodeAnswer,
  CodeCaller,
  CodePlace,
  CodePosition,
  CodeSymbol,
  FoundSymbol,
  PlaceKind,
  SymbolQuery,
} from "../../ports/code.js";
import type { Files, GatedPath } from "../../ports/files.js";
import type { Search } from "../../ports/search.js";
import type { Syntax, SyntaxScan, SyntaxSymbol } from "../../ports/syntax.js";
import { shownName } from "../../text/shownName.js";
import { shorten } from "../../text/clip.js";
import { hasMethodSets, methodSetImplementations } from "./methodSets.js";
import { contains } from "./ranges.js";
import { sourceText } from "./sourceText.js";

/** Maximum code units of a file that is parsed. */
const MAX_TEXT = 2_000_000;
/** Maximum number of files parsed for one question. */
const MAX_FILES = 300;
/** Time limit of the search for files that have a name, and for parsing them, in ms. */
const SEARCH_LIMIT = 5_000;
const PARSE_LIMIT = 12_000;
/** Levels of classes that extend classes, and number of classes whose heirs are looked for. */
const MAX_HEIRS = 4;
const MAX_BASES = 100;
/** Time limit for finding all of these, in ms. */
const HEIRS_LIMIT = 30_000;

export interface SyntaxCodeHost {
  /** Without those that may hold secrets, as `withoutSecrets` returns them. */
  files: Files;
  search: Search;
  syntax: Syntax;
  /** Milliseconds since the epoch. */
  now: () => number;
}

interface ScannedFile extends SyntaxScan {
  path: string;
}

interface Scanned {
  files: ScannedFile[];
  partial?: string;
}

/** Why a file was not parsed, as what follows its name. */
interface Unparsed {
  unparsed: string;
}

/** Files named as not parsed, and characters of a symbol's name. */
const MAX_NAMED = 3;
const MAX_NAME = 200;

/** Answers about code from what files look like: it knows names, but not what they refer to. */
export class SyntaxCode implements Code {
  readonly #host: SyntaxCodeHost;

  constructor(host: SyntaxCodeHost) {
    this.#host = host;
  }

  async outline(at: GatedPath, signal: AbortSignal): Promise<CodeAnswer<CodeSymbol[]>> {
    const scan = await this.#scan(at, undefined, signal);
    if (scan === undefined) {
      return this.#unknown(at);
    }
    const value = "unparsed" in scan ? [] : scan.symbols.filter(isOwn);
    if ("unparsed" in scan || (scan.isBroken && value.length === 0)) {
      const why = "unparsed" in scan ? scan.unparsed : this.#misfit(at.path);
      return { state: "no_server", why: `${shownName(at.path)} ${why}.` };
    }
    return {
      ...{ state: "answered", by: "syntax", value },
      ...(scan.isBroken
        ? { partial: `${shownName(at.path)} ${this.#misfit(at.path)}.` }
        : scan.hasErrors && { partial: "Parts of the file do not fit its language's grammar." }),
    };
  }

  async find({ name, exact, within }: SymbolQuery, signal: AbortSignal): Promise<CodeAnswer<FoundSymbol[]>> {
    const wanted = name.toLowerCase();
    const found = await this.#scanAll(name, within, signal, { ignoreCase: !exact });
    const value = found.files.flatMap(({ path, symbols }) =>
      symbols
        .filter(isOwn)
        .filter((symbol) => (exact ? symbol.name === name : symbol.name.toLowerCase().includes(wanted)))
        .map((symbol) => ({ ...symbol, path })),
    );
    return answered(value, found);
  }

  async places(
    kind: PlaceKind,
    at: GatedPath,
    position: CodePosition,
    name: string,
    signal: AbortSignal,
  ): Promise<CodeAnswer<CodePlace[]>> {
    if (this.#host.syntax.languageOf(at.path) === undefined) {
      return this.#unknown(at);
    }
    if (kind === "implementations") {
      return this.#implementations(at, position, name, signal);
    }
    const found = await this.#scanAll(name, await this.#top(at), signal, { like: at });
    if (kind === "references") {
      return answered(
        found.files.flatMap(({ path, uses }) => uses.map(({ range }) => ({ path, range }))),
        found,
      );
    }
    const all = found.files.flatMap(({ path, symbols }) =>
      symbols.filter((symbol) => isOwn(symbol) && symbol.name === name).map((symbol) => ({ path, symbol })),
    );
    const here = all.filter(({ path }) => path === at.path);
    const declared = here.filter(({ symbol: { nameAt } }) => nameAt.line === position.line);
    const likely = declared.length > 0 ? declared : here.length > 0 ? here : all;
    return answered(
      likely.map(({ path, symbol: { nameAt, range } }) => ({ path, range: { start: nameAt, end: range.end } })),
      found,
    );
  }

  async callers(
    at: GatedPath,
    _position: CodePosition,
    name: string,
    signal: AbortSignal,
  ): Promise<CodeAnswer<CodeCaller[]>> {
    if (this.#host.syntax.languageOf(at.path) === undefined) {
      return this.#unknown(at);
    }
    const found = await this.#scanAll(name, await this.#top(at), signal, { like: at });
    const callers = new Map<string, { caller: FoundSymbol; calls: CodePosition[] }>();
    for (const { path, symbols, uses } of found.files) {
      for (const { range } of uses.filter(({ isCall, isDeclaration }) => isCall && !isDeclaration)) {
        const around = symbols.filter((symbol) => isOwn(symbol) && contains(symbol.range, range.start));
        const caller: FoundSymbol = { ...(innermostFunction(around) ?? wholeFile(path)), path };
        const key = `${path}:${caller.nameAt.line}:${caller.nameAt.column}`;
        const known = callers.get(key) ?? { caller, calls: [] };
        known.calls.push(range.start);
        callers.set(key, known);
      }
    }
    return answered([...callers.values()], found);
  }

  async hover(): Promise<undefined> {
    return undefined;
  }

  /** Finds classes that name a class or interface as their base, and members of the same name in them. */
  async #implementations(
    at: GatedPath,
    position: CodePosition,
    name: string,
    signal: AbortSignal,
  ): Promise<CodeAnswer<CodePlace[]>> {
    const scan = await this.#scan(at, undefined, signal);
    if (scan === undefined || "unparsed" in scan) {
      return scan === undefined
        ? this.#unknown(at)
        : { state: "no_server", why: `${shownName(at.path)} ${scan.unparsed}.` };
    }
    const own = scan.symbols;
    const declared = own.find(
      (symbol) => symbol.name === name && (symbol.nameAt.line === position.line || contains(symbol.range, position)),
    );
    const { syntax } = this.#host;
    if (hasMethodSets(syntax.languageOf(at.path))) {
      const top = await this.#top(at);
      const shown = shownName(shorten(name, MAX_NAME));
      return methodSetImplementations({ declared, symbols: own, shown }, (method) =>
        this.#scanAll(method, top, signal, { like: at }),
      );
    }
    const owner = declared?.container.at(-1);
    const isMember = owner !== undefined && declared !== undefined && MEMBERS.has(declared.kind);
    const heirs = await this.#heirs(isMember ? owner : name, at, signal);
    const value = heirs.files.flatMap(({ path, symbols }) => {
      const named = isMember
        ? heirs.heirs
            .filter((heir) => heir.path === path)
            .flatMap((heir) => symbols.filter((each) => each.name === name && each.container.at(-1) === heir.name))
        : heirs.heirs.filter((heir) => heir.path === path);
      return named.map(({ nameAt, range }) => ({ path, range: { start: nameAt, end: range.end } }));
    });
    return answered(value, heirs);
  }

  async #heirs(
    base: string,
    at: GatedPath,
    signal: AbortSignal,
  ): Promise<Scanned & { heirs: { path: string; name: string; nameAt: CodePosition; range: CodePlace["range"] }[] }> {
    const top = await this.#top(at);
    const end = this.#host.now() + HEIRS_LIMIT;
    const scanned = new Map<string, ScannedFile>();
    const heirs = new Map<string, { path: string; name: string; nameAt: CodePosition; range: CodePlace["range"] }>();
    let partial: string | undefined;
    let names = [base];
    let asked = 0;
    const seen = new Set(names);
    for (let level = 0; level < MAX_HEIRS && names.length > 0; level++) {
      const next: string[] = [];
      for (const [index, name] of names.entries()) {
        if (asked >= MAX_BASES || (asked > 0 && this.#host.now() > end)) {
          partial ??= `What extends ${names.length - index} more classes was not looked for.`;
          break;
        }
        asked++;
        const found = await this.#scanAll(name, top, signal, { like: at });
        partial ??= found.partial;
        for (const file of found.files) {
          scanned.set(file.path, file);
          for (const symbol of file.symbols.filter(({ bases }) => bases.includes(name))) {
            // One that names several of these bases is one heir.
            heirs.set(`${file.path}:${symbol.nameAt.line}:${symbol.nameAt.column}`, { path: file.path, ...symbol });
            if (!seen.has(symbol.name)) {
              seen.add(symbol.name);
              next.push(symbol.name);
            }
          }
        }
      }
      names = next;
    }
    return { files: [...scanned.values()], heirs: [...heirs.values()], ...(partial !== undefined && { partial }) };
  }

  /** Parses the files that have a name. @param options.like a file whose language they must have */
  async #scanAll(
    name: string,
    within: GatedPath,
    signal: AbortSignal,
    { like, ignoreCase = false }: { like?: GatedPath; ignoreCase?: boolean },
  ): Promise<Scanned> {
    const { search, files, syntax, now } = this.#host;
    const request = { pattern: name, at: within, literal: true, ignoreCase, multiline: false, context: 0 };
    const limits = { include: [], exclude: [], includeIgnored: false, timeLimit: SEARCH_LIMIT };
    const found = await search.search({ ...request, ...limits }, signal);
    const family = like && familyOf(syntax.languageOf(like.path));
    const paths = found.files
      .map(({ path }) => path)
      .filter((path) => {
        const language = syntax.languageOf(path);
        return language !== undefined && (family === undefined || familyOf(language) === family);
      });
    const scanned: ScannedFile[] = [];
    const left: string[] = [];
    const end = now() + PARSE_LIMIT;
    let parsed = 0;
    for (const path of paths.slice(0, MAX_FILES)) {
      signal.throwIfAborted();
      if (now() > end) {
        break;
      }
      parsed++;
      const scan = await this.#scan(await resolveFrom(files, within, path), name, signal).catch(unreadable);
      if (scan !== undefined && "unparsed" in scan) {
        left.push(`${shownName(path)} ${scan.unparsed}`);
      } else if (scan !== undefined) {
        scanned.push({ ...scan, path });
        left.push(...(scan.isBroken ? [`${shownName(path)} ${this.#misfit(path)}`] : []));
      }
    }
    const shown = shownName(shorten(name, MAX_NAME));
    const notes = [
      ...(parsed < paths.length ? [`Only ${parsed} of ${paths.length} files with ${shown} were parsed.`] : []),
      ...(found.partial === undefined ? [] : [`Not all files with ${shown} could be found in time.`]),
      ...(left.length === 0 ? [] : [`Not parsed: ${named(left)}.`]),
    ];
    return { files: scanned, ...(notes.length > 0 && { partial: notes.join(" ") }) };
  }

  /** Parses a file; undefined if its language is not known. */
  async #scan(
    at: GatedPath,
    name: string | undefined,
    signal: AbortSignal,
  ): Promise<SyntaxScan | Unparsed | undefined> {
    const { files, syntax } = this.#host;
    if (syntax.languageOf(at.path) === undefined) {
      return undefined;
    }
    const text = await sourceText(files, at, MAX_TEXT, signal);
    return text === undefined
      ? { unparsed: `is not parsed, since it has more than ${MAX_TEXT.toLocaleString("en")} characters` }
      : ((await syntax.scan(at.path, text, name)) ?? { unparsed: "could not be parsed in time" });
  }

  #misfit(path: string): string {
    return `does not fit ${this.#host.syntax.languageOf(path)}'s grammar`;
  }

  /** Returns the folder in which to look for what a file has. */
  async #top(at: GatedPath): Promise<GatedPath> {
    return at.outside === true ? at : this.#host.files.resolve(".");
  }

  #unknown(at: GatedPath): CodeAnswer<never> {
    return { state: "no_server", why: `No language server or grammar here knows files like ${shownName(at.path)}.` };
  }
}

/** Kinds of symbols that an heir has under the same name. */
const MEMBERS: ReadonlySet<string> = new Set(["method", "property", "field", "function"]);

function answered<T>(value: T, { partial }: Pick<Scanned, "partial">): CodeAnswer<T> {
  return { state: "answered", by: "syntax", value, ...(partial !== undefined && { partial }) };
}

function named(left: readonly string[]): string {
  const rest = left.length - MAX_NAMED;
  return `${left.slice(0, MAX_NAMED).join("; ")}${rest > 0 ? `; and ${rest} more` : ""}`;
}

/** Whether it is a symbol for itself, not a further part of another one. */
function isOwn({ kind }: SyntaxSymbol): boolean {
  return kind !== "implementation";
}

/** JavaScript and TypeScript use each other's symbols. */
function familyOf(language: string | undefined): string | undefined {
  return language === "JavaScript" ? "TypeScript" : language;
}

function innermostFunction(around: readonly SyntaxSymbol[]): SyntaxSymbol | undefined {
  return around.findLast(({ kind }) => /function|method|constructor/.test(kind)) ?? around.at(-1);
}

function wholeFile(path: string): CodeSymbol {
  const start = { line: 1, column: 1 };
  return { name: path, kind: "file", container: [], nameAt: start, range: { start, end: start } };
}

/** A file that went away or cannot be read has no symbols. */
function unreadable(error: unknown): undefined {
  if (!(error instanceof ToolError)) {
    throw error;
  }
}
