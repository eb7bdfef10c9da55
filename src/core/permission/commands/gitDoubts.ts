import type { PathUse, SimpleCommand } from "../../../shell/analysis.js";
import { commandWords } from "../../../shell/judge.js";
import { parentPath, pathBelow } from "../../paths/pathShape.js";
import { repositoryDoubt } from "../git/programs.js";
import { findRepository, isSure, tagDoubt } from "../git/repository.js";
import { addressDoubt, trackedDoubt } from "../git/tracked.js";
import type { CommandUse, ReachedFile } from "../touches.js";
import { baseName, isListedEffect } from "./kinds.js";
import type { CommandPlaces } from "./places.js";

const UNREADABLE = "the folder git runs in cannot be read";

/** Returns the folders that a git command may run in, as in `PathUse`; undefined for other commands. */
export function gitBases({ words, paths }: SimpleCommand): readonly string[] | undefined {
  return baseName(words[0]) === "git" ? paths.find(({ path }) => path === ".")?.bases : undefined;
}

/**
 * Marks a git command as no longer proven to only read if the repository's configuration names programs, since git may
 * run them.
 */
export async function inRepository(simple: SimpleCommand, places: CommandPlaces): Promise<SimpleCommand> {
  const bases = isListedEffect(simple) ? gitBases(simple) : undefined;
  if (
    bases !== undefined &&
    commandWords(simple.words)[1] === "diff" &&
    simple.words.includes(undefined) &&
    (await comparesFiles(places, bases, simple.paths).catch(() => "a path")) === "a path"
  ) {
    return {
      ...simple,
      effect: "unknown",
      why: "it compares files, since one is outside the repository, and only the run shows which ones",
    };
  }
  const doubt = bases === undefined ? undefined : await configuredDoubt(places, bases).catch(() => UNREADABLE);
  return doubt === undefined ? simple : { ...simple, effect: "unknown", why: doubt };
}

/**
 * Returns why a read-only git command in one of these folders might run a program that the repository configures;
 * undefined if it cannot.
 * @param bases as in `PathUse`
 */
export async function configuredDoubt(places: CommandPlaces, bases: readonly string[]): Promise<string | undefined> {
  const doubts = await Promise.all(
    (await places.foldersOf(bases)).map((folder) => repositoryDoubt(places.files, folder)),
  );
  return doubts.find((doubt) => doubt !== undefined);
}

/**
 * Returns the objections to running a git command in folders, and to what it may print of their repositories.
 * @param bases as in `PathUse`
 * @param isAlone whether no other command receives its output
 */
export async function gitObjections(
  places: CommandPlaces,
  bases: readonly string[],
  { words, tracked }: SimpleCommand,
  isAlone: boolean,
): Promise<CommandUse[]> {
  const { files } = places;
  const inRepositories = (doubtOf: (folder: string) => Promise<string | undefined>): Promise<CommandUse[]> =>
    objection(async () => Promise.all((await places.foldersOf(bases)).map(doubtOf)));
  const ofContents =
    tracked === undefined ? [] : await inRepositories((folder) => trackedDoubt(files, folder, tracked));
  const ofAddresses = tellsAddresses(words) ? await inRepositories((folder) => addressDoubt(files, folder)) : [];
  const ofTags =
    !isAlone && commandWords(words)[1] === "describe" ? await inRepositories((folder) => tagDoubt(files, folder)) : [];
  return [...(await bareRepositories(places, bases)), ...ofContents, ...ofAddresses, ...ofTags];
}

/** Returns the first of some doubts as a use that asks; also asks if they cannot be looked up. */
async function objection(find: () => Promise<readonly (string | undefined)[]>): Promise<CommandUse[]> {
  const doubts = await find().catch(() => [UNREADABLE]);
  const problem = doubts.find((doubt) => doubt !== undefined);
  return problem === undefined ? [] : [{ kind: "read", written: ".", deep: false, files: [], problem }];
}

/**
 * Returns the objection to running git in folders. In one that looks like a bare repository, git reads its
 * configuration, which names programs that `git status` runs, from files that anyone may have made (git-config(1),
 * `safe.bareRepository`).
 * @param bases as in `PathUse`
 */
export function bareRepositories(places: CommandPlaces, bases: readonly string[]): Promise<CommandUse[]> {
  return objection(async () => {
    const folders = (await Promise.all(bases.map((base) => places.locate(base, ".")))).flat();
    return Promise.all(folders.map((folder) => bareRepository(places, folder)));
  });
}

/** Whether git may print a remote's address. */
function tellsAddresses(words: SimpleCommand["words"]): boolean {
  const [, subcommand, ...rest] = commandWords(words);
  return (
    subcommand === "remote" ||
    (subcommand === "config" &&
      rest.some((word) => word === undefined || /^(?:remote|branch|url|submodule)\./i.test(word)))
  );
}

/** Returns the objection to the nearest folder that git treats as a bare repository, before one that has a repository. */
async function bareRepository(places: CommandPlaces, folder: ReachedFile): Promise<string | undefined> {
  let at = folder;
  while (!at.outside) {
    const names = new Set((await places.list(at)).map(({ name }) => name.toLowerCase()));
    if (names.has(".git")) {
      return undefined;
    }
    if (names.has("head") && ["objects", "refs", "commondir"].some((name) => names.has(name))) {
      return `git treats ${at.path === "." ? "the workspace" : at.path} itself as a bare repository, whose configuration can make git run programs`;
    }
    const above = parentPath(at.absolute);
    if (above === at.absolute) {
      return undefined;
    }
    at = await places.place(above);
  }
  return undefined;
}

/**
 * Returns why `git diff` compares files on disk as `diff -r` does (git-diff(1), `--no-index`): there is no
 * repository, or a path leads out of it; undefined if it does not.
 * @param bases as in `PathUse`
 */
export async function comparesFiles(
  places: CommandPlaces,
  bases: readonly string[],
  paths: readonly PathUse[],
): Promise<"no repository" | "a path" | undefined> {
  const found = (
    await Promise.all(
      paths
        .flatMap(({ path }) =>
          path === "." ? [] : bases.map((base) => places.locate(places.isAbsolute(path) ? "." : base, path)),
        )
        .map((place) => place.catch(() => undefined)),
    )
  ).flat();
  for (const folder of await places.foldersOf(bases)) {
    const repository = await findRepository(places.files, folder).catch(() => undefined);
    const isOne = repository !== undefined && (await isSure(places.files, repository).catch(() => false));
    if (!isOne) {
      return "no repository";
    }
    if (found.some((at) => at === undefined || pathBelow(repository.top, at.absolute, false) === undefined)) {
      return "a path";
    }
  }
  return undefined;
}
