/** Words that are goals: targets of make, tasks of gradle, scripts of npm. Some of them publish. */
import type { Call } from "./options.js";
import { beyond, type Finding } from "./spec.js";

/**
 * Names of goals that publish, wherever a word in them begins: `docs:deploy`, `publishToMavenLocal`, `release:prepare`,
 * `site-deploy`. Not `assembleRelease`, which is a kind of build.
 */
export const PUBLISHES = /(?:^|[^a-z\d])(?:pre|post|un|re|closeAnd)?(?:deploy|publish|releas|upload)/iu;

/** Those, and the ones by which make and its kin put files into folders of the machine. */
export const INSTALLS = new RegExp(`${PUBLISHES.source}|(?:^|[^a-z\\d])(?:un)?install`, "iu");

/** A goal that publishes or installs. It is no ordinary work, and a rule has to name it. */
export function publishFindings(names: readonly (string | undefined)[], publishes: RegExp): readonly Finding[] {
  const found = names.find((name) => name !== undefined && publishes.test(name));
  return found === undefined
    ? []
    : [{ effect: "destroys", why: `\`${found}\` may publish, or install outside the workspace`, beyond: false }];
}

/** What the goals of a call say. Each behind the first is one that a rule for the first does not mean. */
export function goalFindings(call: Call, publishes: RegExp): readonly Finding[] {
  // `-j 4`: the number belongs to the flag.
  const goals = call.operands.map(({ value }) => value).filter((value) => value === undefined || !/^\d+$/u.test(value));
  const further = goals
    .slice(1)
    .map((goal) =>
      beyond("changes", `\`${goal ?? "$…"}\` is a goal of its own, which a rule for the first does not cover`),
    );
  return [...publishFindings(goals, publishes), ...further];
}

/** `@file`, which takes flags from a file, those that write or run something, too. */
export function responseFileFindings(call: Call): readonly Finding[] {
  return call.operands.some(({ value }) => (value ?? "@").startsWith("@"))
    ? [beyond("unknown", "`@file` takes flags from a file")]
    : [];
}

/** An address among the words: what is there runs or is built here. */
export function addressFindings(words: readonly (string | undefined)[]): readonly Finding[] {
  return words.some((word) => word !== undefined && ADDRESS.test(word))
    ? [beyond("unknown", "it takes what an address of its own holds")]
    : [];
}

const ADDRESS = /:\/\/|^git@|^(?:github|gitlab|bitbucket|gist)[:.]/iu;
