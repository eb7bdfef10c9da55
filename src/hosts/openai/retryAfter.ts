/** Longest wait accepted from a server, in ms. */
const MAX_WAIT = 24 * 60 * 60 * 1000;

/**
 * Returns how long a server asks to wait, in ms: `retry-after-ms` (OpenAI, Azure), or `retry-after` as seconds or as a
 * date (RFC 9110, section 10.2.3). Undefined if it does not say, or the value cannot be understood.
 */
export function retryAfter(headers: Pick<Headers, "get">, now: number): number | undefined {
  const milliseconds = amount(headers.get("retry-after-ms"));
  if (milliseconds !== undefined) {
    return Math.min(milliseconds, MAX_WAIT);
  }
  const value = headers.get("retry-after");
  const seconds = amount(value);
  const wait = seconds !== undefined ? seconds * 1000 : value === null ? Number.NaN : Date.parse(value) - now;
  return Number.isFinite(wait) ? Math.min(Math.max(0, Math.ceil(wait)), MAX_WAIT) : undefined;
}

function amount(value: string | null): number | undefined {
  return value !== null && /^\s*\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}
