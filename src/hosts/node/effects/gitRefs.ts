import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gitMoves, type GitMove, type GitState } from "../../../features/effects/gitMoves.js";
import type { Snapshot } from "../../../features/effects/snapshot.js";
import { placeOf, topAbove, type GitPlace } from "../gitTree.js";
import { readRegular } from "./readRegular.js";

/** Maximum number of repositories of a root that are looked at, and of refs of one that are files. */
const MAX_REPOSITORIES = 20;
const MAX_REFS = 2_000;
/** Maximum bytes of packed refs: 60,000 of them; and of the list of stashes. */
const MAX_PACKED = 4_000_000;
const MAX_STASHES = 1_000_000;
/** Maximum bytes of a ref. */
const MAX_REF = 4_096;

/** Files that a repository has while something is in progress, and Git's command that goes on with it. */
const GOING = [
  ["rebase-merge", "rebase"],
  ["rebase-apply/applying", "am"],
  ["rebase-apply", "rebase"],
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
] as const;

/** A repository at the start of a command. */
export interface Repository {
  /** Its path below the root; empty also for one that the root is in. */
  path: string;
  /** The absolute path of its working tree. */
  top: string;
  state: GitState;
}

/**
 * Reads the refs and stashes of a root's repositories (its own or the one it is in, and those below) from their files:
 * Git is not run, so nothing of a repository can act. One that cannot be read is left out.
 *
 * @param root its real path
 */
export function repositoriesOf(root: string, { repositories }: Snapshot): Repository[] {
  return [...new Set(["", ...repositories])].slice(0, MAX_REPOSITORIES).flatMap((path) => {
    const top = path === "" ? topAbove(root) : join(root, path);
    const state = top === undefined ? undefined : gitState(top);
    return top === undefined || state === undefined ? [] : [{ path, top, state }];
  });
}

/** Returns what happened to a repository since. */
export function movesOf({ path, top, state }: Repository): (GitMove & { path: string })[] {
  const isGone = lstatSync(join(top, ".git"), { throwIfNoEntry: false }) === undefined;
  const now = isGone ? undefined : gitState(top);
  return isGone || now !== undefined ? gitMoves(state, now).map((move) => ({ ...move, path })) : [];
}

function gitState(top: string): GitState | undefined {
  try {
    return stateOf(top);
  } catch {
    return undefined;
  }
}

function stateOf(top: string): GitState | undefined {
  const place = placeOf(join(top, ".git"));
  const head = place && textOf(join(place.own, "HEAD"), MAX_REF)?.trim();
  // Refs in a table (`reftable`) are not in files, where HEAD says so.
  if (place === undefined || head === undefined || head === "ref: refs/heads/.invalid") {
    return undefined;
  }
  const refs = refsOf(place);
  return (
    refs && {
      head: head.replace(/^ref: /, ""),
      refs,
      stashes: stashesOf(place),
      going: GOING.find(([file]) => existsSync(join(place.own, file)))?.[1],
    }
  );
}

function refsOf({ common }: GitPlace): Map<string, string> | undefined {
  const packed = textOf(join(common, "packed-refs"), MAX_PACKED);
  if (packed === undefined && existsSync(join(common, "packed-refs"))) {
    return undefined;
  }
  const refs = new Map<string, string>();
  for (const [, value = "", name = ""] of (packed ?? "").matchAll(/^([0-9a-f]{40,64}) (refs\/\S+)$/gm)) {
    refs.set(name, value);
  }
  // A file counts more than the packed ref of its name.
  const loose = new Map<string, string>();
  return readLoose(common, "refs", loose) ? new Map([...refs, ...loose]) : undefined;
}

/** @returns whether all were read */
function readLoose(common: string, name: string, refs: Map<string, string>): boolean {
  const folder = join(common, name);
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    return true;
  }
  return readdirSync(folder, { withFileTypes: true }).every((entry) => {
    const ref = `${name}/${entry.name}`;
    if (entry.isDirectory()) {
      return ref === "refs/remotes" || readLoose(common, ref, refs);
    }
    const value = entry.isFile() ? textOf(join(common, ref), MAX_REF)?.trim() : undefined;
    if (value !== undefined && /^[0-9a-f]{40,64}$/.test(value)) {
      refs.set(ref, value);
    }
    return refs.size <= MAX_REFS || value === undefined;
  });
}

/** Returns the stashes' commits: the log of their ref is their list. */
function stashesOf({ common }: GitPlace): string[] {
  const log = textOf(join(common, "logs/refs/stash"), MAX_STASHES) ?? "";
  return [...log.matchAll(/^[0-9a-f]{40,64} ([0-9a-f]{40,64}) /gm)].map(([, commit = ""]) => commit);
}

function textOf(file: string, maxBytes: number): string | undefined {
  return readRegular(file, maxBytes)?.bytes.toString("utf8");
}
