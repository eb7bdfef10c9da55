import * as vscode from "vscode";
import { parentPath } from "../../../core/paths/pathShape.js";
import { resolveFrom } from "../../../core/paths/resolveFrom.js";
import type { GatedPath } from "../../../ports/files.js";
import type { Search } from "../../../ports/search.js";
import type { VscodeFiles } from "../files/files.js";
import { shownName } from "../../../text/shownName.js";
import { OPEN_LIMIT, within } from "./patience.js";

/** Time limit of the search for files that have a name, in ms. */
const SEARCH_LIMIT = 5_000;
/** Maximum number of files opened for one question, and of parts of the workspace of which one is opened. */
const MAX_OPENED = 50;
const MAX_PARTS = 10;

/** Files of languages whose server knows only the projects of files that are open: TypeScript's. */
const OF_PROJECTS = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/;
const CONFIGURATIONS = ["tsconfig.json", "jsconfig.json"];

/**
 * Opens files that have a name and are in projects that the language server has not read: a server that knows only the
 * projects of open files would answer without them. One file opens all of a project; a file in no project opens itself.
 */
export class UnreadProjects {
  readonly #files: VscodeFiles;
  readonly #search: Search;
  /** The nearest folder with a configuration, by folder. */
  readonly #configured = new Map<string, Promise<string | undefined>>();

  constructor(files: VscodeFiles, search: Search) {
    this.#files = files;
    this.#search = search;
  }

  /**
   * Opens what may have more places.
   *
   * @param known paths of the files in the answer so far
   *
   * @returns whether anything was opened, so that the question is worth asking again, and why the answer may still not be
   *   whole, as a sentence
   */
  async open(
    at: GatedPath,
    name: string,
    known: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<{ isMore: boolean; partial?: string }> {
    if (!OF_PROJECTS.test(at.path) || at.outside === true) {
      return { isMore: false };
    }
    const top = await this.#files.resolve(".");
    const request = { pattern: name, at: top, literal: true, ignoreCase: false, multiline: false, context: 0 };
    const limits = { include: [], exclude: [], includeIgnored: false, timeLimit: SEARCH_LIMIT };
    const { files: holders, partial: isCut } = await this.#search.search({ ...request, ...limits }, signal);
    const open = new Set(await this.#openPaths());
    const seen = new Set(await Promise.all([...known, ...open].map((path) => this.#partOf(top, path))));
    const wanted: string[] = [];
    const parts = new Set<string>();
    let left = 0;
    for (const { path } of holders) {
      if (!OF_PROJECTS.test(path) || known.has(path) || open.has(path)) {
        continue;
      }
      const part = await this.#partOf(top, path);
      if (part !== undefined && (seen.has(part) || parts.has(part))) {
        continue;
      }
      if (wanted.length >= MAX_OPENED || (part !== undefined && parts.size >= MAX_PARTS)) {
        left++;
        continue;
      }
      wanted.push(path);
      if (part !== undefined) {
        parts.add(part);
      }
    }
    let unopened: string | undefined;
    for (const path of wanted) {
      signal.throwIfAborted();
      const uri = this.#files.uriOf(await resolveFrom(this.#files, top, path));
      const opening = vscode.workspace.openTextDocument(uri).then(undefined, () => undefined);
      if ((await within(opening, OPEN_LIMIT, signal)) === "late") {
        unopened = path;
        break;
      }
    }
    const partial =
      unopened !== undefined
        ? `VS Code has not opened ${shownName(unopened)}, which has ${name}, within ${OPEN_LIMIT / 1_000} s.`
        : left > 0
          ? `${left} more files with ${name} are in projects that the language server has not read.`
          : isCut === undefined
            ? undefined
            : `Not all files with ${name} could be found in time.`;
    return { isMore: wanted.length > 0, ...(partial !== undefined && { partial }) };
  }

  async #openPaths(): Promise<string[]> {
    const paths = await Promise.all(vscode.workspace.textDocuments.map(({ uri }) => this.#files.pathOf(uri)));
    return paths.filter((path) => path !== undefined);
  }

  /** Returns the project of a file and the folder in it, which its configuration may leave out; undefined without one. */
  async #partOf(top: GatedPath, path: string): Promise<string | undefined> {
    const folder = await this.#configurationOf(top, parentPath(path));
    if (folder === undefined) {
      return undefined;
    }
    const below = folder === "." ? path : path.slice(folder.length + 1);
    return `${folder}:${below.includes("/") ? below.slice(0, below.indexOf("/")) : ""}`;
  }

  #configurationOf(top: GatedPath, folder: string): Promise<string | undefined> {
    const known = this.#configured.get(folder);
    if (known !== undefined) {
      return known;
    }
    const found = this.#findConfiguration(top, folder);
    this.#configured.set(folder, found);
    return found;
  }

  async #findConfiguration(top: GatedPath, folder: string): Promise<string | undefined> {
    for (const name of CONFIGURATIONS) {
      const at = await resolveFrom(this.#files, top, folder === "." ? name : `${folder}/${name}`);
      const isThere = await this.#files.stat(at).then(
        () => true,
        () => false,
      );
      if (isThere) {
        return folder;
      }
    }
    return folder === "." || folder === "" || folder.startsWith("/")
      ? undefined
      : this.#configurationOf(top, parentPath(folder));
  }
}
