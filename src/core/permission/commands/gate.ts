import type { CommandAnalysis, SimpleCommand } from "../../../shell/analysis.js";
import { analyseCommand } from "../../../shell/analyse.js";
import { commandWords } from "../../../shell/judge.js";
import type { Files } from "../../../ports/files.js";
import type { Programs } from "../../../ports/programs.js";
import type { ShellGrammar } from "../../../ports/shellGrammar.js";
import type { Touch } from "../../contract.js";
import { joinPath } from "../../paths/pathShape.js";
import { baseName } from "./kinds.js";
import { CommandPlaces } from "./places.js";
import type { GitFolders } from "../git/folders.js";
import { resolveAnywhere } from "./resolveAnywhere.js";
import type { CommandTouch, CommandUse, ReachedFile } from "../touches.js";

/** A host's facts about commands, for deciding on them. */
export interface CommandFacts {
  /** Absent if nothing can parse commands: then nothing about one is proven. */
  grammar: ShellGrammar | undefined;
  /** Names of the variables that every command has in its environment. */
  exported: () => readonly string[];
  /** Absent if programs cannot be looked up: then a name is assumed to be its usual program. */
  programs: Programs | undefined;
}

/**
 * Makes a command line canonical: which commands it runs, and where everything that it names is located. Runs nothing.
 * @throws ToolError if the folder it starts in is refused
 */
export async function gateCommand(
  touch: Extract<Touch, { kind: "command" }>,
  files: Files,
  { grammar, exported, programs }: CommandFacts,
  gitFolders?: GitFolders,
): Promise<CommandTouch> {
  const { command, workdir = ".", env = {}, shell = "bash" } = touch;
  const nothing = { kind: "command", command, commands: [], redirections: [] } as const;
  if (shell !== "bash") {
    return { ...nothing, doubts: ["it runs in the user's own shell, which may read it differently"] };
  }
  const at = await resolveAnywhere(files, workdir);
  if (at.root === undefined) {
    return { ...nothing, doubts: ["it does not say which workspace folder it runs in"] };
  }
  const names = exported();
  const { commands, redirections, doubts } = await analyse(command, grammar, Object.keys(env), names);
  const places = new CommandPlaces(files, at);
  return {
    kind: "command",
    command,
    doubts,
    commands: await Promise.all(
      commands.map(async (simple) => ({
        simple: await byItsProgram(
          await steered(await installed(await inRepository(simple, places), places), places, names),
          places,
          programs,
        ),
        uses: await restorable(
          await guarded(await usesOf(simple, places, commands.length === 1), gitFolders),
          places,
          simple.changesNamed === true,
        ),
      })),
    ),
    redirections: await restorable(
      await guarded(await Promise.all(redirections.map((use) => places.find(use))), gitFolders),
      places,
      true,
    ),
  };
}

/** Marks the changes to files that undo might not take back. */
async function restorable(
  uses: readonly CommandUse[],
  places: CommandPlaces,
  changesNamed: boolean,
): Promise<readonly CommandUse[]> {
  const targets = uses.filter(({ kind, moved }) => kind === "write" && moved !== true).flatMap(({ files }) => files);
  return Promise.all(
    uses.map(async (use) => {
      const why =
        changesNamed && use.kind === "write"
          ? await places.beyondUndo(use.files, use.moved === true ? targets : undefined)
          : undefined;
      return why === undefined ? use : { ...use, beyondUndo: why };
    }),
  );
}

/** Whether a command may run unasked for what the table says of it. */
function isListedEffect({ effect, changesNamed }: SimpleCommand): boolean {
  return effect === "reads" || changesNamed === true;
}

/** Returns the uses, with changed files marked if Git may run them. */
async function guarded(uses: readonly CommandUse[], gitFolders: GitFolders | undefined): Promise<CommandUse[]> {
  const ofFile = async (file: ReachedFile): Promise<ReachedFile> => {
    const why = await gitFolders?.reasonFor(file.absolute);
    return why === undefined ? file : { ...file, guarded: why };
  };
  return Promise.all(
    uses.map(async (use) => (use.kind === "write" ? { ...use, files: await Promise.all(use.files.map(ofFile)) } : use)),
  );
}

/**
 * Returns what a simple command reaches: through its words and, for git, through its folder.
 * @param isAlone whether it is the only command in its line, so no other command receives its output
 */
