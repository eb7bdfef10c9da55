import { isRecord } from "../../core/jsonSchema.js";
import type { ModelContent, ModelMessage } from "../../ports/models.js";
import { keepHeadAndTail } from "../../text/clip.js";

/** Code units of a tool result or a text in a call's input that later turns see: enough to know what it was. */
const KEPT_TEXT = 4_000;
/** Maximum kept depth of a call's input; no tool needs more. */
const KEPT_DEPTH = 20;
/** Maximum code units of earlier turns to send again; the oldest are dropped first. */
const KEPT_HISTORY = 120_000;

/** The data that a turn stores in `ChatResult.metadata` so that the next one finds its session. JSON only. */
export interface TurnMetadata {
  session: string;
  /** Identifies the chat, since VS Code has no id for it. */
  chat?: string;
  /** Identifies the turn. */
  turn?: string;
  /** `SessionEntry.seq` of its last message; absent if nothing was logged. */
  seq?: number;
  /** The messages it added, in case the session log loses the session. */
  messages: ModelMessage[];
  /** The sessions it listed, in order. */
  listed?: string[];
  /** Whether the turn made a plan. */
  plan?: true;
}

/** Makes a turn's messages small enough to keep: cuts long results and inputs and omits media. */
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

/** Reads the metadata of an earlier turn; undefined if it is not ours or incomplete. */
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

/** Returns the latest turns that fit. Only whole turns: model APIs refuse a call without its result. */
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
