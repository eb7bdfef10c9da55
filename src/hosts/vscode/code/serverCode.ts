import * as vscode from "vscode";
import { resolveFrom } from "../../../core/paths/resolveFrom.js";
import { pathBelow } from "../../../core/paths/pathShape.js";
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
} from "../../../ports/code.js";
import type { GatedPath } from "../../../ports/files.js";
import type { Search } from "../../../ports/search.js";
import type { VscodeFiles } from "../files/files.js";
import { flatSymbol, kindName, ourPosition, ourRange, theirPosition } from "./convert.js";
import type { Languages, Served, Unserved } from "./languages.js";
import type { UnreadProjects } from "./unreadProjects.js";

/** Time limit of the search for files that have a name, in ms. */
const SEARCH_LIMIT = 5_000;
/** Maximum number of files whose outlines are read to find a name that the servers do not list. */
const MAX_OUTLINES = 30;
/** Maximum number of languages that are started to find a name. */
const MAX_LANGUAGES = 4;
/** From how many symbols on a server may have left some out (TypeScript: 256, some of which VS Code drops). */
const MANY = 250;

const COMMANDS: Readonly<Record<PlaceKind, string>> = {
  references: "vscode.executeReferenceProvider",
  definition: "vscode.executeDefinitionProvider",
  implementations: "vscode.executeImplementationProvider",
};

/** Answers about code from the window's language servers. */
export class ServerCode implements Code {
  readonly #files: VscodeFiles;
  readonly #search: Search;
  readonly #languages: Languages;

  readonly #unread: UnreadProjects;

  constructor(files: VscodeFiles, search: Search, languages: Languages, unread: UnreadProjects) {
    this.#files = files;
    this.#search = search;
    this.#languages = languages;
    this.#unread = unread;
  }

  async outline(at: GatedPath, signal: AbortSignal): Promise<CodeAnswer<CodeSymbol[]>> {
    const served = await this.#languages.served(at, signal);
    return served.state === "served" ? answered(served.outline) : served;
  }

