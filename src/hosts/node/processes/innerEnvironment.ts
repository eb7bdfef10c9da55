/** Variables by which the loader and shells run code before a program does anything. */
const LOADS_CODE = /^(?:LD_|BASH_FUNC_|GCONV_PATH$|LOCPATH$)/;

/** An environment, apart for the programs that set a sandbox up and for what runs in it. */
export interface DividedEnvironment {
  outer: Record<string, string>;
  /** Words for env(1), which adds these in the sandbox. */
  words: string[];
}

/**
 * Takes out of a contained command's environment all that its call chose, and what loads code: the programs that set the
 * sandbox up run outside of it.
 *
 * @param all the command's
 * @param own the same without what its call chose
 */
export function dividedEnvironment(
  all: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
): DividedEnvironment {
  const isInner = (name: string): boolean => all[name] !== own[name] || LOADS_CODE.test(name);
  const variables = Object.entries(all);
  return {
    outer: Object.fromEntries(variables.filter(([name]) => !isInner(name))),
    // Of secrets none is among these: other users of the machine see them.
    words: ["--", ...variables.flatMap(([name, value]) => (isInner(name) ? [`${name}=${value}`] : []))],
  };
}
