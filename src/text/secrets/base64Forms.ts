/** Shorter parts are in many texts. */
const MIN_PART = 6;

/**
 * Returns what a text is in base64 and base64url, as UTF-8: by itself, and inside of other text, of which base64 encodes
 * three bytes at a time, so that it depends on where it begins.
 */
export function base64Forms(text: string): string[] {
  // One character a byte, as btoa takes it.
  const bytes = [...new TextEncoder().encode(text)].map((byte) => String.fromCharCode(byte)).join("");
  const whole = btoa(bytes);
  const inside = [0, 1, 2].map((before) => {
    const length = before + bytes.length;
    // The first and last characters may hold bits of what is around.
    return btoa("\0".repeat(before) + bytes).slice(Math.ceil((before * 8) / 6), Math.floor((length * 8) / 6));
  });
  const forms = [whole, whole.replaceAll("=", ""), ...inside.filter(({ length }) => length >= MIN_PART)];
  return forms.flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]);
}
