import type { Listed } from "../../../shell/analysis.js";
import { joinPath, parentPath, pathBelow } from "../../paths/pathShape.js";
import { findRepository, trackedBy } from "../git/repository.js";
import { secretOf, type CommandUse, type ReachedFile } from "../touches.js";
import { MAX_IGNORE_FILE } from "./ignoreFiles.js";
import { ListedNames, withoutPaths } from "./listedNames.js";
import { isPattern, nameMatcher } from "./namePatterns.js";
import { below, type CommandPlaces } from "./places.js";

/**
 * Returns what a command reads if it gets the names that a listing of places prints. `files` includes any listed file
 * that may be secret.
 */
export async function handedOn(
  places: CommandPlaces,
  use: CommandUse,
  listed: Listed,
  bases: readonly string[],
): Promise<CommandUse> {
  const list = new ListedNames(isPattern(use.written) ? withoutPaths(listed) : listed);
  const strays =
    list.odd(use.written.replace(/[*?[\]]/g, "")) ??
    list.oddMatch(use.written, use.files) ??
    (await oddOfGit(places, list, use.files, bases));
  if (strays !== undefined) {
    return { ...use, strays };
  }
  const patterns = use.files.filter(({ path }) => list.isMatchPattern(use.written, path));
  const again = await Promise.all(
    patterns.map(({ absolute }) => places.match(places.workdir.absolute, absolute, false)),
  );
  const reached: ReachedFile[] = [...use.files, ...again.flat()];
  // `find ./` prints `./x`, and on macOS `.//x`.
  const starts = use.written.endsWith("/") ? [use.written.slice(0, -1), use.written] : [use.written];
  const open = use.files.filter(({ outside }) => !outside).map((at) => ({ at, printed: starts, depth: 0 }));
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const { at: above, printed: before, depth } = folder;
    const entries = (await places.list(above)).map(({ name, kind, link }) => {
      const printed = before.map((each) => `${each}/${name}`);
      const goesOn = kind === "directory" && !link && list.goesInto(name, printed, depth);
      return { name, kind, link, printed, goesOn, has: list.has(name, printed, link) };
    });
    const namedSo = entries.filter(({ name, goesOn, has }) => (goesOn || has) && list.isPattern(name));
    const anyFolder = namedSo.some(({ goesOn }) => goesOn);
    if (anyFolder && list.leavesOut) {
      return {
        ...use,
        files: reached,
        strays: "a folder's name is a pattern that may match excluded folders",
      };
    }
    for (const { name, kind, link, printed, goesOn, has } of entries) {
      const isMatched = namedSo.some((pattern) => nameMatcher(pattern.name)(name));
      if (!goesOn && !has && !isMatched) {
        continue;
      }
      const odd = depth === 0 ? list.oddFirst(name) : list.odd(name);
      if (odd !== undefined) {
        return { ...use, files: reached, strays: odd };
      }
      const at = below(above, name);
      if (has || isMatched) {
        const real = await places.entry(above, name, link);
        if (real.outside || secretOf(at) !== undefined || secretOf(real) !== undefined) {
          reached.push(real.outside ? real : at);
        }
      }
      const isFolder = goesOn || (isMatched && anyFolder && kind === "directory");
      if (isFolder && (anyFolder || !(await isLeftOut(places, at, name, list)))) {
        open.push({ at: await places.entry(above, name, false), printed, depth: depth + 1 });
      }
    }
  }
  return { ...use, files: reached };
}

/** Returns why the next command may misread a name that git lists, whose file need not exist. */
async function oddOfGit(
  places: CommandPlaces,
  list: ListedNames,
  files: readonly ReachedFile[],
  bases: readonly string[],
): Promise<string | undefined> {
  if (list.from !== "index") {
    return list.from === undefined ? undefined : "names that exist only in commits may be misread when passed on";
  }
  for (const folder of await places.foldersOf(bases)) {
    const repository = await findRepository(places.files, folder);
    const paths =
      repository === undefined
        ? []
        : (await trackedBy(places.files, repository)).entries.map(({ path }) => joinPath(repository.top, path));
    const listed = paths.filter((path) => files.some(({ absolute }) => pathBelow(absolute, path, true) !== undefined));
    const odd = list.oddOfGit(listed.map((path) => pathBelow(folder, path, false) ?? path));
    if (odd !== undefined) {
      return odd;
    }
  }
  return undefined;
}

/** Whether nothing below a folder is listed, because it is git's own or excluded by a .gitignore next to it. */
async function isLeftOut(
  places: CommandPlaces,
  at: ReachedFile,
  name: string,
  { byGit }: ListedNames,
): Promise<boolean> {
  return byGit && (name === ".git" || (name === "node_modules" && (await ignoresPackages(places, at))));
}

/** Whether the folder that contains a package folder excludes it from git, and nothing there reverts that. */
async function ignoresPackages(places: CommandPlaces, { absolute }: ReachedFile): Promise<boolean> {
  try {
    const folder = parentPath(absolute);
    const names = (await places.files.list(await places.files.resolve(folder))).map(({ name }) => name);
    if (names.some((name) => name === ".ignore" || name === ".rgignore")) {
      return false;
    }
    const { text } = await places.files.readSnapshot(
      await places.files.resolve(joinPath(folder, ".gitignore")),
      MAX_IGNORE_FILE,
    );
    const rules = text.split(/\r?\n/);
    return rules.some((rule) => /^\/?node_modules\/?$/.test(rule)) && !rules.some((rule) => rule.startsWith("!"));
  } catch {
    return false;
  }
}
