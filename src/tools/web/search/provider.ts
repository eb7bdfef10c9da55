import { isRecord } from "../../../core/jsonSchema.js";
import type { HttpBody } from "../../../ports/http.js";

/** A page that a search found. */
export interface SearchHit {
  title: string;
  url: string;
  /** What the service shows of it; may have markup. */
  text: string;
  /** When it was published, in the service's words. */
  date?: string | undefined;
}

/** A search as a request to a service. */
interface SearchRequest {
  url: string;
  method: "GET" | "POST";
  headers: ReadonlyMap<string, string>;
  credentials: ReadonlyMap<string, string>;
  body?: HttpBody;
}

/** A service that searches the web. */
export interface Provider {
  title: string;
  needsKey: boolean;
  /** Maximum results that it gives. */
  maxCount: number;
  request(query: string, count: number, service: { url: string; key: string | undefined }): SearchRequest;
  /** Returns the hits of an answer's JSON; undefined if it is none of this service. */
  hits(answer: unknown): SearchHit[] | undefined;
  /** What a status means for this service, as a sentence, where that is special. */
  advice?: Readonly<Record<number, string>>;
}

/** Returns the entries of a list in an answer that have an address, as hits. */
export function hitsOf(list: unknown, fields: { text: string; date: string }): SearchHit[] | undefined {
  if (!Array.isArray(list)) {
    return undefined;
  }
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  return list.filter(isRecord).flatMap((entry) => {
    const url = text(entry["url"]);
    const date = text(entry[fields.date]);
    return /^https?:\/\//i.test(url)
      ? [{ title: text(entry["title"]), url, text: text(entry[fields.text]), ...(date !== "" && { date }) }]
      : [];
  });
}
