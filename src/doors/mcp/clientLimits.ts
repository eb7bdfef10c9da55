/** Maximum characters of an answer, whoever the client is: of longer ones, some show their models 850. */
export const MAX_ANSWER = 20_000;
/**
 * The same for a client that shows less, and for one that is not known. A second page costs a call, while a text that is
 * cut in its middle misleads the model.
 */
const SMALL_ANSWER = 7_800;
/** Fewer would not hold our notes. */
const MIN_ANSWER = 2_000;

interface ClientLimit {
  /** Begins the name with which the client introduces itself (`clientInfo.name`). */
  name: RegExp;
  /** Maximum characters of a text that its model gets whole. */
  shows: number;
  /** Where the figure comes from. */
  source: string;
  /** Whether its model does not get the text of a result that has data, too. */
  dropsText?: true;
}

/** Each was measured with the client's release of November 2026: the largest text of a result that its model got whole. */
export const CLIENT_LIMITS: readonly ClientLimit[] = [
  { name: /^claude/i, shows: 50_000, source: "measured; of a longer one 2,255, and a file", dropsText: true },
  { name: /^codex/i, shows: 47_657, source: "measured; a longer one is cut in its middle", dropsText: true },
  { name: /^(?:github-)?copilot/i, shows: 20_313, source: "measured; of a longer one 850, and a file" },
  { name: /^gemini-cli/i, shows: 39_844, source: "measured; a longer one is cut in its middle" },
  { name: /^opencode/i, shows: 51_173, source: "measured; a longer one is cut, and in a file" },
  { name: /^qwen/i, shows: 27_930, source: "measured; of a longer one 2,464, and a file" },
  { name: /^cline/i, shows: 7_813, source: "measured; a longer one is cut in its middle" },
  {
    name: /^visual studio code/i,
    shows: 8_192,
    source: "Copilot Chat of VS Code 1.139 writes a longer part of a result to disk",
  },
];

/** Returns how many characters an answer to a client may have. @param name as it introduces itself */
export function answerSizeFor(name: string): number {
  const known = CLIENT_LIMITS.find((each) => each.name.test(name));
  return (known?.shows ?? 0) > MAX_ANSWER ? MAX_ANSWER : SMALL_ANSWER;
}

/** Whether a client's model gets the text of a result that has data, too. @param name as it introduces itself */
export function showsBoth(name: string): boolean {
  return CLIENT_LIMITS.find((each) => each.name.test(name))?.dropsText !== true;
}

/** Returns a size that another process says, within the limits. */
export function readAnswerSize(said: unknown): number {
  return typeof said === "number" && said >= MIN_ANSWER && said <= MAX_ANSWER ? Math.floor(said) : SMALL_ANSWER;
}
