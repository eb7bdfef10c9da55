import type { Door } from "../../core/pipeline/activity.js";
import type { SessionSummary } from "../../ports/sessions.js";
import { oneLine } from "../../text/clip.js";
import { count } from "../../text/words.js";

/** Maximum characters of a shown path. A longer one is cut at the start, since the end identifies the file. */
const MAX_PATH = 100;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const MCP = "mcp:";

const DOORS: Readonly<Record<Exclude<Door, `mcp:${string}`>, string>> = {
  // VS Code does not say which agent called a tool.
  lm: "Copilot or another agent",
  chat: "@toolhost",
  palette: "command palette",
  cli: "command line",
  api: "another extension",
  agent: "Toolhost's agent",
};

/** Returns the display name of a door; of MCP, the client's. */
export function doorName(door: Door): string {
  return isMcp(door) ? `${door.slice(MCP.length)} (MCP)` : DOORS[door];
}

function isMcp(door: Door): door is `mcp:${string}` {
  return door.startsWith(MCP);
}

/** Formats a time relative to now, both in ms since the epoch. */
export function when(at: number, now: number): string {
  const ago = now - at;
  if (ago >= 0 && ago < MINUTE) {
    return "just now";
  }
  if (ago >= 0 && ago < HOUR) {
    return `${count(Math.floor(ago / MINUTE), "minute")} ago`;
  }
  return clockTime(at, now);
}

/** Formats a time as local clock time, for text that is read later. */
export function clockTime(at: number, now: number): string {
  const day = dayOf(at);
  const name = day === dayOf(now) ? "today" : day === dayOf(now - DAY) ? "yesterday" : day;
  return `${name} at ${two(new Date(at).getHours())}:${two(new Date(at).getMinutes())}`;
}

/** Formats a path on one line. */
export function shownPath(path: string): string {
  const line = oneLine(path);
  return line.length <= MAX_PATH ? line : `…${[...line.slice(-MAX_PATH)].slice(1).join("")}`;
}

/** Formats a session's use: `12,300 tokens, cost 0.04`; empty for a session that has used none. */
export function tokenWords({ tokens: { input, output, estimated }, cost }: SessionSummary): string {
  const total = input + output;
  return total === 0
    ? ""
    : `${estimated ? "about " : ""}${total.toLocaleString("en")} tokens${cost === undefined || cost === 0 ? "" : `, cost ${cost.toFixed(2)}`}`;
}

function dayOf(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
