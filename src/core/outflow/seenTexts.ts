// What calls have returned to sessions: what may leave this machine with a later call, and what came from outside.
import { plainOf } from "../../text/carried/plain.js";
import type { Tool, Touch } from "../contract.js";
import { textOf } from "./inputText.js";

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
  /** The letters and digits of the call's input: what the model said before it had the text. */
  said: string;
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
  note({ session, turn }: SeenBy, call: SeenCall, text: string): void {
    const found = this.of(session);
    const { tool, named, label } = storedBy(call, found) ?? { ...call, named: call.tool.touches?.(call.input) };
    const outside = outsideOf(named, label) ?? keptPage(text);
    if (outside !== undefined) {
      found.outside.push({ turn, origin: outside.origin, label: outside.address ?? label });
      found.outside.splice(0, found.outside.length - MAX_OUTSIDE);
    }
    const kept = text.slice(0, MAX_RESULT);
    const said = plainOf(textOf(call.input).slice(0, MAX_RESULT)).letters;
    found.texts.push({ text: kept, tool, named, label, said, origin: outside?.origin });
    found.size += kept.length + said.length;
    while (found.size > MAX_TEXT) {
      const oldest = found.texts.shift();
      found.size -= (oldest?.text.length ?? 0) + (oldest?.said.length ?? 0);
      found.dropped += 1;
    }
  }
}

/** Returns the call whose stored result a call of read_result shows more of. */
function storedBy({ tool, input }: SeenCall, { texts }: SessionTexts): SeenText | undefined {
  const { id } = input;
  return tool.name === "read_result" && typeof id === "string" && id !== ""
    ? // The first: nobody can write of an id before there is one.
      texts.find(({ text }) => text.includes(`read_result ${id}`))
    : undefined;
}

/** Programs that print what other machines send. */
const FETCHES = /(?:^|[\s|;&(])(?:curl|wget|aria2c|https?|xh|lynx|w3m|links|gh|glab)\s/;
const ADDRESS = /\bhttps?:\/\/[^\s"'`<>|;)]+/g;
/** The same without an address with its scheme: `curl docs.example`, `gh issue view 7`. */
const FETCHES_NAMED =
  /(?:^|[|;&(])\s*(?:(?:curl|wget|xh|lynx|w3m)\s|(?:gh|glab)\s+(?:api\s|search\s|\S+\s+(?:view|list|diff|checks|status|show|note)\b))/;
const THIS_MACHINE =
  /^(?:[a-z][a-z\d+.-]*:\/\/)?(?:[\w.-]+\.)?(?:localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)(?::\d+)?(?:[/?#]|$)/i;

/** Whether a host, an origin or a word of a command names this machine. */
export function isThisMachine(word: string): boolean {
  return THIS_MACHINE.test(word);
}

/** Returns where a result is from that others wrote. @param label the call in words */
function outsideOf(
  named: readonly Touch[] | undefined,
  label: string,
): { origin: string; address?: string } | undefined {
  for (const touch of named ?? []) {
    switch (touch.kind) {
      case "network":
        return { origin: originOf(touch.url), address: touch.url.slice(0, 300) };
      case "search":
        return { origin: "search" };
      case "external":
        return { origin: touch.server };
      case "command": {
        const addresses = FETCHES.test(touch.command) ? [...touch.command.matchAll(ADDRESS)].map(([each]) => each) : [];
        const address = addresses.find((each) => !isThisMachine(originOf(each)));
        if (address !== undefined) {
          return { origin: originOf(address), address: address.slice(0, 300) };
        }
        if (FETCHES_NAMED.test(touch.command) && !touch.command.split(/[\s"']+/).some(isThisMachine)) {
          return { origin: label };
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
