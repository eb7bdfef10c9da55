// What a call takes off this machine, as a bundle of its own, which the first call loads that may.
import { KnownTexts, MIN_CARRIED, type Carried } from "../../text/carried/knownTexts.js";
import { privateText } from "../../text/carried/content.js";
import { plainOf } from "../../text/carried/plain.js";
import { readingsOf } from "../../text/carried/readings.js";
import { hasMadePart } from "../../text/secrets/made.js";
import type { SecretMask } from "../../text/secrets/mask.js";
import { oneLine, shorten } from "../../text/clip.js";
import { count, listed } from "../../text/words.js";
import type { Tool, Touch } from "../contract.js";
import type { GatedTouch, ReachedFile, SecretTouch } from "../permission/touches.js";
import { destinationsOf, filesSent, type Destination } from "./destinations.js";
import { textOf } from "./inputText.js";
import { isPublic, mayBePrivate } from "./kinds.js";
import { secretsSent } from "./secretsSent.js";
import { outsideIn, type OutsideText, type SessionTexts } from "./seenTexts.js";

export { SeenTexts } from "./seenTexts.js";

/** Sources that a question names. */
const MAX_SOURCES = 3;
/** Characters of what leaves that a question shows. */
const MAX_SHOWN = 80;
/** Characters of an input that are looked at. */
const MAX_INPUT = 1_000_000;
const ADDRESS = /\bhttps?:\/\/[^\s"'`<>)\]}]+/gi;
const HASH = /\b[0-9a-f]{7,64}\b/gi;

type ProtectedFile = Pick<ReachedFile, "path" | "realPath" | "guarded">;

/** A call about which permission decides. */
export interface OutgoingCall {
  tool: Tool;
  input: Readonly<Record<string, unknown>>;
  named: readonly Touch[];
  gated: readonly GatedTouch[];
  /** Whether a change of a file needs approval every time, whatever came before. */
  isProtected: (file: ProtectedFile) => boolean;
  /** Undefined if its door has no turns. */
  turn: string | undefined;
  /** Whether it asks anyway. */
  isAsked: boolean;
  /** Finds secrets; undefined if nothing is to be hidden. Only a call that leaves needs it. */
  mask: () => Promise<SecretMask> | undefined;
  /** Whether it runs contained, unasked. */
  isContained: boolean;
}

/** What a question has to say about a call, and where the call goes. */
export interface Outflow {
  touches: SecretTouch[];
  /** The destinations that a yes allows after the same text from outside, as `SessionTexts.allowed` has them. */
  asked: string[];
}

/** Returns what a call takes off this machine of secrets and what its session has got, and whether text from outside may be why. */
export async function outflowOf(call: OutgoingCall, session: SessionTexts): Promise<Outflow> {
  const destinations = destinationsOf(call.tool, call.named, call.gated, call.isContained);
  const given = destinations.length === 0 ? "" : sentBy(call);
  const text = given.slice(0, MAX_INPUT);
  const mask = given === "" ? undefined : await call.mask();
  // A rule that covers such a line names it exactly.
  const files = call.isAsked ? filesSent(call.gated) : [];
  const { reasons, asked } = afterOutside(call, destinations, text, session);
  const isCut = given.length > text.length && session.texts.length > 0;
  const carried = [
    ...carriedIn(text, destinations, session),
    ...(isCut
      ? [
          `Sends ${count(given.length, "character")} off this machine, of which only the first ${MAX_INPUT / 1e6} million were compared with what was read.`,
        ]
      : []),
    ...(files.length === 0 ? [] : [`May send the contents of ${listed([...new Set(files)], 5)}.`]),
  ];
  return {
    touches: [
      ...(mask === undefined ? [] : secretsSent(call.input, given, text, mask)).map((reason): SecretTouch => ({
        kind: "secret",
        reason,
      })),
      ...carried.map((reason): SecretTouch => ({ kind: "secret", by: "carried", reason })),
      ...reasons.map((reason): SecretTouch => ({ kind: "secret", by: "foreign", reason })),
    ],
    asked,
  };
}

/** Returns all that a call may send: its input, and addresses that this does not have, such as those of kept pages. */
function sentBy({ input, named }: OutgoingCall): string {
  const text = textOf(input);
  const reached = named.flatMap((touch) => (touch.kind === "network" && !text.includes(touch.url) ? [touch.url] : []));
  return [text, ...reached].join("\n");
}

const indexes = new WeakMap<SessionTexts, { known: KnownTexts; first: number; added: number }>();

function indexOf(session: SessionTexts): { known: KnownTexts; first: number } {
  let index = indexes.get(session);
  if (index === undefined || index.first !== session.dropped) {
    index = { known: new KnownTexts(), first: session.dropped, added: 0 };
    indexes.set(session, index);
  }
  for (; index.added < session.texts.length; index.added++) {
    const seen = session.texts[index.added];
    const isOfCommand = seen?.named?.some(({ kind }) => kind === "command") === true;
    index.known.add(
      seen === undefined || isPublic(seen) || !mayBePrivate(seen) ? "" : privateText(seen.text, isOfCommand),
    );
  }
  return index;
}

function carriedIn(text: string, destinations: readonly Destination[], session: SessionTexts): string[] {
  if (text === "" || session.texts.length === 0) {
    return [];
  }
  const { known } = indexOf(session);
  const found = readingsOf(withoutKnownAddresses(text, session), MIN_CARRIED)
    .flatMap((reading) => known.find(reading))
    .sort((one, other) => other.text.length - one.text.length);
  // The longest of each: whether a text is private takes a look at everything that was read.
  const bySource = new Map<string, Carried>();
  for (const carried of found) {
    const label = session.texts[carried.source]?.label ?? "";
    if (
      !bySource.has(label) &&
      isPrivate(carried, destinations, session) &&
      !isOwn(carried, known, destinations, session)
    ) {
      bySource.set(label, carried);
    }
  }
  const reasons = [...bySource].map(
    ([label, { text: part }]) =>
      `Sends ${count(part.length, "character")} of what “${oneLine(label)}” returned off this machine: ${JSON.stringify(shorten(oneLine(part), MAX_SHOWN))}.`,
  );
  const rest = reasons.length - MAX_SOURCES;
  return [
    ...reasons.slice(0, MAX_SOURCES),
    ...(rest > 0 ? [`Sends parts of ${count(rest, "more result")}, too.`] : []),
  ];
}

function isPrivate({ text, source }: Carried, destinations: readonly Destination[], session: SessionTexts): boolean {
  // Ids and cursors go back to where they are from.
  const isBack = destinations.every(({ id }) => id === session.texts[source]?.origin);
  return !(isBack && isId(text)) && !session.texts.some((seen) => isPublic(seen) && seen.text.includes(text));
}

/** Letters that happen to be the same at the end of a match. */
const MAX_CHANCE = 2;

/**
 * Whether the model said a text before a result had it, such as a commit's message that Git repeats: unless what it said
 * was itself from a result.
 */
function isOwn(
  { text, source }: Carried,
  known: KnownTexts,
  destinations: readonly Destination[],
  session: SessionTexts,
): boolean {
  const letters = plainOf(text).letters.slice(MAX_CHANCE, -MAX_CHANCE);
  const said = session.texts.findIndex(({ said: each }) => each.includes(letters));
  return (
    said !== -1 &&
    said <= source &&
    known
      .find(text, said)
      .every((earlier) => !isPrivate(earlier, destinations, session) || isOwn(earlier, known, destinations, session))
  );
}

/** Whether a text is one long word, next to what happens to be the same at its ends. */
function isId(text: string): boolean {
  const words = text.trim().split(/\s+/);
  return words.some(({ length }) => length >= 16) && words.filter(({ length }) => length < 16).length < 2;
}

/** An address that a text has as a whole says nothing else of it. */
function withoutKnownAddresses(text: string, session: SessionTexts): string {
  return text.replaceAll(ADDRESS, (address) => (isKnown(address, session) ? "\n" : address));
}

function isKnown(address: string, { texts }: SessionTexts): boolean {
  const plain = address.replace(/[.,;:!?]+$/, "");
  return texts.some(({ text }) => text.includes(plain));
}

/** Says which text from outside came before a call that leaves this machine or changes protected files. */
function afterOutside(
  call: OutgoingCall,
  destinations: readonly Destination[],
  text: string,
  session: SessionTexts,
): { reasons: string[]; asked: string[] } {
  const { turn } = call;
  const outside = outsideIn(session, turn);
  if (outside.length === 0) {
    return { reasons: [], asked: [] };
  }
  const asked = destinations
    .filter(({ id, acts }) => acts && outside.some(({ origin }) => origin !== id))
    .map(({ id, shown }) => ({ shown, key: allowedKey(turn, id) }))
    .filter(({ key }) => !session.allowed.has(key));
  const does = [...new Set(asked.map(({ shown }) => shown)), ...protectedChanges(call)];
  const odd = destinations.some(({ acts }) => !acts) ? oddAddress(text, session) : undefined;
  return {
    reasons: [
      ...(does.length === 0 ? [] : [`Follows text from outside: ${chain(outside)} → ${listed(does, 3)}.`]),
      ...(odd === undefined
        ? []
        : [
            `Follows text from outside, and its address has data from nowhere: ${chain(outside)} → ${shorten(odd, MAX_SHOWN)}.`,
          ]),
    ],
    asked: asked.map(({ key }) => key),
  };
}

/** Returns how `SessionTexts.allowed` has a destination in a turn. */
function allowedKey(turn: string | undefined, id: string): string {
  return `${turn ?? ""} ${id}`;
}

function chain(outside: readonly OutsideText[]): string {
  const labels = [...new Set(outside.map(({ label }) => shorten(oneLine(label), 100)))];
  return [...(labels.length > 2 ? ["…"] : []), ...labels.slice(-2)].join(" → ");
}

function protectedChanges({ gated, isProtected }: OutgoingCall): string[] {
  const files = gated.flatMap((touch): ProtectedFile[] => {
    if (touch.kind === "read" || touch.kind === "write") {
      const { at, guarded } = touch;
      return touch.kind === "write"
        ? [{ path: at.path, realPath: at.realPath, ...(guarded !== undefined && { guarded }) }]
        : [];
    }
    return touch.kind === "command"
      ? [...touch.commands.flatMap(({ uses }) => uses), ...touch.redirections].flatMap(({ kind, files: of }) =>
          kind === "write" ? of : [],
        )
      : [];
  });
  return files.filter(isProtected).map(({ path }) => path);
}

/** Returns an address that no text has and that carries what a program made: it may be anything, in any encoding. */
function oddAddress(text: string, session: SessionTexts): string | undefined {
  return (text.match(ADDRESS) ?? []).find(
    (address) => !isKnown(address, session) && hasMadePart(address.replaceAll(HASH, " ")),
  );
}
