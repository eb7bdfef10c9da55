import { addIgnoreRules, belowRoot, loadIgnoreRules, type IgnoreRules } from "../../core/paths/ignoreRules.js";
import { baseName, joinPath } from "../../core/paths/pathShape.js";
import { secretReason } from "../../core/paths/protectedFiles.js";
import { resolveFrom } from "../../core/paths/resolveFrom.js";
import type { Files, GatedPath } from "../../ports/files.js";

/** Maximum number of folders searched for a name that was not found; an error must come soon. */
const MAX_FOLDERS = 1_000;
/** Maximum number of entries checked, for the same reason. */
const MAX_ENTRIES = 50_000;

/** Other places where a missing path may be. */
export interface Elsewhere {
  /** Paths that end in the whole missing path. */
  ending: string[];
  /** Other paths with the same last name. */
  named: string[];
}

/** Whether a name is the missing one, or what an import by that name leads to: `url` and `url.js` to `url.ts`. */
function asImported(missing: string): (name: string) => boolean {
  const stem = missing.replace(/\.[cm]?jsx?$/, "");
  return (name) =>
    name === missing ||
    (!stem.includes(".") && name.startsWith(`${stem}.`) && /^\.[a-z]{1,5}$/.test(name.slice(stem.length)));
}

/**
 * Looks for a missing path's last name in the rest of the workspace, upper folders first, up to the limits. Skips files
 * ignored by .gitignore or a similar file, and files that may hold secrets.
 */
export async function findElsewhere(files: Files, missing: GatedPath): Promise<Elsewhere> {
  const name = baseName(missing.path);
  const isSame = asImported(name);
  const found: Elsewhere = { ending: [], named: [] };
  let looked = 0;
  let level: { at: GatedPath; above: IgnoreRules | undefined }[] = [{ at: await files.resolve("."), above: undefined }];
  for (let folders = 0; level.length > 0;) {
    const next: typeof level = [];
    for (const { at, above } of level) {
      folders++;
      if (folders > MAX_FOLDERS || looked > MAX_ENTRIES) {
        return found;
      }
      // An unreadable folder only hides its own names.
      const entries = await files.list(at).catch(() => []);
      looked += entries.length;
      const rules = await (above === undefined
        ? loadIgnoreRules(files, at, entries)
        : addIgnoreRules(above, files, at, entries));
      for (const entry of entries) {
        const isFolder = entry.kind === "directory" && !entry.link;
        const path = at.path === "." ? entry.name : joinPath(at.path, entry.name);
        if (
          entry.name === ".git" ||
          (at.root !== undefined &&
            rules.ignores(joinPath(belowRoot(at), entry.name).replace(/^\.\//, ""), isFolder)) ||
          secretReason(path) !== undefined
        ) {
          continue;
        }
        if (isSame(entry.name)) {
          const asMissing = path.slice(0, path.length - entry.name.length) + name;
          found[asMissing.endsWith(`/${missing.path}`) ? "ending" : "named"].push(path);
        }
        const below = isFolder ? await resolveFrom(files, at, path).catch(() => undefined) : undefined;
        if (below !== undefined) {
          // In a workspace with several folders, each starts with its own rules.
          next.push({ at: below, above: at.root && rules });
        }
      }
    }
    level = next;
  }
  return found;
}
