import type { Tool } from "../contract.js";
import type { SecretTouch } from "../permission/touches.js";
import { listed } from "../../text/words.js";
import type { Secrets } from "./secrets.js";

/** What leaves this machine, by the kinds of `Touch`. */
const LEAVING: readonly string[] = ["network", "message", "external", "search"];

/** Characters of an input that are read in other forms than its own. */
const MAX_READ = 1_000_000;

/** Returns the secrets in the input of a call that leaves this machine, whatever allows the call itself. */
export async function secretsSent(
  tool: Tool,
  input: Record<string, unknown>,
  secrets: Secrets | undefined,
): Promise<SecretTouch[]> {
  if (secrets === undefined || tool.touches?.(input).some(({ kind }) => LEAVING.includes(kind)) !== true) {
    return [];
  }
  const mask = await secrets.mask();
  const { readingsOf, textOf } = await import("../outflow/outflow.js");
  const readings = readingsOf(textOf(input).slice(0, MAX_READ));
  const texts = new Set([...textsIn(input), ...readings, ...readings.map(withoutLineEnds)]);
  const found = [...texts].flatMap((text) => mask.places(text).map(({ handle }) => handle));
  return found.length === 0
    ? []
    : [{ kind: "secret", reason: `It sends ${listed([...new Set(found)], 3)} off this machine.` }];
}

/** A long value may be broken into lines. */
function withoutLineEnds(text: string): string {
  return text.replaceAll(/[ \t]*\r?\n[ \t]*/g, "");
}

/**
 * Returns an input as texts: as a whole, which names what is in it; each string that JSON escapes, such as a key of
 * several lines; and both as a server reads what an address has percent-encoded.
 */
function textsIn(input: Record<string, unknown>): string[] {
  const escaped: string[] = [];
  const whole = JSON.stringify(input, (_, value: unknown) => {
    if (typeof value === "string" && JSON.stringify(value) !== `"${value}"`) {
      escaped.push(value);
    }
    return value;
  });
  return [whole, ...escaped].flatMap((text) => {
    const decoded = text.replaceAll(/(?:%[\da-f]{2})+/gi, (encoded) => {
      try {
        return decodeURIComponent(encoded);
      } catch {
        return encoded;
      }
    });
    return decoded === text ? [text] : [text, decoded];
  });
}
