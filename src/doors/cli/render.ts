import { errorText, type Outcome } from "../../core/outcome.js";

/** Returns the JSON object that `--json` prints. Media bytes are in base64. */
export function outcomeJson(outcome: Outcome): string {
  if (!outcome.ok) {
    return JSON.stringify({ ok: false, error: outcome.error });
  }
  const { text, data, media } = outcome;
  return JSON.stringify({
    ok: true,
    text,
    ...(data === undefined ? {} : { data }),
    ...(media === undefined
      ? {}
      : { media: media.map(({ mimeType, bytes }) => ({ mimeType, base64: toBase64(bytes) })) }),
  });
}

/** Returns the text for standard output and standard error without `--json`. */
export function outcomeText(outcome: Outcome): { out: string; err: string } {
  return outcome.ok ? { out: outcome.text, err: "" } : { out: "", err: errorText(outcome.error) };
}

/** Works in slices: a call can have about 100,000 arguments at most. */
function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let from = 0; from < bytes.length; from += 8192) {
    binary += String.fromCharCode(...bytes.subarray(from, from + 8192));
  }
  return btoa(binary);
}
