/** Days that a session is kept after its last message: a quarter, in which one may still come back to it. */
const KEPT_DAYS = 90;
/** Sessions of a workspace: more than anyone looks through, few enough to list at once. */
export const MAX_SESSIONS = 500;
/** Bytes of all messages of a workspace: some 100 very long sessions, and little on today's disks. */
const MAX_BYTES = 200 * 1024 * 1024;
/** Bytes of one image that is kept: what model APIs take (Anthropic: 5 MB). */
export const MAX_MEDIA = 5 * 1024 * 1024;
/** Bytes of all images of a session; the oldest go first. */
const MAX_SESSION_MEDIA = 20 * 1024 * 1024;
/** Messages that wait for a session: what sends more is running away. */
export const MAX_LEFT = 100;
/** Characters of a title. */
export const MAX_TITLE = 100;
/** Characters of the beginning of an id that name it. */
export const MIN_PREFIX = 6;
/**
 * Milliseconds without a message after which a turn counts as over where its process cannot be told from a later one of
 * the same number (no /proc): longer than a turn waits for a person or a command, as a rule.
 */
export const GIVEN_UP = 2 * 3_600_000;

/** What retention goes by. */
export interface SessionBounds {
  /** Milliseconds since the last message. */
  age: number;
  sessions: number;
  bytes: number;
  /** Bytes of the images of one session. */
  media: number;
}

export const SESSION_BOUNDS: SessionBounds = {
  age: KEPT_DAYS * 86_400_000,
  sessions: MAX_SESSIONS,
  bytes: MAX_BYTES,
  media: MAX_SESSION_MEDIA,
};
