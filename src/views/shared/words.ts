import type { Door } from "../../core/pipeline/activity.js";
import type { SessionSummary } from "../../ports/sessions.js";
import { oneLine } from "../../text/clip.js";
import { l10n } from "./l10n.js";

/** Maximum characters of a shown path. A longer one is cut at the start, since the end identifies the file. */
const MAX_PATH = 100;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const MCP = "mcp:";

const DOORS: Readonly<Record<Exclude<Door, `mcp:${string}`>, () => string>> = {
  // VS Code does not say which agent called a tool.
  lm: () => l10n.t("Copilot or another agent"),
  chat: () => "@toolhost",
  palette: () => l10n.t("command palette"),
  cli: () => l10n.t("command line"),
  api: () => l10n.t("another extension"),
  agent: () => l10n.t("Toolhost's agent"),
};

/** Returns the display name of a door; of MCP, the client's. */
export function doorName(door: Door): string {
  return isMcp(door) ? `${door.slice(MCP.length)} (MCP)` : DOORS[door]();
}

function isMcp(door: Door): door is `mcp:${string}` {
  return door.startsWith(MCP);
}

/** Formats a time relative to now, both in ms since the epoch. */
export function when(at: number, now: number): string {
  const ago = now - at;
  if (ago >= 0 && ago < MINUTE) {
    return l10n.t("just now");
  }
  if (ago >= 0 && ago < HOUR) {
    return l10n.many(Math.floor(ago / MINUTE), "{0} minute ago", "{0} minutes ago");
  }
  return clockTime(at, now);
}

/** Formats a time as local clock time, for text that is read later. */
export function clockTime(at: number, now: number): string {
  const day = dayOf(at);
  const time = timeOf(at);
  return day === dayOf(now)
    ? l10n.t("today at {0}", time)
    : day === dayOf(now - DAY)
      ? l10n.t("yesterday at {0}", time)
      : l10n.t("{0} at {1}", day, time);
}

/** As `clockTime`, but of today only the time. */
export function sinceWhen(at: number, now: number): string {
  return dayOf(at) === dayOf(now) ? timeOf(at) : clockTime(at, now);
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
    : [
        estimated
          ? l10n.t("about {0} tokens", total.toLocaleString("en"))
          : l10n.t("{0} tokens", total.toLocaleString("en")),
        ...(cost === undefined || cost === 0 ? [] : [l10n.t("cost {0}", cost.toFixed(2))]),
      ].join(", ");
}

function timeOf(at: number): string {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

function dayOf(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
