import type { Channel } from "../../../features/messages/channelSettings.js";
import { fillTemplate, findSecrets } from "../../../features/messages/template.js";
import { ToolError } from "../../../core/errors.js";
import { isRecord } from "../../../core/jsonSchema.js";
import type { Delivery } from "../../../ports/messages.js";
import { oneLine, shorten } from "../../../text/clip.js";
import { reasonOf } from "../../shared/reasonOf.js";
import { readSaid } from "../../shared/said.js";

/** Time limit from connecting to the end of the answer, in ms. */
const MESSAGE_TIMEOUT = 10_000;
/** Maximum bytes of an answer that are read: webhooks reply with a word or two. */
const MAX_ANSWER_BYTES = 65_536;
const MAX_SAID = 200;
/** Minimum characters of a secret: shorter texts are not secrets, and hiding them would mangle every text. */
const MIN_SECRET = 4;
/** Names of headers that carry credentials. */
const SECRET_HEADER = /auth|token|key|secret|cookie|pass/i;

export interface MessageRequest {
  channel: Channel;
  content: string;
  /** By name. */
  secrets: ReadonlyMap<string, string>;
  signal: AbortSignal;
  /** In ms; `MESSAGE_TIMEOUT` if absent. */
  timeout?: number | undefined;
}

/**
 * Sends one message by HTTP, once. Redirects are not followed: the message and the secrets in it go where the user said
 * and nowhere else.
 *
 * @throws ToolError that says whether the message may have arrived, without secrets; the signal's reason
 */
export async function sendMessage({
  channel,
  content,
  secrets,
  signal,
  timeout = MESSAGE_TIMEOUT,
}: MessageRequest): Promise<Delivery> {
  const { address, origin, method } = channel;
  const who = `${address} (${origin})`;
  const url = new URL(findSecrets(channel.url, (name) => secrets.get(name) ?? "").text);
  if (url.origin !== origin) {
    throw new ToolError(
      "invalid_input",
      `${address}: with the secret filled in, the URL is no longer on ${origin}. Nothing was sent.`,
      "Set the secret again.",
    );
  }
  const headers = Object.entries(channel.headers).map(([name, value]): [string, string] => [
    name,
    findSecrets(value, (secret) => secrets.get(secret) ?? "").text,
  ]);
  const hide = hider([...secrets.values(), url.pathname + url.search, ...partsOf(url, headers)]);
  const time = AbortSignal.timeout(timeout);
  try {
    const response = await fetch(url, {
      method,
      headers: withUsual(headers),
      body: fillTemplate(channel.body, channel.escape === "html" ? entities(content) : content, secrets),
      redirect: "manual",
      signal: AbortSignal.any([signal, time]),
    });
    return judge(who, response, await beginning(response), hide);
  } catch (error) {
    if (error instanceof ToolError) {
      throw error;
    }
    signal.throwIfAborted();
    if (time.aborted) {
      throw new ToolError(
        "timeout",
        `${who}: no complete answer within ${timeout / 1_000} s. Whether the message arrived is not known.`,
        "Do not resend it unasked: it may arrive twice.",
      );
    }
    throw unreachable(who, error, hide);
  }
}

/** Returns the parts of an address and of headers that may be secrets written out by the user. */
function partsOf({ pathname, searchParams }: URL, headers: readonly [string, string][]): string[] {
  const words = headers.filter(([name]) => SECRET_HEADER.test(name)).flatMap(([, value]) => value.split(/\s+/));
  return [...pathname.split("/"), ...searchParams.values(), ...words].filter((part) => part.length > 7);
}

function withUsual(headers: readonly [string, string][]): Headers {
  const all = new Headers({
    "content-type": "application/json",
    accept: "application/json, text/plain",
    "user-agent": "Toolhost",
  });
  for (const [name, value] of headers) {
    all.set(name, value);
  }
  return all;
}

