/**
 * Values as services write their keys, none of them real: made of parts, so that no scanner of a code host takes this file
 * for a leak.
 */
const ALPHABET = "Zq7Rf2Kp9Xw4Tb6Ym1Hc8Vd3Ns5LgJuAeGiBoPtEkQaFhUzWxCrDySlIjMnOv";

/** Characters without a pattern, the same every time. */
export function random(length: number, from = ALPHABET, seed = 1): string {
  let state = seed;
  let text = "";
  while (text.length < length) {
    state = (state * 48_271) % 2_147_483_647;
    text += from[state % from.length] ?? "";
  }
  return text;
}

export const HEX = "0123456789abcdef";
const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

const jwtPart = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Keys by the name that their handle has. */
export const KEYS: Readonly<Record<string, string>> = {
  AWS_ACCESS_KEY_ID: ["AK", "IA", random(16, UPPER)].join(""),
  GITHUB_TOKEN: ["gh", "p_", random(36)].join(""),
  GITLAB_TOKEN: ["gl", "pat-", random(20)].join(""),
  NPM_TOKEN: ["npm", "_", random(36)].join(""),
  SLACK_TOKEN: ["xo", "xb-", random(12, "0123456789"), "-", random(24)].join(""),
  STRIPE_KEY: ["sk_", "live_", random(24)].join(""),
  OPENAI_API_KEY: ["sk-", "proj-", random(40), "T3Blbk", "FJ", random(40, ALPHABET, 7)].join(""),
  ANTHROPIC_API_KEY: ["sk-", "ant-", "api03-", random(93)].join(""),
  GOOGLE_API_KEY: ["AI", "za", random(35)].join(""),
  HUGGINGFACE_TOKEN: ["hf", "_", random(34, "QwErTyUiOpAsDfGhJkLzXcVbNm")].join(""),
  SENDGRID_API_KEY: ["SG", random(22), random(43, ALPHABET, 5)].join("."),
  TELEGRAM_TOKEN: [random(9, "987654321"), ":AA", random(33)].join(""),
  AZURE_KEY: `${random(86)}==`,
  JWT: [jwtPart({ alg: "HS256" }), jwtPart({ sub: "4711", iat: 1 }), random(43)].join("."),
};

/** A private key in PEM, as no program made it. */
export const PRIVATE_KEY = [
  "-----BEGIN RSA PRIVATE " + "KEY-----",
  ...[1, 2, 3].map((seed) => random(64, `${ALPHABET}+/`, seed)),
  "-----END RSA PRIVATE " + "KEY-----",
].join("\n");

/** A value that only its name tells. */
export const MADE = random(32);
