import { tmpdir } from "node:os";
import { RecentActivity } from "../core/pipeline/activity.js";
import { Pipeline, type PipelineHost } from "../core/pipeline/pipeline.js";
import { exportedNames } from "../hosts/node/environment.js";
import { ProcessExpressions } from "../hosts/node/jsonata/expressions.js";
import { ProcessPages } from "../hosts/node/pages/processPages.js";
import { ProcessPdf } from "../hosts/node/pdf/processPdf.js";
import { NodePrograms } from "../hosts/node/programs.js";
import { powerShellInUse } from "../hosts/node/processes/shell.js";
import { WasmShellGrammar } from "../hosts/node/shellGrammar.js";
import type { CommandAnalysis } from "../shell/analysis.js";
import type { PowerShellReader } from "../shell/powershell/analyse.js";
import { DiskSpool } from "../hosts/node/state/spool.js";
import { withoutSecrets } from "../features/code/withoutSecrets.js";
import { lazyCode } from "../features/code/lazyCode.js";
import { loadGrammar } from "../hosts/node/treeSitter.js";
import type { Following } from "../features/knowledge/follow.js";
import type { Code } from "../ports/code.js";
import type { Files } from "../ports/files.js";
import type { Http } from "../ports/http.js";
import type { KnowledgeRefresh } from "../ports/knowledge.js";
import type { Search } from "../ports/search.js";
import type { Syntax } from "../ports/syntax.js";
import type { Disk } from "../hosts/shared/disk.js";
import type { Ripgrep } from "../hosts/ripgrep/ripgrep.js";
import { ripgrepPatterns } from "../hosts/ripgrep/patterns.js";
import type { MemoryLimits } from "../ports/memory.js";

type Given = PipelineHost["capabilities"];

export interface MachineParts {
  disk: Disk;
  run: Ripgrep;
  memory: () => MemoryLimits;
  /** The user agent for requests to sites. */
  userAgent: string;
  /** Whether the user wants sites' certificates not to be checked. */
  trustsAll?: () => boolean;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

/**
 * Creates the capabilities that do not depend on the workspace's file system.
 *
 * @param folder the folder of programs that are loaded later
 */
export function machineCapabilities(
  folder: string,
  { disk, run, memory, userAgent, trustsAll = () => false, now = Date.now }: MachineParts,
): Required<Pick<Given, "clock" | "expressions" | "http" | "memory" | "pages" | "patterns" | "pdf" | "spool">> {
  const http = async (): Promise<Http> =>
    (await import("../hosts/node/http/nodeHttp.js")).nodeHttp(userAgent, { trustsAll });
  return {
    clock: { now },
    expressions: new ProcessExpressions(folder),
    http: {
      send: async (...given) => (await http()).send(...given),
      checkPublic: async (url) => (await http()).checkPublic(url),
    },
    memory: { limits: memory, now },
    pages: new ProcessPages(folder),
    patterns: ripgrepPatterns(run, tmpdir()),
    pdf: new ProcessPdf(folder),
    spool: new DiskSpool(disk),
  };
}

/** Creates what knows of code by its syntax alone. @param folder as for `machineCapabilities` */
export function syntaxCode(folder: string, files: Files, search: Search): Code {
  return lazyCode(async () => {
    const { SyntaxCode } = await import("./syntaxCode.js");
    return new SyntaxCode({ ...withoutSecrets(files, search), syntax: await loadSyntax(folder), now: Date.now });
  });
}

/** Returns what brings an index of code up to date. @param folder as for `machineCapabilities` */
export function codeFollower(
  folder: string,
  { files, search }: { files: Files; search: Search },
): (following: Following) => Promise<KnowledgeRefresh> {
  return async (following) => {
    const { followCode } = await import("./syntaxCode.js");
    return followCode({ ...withoutSecrets(files, search), syntax: await loadSyntax(folder) }, following);
  };
}

const syntaxes = new Map<string, Syntax>();

/** Returns the one that has the grammars of a folder. */
async function loadSyntax(folder: string): Promise<Syntax> {
  const { WasmSyntax } = await import("./syntaxCode.js");
  // One engine for it and for commands: a second one would take the first one's memory.
  const syntax = syntaxes.get(folder) ?? new WasmSyntax((grammar) => loadGrammar(folder, grammar));
  syntaxes.set(folder, syntax);
  return syntax;
}

/**
 * Creates what parses commands before they are judged: the grammar, with this process's environment.
 *
 * @param options.isElsewhere whether commands run on another machine, of whose programs nothing is known
 */
export function commandReaders(
  folder: string,
  { isElsewhere = false, ...options }: { isOwnProcess?: boolean; isElsewhere?: boolean } = {},
): Required<Pick<PipelineHost, "grammar" | "powershell" | "exported" | "programs">> {
  return {
    grammar: new WasmShellGrammar(folder, options),
    powershell: isElsewhere || powerShellInUse() === undefined ? undefined : readPowerShell,
    exported: () => exportedNames(process.env),
    programs: isElsewhere
      ? { find: () => Promise.reject(new Error("the programs of another machine are not known")) }
      : new NodePrograms(() => process.env["PATH"] ?? ""),
  };
}

/** Reads a line for PowerShell; what reads it is loaded with the first one. */
async function readPowerShell(...line: Parameters<PowerShellReader>): Promise<CommandAnalysis> {
  const { analysePowerShell } = await import("../shell/powershell/analyse.js");
  return analysePowerShell(...line);
}

/** Creates a host's pipeline with the machine's clock. By default, activity is kept in memory. */
export function composePipeline(host: Omit<PipelineHost, "activity" | "now"> & Partial<PipelineHost>): Pipeline {
  return new Pipeline({ activity: new RecentActivity(), now: Date.now, ...host });
}
