import { summaryOf } from "../../agent/summaryOf.js";
import type { Tool } from "../../core/contract.js";
import { bareName } from "../../names/tools.js";
import { isUsersOwn } from "../../agent/ownWords.js";
import type { ModelMessage } from "../../ports/models.js";
import type { SessionEntry, SessionSummary } from "../../ports/sessions.js";
import { oneLine, shorten } from "../../text/clip.js";
import { escapeMarkdown, literalLine } from "../../text/fence.js";
import { tokenWords, when } from "../../views/shared/words.js";
import { commandLink } from "./commandLink.js";
import { count } from "../../text/words.js";
import { LINK_COMMAND } from "../../names/contributed.js";

/** Maximum characters of a message shown when its session is reopened. */
const MAX_SHOWN = 600;
/** Number of messages shown then. */
const LAST_MESSAGES = 6;
/** Number of calls shown then. */
const LAST_CALLS = 10;

const STATES: Readonly<Record<SessionSummary["state"], string>> = {
  active: "**running now**",
  idle: "",
  interrupted: "interrupted",
};

/** Lists sessions for people, each with a link that continues it. @param here the session of the current chat */
export function sessionRows(sessions: readonly SessionSummary[], here: string, now: number): string {
  return sessions
    .map((session, index) => {
      const title = escapeMarkdown(shorten(oneLine(session.title), 80));
      const link = commandLink(title, LINK_COMMAND.openSession, session.id, "Continue this session");
      const facts = [
        ...(session.id === here ? ["this chat"] : []),
        ...(STATES[session.state] === "" ? [] : [STATES[session.state]]),
        when(session.updated, now),
        count(session.messages, "message"),
        tokenWords(session),
      ].filter((fact) => fact !== "");
      return `${index + 1}. ${link} — ${facts.join(", ")}`;
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

/** Lists the last calls of a session for a user who continues it, with a line that counts them; empty if there are none. */
export function lastCalls(entries: readonly SessionEntry[], tools: readonly Tool[]): string {
  const calls = entries.flatMap(({ message }) => message.content).filter((part) => part.type === "call");
  const rows = calls.slice(-LAST_CALLS).map(({ name, input }) => {
    const tool = tools.find((each) => each.name === bareName(name));
    return `- ${literalLine(tool === undefined ? `Call ${shorten(name, 60)}` : summaryOf(tool, input))}`;
  });
  const title = calls.length > rows.length ? `**The last ${rows.length} steps**` : "**Steps**";
  return rows.length === 0 ? "" : [title, "", ...rows].join("\n");
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