/** Interprets an answer. Some services answer 200 although sending failed, and say so in the body. */
function judge(who: string, { status, headers }: Response, body: string, hide: (text: string) => string): Delivery {
  // Hide secrets before shortening as well: half a secret would not be found.
  const said = shorten(oneLine(hide(readSaid(hide(body)).text)), MAX_SAID);
  const says = said === "" ? "" : ` It says: ${JSON.stringify(said)}.`;
  if (status >= 300 && status <= 399) {
    const location = headers.get("location") ?? "";
    const where = URL.canParse(location, "invalid://") ? new URL(location, "invalid://") : undefined;
    const elsewhere = where === undefined || where.protocol === "invalid:" ? "another address" : where.origin;
    throw new ToolError(
      "io_error",
      `${who}: the server redirects to ${elsewhere} (${status}), which is not followed. The message did not arrive.`,
      "The user can correct the address in the settings.",
    );
  }
  if (status < 200 || status > 299) {
    throw new ToolError("io_error", `${who}: the server refused the message (${status}).${says}`, refusalHint(status));
  }
  if (/^\s*<(?:!doctype|html|\?xml)/i.test(body)) {
    throw new ToolError(
      "io_error",
      `${who}: the server answered with a web page (${status}), such as a sign-in page, or the address is wrong.${says} Most likely the message did not arrive.`,
      "The user can check the address in the settings, and the network.",
    );
  }
  if (isRefusal(body)) {
    throw new ToolError(
      "io_error",
      `${who}: the server answered ${status}, but did not accept the message.${says}`,
      "The user can check the channel in the settings.",
    );
  }
  return { status, answer: said };
}

/** Whether an answer is `{"ok": false}`, as from Slack's own API and Telegram's. */
function isRefusal(body: string): boolean {
  try {
    const answer: unknown = JSON.parse(body);
    return isRecord(answer) && answer["ok"] === false;
  } catch {
    return false;
  }
}

function refusalHint(status: number): string {
  if (status === 401 || status === 403) {
    return "The secret or the address is not accepted: the user can set it again.";
  }
  if (status === 404 || status === 405 || status === 410) {
    return "There is no such webhook: the user can check the address in the settings.";
  }
  if (status === 413) {
    return "Send a shorter message.";
  }
  if (status === 429) {
    return "Too many messages: wait before you send another.";
  }
  return status >= 500
    ? "A server error. Tell the user; do not resend it immediately."
    : "The user can check the body of the channel in the settings.";
}

function unreachable(who: string, error: unknown, hide: (text: string) => string): ToolError {
  const { message, code } = reasonOf(error);
  const why = shorten(oneLine(hide(message)), MAX_SAID);
  if (["ECONNREFUSED", "ENETUNREACH", "EHOSTUNREACH", "EADDRNOTAVAIL"].includes(code)) {
    return new ToolError(
      "unavailable",
      `${who}: nothing answers there (${code}). Nothing was sent.`,
      "The server is not running, or the address in the settings is wrong.",
    );
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return new ToolError(
      "unavailable",
      `${who}: the name could not be resolved (${code}). Nothing was sent.`,
      "The user can check the address in the settings, and the network.",
    );
  }
  if (code === "UND_ERR_CONNECT_TIMEOUT") {
    return new ToolError(
      "unavailable",
      `${who}: connecting timed out. Nothing was sent.`,
      "The user can check the network.",
    );
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/.test(code)) {
    return new ToolError(
      "unavailable",
      `${who}: its certificate is not trusted (${code}). Nothing was sent.`,
      "The user can add its authority to the system or to NODE_EXTRA_CA_CERTS.",
    );
  }
  if (code === "EPROTO" || code.startsWith("ERR_SSL")) {
    return new ToolError(
      "unavailable",
      `${who}: it does not speak TLS (${code}). Nothing was sent.`,
      "The user can try http:// or https:// in the address.",
    );
  }
  return new ToolError(
    "io_error",
    `${who}: the connection broke: ${why}${code === "" || why.includes(code) ? "" : ` (${code})`}. Whether the message arrived is not known.`,
    "Do not resend it unasked: it may arrive twice.",
  );
}

/** Reads the first bytes of an answer without waiting for the rest. */
async function beginning(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) {
    return "";
  }
  const decoder = new TextDecoder();
  let text = "";
  for (let bytes = 0; bytes < MAX_ANSWER_BYTES;) {
    const { value, done } = await reader.read();
    if (done) {
      return text + decoder.decode();
    }
    bytes += value.length;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel().catch(() => undefined);
  return text;
}

/** Returns a function that removes secrets from a text, in every form in which a server may repeat them. */
function hider(values: readonly string[]): (text: string) => string {
  const forms = values
    .filter((value) => value.length >= MIN_SECRET)
    .flatMap((value) => [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)])
    .sort((a, b) => b.length - a.length);
  return (text) => forms.reduce((shown, form) => shown.replaceAll(form, "[hidden]"), text);
}

function entities(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
