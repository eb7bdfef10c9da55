import type { FindRequest, FindResult, Search, SearchRequest, SearchResult } from "../../ports/search.js";
import { compareCodeUnits } from "../../text/nearest.js";
import { noFileFits } from "../../core/paths/noFileFits.js";
import { checkArguments } from "./arguments.js";
import { findFiles } from "./find.js";
import { withEngines } from "./engines.js";
import type { RipgrepSearchHost } from "./host.js";
import { MatchSearch } from "./matches.js";
import { isBelow } from "./target.js";
import { targetsOf } from "./targets.js";

/** Searches with ripgrep; the same engine searches the editor's unsaved texts in place of their files. */
export class RipgrepSearch implements Search {
  readonly #host: RipgrepSearchHost;
  readonly #matches: MatchSearch;

  constructor(host: RipgrepSearchHost) {
    this.#host = host;
    this.#matches = new MatchSearch(host);
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
    if (found.searched === 0 && request.include.length > 0 && found.full === undefined && !deadline.aborted) {
      found.problems.push(noFileFits(request.include));
    }
    return {
      files,
      partial: found.full ?? (deadline.aborted ? "time" : undefined),
      problems: found.problems,
    };
  }

  async find(request: FindRequest, signal: AbortSignal): Promise<FindResult> {
    return findFiles(this.#host.run, request, await targetsOf(this.#host, request.at), signal);
  }
}
