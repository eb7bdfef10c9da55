import type { CallState, LoggedCall } from "../../features/activity/callLog.js";
import { oneLine, shorten } from "../../text/clip.js";
import { visibleLine } from "../../text/showHidden.js";
import { loggedSubject } from "../shared/callSubject.js";
import { l10n } from "../shared/l10n.js";
import { clockTime, doorName } from "../shared/words.js";
import type { Look, ShownActivity, ShownCall } from "./protocol.js";

/** Maximum characters of what names a call. */
const MAX_SUBJECT = 120;
/** Maximum characters of a turn's title. */
const MAX_TITLE = 160;

/** What is known of sessions and turns beside their calls. */
export interface Names {
  /** Returns a session's title; undefined for one that is not an agent's of ours. */
  titleOf(session: string): string | undefined;
  /** Returns what was asked for in a turn, if that is known. */
  requestOf(session: string, turn: string): string | undefined;
}

/** Arranges calls by turn, each in the order in which it began. */
export function arrange(
  calls: readonly LoggedCall[],
  names: Names,
  now: number,
): Pick<ShownActivity, "turns" | "calls"> {
  const inOrder = calls.toSorted((one, other) => one.started - other.started || one.seq - other.seq);
  const turns = new Map<string, LoggedCall[]>();
  for (const call of inOrder) {
    const key = JSON.stringify([call.root, call.turn]);
    turns.set(key, [...(turns.get(key) ?? []), call]);
  }
  return {
    turns: [...turns.values()].flatMap(([first]) => (first === undefined ? [] : [turnOf(first, names, now)])),
    calls: [...turns.values()].flatMap((own, turn) => {
      const byId = new Map(own.map((call) => [call.id, call]));
      return own.map((call) => shownCall(call, turn, depthOf(call, byId), names));
    }),
  };
}

function turnOf(first: LoggedCall, names: Names, now: number): { title: string; detail: string } {
  const origin = `${doorName(first.door)}, ${clockTime(first.started, now)}`;
  const request = names.requestOf(first.root, first.turn);
  return request === undefined
    ? { title: doorName(first.door), detail: clockTime(first.started, now) }
    : { title: line(request, MAX_TITLE), detail: origin };
}

function shownCall(call: LoggedCall, turn: number, depth: number, names: Names): ShownCall {
  const { seq, tool, input, state, failed, started, duration, bytes, session, root } = call;
  const look = lookOf(state, failed);
  return {
    ...{ seq, turn, depth, started, bytes, look },
    tool: line(tool, MAX_SUBJECT),
    subject: loggedSubject(input),
    words: failed ?? WORDS[look](),
    ...(duration === undefined ? {} : { duration }),
    ...(session === root ? {} : { agent: line(names.titleOf(session) ?? l10n.t("Subagent"), MAX_TITLE) }),
  };
}

const WORDS: Readonly<Record<Look, () => string>> = {
  ok: () => l10n.t("done"),
  failed: () => l10n.t("failed"),
  refused: () => l10n.t("not run"),
  stopped: () => l10n.t("stopped"),
  running: () => l10n.t("running"),
  unknown: () => l10n.t("not known: its process ended first, or runs elsewhere"),
};

function lookOf(state: CallState, failed: string | undefined): Look {
  if (state === "running" || state === "unknown") {
    return state;
  }
  if (state === "cancelled") {
    return "stopped";
  }
  return state === "ok" && failed === undefined ? "ok" : failed?.startsWith("not run") === true ? "refused" : "failed";
}

/** Returns how many of the turn's calls a call is within. Ids come from models: they may name a call twice, or itself. */
function depthOf({ parent }: LoggedCall, byId: ReadonlyMap<string, LoggedCall>): number {
  const above = new Set<string>();
  for (let id = parent; id !== undefined && byId.has(id) && !above.has(id); id = byId.get(id)?.parent) {
    above.add(id);
  }
  return Math.min(above.size, 8);
}

function line(text: string, most: number): string {
  return visibleLine(shorten(oneLine(text), most));
}
