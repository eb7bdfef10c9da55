import type { OpenAI } from "openai";
import type { ModelContent, ModelMedia, ModelMessage } from "../../ports/models.js";
import { writtenOnce } from "./writtenOnce.js";

type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam;
type UserPart = OpenAI.Chat.Completions.ChatCompletionContentPart;
type Call = Extract<ModelContent, { type: "call" }>;
type Result = Extract<ModelContent, { type: "result" }>;

/** Stands in for an empty text, which servers reject. */
const NO_TEXT = "(nothing)";
/** Stands in for a call's name. A call needs one when it is sent back, even if the model gave it none. */
const NO_NAME = "unnamed";

/**
 * Converts a conversation to Chat Completions, as JSON: the elements of an array.
 *
 * Many models' templates accept only one system message, at the start: leading ones are joined, a later one is sent as
 * a user message. Results are separate messages directly after the calls. They can only contain text, so images in them
 * follow as a user message that names the call.
 *
 * @param seesImages whether the model accepts images; if not, each is replaced by a note that it was omitted
 */
export function writeMessages(messages: readonly ModelMessage[], seesImages: boolean): Uint8Array[] {
  const first = messages.findIndex(({ role }) => role !== "system");
  const leading = messages.slice(0, first === -1 ? messages.length : first);
  const names = new Map<string, string>();
  const form = seesImages ? "with images" : "without images";
  const rest = messages.slice(leading.length).map(({ role, content }) => {
    if (role === "assistant") {
      content.filter(isCall).forEach(({ id, name }) => names.set(id, name));
      return writtenOnce(content, role, () => fromAssistant(content));
    }
    return writtenOnce(content, `${role} ${form}`, () => fromUser(content, names, seesImages));
  });
  const system = writtenOnce(
    leading.flatMap(({ content }) => content),
    "system",
    () => fromSystem(leading),
  );
  return [system, ...rest].filter(({ length }) => length > 0);
}

/** Whether the conversation contains an image. */
export function hasImages(messages: readonly ModelMessage[]): boolean {
  const isImage = ({ mimeType }: ModelMedia): boolean => mimeType.startsWith("image/");
  return messages.some(({ content }) =>
    content.some((part) =>
      part.type === "media" ? isImage(part) : part.type === "result" && (part.media ?? []).some(isImage),
    ),
  );
}

function fromSystem(messages: readonly ModelMessage[]): Message[] {
  const texts = messages.map(({ content }) => joinTexts(content, "\n")).filter((text) => text !== "");
  return texts.length === 0 ? [] : [{ role: "system", content: texts.join("\n\n") }];
}

function fromAssistant(content: readonly ModelContent[]): Message[] {
  const text = joinTexts(content, "");
  const calls = content.filter(isCall).map(({ id, name, input }) => ({
    id,
    type: "function" as const,
    function: { name: name === "" ? NO_NAME : name, arguments: JSON.stringify(input) },
  }));
  if (calls.length > 0) {
    return [{ role: "assistant", content: text === "" ? null : text, tool_calls: calls }];
  }
  return text === "" ? [] : [{ role: "assistant", content: text }];
}

function fromUser(
  content: readonly ModelContent[],
  names: ReadonlyMap<string, string>,
  seesImages: boolean,
): Message[] {
  const results = content.filter(isResult);
  const told = results.map(({ id, text, media }): Message => {
    const left = seesImages ? [] : (media ?? []).map(leftOut);
    return {
      role: "tool",
      tool_call_id: id,
      content: [text, ...left].filter((line) => line !== "").join("\n") || NO_TEXT,
    };
  });
  const images = seesImages
    ? results.flatMap(({ id, media }) =>
        (media ?? []).flatMap((image) => [
          textPart(`From the call ${names.get(id) ?? "of a tool"} (${id}):`),
          mediaPart(image),
        ]),
      )
    : [];
  const said = content.flatMap((part): UserPart[] => {
    switch (part.type) {
      case "text":
        return part.text === "" ? [] : [textPart(part.text)];
      case "media":
        return [seesImages ? mediaPart(part) : textPart(leftOut(part))];
      case "call":
      case "result":
        return [];
    }
  });
  return [...told, ...asUser([...images, ...said])];
}

/** Joins texts without images into one: some servers do not accept lists. */
function asUser(parts: UserPart[]): Message[] {
  if (parts.length === 0) {
    return [];
  }
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return [{ role: "user", content: texts.length === parts.length ? texts.join("\n") : parts }];
}

function textPart(text: string): UserPart {
  return { type: "text", text };
}

/** Converts an image. Chat Completions only accepts images in this form, and no server accepts other media. */
function mediaPart(media: ModelMedia): UserPart {
  return media.mimeType.startsWith("image/")
    ? {
        type: "image_url",
        image_url: { url: `data:${media.mimeType};base64,${Buffer.from(media.bytes).toString("base64")}` },
      }
    : textPart(leftOut(media));
}

function leftOut({ mimeType, bytes }: ModelMedia): string {
  return `[${mimeType}, ${bytes.length} bytes: omitted, this model cannot see it.]`;
}

function joinTexts(content: readonly ModelContent[], between: string): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(between);
}

function isCall(part: ModelContent): part is Call {
  return part.type === "call";
}

function isResult(part: ModelContent): part is Result {
  return part.type === "result";
}