async function usesOf(
  { words, paths, tracked }: SimpleCommand,
  places: CommandPlaces,
  isAlone: boolean,
): Promise<CommandUse[]> {
  const bases = baseName(words[0]) === "git" ? paths.find(({ path }) => path === ".")?.bases : undefined;
  const isDeep =
    bases !== undefined &&
    commandWords(words)[1] === "diff" &&
    (await places.comparesFiles(bases, paths)) !== undefined;
  const uses = await Promise.all(
    paths.map((use) => places.find(isDeep && (use.path !== "." || words.includes(".")) ? { ...use, deep: true } : use)),
  );
  if (bases === undefined) {
    return uses;
  }
  const ofContents = tracked === undefined ? [] : await places.trackedSecrets(bases, tracked);
  const ofAddresses = tellsAddresses(words) ? await places.addresses(bases) : [];
  const ofTags = !isAlone && commandWords(words)[1] === "describe" ? await places.tags(bases) : [];
  return [...uses, ...(await places.repositories(bases)), ...ofContents, ...ofAddresses, ...ofTags];
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

/**
 * Marks a git command as no longer proven to only read if the repository's configuration names programs, since git may
 * run them.
 */
async function inRepository(simple: SimpleCommand, places: CommandPlaces): Promise<SimpleCommand> {
  const bases =
    isListedEffect(simple) && baseName(simple.words[0]) === "git"
      ? simple.paths.find(({ path }) => path === ".")?.bases
      : undefined;
  if (
    bases !== undefined &&
    commandWords(simple.words)[1] === "diff" &&
    simple.words.includes(undefined) &&
    (await places.comparesFiles(bases, simple.paths).catch(() => "a path")) === "a path"
  ) {
    return {
      ...simple,
      effect: "unknown",
      why: "it compares files, since one is outside the repository, and only the run shows which ones",
    };
  }
  const doubt =
    bases === undefined ? undefined : await places.gitDoubt(bases).catch(() => "the folder git runs in cannot be read");
  return doubt === undefined ? simple : { ...simple, effect: "unknown", why: doubt };
}

/**
 * Marks a command as no longer proven to only read if its name leads to a program in the workspace, or to one that runs
 * what the workspace names.
 */
async function byItsProgram(
  simple: SimpleCommand,
  places: CommandPlaces,
  programs: Programs | undefined,
): Promise<SimpleCommand> {
  const name = simple.words[0];
  const doubt =
    programs === undefined || name === undefined || !isListedEffect(simple)
      ? undefined
      : await places.programDoubt(programs, name, simple.bases).catch(() => `\`${name}\` cannot be looked up in PATH`);
  return doubt === undefined ? simple : { ...simple, effect: "unknown", why: doubt };
}

/** Marks a command as no longer proven to only read if a file in the workspace changes its effect. */
async function steered(
  simple: SimpleCommand,
  places: CommandPlaces,
  exported: readonly string[],
): Promise<SimpleCommand> {
  if (simple.effect !== "reads" || simple.steeredBy === undefined) {
    return simple;
  }
  const { files, variables = [], why } = simple.steeredBy;
  const variable = variables.find((name) => exported.includes(name));
  const named = simple.paths.flatMap(({ path, bases }) =>
    bases.map((base) => (path.startsWith("/") ? path : joinPath(base, path)).replace(/\/?[^/]*[*?[\\].*$/, "")),
  );
  const found =
    variable === undefined
      ? await places.findAbove([...new Set([...simple.bases, ...named])], files).catch(() => "the folder it runs in")
      : `\`${variable}\``;
  return found === undefined ? simple : { ...simple, effect: "unknown", why: `${found} ${why}` };
}

/**
 * Marks a package runner as no longer proven to only read if its program is not installed, and is therefore downloaded.
 * No rule for its first words covers that.
 */
async function installed(simple: SimpleCommand, places: CommandPlaces): Promise<SimpleCommand> {
  const { installedAs: name } = simple;
  const isThere =
    name === undefined || (await places.findAbove(simple.bases, [{ name }]).catch(() => undefined)) !== undefined;
  return isThere
    ? simple
    : {
        ...simple,
        effect: "unknown",
        why: `there is no \`${name}\`, so it is downloaded`,
        beyondPrefix: true,
        prefix: 0,
      };
}

/** Analyzes a command line; if the grammar fails, nothing is proven. */
async function analyse(
  command: string,
  grammar: ShellGrammar | undefined,
  variables: readonly string[],
  exported: readonly string[],
): Promise<CommandAnalysis> {
  const unknown = { commands: [], redirections: [] } as const;
  if (grammar === undefined) {
    return { ...unknown, doubts: ["commands cannot be parsed here"] };
  }
  try {
    return await analyseCommand(command, grammar, variables, exported);
  } catch {
    return { ...unknown, doubts: ["the command grammar could not be loaded"] };
  }
}
