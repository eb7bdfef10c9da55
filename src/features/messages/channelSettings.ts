import { excerpt } from "../../text/clip.js";
import { isRecord } from "../../core/jsonSchema.js";
import { findSecrets, templateProblem, type JsonTemplate } from "./template.js";

/**
 * A place on another machine that messages can be sent to. Its texts are templates; `${secret:name}` is not filled in
 * yet.
 */
export interface Channel {
  /** `webhook:team`, `signal:+15551234567`. */
  address: string;
  /** The machine, without secrets: `https://hooks.slack.com`. */
  origin: string;
  url: string;
  method: "POST" | "PUT" | "PATCH";
  headers: Readonly<Record<string, string>>;
  /** JSON with `{{content}}` in one of its strings. */
  body: JsonTemplate;
  /** Maximum code units of a message. */
  maxLength: number;
  /** `html`: & < > become entities, as Slack requires. */
  escape: "none" | "html";
}

/** A problem with an entry of the setting: a sentence that shows none of its values. */
export interface ChannelProblem {
  /** Undefined if the whole setting is wrong. */
  address: string | undefined;
  message: string;
}

/** Maximum characters of a message if the user sets none: anything longer belongs in a file. */
export const MAX_CONTENT = 50_000;

const WEBHOOK = /^webhook:[\p{L}\p{N}][\p{L}\p{N}._-]{0,49}$/u;
/** E.164 numbers have at most 15 digits. */
const NUMBER = /^\+[1-9]\d{5,14}$/;
const METHODS = ["POST", "PUT", "PATCH"] as const;
const WEBHOOK_FIELDS = ["url", "method", "headers", "body", "maxLength", "escape"];
const SIGNAL_FIELDS = ["url", "number", "headers", "maxLength"];
/** The body most chat services accept: Slack, Mattermost, Rocket.Chat, Google Chat. */
const DEFAULT_BODY = { text: "{{content}}" };
/** Valid header names in HTTP (RFC 9110, section 5.6.2), and values that `fetch` accepts. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Placeholder for a secret in an address while it is checked. */
const STAND_IN = "s";

/**
 * Reads the channels from the unchecked value of `toolhost.message.channels`: an object keyed by address.
 *
 * @param place names the setting for people
 * @returns the channels that can be used, and what is wrong with each of the others
 */
export function readChannels(value: unknown, place: string): { channels: Channel[]; problems: ChannelProblem[] } {
  if (value === undefined || value === null) {
    return { channels: [], problems: [] };
  }
  if (!isRecord(value)) {
    return {
      channels: [],
      problems: [
        {
          address: undefined,
          message: `${place} must be an object of channels keyed by address, such as webhook:team.`,
        },
      ],
    };
  }
  const read = Object.entries(value).map(([address, entry]) => ({ address, channel: readChannel(address, entry) }));
  return {
    channels: read.flatMap(({ channel }) => (typeof channel === "string" ? [] : [channel])),
    problems: read.flatMap(({ address, channel }) =>
      typeof channel === "string" ? [{ address, message: `${place}, entry ${excerpt(address)}: ${channel}.` }] : [],
    ),
  };
}

function readChannel(address: string, entry: unknown): Channel | string {
  const isSignal = address.startsWith("signal:");
  if (isSignal ? !NUMBER.test(address.slice("signal:".length)) : !WEBHOOK.test(address)) {
    return isSignal
      ? "after signal: a number such as +15551234567 is expected"
      : "an address is webhook:<name>, of letters, digits, dots, dashes and underscores, or signal:<number>";
  }
  if (!isRecord(entry)) {
    return "the entry must be an object with a url";
  }
  const fields = isSignal ? SIGNAL_FIELDS : WEBHOOK_FIELDS;
  const unknown = Object.keys(entry).find((field) => !fields.includes(field));
  if (unknown !== undefined) {
    return `${excerpt(unknown)} is not one of its properties; use ${fields.join(", ")}`;
  }
  const { url, headers = {}, maxLength = MAX_CONTENT } = entry;
  const origin = originOf(url);
  if (typeof url !== "string" || origin === undefined) {
    return "url must be an address such as https://hooks.example.com/${secret:team}, without a user name or a password, and with secrets after the first single / only";
  }
  const badHeader = headersProblem(headers);
  if (badHeader !== undefined) {
    return badHeader;
  }
  if (!(Number.isInteger(maxLength) && Number(maxLength) > 0)) {
    return "maxLength must be a whole number above 0";
  }
  const common = {
    address,
    origin,
    headers: headers as Record<string, string>,
    maxLength: Math.min(Number(maxLength), MAX_CONTENT),
  };
  return isSignal ? signalChannel(common, url, entry) : webhook(common, url, entry);
}

type Common = Pick<Channel, "address" | "origin" | "headers" | "maxLength">;

function webhook(
  common: Common,
  url: string,
  { method = "POST", body = DEFAULT_BODY, escape = "none" }: Record<string, unknown>,
): Channel | string {
  const known = METHODS.find((each) => each === method);
  if (known === undefined) {
    return `method must be one of ${METHODS.join(", ")}`;
  }
  if (escape !== "none" && escape !== "html") {
    return "escape must be none or html";
  }
  const template = asTemplate(body);
  if (template === undefined) {
    return 'body must be JSON, as an object or a string, with placeholders inside quotes: {"text": "{{content}}"}';
  }
  const problem = templateProblem(template);
  return problem === undefined ? { ...common, url, method: known, body: template, escape } : `body: ${problem}`;
}

/** Builds a channel through signal-cli's REST API (bbernhard/signal-cli-rest-api, `POST /v2/send`). */
function signalChannel(common: Common, url: string, { number }: Record<string, unknown>): Channel | string {
  if (typeof number !== "string" || !NUMBER.test(number)) {
    return "number must be the sender's, such as +15551234567";
  }
  const body = { message: "{{content}}", number, recipients: [common.address.slice("signal:".length)] };
  return {
    ...common,
    url: `${url.replace(/\/+$/, "").replace(/\/v2\/send$/, "")}/v2/send`,
    method: "POST",
    body,
    escape: "none",
  };
}

/**
 * Parses a template that was written as a string, which is JSON too: content is put into its values, never into the
 * text.
 */
function asTemplate(body: unknown): JsonTemplate | undefined {
  try {
    const read: unknown = typeof body === "string" ? JSON.parse(body) : body;
    return typeof read === "object" && read !== null ? (read as JsonTemplate) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns an address's origin, which must not depend on its secrets; undefined if it is not valid. */
function originOf(url: unknown): string | undefined {
  if (typeof url !== "string" || url.includes("{{")) {
    return undefined;
  }
  const { names, text } = findSecrets(url, () => STAND_IN);
  const parsed = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (parsed === undefined || parsed.username !== "" || parsed.password !== "") {
    return undefined;
  }
  // A secret in the origin would choose the machine, and would be shown as part of it.
  const before = /^https?:\/\/[^/?#]*[/?#]/i.exec(url)?.[0];
  return names.length > 0 && (before === undefined || before.includes("$")) ? undefined : parsed.origin;
}

function headersProblem(headers: unknown): string | undefined {
  if (!isRecord(headers)) {
    return "headers must be an object of strings";
  }
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name)) {
      return `${excerpt(name)} is not a header name`;
    }
    if (typeof value !== "string" || !HEADER_VALUE.test(value) || value.includes("{{")) {
      return `the header ${excerpt(name)} must be a one-line string, and cannot contain the message`;
    }
  }
  return undefined;
}