  async find({ name, exact, within }: SymbolQuery, signal: AbortSignal): Promise<CodeAnswer<FoundSymbol[]>> {
    const request = { pattern: name, at: within, literal: true, ignoreCase: !exact, multiline: false, context: 0 };
    const limits = { include: [], exclude: [], includeIgnored: false, timeLimit: SEARCH_LIMIT };
    const { files: holders, partial: isCut } = await this.#search.search({ ...request, ...limits }, signal);
    const paths = holders.map(({ path }) => path);
    const started = await this.#start(paths, within, signal);
    if (started.state !== "served") {
      return started;
    }
    const listed = await this.#languages.ask(
      started.document,
      () => vscode.commands.executeCommand<vscode.SymbolInformation[]>("vscode.executeWorkspaceSymbolProvider", name),
      signal,
    );
    if (!Array.isArray(listed)) {
      return listed;
    }
    const pathOf = this.#paths();
    const found: FoundSymbol[] = [];
    for (const symbol of listed) {
      const path = await pathOf(symbol.location.uri);
      const flat = { ...flatSymbol(symbol), path };
      if (isWanted(flat.name, name, exact) && isBelow(path, within)) {
        found.push(flat);
      }
    }
    const value =
      found.length > 0
        ? await this.#withNames(found, within, signal)
        : await this.#inOutlines(paths, { name, exact, within }, signal);
    const isUnread = found.length === 0 && paths.length > MAX_OUTLINES;
    const partial =
      listed.length >= MANY
        ? "The language server lists only some of the symbols."
        : started.unserved.length > 0
          ? `No language server here knows files like ${started.unserved[0] ?? ""}.`
          : isUnread
            ? `The language server lists none, and only ${MAX_OUTLINES} of ${paths.length} files with ${name} were read.`
            : isCut === undefined
              ? undefined
              : `Not all files with ${name} could be found in time.`;
    return value.length === 0 && started.unserved.length > 0
      ? { state: "no_server", why: partial ?? "" }
      : { ...answered(value), ...(partial !== undefined && { partial }) };
  }

  async places(
    kind: PlaceKind,
    at: GatedPath,
    position: CodePosition,
    name: string,
    signal: AbortSignal,
  ): Promise<CodeAnswer<CodePlace[]>> {
    const served = await this.#languages.served(at, signal);
    if (served.state !== "served") {
      return served;
    }
    const first = await this.#placesKnown(kind, served, at, position, signal);
    if (kind === "definition" || !Array.isArray(first)) {
      return Array.isArray(first) ? answered(first) : first;
    }
    const { isMore, partial } = await this.#unread.open(at, name, new Set(first.map(({ path }) => path)), signal);
    const places = isMore ? await this.#placesNow(kind, served, position, signal) : first;
    return Array.isArray(places) ? { ...answered(places), ...(partial !== undefined && { partial }) } : places;
  }

  /** Asks again where there is nothing: VS Code does not tell that a server ended while it was asked. */
  async #placesKnown(
    kind: PlaceKind,
    served: Served,
    at: GatedPath,
    position: CodePosition,
    signal: AbortSignal,
  ): Promise<CodePlace[] | Unserved> {
    const first = await this.#placesNow(kind, served, position, signal);
    if (!Array.isArray(first) || first.length > 0) {
      return first;
    }
    const again = await this.#languages.served(at, signal);
    return again.state === "served" ? this.#placesNow(kind, again, position, signal) : again;
  }

  async #placesNow(
    kind: PlaceKind,
    { document }: Served,
    position: CodePosition,
    signal: AbortSignal,
  ): Promise<CodePlace[] | Unserved> {
    const places = await this.#languages.ask(
      document,
      () =>
        vscode.commands.executeCommand<(vscode.Location | vscode.LocationLink)[]>(
          COMMANDS[kind],
          document.uri,
          theirPosition(position),
        ),
      signal,
    );
    if (!Array.isArray(places)) {
      return places;
    }
    const pathOf = this.#paths();
    const found: CodePlace[] = [];
    for (const place of places) {
      found.push(
        "targetUri" in place
          ? { path: await pathOf(place.targetUri), range: rangeOf(place) }
          : { path: await pathOf(place.uri), range: ourRange(place.range) },
      );
    }
    return distinct(found);
  }

  async callers(
    at: GatedPath,
    position: CodePosition,
    name: string,
    signal: AbortSignal,
  ): Promise<CodeAnswer<CodeCaller[]>> {
    const served = await this.#languages.served(at, signal);
    if (served.state !== "served") {
      return served;
    }
    const { document } = served;
    const { partial } = await this.#unread.open(at, name, new Set([at.path]), signal);
    const items = await this.#languages.ask(
      document,
      () =>
        vscode.commands.executeCommand<vscode.CallHierarchyItem[]>(
          "vscode.prepareCallHierarchy",
          document.uri,
          theirPosition(position),
        ),
      signal,
    );
    if (!Array.isArray(items)) {
      return items;
    }
    const [item] = items;
    if (item === undefined) {
      return { state: "no_server", why: `The language server has no callers of ${name}.` };
    }
    const calls = await this.#languages.ask(
      document,
      () => vscode.commands.executeCommand<vscode.CallHierarchyIncomingCall[]>("vscode.provideIncomingCalls", item),
      signal,
    );
    if (!Array.isArray(calls)) {
      return calls;
    }
    const pathOf = this.#paths();
    const value: CodeCaller[] = [];
    for (const { from, fromRanges } of calls) {
      value.push({
        caller: { ...ofItem(from), path: await pathOf(from.uri) },
        calls: fromRanges.map(({ start }) => ourPosition(start)),
      });
    }
    return { ...answered(value), ...(partial !== undefined && { partial }) };
  }

  async hover(at: GatedPath, position: CodePosition, signal: AbortSignal): Promise<string | undefined> {
    const served = await this.#languages.served(at, signal);
    if (served.state !== "served") {
      return undefined;
    }
    const { document } = served;
    const hovers = await this.#languages.ask(
      document,
      () =>
        vscode.commands.executeCommand<vscode.Hover[]>(
          "vscode.executeHoverProvider",
          document.uri,
          theirPosition(position),
        ),
      signal,
    );
    const texts = Array.isArray(hovers) ? hovers.flatMap(({ contents }) => contents.map(markdownOf)) : [];
    return texts.join("\n\n").trim() || undefined;
  }

  /**
   * Starts the servers of the languages in which files have a name: some list a workspace's symbols only once one of its
   * files is open.
   */
  async #start(
    paths: readonly string[],
    within: GatedPath,
    signal: AbortSignal,
  ): Promise<(Served & { unserved: string[] }) | Unserved> {
    const byExtension = new Map(paths.toReversed().map((path) => [path.slice(path.lastIndexOf(".") + 1), path]));
    const unserved: string[] = [];
    let served: Served | undefined;
    for (const path of [...byExtension.values()].toReversed().slice(0, MAX_LANGUAGES)) {
      const one = await this.#languages
        .served(await resolveFrom(this.#files, within, path), signal)
        .catch(() => undefined);
      signal.throwIfAborted();
      if (one?.state === "not_ready") {
        return one;
      }
      if (one?.state === "served") {
        served ??= one;
      } else {
        unserved.push(path);
      }
    }
    return served === undefined
      ? { state: "no_server", why: "No language server here knows the files that have this name." }
      : { ...served, unserved };
  }

  /** Finds names in the outlines of files that have them. */
  async #inOutlines(
    paths: readonly string[],
    { name, exact, within }: SymbolQuery,
    signal: AbortSignal,
  ): Promise<FoundSymbol[]> {
    const found: FoundSymbol[] = [];
    for (const path of paths.slice(0, MAX_OUTLINES)) {
      const at = await resolveFrom(this.#files, within, path);
      const served = await this.#languages.served(at, signal).catch(() => undefined);
      signal.throwIfAborted();
      if (served?.state === "served") {
        const named = served.outline.filter((symbol) => isWanted(symbol.name, name, exact));
        found.push(...named.map((symbol) => ({ ...symbol, path })));
      }
    }
    return found;
  }

  /** Puts outlines' symbols in place of listed ones, whose ranges begin with comments, and not with their names. */
  async #withNames(listed: readonly FoundSymbol[], within: GatedPath, signal: AbortSignal): Promise<FoundSymbol[]> {
    const outlines = new Map<string, CodeSymbol[]>();
    for (const path of new Set(listed.slice(0, MAX_OUTLINES).map((each) => each.path))) {
      if (path.startsWith("/")) {
        continue;
      }
      const at = await resolveFrom(this.#files, within, path);
      const served = await this.#languages.served(at, signal).catch(() => undefined);
      outlines.set(path, served?.state === "served" ? served.outline : []);
    }
    return listed.map((each) => {
      const same = outlines
        .get(each.path)
        ?.find(
          ({ name, range, nameAt }) =>
            name === each.name &&
            (range.start.line === each.range.start.line ||
              (each.range.start.line <= nameAt.line && nameAt.line <= each.range.end.line)),
        );
      return same === undefined ? each : { ...same, path: each.path };
    });
  }

  /** Returns what gives the workspace path of an address; an absolute one outside. */
  #paths(): (uri: vscode.Uri) => Promise<string> {
    const known = new Map<string, Promise<string>>();
    return (uri) => {
      const key = uri.toString();
      const path = known.get(key) ?? this.#files.pathOf(uri).then((inside) => inside ?? uri.fsPath);
      known.set(key, path);
      return path;
    };
  }
}

