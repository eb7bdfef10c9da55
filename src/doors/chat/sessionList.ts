import { isUsersOwn } from "../../agent/ownWords.js";
import type { ModelMessage } from "../../ports/models.js";
import type { SessionEntry, SessionSummary } from "../../ports/sessions.js";
import { oneLine, shorten } from "../../text/clip.js";
import { escapeMarkdown } from "../../text/fence.js";
import { tokenWords, when } from "../../views/shared/words.js";
import { count } from "../../text/words.js";
import { LINK_COMMAND } from "../../names/contributed.js";

/** Maximum characters of a message shown when its session is reopened. */
const MAX_SHOWN = 600;
/** Number of messages shown then. */
const LAST_MESSAGES = 6;

const STATES: Readonly<Record<SessionSummary["state"], string>> = {
  active: "**running now**",
  idle: "",
  interrupted: "interrupted",
};

/** Lists sessions for people, each with a link that continues it. @param here the session of the current chat */
export function sessionRows(sessions: readonly SessionSummary[], here: string, now: number): string {
  return sessions
    .map((session, index) => {
      const link = `command:${LINK_COMMAND.openSession}?${encodeURIComponent(JSON.stringify([session.id]))}`;
      const facts = [
        ...(session.id === here ? ["this chat"] : []),
        ...(STATES[session.state] === "" ? [] : [STATES[session.state]]),
        when(session.updated, now),
        count(session.messages, "message"),
        tokenWords(session),
      ].filter((fact) => fact !== "");
      // The link's title is shown instead of the command's URI.
      return `${index + 1}. [${escapeMarkdown(shorten(oneLine(session.title), 80))}](${link} "Continue this session") — ${facts.join(", ")}`;
    })
    .join("\n");
}

/** Returns the last exchanges of a session for a user who continues it, without calls and results. */
export function lastExchanges(entries: readonly SessionEntry[]): string {
  const said = entries.filter(({ isSummary }) => isSummary !== true).flatMap(({ message }) => saidIn(message));
  return said
    .slice(-LAST_MESSAGES)
    .map(({ who, text }) => `**${who}:** ${escapeMarkdown(shorten(oneLine(text), MAX_SHOWN))}`)
    .join("\n\n");
}

function saidIn({ role, content }: ModelMessage): { who: string; text: string }[] {
  // User messages also contain text from Toolhost or another agent.
  const text = content
    .flatMap((part) => (part.type === "text" && (role !== "user" || isUsersOwn(part.text)) ? [part.text] : []))
    .join(" ");
  return text.trim() === "" ? [] : [{ who: role === "user" ? "You" : "Toolhost", text }];
}

/** Reads the text after `/sessions`: a number in the list, or an id or its prefix. */
export function chosenSession(words: string, listed: readonly string[]): { id: string } | { problem: string } {
  const choice = words.trim().replace(/^#|\.$/g, "");
  if (/^\d{1,3}$/.test(choice)) {
    const id = listed[Number(choice) - 1];
    return id === undefined
      ? {
          problem:
            listed.length === 0
              ? "First list the sessions with `/sessions`."
              : `The list has ${count(listed.length, "session")}.`,
        }
      : { id };
  }
  return /\s/.test(choice)
    ? { problem: "Write `/sessions` for a list, or `/sessions <number or id>` to continue one." }
    : { id: choice };
}
