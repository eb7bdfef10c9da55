import { shorten } from "../../text/clip.js";

/** Returns how long a server asks to wait, as `120 s` or in its words; undefined if it does not say. */
export function retryAfter(headers: ReadonlyMap<string, string>): string | undefined {
  const given = headers.get("retry-after")?.trim() ?? "";
  return given === "" ? undefined : /^\d{1,9}$/.test(given) ? `${given} s` : `(${shorten(given, 40)})`;
}
