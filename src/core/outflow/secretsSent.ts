import { percentDecoded, readingsOf } from "../../text/carried/readings.js";
import type { SecretMask } from "../../text/secrets/mask.js";
import { listed } from "../../text/words.js";

/** Characters of a secret that a part in another form has at least. */
const MIN_VALUE = 8;

/**
 * Says which secrets a call sends.
 *
 * @param given all that it sends
 * @param read what of that is read in other forms than its own, too
 */
export function secretsSent(
  input: Readonly<Record<string, unknown>>,
  given: string,
  read: string,
  mask: Pick<SecretMask, "places">,
): string[] {
  // As a whole it names what is in it.
  const whole = JSON.stringify(input);
  const readings = readingsOf(read, MIN_VALUE);
  const texts = new Set([whole, ...percentDecoded(whole), given, ...readings, ...readings.map(withoutControls)]);
  const found = new Set([...texts].flatMap((text) => mask.places(text).map(({ handle }) => handle)));
  return found.size === 0 ? [] : [`Sends ${listed([...found], 3)} off this machine.`];
}

/** A long value may be broken into lines; in UTF-16, every second byte is 0. */
function withoutControls(text: string): string {
  return text.replaceAll(/ *\p{Cc}+[ \p{Cc}]*/gu, "");
}
