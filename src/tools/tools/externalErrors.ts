/** The kind of an external tool's failure, which determines the next step. */
export type ExternalErrorKind = "retryable" | "auth" | "input" | "permanent";

/** Most specific first: a message about a missing token may also say “invalid”. */
const KINDS: readonly (readonly [ExternalErrorKind, RegExp])[] = [
  [
    "auth",
    /\b(?:401|403|407)\b|unauthori[sz]ed|unauthenticated|forbidden|not (?:logged|signed) in|log ?in (?:is )?required|sign in|permission denied|access denied|(?:invalid|expired|missing|bad|wrong|revoked)[ _-](?:api[ _-]?key|credentials?|(?:access |auth |bearer |refresh )?token)|(?:api[ _-]?key|credentials?|token)s? (?:is|are|was|were|has|have)? ?(?:been )?(?:invalid|expired|missing|required|revoked)|authenticat/i,
  ],
  [
    "retryable",
    /\b(?:408|425|429|50[0234])\b|ECONN(?:REFUSED|RESET|ABORTED)|ETIMEDOUT|EPIPE|EAI_AGAIN|ENOTFOUND|ENETUNREACH|EHOSTUNREACH|socket hang ?up|fetch failed|network|time[d ]?[- ]?out|rate[- ]?limit|too many requests|temporar|try again|overloaded|unavailable|connection (?:closed|lost|refused|reset)|server (?:is )?not (?:running|started|connected)|-32000\b/i,
  ],
  [
    "input",
    /\b(?:400|422)\b|-3260[012]\b|invalid|must (?:be|have|match|not)|required|missing|expected|schema|argument|parameter|malformed|does not match|not a valid|unknown (?:field|property|option)|validation/i,
  ],
];

/** Classifies an error by its message; an unrecognized one is permanent. */
export function classifyExternal(message: string): ExternalErrorKind {
  return KINDS.find(([, pattern]) => pattern.test(message))?.[0] ?? "permanent";
}

/** The next step for each kind. */
export const EXTERNAL_ADVICE: Readonly<Record<ExternalErrorKind, string>> = {
  retryable: "It may work later: retry once, then tell the user.",
  auth: "The user must sign in to that server or set its key. Tell them; do not retry.",
  input: "mcp_info shows its input schema: correct args.",
  permanent: "Do not retry the same call. Find another way, or tell the user.",
};
