import { describeEncoding, encodingFlags } from "./encoding.js";
import { joinPath } from "../../core/paths/pathShape.js";
import type { FileMatches, SearchLine, SearchRequest } from "../../ports/search.js";
import { bringsBackIgnored, fileFlags, matchFlags } from "./arguments.js";
import { checkMatches } from "./end.js";
import { MatchCollector } from "./events.js";
import type { RipgrepSearchHost, UnsavedText } from "./host.js";
import { coveredFiles } from "./listing.js";
import { describeBinary, describeProblems } from "./problems.js";
import { MAX_HELD, searchText, type Room } from "./text.js";
import { admits, isBelow, isLeftIn, nameBelow, plainName, type Target } from "./target.js";

/** The result of searching several folders. */
export interface Found {
  /** By path in the workspace. */
  files: Map<string, FileMatches>;
  problems: string[];
  /** Why it was stopped early: more matches than can be held, or ripgrep took too much memory. */
  full: "size" | "memory" | undefined;
  /** For unsaved texts. */
  room: Room;
  /** Number of files searched. */
  searched: number;
}

function isNotUtf8({ text, leftOut }: SearchLine): boolean {
  return leftOut === "bytes" || text.includes("\ufffd");
}

/** Searches folders and files on disk, and the editor's unsaved texts in place of their files. */
export class MatchSearch {
  readonly #host: RipgrepSearchHost;

  constructor(host: RipgrepSearchHost) {
    this.#host = host;
  }

  async searchAll(
    request: SearchRequest,
    targets: readonly Target[],
    unsaved: readonly UnsavedText[],
    signal: AbortSignal,
  ): Promise<Found> {
    const found: Found = { files: new Map(), problems: [], full: undefined, room: { left: MAX_HELD }, searched: 0 };
    for (const target of targets) {
      if (signal.aborted || found.full !== undefined) {
        break;
      }
      await this.#searchDisk(request, target, found, signal);
      const texts = unsaved.filter((document) => isBelow(document.absolute, [target]));
      for (const document of await this.#searched(request, target, texts, signal)) {
        const name = document.absolute.slice(joinPath(target.cwd, "x").length - 1);
        found.files.delete(nameBelow(target, name));
        if (admits(request, target, name)) {
          await this.#searchText(request, document, nameBelow(target, name), found, signal);
        }
      }
    }
    return found;
  }

  /**
   * Searches a target in the encoding that its files have, and then by byte order mark or as UTF-8, which ripgrep does
   * not do where it is given an encoding.
   */
  async #searchDisk(request: SearchRequest, target: Target, found: Found, signal: AbortSignal): Promise<void> {
    const flags = encodingFlags(target);
    if (flags.length > 0) {
      const inItsOwn: Found = { ...found, problems: [] };
      await this.#searchIn(flags, request, target, inItsOwn, signal);
      found.full = inItsOwn.full;
    }
    await this.#searchIn([], request, target, found, signal);
    found.problems.push(...describeEncoding(target));
  }

  async #searchIn(
    encoding: readonly string[],
    request: SearchRequest,
    target: Target,
    found: Found,
    signal: AbortSignal,
  ): Promise<void> {
    // Such matches are dropped as they arrive, so that nothing in the result depends on such a file's content.
    const matches = new MatchCollector((path) => admits(request, target, plainName(path, target)));
    const full = new AbortController();
    const { exitCode, errors } = await this.#host.run({
      args: [
        ...matchFlags(request),
        ...encoding,
        ...fileFlags(request, target.cwd, target.scope),
        "--",
        target.operand,
      ],
      cwd: target.cwd,
      onMemory: () => (found.full = "memory"),
      signal: AbortSignal.any([signal, full.signal]),
      onLine: (line) => {
        matches.take(line);
        if (matches.held > MAX_HELD) {
          full.abort();
        }
      },
    });
    checkMatches(matches, exitCode, errors);
    found.full ??= full.signal.aborted ? "size" : undefined;
    found.searched += matches.searched;
    for (const file of await this.#covered(request, target, [...matches.files.values()], signal)) {
      const path = nameBelow(target, plainName(file.path, target));
      // Found in both ways: what is not UTF-8 is shown in its own encoding.
      if (!found.files.has(path) || !file.lines.some(isNotUtf8)) {
        found.files.set(path, { ...file, path });
      }
    }
    found.problems.push(...describeBinary(matches, target));
    if (exitCode === 2) {
      found.problems.push(...describeProblems(errors, target.prefix));
    }
  }

  /** Returns the files of ripgrep's result that no rule excludes. */
  async #covered(
    request: SearchRequest,
    target: Target,
    files: readonly FileMatches[],
    signal: AbortSignal,
  ): Promise<readonly FileMatches[]> {
    const isChecked = files.length > 0 && !target.isFile && bringsBackIgnored(request);
    const covered = isChecked
      ? await coveredFiles(this.#host.run, { ...request, include: [] }, target, signal)
      : undefined;
    return files.filter((file) => {
      const name = plainName(file.path, target);
      return isLeftIn(request, target, name) && (covered === undefined || covered.has(joinPath(target.cwd, name)));
    });
  }

  async #searchText(
    request: SearchRequest,
    document: UnsavedText,
    path: string,
    found: Found,
    signal: AbortSignal,
  ): Promise<void> {
    const matches = await searchText(this.#host.run, request, path, document.text, signal, found.room);
    found.full ??= found.room.full;
    if (matches !== undefined) {
      found.files.set(path, { ...matches, unsaved: true });
    }
  }

  /**
   * Returns the unsaved documents that this search would have searched on disk, without those that its globs or
   * .gitignore exclude.
   */
  async #searched(
    request: SearchRequest,
    target: Target,
    texts: readonly UnsavedText[],
    signal: AbortSignal,
  ): Promise<readonly UnsavedText[]> {
    if (texts.length === 0 || target.isFile) {
      return texts;
    }
    const listed = await coveredFiles(this.#host.run, request, target, signal);
    const covered = bringsBackIgnored(request)
      ? await coveredFiles(this.#host.run, { ...request, include: [] }, target, signal)
      : listed;
    return texts.filter(({ absolute }) => listed.has(absolute) && covered.has(absolute));
  }
}
