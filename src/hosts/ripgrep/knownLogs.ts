import { secretGlobs } from "../../core/paths/protectedFiles.js";
import { IgnoreRules } from "../../core/paths/ignoreRules.js";
import type { SearchRequest } from "../../ports/search.js";
import type { RipgrepSearchHost } from "./host.js";
import { isKnownLog } from "./log.js";
import type { Target } from "./target.js";

/** Milliseconds the version is waited for. */
const VERSION_LIMIT = 3_000;

/** Which searches have a log that can be read, and is worth it. */
export class KnownLogs {
  readonly #host: Pick<RipgrepSearchHost, "run" | "secretRules">;
  /** Whether ripgrep's log can be read. */
  #isKnown = false;
  #asked: Promise<void> | undefined;
  /** Folders whose log was too long to wait for. */
  readonly #long = new Set<string>();
  /** Folders of which it was so with names that may be secret in it. */
  readonly #longWithSecrets = new Set<string>();

  constructor(host: Pick<RipgrepSearchHost, "run" | "secretRules">) {
    this.#host = host;
  }

  /** Whether ripgrep is to tell what rules leave out of a search. */
  isRead(request: SearchRequest, target: Target): boolean {
    return this.#isKnown && tellsIgnored(request, target) && !this.#long.has(target.cwd);
  }

  /** The file of rules that make the log name what may be secret, too; undefined where it cannot tell all of that. */
  secretRules(target: Target): string | undefined {
    const tellsAll =
      secretGlobs([target.prefix, target.realPrefix]) !== undefined && !this.#longWithSecrets.has(target.cwd);
    return tellsAll ? this.#host.secretRules : undefined;
  }

  /**
   * The log of a folder took too long: it is not read like this again.
   *
   * @param secretRules the rules it was made with
   */
  giveUp(target: Target, secretRules: string | undefined): void {
    (secretRules === undefined ? this.#long : this.#longWithSecrets).add(target.cwd);
  }

  /** Learns for the searches to come whether ripgrep's log can be read. */
  async askVersion(request: SearchRequest, targets: readonly Target[]): Promise<void> {
    if (!targets.some((target) => tellsIgnored(request, target))) {
      return;
    }
    this.#asked ??= this.#host
      // Without effect on the answer, but it must exist.
      .run({
        args: ["--version"],
        cwd: "/",
        signal: AbortSignal.timeout(VERSION_LIMIT),
        onLine: (line) => (this.#isKnown ||= isKnownLog(line)),
      })
      .then(
        () => undefined,
        () => undefined,
      );
    return this.#asked;
  }
}

/**
 * Whether the log of a search would tell all that rules leave out, and little else: with an include it names every file
 * that does not fit, and of rules from above ripgrep knows nothing.
 */
function tellsIgnored({ includeIgnored, include }: SearchRequest, { isFile, rules }: Target): boolean {
  return !includeIgnored && include.length === 0 && !isFile && rules === IgnoreRules.none;
}
