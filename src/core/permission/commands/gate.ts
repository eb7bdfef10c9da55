import type { CommandAnalysis, SimpleCommand } from "../../../shell/analysis.js";
import { analyseCommand } from "../../../shell/analyse.js";
import { commandWords, judge } from "../../../shell/judge.js";
import type { Files } from "../../../ports/files.js";
import type { Programs } from "../../../ports/programs.js";
import type { ShellGrammar } from "../../../ports/shellGrammar.js";
import type { PowerShellReader } from "../../../shell/powershell/analyse.js";
import type { Touch } from "../../contract.js";
import type { GitFolders } from "../git/folders.js";
import type { CommandTouch, CommandUse, ReachedFile } from "../touches.js";
import { restorable } from "./beyondUndo.js";
import { comparesFiles, gitBases, gitObjections, inRepository } from "./gitDoubts.js";
import { isListedEffect } from "./kinds.js";
import { networkDoubt } from "./networkPaths.js";
import { findUse } from "./pathUse.js";
import { CommandPlaces } from "./places.js";
import { programDoubts } from "./programDoubt.js";
import { resolveAnywhere } from "./resolveAnywhere.js";
import { installed, steered } from "./steering.js";

/**
 * Endings of what PowerShell runs for a name: its own scripts before the program beside them, the program that is named
 * with its ending, and what Windows runs besides (PATHEXT).
 */
const POWERSHELL_ENDINGS = ["", ".ps1", ".exe", ".vbs", ".vbe", ".js", ".jse", ".wsf", ".wsh", ".msc", ".cpl"];

/** A host's facts about commands, for deciding on them. */
export interface CommandFacts {
  /** Absent if nothing can parse commands: then nothing about one is proven. */
  grammar: ShellGrammar | undefined;
  /** Where PowerShell runs commands in place of bash: reads its lines. */
  powershell?: PowerShellReader | undefined;
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
  { grammar, powershell, exported, programs }: CommandFacts,
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
  const { commands, redirections, doubts } =
    powershell === undefined
      ? await analyse(command, grammar, Object.keys(env), names)
      : await powershell(command, Object.keys(env), judge);
  // Only Windows' paths have a drive, or two slashes in front. PowerShell's reader knows its network paths.
  const network =
    powershell === undefined && /^(?:[A-Za-z]:|\/)\//.test(at.absolute) ? networkDoubt(command) : undefined;
  const places = new CommandPlaces(files, at, powershell !== undefined);
  const doubtOf = programs && programDoubts(programs, places);
  return {
    kind: "command",
    command,
    ...(touch.mayBeContained === true && { mayBeContained: true }),
    ...(touch.outside === true && { outside: true }),
    doubts: network === undefined ? doubts : [...doubts, network],
    commands: await Promise.all(
      commands.map(async (simple) => ({
        simple: await byItsProgram(
          await steered(await installed(await inRepository(simple, places), places), places, names),
          doubtOf,
          powershell === undefined ? [""] : POWERSHELL_ENDINGS,
        ),
        uses: await restorable(
          await guarded(await usesOf(simple, places, commands.length === 1), gitFolders),
          places,
          simple.changesNamed === true,
        ),
      })),
    ),
    redirections: await restorable(
      await guarded(await Promise.all(redirections.map((use) => findUse(places, use))), gitFolders),
      places,
      true,
    ),
  };
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
async function usesOf(simple: SimpleCommand, places: CommandPlaces, isAlone: boolean): Promise<CommandUse[]> {
  const { words, paths } = simple;
  const bases = gitBases(simple);
  const isDeep =
    bases !== undefined &&
    commandWords(words)[1] === "diff" &&
    (await comparesFiles(places, bases, paths)) !== undefined;
  const uses = await Promise.all(
    paths.map((use) =>
      findUse(places, isDeep && (use.path !== "." || words.includes(".")) ? { ...use, deep: true } : use),
    ),
  );
  return bases === undefined ? uses : [...uses, ...(await gitObjections(places, bases, simple, isAlone))];
}

/**
 * Marks a command as no longer proven to only read if its name leads to a program in the workspace, or to one that runs
 * what the workspace names.
 * @param endings of its file, as far as the look-up does not know them
 */
async function byItsProgram(
  simple: SimpleCommand,
  doubtOf: ReturnType<typeof programDoubts> | undefined,
  endings: readonly string[],
): Promise<SimpleCommand> {
  const name = simple.words[0];
  if (name === undefined || !isListedEffect(simple)) {
    return simple;
  }
  const doubts = await Promise.all(
    endings.map(
      async (ending) =>
        await doubtOf?.(`${name}${ending}`, simple.bases).catch(() => `\`${name}\` cannot be looked up in PATH`),
    ),
  );
  const doubt = doubts.find((each) => each !== undefined);
  return doubt === undefined ? simple : { ...simple, effect: "unknown", why: doubt };
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
