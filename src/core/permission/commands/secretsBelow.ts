import type { LeftOut } from "../../../shell/analysis.js";
import { isOrdinaryEnding } from "../../../shell/ordinaryEndings.js";
import { secretReason } from "../../paths/protectedFiles.js";
import { matchesText } from "../rules/patterns.js";
import { secretOf, type CommandUse, type ReachedFile } from "../touches.js";
import { mayShow } from "../unhidden.js";
import { broughtBackAbove, broughtBackBy } from "./ignoreFiles.js";
import { below, type CommandPlaces } from "./places.js";

/** Large folders that are skipped: git's own, in which only some files are secret, and packages published by others. */
const PASSED_OVER = new Set([".git", "node_modules"]);

/** Maximum number of names passed to a search as names to skip. */
const MAX_LEFT_OUT = 12;

/** Names without characters special to the shell or to patterns. */
const PLAIN_NAME = /^[\w.@+-]+$/;

/**
 * Returns the objection to reading everything below folders: something there may be secret. Includes the names, if
 * the command could skip all of it.
 */
export async function secretsBelow(
  places: CommandPlaces,
  folders: readonly ReachedFile[],
  {
    shownOnly,
    links,
    ordinaryOnly,
    leftOut = { files: [], folders: [] },
  }: {
    shownOnly: readonly string[] | undefined;
    links: boolean;
    ordinaryOnly: boolean;
    leftOut: LeftOut | undefined;
  },
): Promise<Pick<CommandUse, "problem" | "leavable">> {
  const open = folders.filter(({ outside }) => !outside);
  const followed = new Set<string>();
  const found = { files: new Set<string>(), folders: new Set<string>() };
  let first: ReachedFile | undefined;
  const shown = shownOnly === undefined ? undefined : [...shownOnly, ...(await broughtBackAbove(places, open))];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const entries = await places.list(folder);
    shown?.push(...(await broughtBackBy(places, folder, entries)));
    for (const { name, kind, link } of entries) {
      const isFolder = kind === "directory" && !link;
      // A link that is followed may lead to a file or a folder.
      const isLeftOut =
        !(link && links) && leftOut[isFolder ? "folders" : "files"].some((pattern) => matchesText(pattern, name));
      if (isLeftOut || (shown !== undefined && name.startsWith(".") && !mayShow(shown, name))) {
        continue;
      }
      const at = below(folder, name);
      // A folder is entered whatever its extension.
      const ending = name.slice(name.lastIndexOf(".") + 1);
      // On Windows, a filter such as `*.sql` also finds `.env.sqlite` by its short name.
      const isRead = !ordinaryOnly || link || isOrdinaryEnding(ending) || isOrdinaryEnding(ending.slice(0, 3));
      const real = link && links ? await places.entry(folder, name, link) : undefined;
      const isGits = name === ".git" && isFolder && !ordinaryOnly && (await hasSecrets(places, at));
      const isSecret = isGits || (isRead && secretOf(at) !== undefined);
      if (isSecret || (real !== undefined && (real.outside || secretOf(real) !== undefined))) {
        first ??= at;
        // If a file is secret because of its folder, skipping its name would also skip others with that name.
        if (real !== undefined || !PLAIN_NAME.test(name) || (!isGits && secretReason(name) === undefined)) {
          return { problem: readsBelow(at) };
        }
        found[isFolder ? "folders" : "files"].add(name);
        if (found.files.size + found.folders.size > MAX_LEFT_OUT) {
          return { problem: readsBelow(first) };
        }
        continue;
      }
      if (real !== undefined && !followed.has(real.absolute)) {
        followed.add(real.absolute);
        open.push(real);
      }
      if (isFolder && !PASSED_OVER.has(name)) {
        open.push(await places.entry(folder, name, link));
      }
    }
  }
  return first === undefined
    ? {}
    : { problem: readsBelow(first), leavable: { files: [...found.files], folders: [...found.folders] } };
}

/** Whether one of git's own folders contains a file with remote addresses. */
async function hasSecrets(places: CommandPlaces, at: ReachedFile): Promise<boolean> {
  return (await places.list(at)).some(({ name }) => secretOf(below(at, name)) !== undefined);
}

function readsBelow({ path }: ReachedFile): string {
  return `it reads all files below, including \`${path}\``;
}
