import type { FindRequest, FindResult, Search, SearchRequest, SearchResult } from "../../ports/search.js";
import { compareCodeUnits } from "../../text/nearest.js";
import { noFileFits } from "../../core/paths/noFileFits.js";
import { checkArguments } from "./arguments.js";
import { findFiles } from "./find.js";
import { withEngines } from "./engines.js";
import type { RipgrepSearchHost } from "./host.js";
import { KnownLogs } from "./knownLogs.js";
import { MatchSearch } from "./matches.js";
import { isBelow } from "./target.js";
import { targetsOf } from "./targets.js";
import { countIgnored, IGNORED_UNKNOWN, ignoredParts } from "./unsearched.js";
import { countWithheld, WITHHELD_UNKNOWN } from "./withheld.js";

/** Where something matches nothing is counted. */
const NONE = { count: 0, isWhole: true };

/** Search by ripgrep, with the editor's unsaved texts searched by the same engine in place of their files. */
export class RipgrepSearch implements Search {
  readonly #host: RipgrepSearchHost;
  readonly #logs: KnownLogs;
  readonly #matches: MatchSearch;

  constructor(host: RipgrepSearchHost) {
    this.#host = host;
    this.#logs = new KnownLogs(host);
    this.#matches = new MatchSearch(host, this.#logs);
  }

  search(request: SearchRequest, signal: AbortSignal): Promise<SearchResult> {
    return withEngines(request, (asked) => this.#search(asked, signal));
  }

  async #search(request: SearchRequest, signal: AbortSignal): Promise<SearchResult> {
    checkArguments(request);
    const targets = await targetsOf(this.#host, request.at);
    const unsaved = (await this.#host.unsaved()).filter((document) => isBelow(document.absolute, targets));
    const deadline = AbortSignal.timeout(request.timeLimit);
    const found = await this.#matches.searchAll(request, targets, unsaved, AbortSignal.any([signal, deadline]));
    signal.throwIfAborted();
    const files = [...found.files.values()].sort((a, b) => compareCodeUnits(a.path, b.path));
    let [ignored, withheld] = [NONE, NONE];
    // When nothing matched: what was not searched, so that «no match» is not mistaken for «not there».
    if (files.length === 0 && found.full === undefined && !deadline.aborted) {
      // A file that is named is searched whatever leaves it out.
      const folders = targets.filter(({ isFile }) => !isFile);
      // Ahead of the runs, which keep every core busy: beside them these looks and the search after them took twice as
      // long.
      const parts = await ignoredParts(this.#host, request, folders, found);
      [ignored, withheld] = await Promise.all([
        countIgnored(this.#matches, request, folders, parts, unsaved, signal),
        countWithheld(this.#host, request, folders, found, signal),
        this.#logs.askVersion(request, targets),
      ]);
    }
    found.problems.push(...(ignored.isWhole ? [] : [IGNORED_UNKNOWN]), ...(withheld.isWhole ? [] : [WITHHELD_UNKNOWN]));
    if (
      found.searched === 0 &&
      request.include.length > 0 &&
      ignored.count === 0 &&
      ignored.isWhole &&
      found.full === undefined &&
      !deadline.aborted
    ) {
      found.problems.push(noFileFits(request.include));
    }
    return {
      files,
      partial: found.full ?? (deadline.aborted ? "time" : undefined),
      withheld: withheld.count,
      ignoredMatches: ignored.count,
      problems: found.problems,
    };
  }

  async find(request: FindRequest, signal: AbortSignal): Promise<FindResult> {
    return findFiles(this.#host.run, request, await targetsOf(this.#host, request.at), signal);
  }
}
