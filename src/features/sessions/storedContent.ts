import { isRecord } from "../../core/jsonSchema.js";
import type { ModelContent, ModelMedia } from "../../ports/models.js";
import { MAX_MEDIA } from "./limits.js";

/** Media in the stored JSON: the bytes are stored separately, by position in the message, if they are kept. */
interface MediaMark {
  mimeType: string;
  size: number;
}

type StoredContent =
  | Exclude<ModelContent, { type: "media" | "result" }>
  | ({ type: "media" } & MediaMark)
  | { type: "result"; id: string; text: string; media?: MediaMark[] };

/** A message's content as it is stored. */
export interface PackedContent {
  json: string;
  /** Media small enough to keep, with their position among all media of the message. */
  media: { position: number; bytes: Uint8Array }[];
}

export function packContent(content: readonly ModelContent[]): PackedContent {
  const media: PackedContent["media"] = [];
  let next = 0;
  const mark = ({ mimeType, bytes }: ModelMedia): MediaMark => {
    const position = next++;
    if (bytes.byteLength <= MAX_MEDIA) {
      media.push({ position, bytes });
    }
    return { mimeType, size: bytes.byteLength };
  };
  const stored = content.map((part): StoredContent => {
    switch (part.type) {
      case "media":
        return { type: "media", ...mark(part) };
      case "result":
        return {
          type: "result",
          id: part.id,
          text: part.text,
          ...(part.media === undefined ? {} : { media: part.media.map(mark) }),
        };
      default:
        return part;
    }
  });
  return { json: JSON.stringify(stored), media };
}

/**
 * Restores a message's content; a text replaces media that are not kept.
 *
 * @param bytesOf returns the bytes of the message's media by position, undefined for those that are not kept
 */
export function unpackContent(json: string, bytesOf: (position: number) => Uint8Array | undefined): ModelContent[] {
  const stored = parsed(json);
  if (stored === undefined) {
    // Another program wrote to the file, or the disk lost part of it.
    return [{ type: "text", text: "(This message cannot be read any more.)" }];
  }
  let next = 0;
  return stored.map((part): ModelContent => {
    if (part.type === "media") {
      const bytes = bytesOf(next++);
      return bytes === undefined
        ? { type: "text", text: notKept(part) }
        : { type: "media", mimeType: part.mimeType, bytes };
    }
    if (part.type !== "result" || part.media === undefined) {
      return part as ModelContent;
    }
    const found = part.media.map((mark) => ({ mark, bytes: bytesOf(next++) }));
    const media = found.flatMap(({ mark: { mimeType }, bytes }) => (bytes === undefined ? [] : [{ mimeType, bytes }]));
    const missing = found.flatMap(({ mark, bytes }) => (bytes === undefined ? [notKept(mark)] : []));
    return {
      type: "result",
      id: part.id,
      text: [part.text, ...missing].join("\n"),
      ...(media.length > 0 ? { media } : {}),
    };
  });
}

function parsed(json: string): StoredContent[] | undefined {
  try {
    const stored: unknown = JSON.parse(json);
    const isContent =
      Array.isArray(stored) && stored.every((part) => isRecord(part) && typeof part["type"] === "string");
    return isContent ? (stored as StoredContent[]) : undefined;
  } catch {
    return undefined;
  }
}

function notKept({ mimeType, size }: MediaMark): string {
  return `[${mimeType}, ${size} bytes, was here; it is no longer kept.]`;
}
