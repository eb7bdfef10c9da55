import type { GatedPath } from "../../ports/files.js";
import type { Search, SearchRequest } from "../../ports/search.js";
import { shownName } from "../../text/shownName.js";
import { ToolError } from "../errors.js";
import { pathBelow } from "./pathShape.js";
import { secretReason } from "./protectedFiles.js";

/**
 * Keeps a call from reading files that may hold secrets, whatever its tool requests. The only exceptions are files that
 * the tool named in `touches` by their own paths, since permission decided on them: naming a folder makes no secret in
 * it readable.
 */
export class SecretWall {
  readonly #pins: readonly GatedPath[];
  /** Absolute paths, with every link followed. */
  readonly #open: ReadonlySet<string>;

  /** @param pins the paths that permission decided on */
  constructor(pins: Iterable<GatedPath>) {
    this.#pins = [...pins];
    this.#open = new Set(this.#pins.map(({ absolute }) => absolute));
  }

  /**
   * Returns a file if it may be read.
   * @throws ToolError `denied` if it may hold secrets and is not open
   */
  pass(at: GatedPath): GatedPath {
    const why = this.#open.has(at.absolute) ? undefined : this.#secretOf(at);
    if (why !== undefined) {
      throw new ToolError(
        "denied",
        `${shownName(at.path)}: ${why}, and this call was not permitted to read it.`,
        "Read it by its own path, which asks the user.",
      );
    }
    return at;
  }

  /**
   * Returns a search that skips files that are not open: silently in a folder, with an error if the file itself is the
   * target.
   */
  guard(search: Search): Search {
    const permitted = this.#pins.flatMap(({ path, realPath }) => [path, realPath]);
    return {
      find: (request, signal) => search.find(request, signal),
      search: async (request, signal) => search.search({ ...request, at: this.pass(request.at), permitted }, signal),
    };
  }

  /**
   * Returns why a file may hold secrets, by any of its names. A workspace may be inside a folder of secrets, which only
   * absolute paths show. If a pin is such a folder, the user was asked about it.
   */
  #secretOf({ path, realPath, absolute }: GatedPath): string | undefined {
    return (
      secretReason(path) ??
      secretReason(realPath) ??
      (this.#pins.some((pin) => isWithin(pin.absolute, absolute) && secretReason(pin.absolute) !== undefined)
        ? undefined
        : secretReason(absolute))
    );
  }
}

/** Whether a search may read a file, by one of its names in the workspace. */
export function maySearch({ permitted = [] }: Pick<SearchRequest, "permitted">, path: string): boolean {
  return permitted.includes(path) || secretReason(path) === undefined;
}

function isWithin(folder: string, path: string): boolean {
  return pathBelow(folder, path, false) !== undefined;
}
