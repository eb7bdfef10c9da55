// What calls have returned to sessions: what may leave this machine with a later call, and what came from outside.
import type { Tool, Touch } from "../contract.js";

/** Characters of results that are kept of a session; the oldest are dropped. */
const MAX_TEXT = 1_500_000;
/** Characters of one result. */
const MAX_RESULT = 300_000;
/** Sessions of which results are kept. */
const MAX_SESSIONS = 12;
const MAX_OUTSIDE = 200;

/** A result. */
export interface SeenText {
  text: string;
  tool: Tool;
  /** What the call reached; undefined if its tool cannot say. */
  named: readonly Touch[] | undefined;
  /** The call in words. */
  label: string;
  /** The machine or server that it is from, as `Destination.id`. */
  origin: string | undefined;
}

/** A result that others wrote. */
export interface OutsideText {
  /** Undefined if it counts for the session. */
  turn: string | undefined;
  origin: string;
  /** Its address, or the call in words. */
  label: string;
}

/** What a session has got. */
export interface SessionTexts {
  texts: SeenText[];
  /** How many texts were dropped before the first of `texts`. */
  dropped: number;
  /** Characters of `texts`. */
  size: number;
  outside: OutsideText[];
  /** Where the person let calls go after text from outside: the turn and the destination. */
  allowed: Set<string>;
}

/** Who got a result. */
export interface SeenBy {
  session: string;
  /** Undefined if its door has no turns. */
  turn: string | undefined;
}

/** The call of a result. */
export interface SeenCall {
  tool: Tool;
  input: Record<string, unknown>;
  /** The call in words. */
  label: string;
}

/** Returns the texts from outside that may be behind what a turn does. @param turn undefined if its door has none */
export function outsideIn({ outside }: SessionTexts, turn: string | undefined): OutsideText[] {
  return outside.filter((each) => turn === undefined || each.turn === undefined || each.turn === turn);
}

/** Keeps, in memory, what the latest sessions have got. */
export class SeenTexts {
  readonly #sessions = new Map<string, SessionTexts>();

  of(session: string): SessionTexts {
    const found = this.#sessions.get(session) ?? {
      ...{ texts: [], dropped: 0, size: 0, outside: [], allowed: new Set<string>() },
    };
    this.#sessions.delete(session);
    this.#sessions.set(session, found);
    for (const oldest of [...this.#sessions.keys()].slice(0, -MAX_SESSIONS)) {
      this.#sessions.delete(oldest);
    }
    return found;
  }

  /** Whether text from outside may be behind what a turn of a session does. */
  hasOutside({ session, turn }: SeenBy): boolean {
    return outsideIn(this.of(session), turn).length > 0;
  }

  /**
   * Notes what a call has returned.
   *
   * @param turn undefined if its door has no turns
   * @param label the call in words
   * @param text what its caller gets of it
   */
  note({ session, turn }: SeenBy, { tool, input, label }: SeenCall, text: string): void {
    const named = tool.touches?.(input);
    const outside = outsideOf(named) ?? keptPage(text);
    const found = this.of(session);
    if (outside !== undefined) {
      found.outside.push({ turn, origin: outside.origin, label: outside.address ?? label });
      found.outside.splice(0, found.outside.length - MAX_OUTSIDE);
    }
    const kept = text.slice(0, MAX_RESULT);
    found.texts.push({ text: kept, tool, named, label, origin: outside?.origin });
    found.size += kept.length;
    while (found.size > MAX_TEXT) {
      found.size -= found.texts.shift()?.text.length ?? 0;
      found.dropped += 1;
    }
  }
}

/** Programs that print what other machines send. */
const FETCHES = /(?:^|[\s|;&(])(?:curl|wget|aria2c|https?|xh|lynx|w3m|links|gh|glab)\s/;
const ADDRESS = /\bhttps?:\/\/[^\s"'`<>|;)]+/;

/** Returns where a result is from that others wrote. */
function outsideOf(named: readonly Touch[] = []): { origin: string; address?: string } | undefined {
  for (const touch of named) {
    switch (touch.kind) {
      case "network":
        return { origin: originOf(touch.url), address: touch.url.slice(0, 300) };
      case "search":
        return { origin: "search" };
      case "external":
        return { origin: touch.server };
      case "command": {
        const address = FETCHES.test(` ${touch.command}`) ? ADDRESS.exec(touch.command)?.[0] : undefined;
        if (address !== undefined) {
          return { origin: originOf(address), address: address.slice(0, 300) };
        }
        break;
      }
      case "message":
      case "program":
      case "read":
      case "write":
        break;
    }
  }
  return undefined;
}

/** The beginning of a web page that was kept as a file, as tools that read show it (text/pageSource.ts). */
const KEPT_PAGE = /^(?: *\d+\t)?---\n(?: *\d+\t)?url: "(https?:\/\/[^"\s]{1,300})/;

/** Returns where a file is from that is a page of others. */
function keptPage(text: string): { origin: string; address: string } | undefined {
  const address = KEPT_PAGE.exec(text)?.[1];
  return address === undefined ? undefined : { origin: originOf(address), address };
}

/** Returns an address's origin; the whole if it is none. */
export function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : address;
}
