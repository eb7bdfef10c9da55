import { isRecord } from "../../core/jsonSchema.js";
import type { ModelContent, ModelMessage } from "../../ports/models.js";
import { keepHeadAndTail } from "../../text/clip.js";

/**
 * Code units of one tool result, or one text of a call's input, that a later turn still sees: enough to know what it
 * was.
 */
const KEPT_TEXT = 4_000;
/** Levels of a call's input that are kept; no tool's has more. */
const KEPT_DEPTH = 20;
/** Code units of the turns before that are sent again; older turns are left out first. */
const KEPT_HISTORY = 120_000;

/** What a turn leaves in `ChatResult.metadata`, by which the next one finds its session. JSON only. */
export interface TurnMetadata {
  session: string;
  /** Tells the chat from all others: VS Code has no name for it. */
  chat?: string;
  /** Tells the turn from all others. */
  turn?: string;
  /** `SessionEntry.seq` of its last message; absent when nothing was written down. */
  seq?: number;
  /** What it added, for when the session log has lost the session. */
  messages: ModelMessage[];
  /** The sessions it listed, in order. */
  listed?: string[];
  /** It laid out a plan. */
  plan?: true;
}

/** A turn's messages small enough to keep: long results and inputs are cut, media are left out. */
export function keptMessages(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.map(({ role, content }) => ({ role, content: content.flatMap(keptContent) }));
}

function keptContent(part: ModelContent): ModelContent[] {
  switch (part.type) {
    case "text":
      return [part];
    case "call":
      return [{ ...part, input: cutFields(part.input, KEPT_DEPTH) }];
    case "media":
      return [];
    case "result":
      return [{ type: "result", id: part.id, text: keepHeadAndTail(part.text, KEPT_TEXT) }];
  }
}

function cutFields(value: object, depth: number): object {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutTexts(item, depth)]));
}

function cutTexts(value: unknown, depth: number): unknown {
  if (typeof value === "string") {
    return keepHeadAndTail(value, KEPT_TEXT);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  if (depth === 0) {
    return "…";
  }
  return Array.isArray(value) ? value.map((item) => cutTexts(item, depth - 1)) : cutFields(value, depth - 1);
}

/** The metadata of an earlier turn, undefined when it is not ours or not whole. */
export function readMetadata(metadata: unknown): TurnMetadata | undefined {
  if (!isRecord(metadata) || typeof metadata["session"] !== "string" || !Array.isArray(metadata["messages"])) {
    return undefined;
  }
  const { session, chat, turn, seq, listed, plan } = metadata;
  const messages = metadata["messages"] as unknown[];
  return messages.every(isMessage)
    ? {
        ...{ session, messages },
        ...(typeof chat === "string" ? { chat } : {}),
        ...(typeof turn === "string" ? { turn } : {}),
        ...(typeof seq === "number" ? { seq } : {}),
        ...(Array.isArray(listed) && listed.every((id) => typeof id === "string") ? { listed } : {}),
        ...(plan === true ? { plan } : {}),
      }
    : undefined;
}

/** The latest turns that fit, whole turns only: a call without its result is refused by model APIs. */
export function fitHistory(turns: readonly (readonly ModelMessage[])[]): ModelMessage[] {
  const kept: ModelMessage[] = [];
  let size = 0;
  for (const turn of turns.toReversed()) {
    size += JSON.stringify(turn).length;
    if (size > KEPT_HISTORY) {
      break;
    }
    kept.unshift(...turn);
  }
  return kept;
}

function isMessage(value: unknown): value is ModelMessage {
  return (
    isRecord(value) &&
    (value["role"] === "user" || value["role"] === "assistant") &&
    Array.isArray(value["content"]) &&
    (value["content"] as unknown[]).every(isContent)
  );
}

function isContent(value: unknown): value is ModelContent {
  if (!isRecord(value)) {
    return false;
  }
  switch (value["type"]) {
    case "text":
      return typeof value["text"] === "string";
    case "call":
      return typeof value["id"] === "string" && typeof value["name"] === "string" && isRecord(value["input"]);
    case "result":
      return typeof value["id"] === "string" && typeof value["text"] === "string";
    default:
      return false;
  }
}
