/** Entries of the everyday work that runs a project's own code, and how such tools tell their version. */
import type { Steering } from "../../analysis.js";
import { PUBLISHES } from "../goals.js";
import { each, unknown, type CommandSpec, type Exception, type Flags } from "../spec.js";

/** Builds the entry of ordinary work, which runs the workspace's own code. */
export function works(why: string, exceptions: readonly Exception[] = [], prefix?: number): CommandSpec {
  const spec: CommandSpec = {
    effect: "changes",
    why,
    local: true,
    lenient: true,
    here: "always",
    operands: { rest: "read" },
    flags: { exceptions },
  };
  return prefix === undefined ? spec : { ...spec, prefix };
}

/** Builds the entry of an interpreter, whose program may be anything, but is of the project or in its words. */
export function runsCode(why: string): CommandSpec {
  return { ...unknown(why), local: true };
}

/** The same where the first word after the names is the program itself, and no path. */
export function runsText(why: string): CommandSpec {
  return { ...runsCode(why), operands: { first: ["text"], rest: "write" } };
}

/** Returns the entry of work that needs more than the project: the network, or caches in the user's home. */
export function beyondProject({ local: _, ...spec }: CommandSpec): CommandSpec {
  return spec;
}

/** A formatter: it may write its operands. */
export const formats = (why: string, exceptions: readonly Exception[]): CommandSpec => ({
  ...works(why, exceptions),
  operands: { rest: "write" },
});

/** A checker: it reads its operands, and writes them with some flags. */
export const checks = (why: string, writeWith: string, exceptions: readonly Exception[]): CommandSpec => ({
  ...works(why, exceptions),
  writeWith,
  flags: { plain: "-w", exceptions },
});

/**
 * Builds the entry of ordinary work whose operands are goals, so that a rule for `test` does not cover a `deploy` after
 * it.
 */
export function goalWorks(
  why: string,
  exceptions: readonly Exception[] = [],
  flags: Flags = {},
  goals: RegExp = PUBLISHES,
): CommandSpec {
  return { ...works(why, exceptions, 2), flags: { ...flags, exceptions }, goals };
}

/**
 * Builds the entry of a tool that reads nothing in the workspace before it prints its version: `make --version` and
 * similar.
 */
export function versioned(spec: CommandSpec, check: CommandSpec["check"] = spec.check): CommandSpec {
  return {
    effect: "unknown",
    bare: check === undefined ? spec : { ...spec, check },
    subcommands: { "--version": version },
  };
}

/**
 * Builds the entry of a tool that is harmless if it is only asked for its version, by a flag, and none of the steering
 * files exist.
 */
export function tellsVersion(flags: string, spec: CommandSpec, steeredBy: Steering): CommandSpec {
  return { effect: "unknown", bare: spec, subcommands: each(flags, { effect: "reads", operands: {}, steeredBy }) };
}

export const version: CommandSpec = { effect: "reads", flags: { plain: "-V --version" } };

export const tests = "it runs the project's tests";
export const fetches = "it may fetch packages over the network";
export const builds = "it builds the project, which runs its own code";
