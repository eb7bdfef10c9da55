import type { SessionKind } from "../ports/sessions.js";
import { oneLine, shorten } from "../text/clip.js";

/** Maximum characters of a title in a question. */
const MAX_TITLE = 40;

const WORDS: Readonly<Partial<Record<SessionKind, string>>> = {
  task: "Task",
  schedule: "Schedule",
  subagent: "Subagent",
};

/** Names who makes a turn's calls, for questions; undefined for the agent that the user is talking to. */
export function askerOf(kind: SessionKind, title: string): string | undefined {
  const word = WORDS[kind];
  return word && `${word} “${shorten(oneLine(title), MAX_TITLE)}”`;
}
