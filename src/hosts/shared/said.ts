import { isRecord } from "../../core/jsonSchema.js";
import { oneLine, shorten } from "../../text/clip.js";

const MAX_SAID = 300;
const MAX_TITLE = 100;

/** A server's error message, read from whatever it sent. */
export interface Said {
  /** One line for people, shortened; empty if there is none. */
  text: string;
  /** Its codes and types, if any, in one text. */
  code: string;
}

/**
 * Reads an error's body: OpenAI's `{error: {message, code, type}}`, Ollama's and LM Studio's `{error: "…"}`, vLLM's
 * `{message}`, FastAPI's `{detail}`, a web page (its title alone), or a text.
 */
export function readSaid(body: string): Said {
  const text = body.trim();
  if (/^(?:<!doctype|<html|<\?xml|<head|<body)/i.test(text)) {
    const title = oneLine(/<title[^>]*>([^<]*)/i.exec(text)?.[1] ?? "");
    return { text: title === "" ? "a web page" : `a web page, “${shorten(title, MAX_TITLE)}”`, code: "" };
  }
  return saidBy(parsed(text));
}

/** Does the same for an error that was JSON and is already parsed. */
function saidBy(value: unknown): Said {
  const error = innermost(value);
  if (!isRecord(error)) {
    return { text: typeof error === "string" ? shorten(oneLine(error), MAX_SAID) : "", code: "" };
  }
  const message = [error["message"], error["detail"], error["msg"], error["error_description"]].find(
    (said) => typeof said === "string" && said.trim() !== "",
  );
  return {
    text: shorten(oneLine(typeof message === "string" ? message : JSON.stringify(error)), MAX_SAID),
    code: [error["code"], error["type"]]
      .filter((code) => typeof code === "string" || typeof code === "number")
      .join(" "),
  };
}

function innermost(value: unknown): unknown {
  const [first] = Array.isArray(value) ? (value as unknown[]) : [value];
  if (!isRecord(first)) {
    return first;
  }
  const inner = [first["error"], first["errors"], first["detail"]].find(
    (part) => (typeof part === "string" && part !== "") || (typeof part === "object" && part !== null),
  );
  // OpenRouter says "Provider returned error" and nests the provider's own message.
  const raw = isRecord(first["metadata"]) ? first["metadata"]["raw"] : undefined;
  if (typeof raw === "string" && raw !== "") {
    return { ...first, message: `${String(first["message"])}: ${readSaid(raw).text}` };
  }
  return inner === undefined ? first : typeof inner === "string" ? { ...first, message: inner } : innermost(inner);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
