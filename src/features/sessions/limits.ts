/**
 * Days that a session is kept after its last message: a quarter of a year, within which a user may still return to it.
 */
const KEPT_DAYS = 90;
/** Maximum sessions of a workspace: more than anyone looks through, few enough to list in one go. */
export const MAX_SESSIONS = 500;
/** Maximum bytes of all messages of a workspace: about 100 very long sessions, and little on today's disks. */
const MAX_BYTES = 200 * 1024 * 1024;
/** Maximum bytes of one image that is kept: the limit of model APIs (Anthropic: 5 MB). */
export const MAX_MEDIA = 5 * 1024 * 1024;
/** Maximum bytes of all images of a session; the oldest go first. */
const MAX_SESSION_MEDIA = 20 * 1024 * 1024;
/** Maximum messages waiting for a session: if there are more, the sender is out of control. */
export const MAX_LEFT = 100;
/** Maximum characters of a title. */
export const MAX_TITLE = 100;
/** Minimum characters of an id's prefix that identify it. */
export const MIN_PREFIX = 6;
/**
 * How long without a message until a turn counts as over, in ms, if its process cannot be distinguished from a later
 * one with the same id (no /proc): longer than a turn usually waits for a person or a command.
 */
export const GIVEN_UP = 2 * 3_600_000;

/** The limits of retention. */
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