function answered<T>(value: T): Extract<CodeAnswer<T>, { state: "answered" }> {
  return { state: "answered", by: "server", value };
}

function isWanted(name: string, wanted: string, exact: boolean): boolean {
  return exact ? name === wanted : name.toLowerCase().includes(wanted.toLowerCase());
}

function isBelow(path: string, within: GatedPath): boolean {
  return within.path === "." ? !path.startsWith("/") : pathBelow(within.path, path, false) !== undefined;
}

/** Takes a declaration from its name to its end. */
function rangeOf({ targetRange, targetSelectionRange }: vscode.LocationLink): CodePlace["range"] {
  return { start: ourPosition((targetSelectionRange ?? targetRange).start), end: ourPosition(targetRange.end) };
}

/** Several servers may give the same place. */
function distinct(places: readonly CodePlace[]): CodePlace[] {
  const key = ({ path, range: { start } }: CodePlace): string => `${path}:${start.line}:${start.column}`;
  return [...new Map(places.map((place) => [key(place), place])).values()];
}

function ofItem({ name, kind, detail, range, selectionRange }: vscode.CallHierarchyItem): CodeSymbol {
  const isFile = kind === vscode.SymbolKind.File || kind === vscode.SymbolKind.Module;
  const container = detail !== undefined && /^[\w$.]+$/.test(detail) ? [detail] : [];
  return {
    ...{ name, kind: isFile ? "file" : kindName(kind), container },
    ...{ nameAt: ourPosition(selectionRange.start), range: ourRange(range) },
  };
}

function markdownOf(content: vscode.MarkdownString | vscode.MarkedString): string {
  return typeof content === "string"
    ? content
    : "language" in content
      ? `\`\`\`${content.language}\n${content.value}\n\`\`\``
      : content.value;
}
