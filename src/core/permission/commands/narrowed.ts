import type { LeftOut, Narrowing } from "../../../shell/analysis.js";
import { oneLine, shorten } from "../../../text/clip.js";
import type { CommandTouch } from "../touches.js";

/** Maximum length of a shown command line, in characters. */
const MAX_PART = 300;

/** A command line that skips files which may hold secrets, to run instead of one that would read them. */
export interface Narrowed {
  command: string;
  /** Names of the files and folders that it skips. */
  leftOut: readonly string[];
}

/** Returns the notice for the person and the model: one line without a full stop. */
export function leftOutInWords({ command, leftOut }: Narrowed): string {
  const are = leftOut.length === 1 ? "is skipped, as it" : "are skipped, as they";
  return `${leftOut.join(", ")} ${are} may hold secrets: the command run is \`${shorten(oneLine(command), MAX_PART)}\``;
}

/** The flags with which each kind of search skips files and folders. */
const FLAGS: Readonly<Record<Narrowing, (leftOut: LeftOut) => readonly string[]>> = {
  exclude: ({ files, folders }) => [
    ...files.map((name) => `--exclude=${name}`),
    ...folders.map((name) => `--exclude-dir=${name}`),
  ],
  glob: ({ files, folders }) => [...files, ...folders].map((name) => `--glob='!${name}'`),
};

/**
 * Returns the command line with flags added that make its searches skip files which may hold secrets; undefined if
 * there are none, or if some cannot be skipped. It is a new line: the caller must decide on it from scratch.
 */
export function narrowed({ command, commands }: CommandTouch): Narrowed | undefined {
  const flags = new Map<number, Set<string>>();
  const leftOut = new Set<string>();
  for (const { simple, uses } of commands) {
    for (const { leavable } of uses) {
      if (leavable === undefined) {
        continue;
      }
      if (simple.narrowable === undefined) {
        return undefined;
      }
      const { at, by } = simple.narrowable;
      flags.set(at, new Set([...(flags.get(at) ?? []), ...FLAGS[by](leavable)]));
      [...leavable.files, ...leavable.folders].forEach((name) => leftOut.add(name));
    }
  }
  if (flags.size === 0) {
    return undefined;
  }
  // From the last to the first, so that offsets stay valid.
  const text = [...flags]
    .sort(([one], [other]) => other - one)
    .reduce((line, [at, some]) => `${line.slice(0, at)} ${[...some].join(" ")}${line.slice(at)}`, command);
  return { command: text, leftOut: [...leftOut] };
}
