import { isRecord } from "../../core/jsonSchema.js";
import type { ModelContent, ModelMessage } from "../../ports/models.js";
import { keepHeadAndTail } from "../../text/clip.js";

/** Code units of one tool result that a later turn still sees: enough to know what it was. */
const KEPT_RESULT = 4_000;
/** Code units of the turns before that are sent again; older turns are left out first. */
const KEPT_HISTORY = 120_000;

/** What a turn leaves in `ChatResult.metadata`, from which the next one is rebuilt. JSON only. */
export interface TurnMetadata {
  session: string;
  messages: ModelMessage[];
}

/** A turn's messages small enough to keep: long results are cut, media are left out. */
export function keptMessages(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.map(({ role, content }) => ({
    role,
    content: content.map((part) => (part.type === "result" ? { type: part.type, id: part.id, text: keepHeadAndTail(part.text, KEPT_RESULT) } : part)),
  }));
}

/** The metadata of an earlier turn, undefined when it is not ours or not whole. */
export function readMetadata(metadata: unknown): TurnMetadata | undefined {
  if (!isRecord(metadata) || typeof metadata["session"] !== "string" || !Array.isArray(metadata["messages"])) {
    return undefined;
  }
  const messages = metadata["messages"] as unknown[];
  return messages.every(isMessage) ? { session: metadata["session"], messages } : undefined;
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
