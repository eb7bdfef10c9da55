/** Words that are goals: make targets, gradle tasks, npm scripts. Some of them publish. */
import type { Call } from "./options.js";
import { beyond, type Finding } from "./spec.js";

/**
 * Goal names that publish, at the start of any word in them: `docs:deploy`, `publishToMavenLocal`, `release:prepare`,
 * `site-deploy`. Not `assembleRelease`, which is a build variant.
 */
export const PUBLISHES = /(?:^|[^a-z\d])(?:pre|post|un|re|closeAnd)?(?:deploy|publish|releas|upload)/iu;

/** Like `PUBLISHES`, plus the goals with which make and similar tools install files outside the project. */
export const INSTALLS = new RegExp(`${PUBLISHES.source}|(?:^|[^a-z\\d])(?:un)?install`, "iu");

/** Finds a goal that publishes or installs. It is not ordinary work, and a rule must name it. */
export function publishFindings(names: readonly (string | undefined)[], publishes: RegExp): readonly Finding[] {
  const found = names.find((name) => name !== undefined && publishes.test(name));
  return found === undefined
    ? []
    : [{ effect: "destroys", why: `\`${found}\` may publish, or install outside the workspace`, beyond: false }];
}

/** Returns the findings for a call's goals. A rule for the first goal does not cover the others. */
export function goalFindings(call: Call, publishes: RegExp): readonly Finding[] {
  // `-j 4`: the number belongs to the flag.
  const goals = call.operands.map(({ value }) => value).filter((value) => value === undefined || !/^\d+$/u.test(value));
  const further = goals
    .slice(1)
    .map((goal) => beyond("changes", `\`${goal ?? "$…"}\` is another goal, which a rule for the first does not cover`));
  return [...publishFindings(goals, publishes), ...further];
}

/** Reports `@file`, which reads flags from a file, including flags that write or run something. */
export function responseFileFindings(call: Call): readonly Finding[] {
  return call.operands.some(({ value }) => (value ?? "@").startsWith("@"))
    ? [beyond("unknown", "`@file` reads flags from a file")]
    : [];
}

/**
 * Reports named packages, which may be new ones. Installing those that the manifest lists is ordinary work.
 * @param words those that name packages
 * @param beyondUndo what undo does not take back of it
 */
export function newPackages(words: readonly unknown[], does = "installs", beyondUndo?: string): readonly Finding[] {
  const why = [`it ${does} packages named in the command, and their code runs`, beyondUndo]
    .filter((part) => part !== undefined)
    .join("; ");
  return words.length === 0 ? [] : [{ effect: "unknown", why, beyond: false, closed: true }];
}

/** Reports an address among the words: the command runs or builds what it points to. */
export function addressFindings(words: readonly (string | undefined)[]): readonly Finding[] {
  return words.some((word) => word !== undefined && ADDRESS.test(word))
    ? [beyond("unknown", "it takes code from an address")]
    : [];
}

const ADDRESS = /:\/\/|^git@|^(?:github|gitlab|bitbucket|gist)[:.]/iu;
