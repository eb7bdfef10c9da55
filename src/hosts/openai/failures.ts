import { ModelError } from "../../features/models/modelError.js";
import { excerpt, oneLine } from "../../text/clip.js";
import { nameServer, withoutSecrets, type ServerAccess } from "./access.js";
import { reasonOf } from "../shared/reasonOf.js";
import { retryAfter } from "./retryAfter.js";
import { readSaid, type Said } from "../shared/said.js";

/** A server's answer that is not a success. */
export interface Refusal {
  status: number;
  headers: Pick<Headers, "get">;
  body: string;
}

/** The facts that a message about a failure needs. */
export interface FailureContext {
  access: ServerAccess;
  /** Values that must not appear in a message. */
  secrets: readonly string[];
  /** The id of the requested model; undefined for a list of models. */
  model?: string;
  /** The server's models, if it lists them. */
  listModels?: () => Promise<string[]>;
}

/**
 * Servers' wordings for a request that is longer than the model accepts: OpenAI, vLLM, llama.cpp, Ollama, LM Studio,
 * llama-cpp-python, TGI, Anthropic.
 */
const TOO_LONG = [
  /context_length_exceeded|exceed_context_size|context_window_exceeded|request_too_large/i,
  /(?:maximum|max) (?:context|model|sequence) (?:length|len)/i,
  /exceeds? (?:the |its )?(?:available |model'?s? |maximum |max )*context/i,
  /context (?:size|length|window)[^.]*(?:exceeded|overflow|too (?:small|large|long))/i,
  /(?:prompt|input|request|messages?) (?:is|are|was) too (?:long|large)/i,
  /keep the first \d+ tokens when context/i,
  /tokens?\)? exceeds? (?:the )?(?:context|maximum|limit)/i,
  /reduce the length of (?:the|your) (?:messages|prompt|input)/i,
  /input tokens? (?:exceeds?|must (?:have|be) less)|`inputs` (?:tokens|must have less)/i,
  /input length and `max_tokens` exceed|larger than the (?:max|context)/i,
];
const NO_TOOLS = [
  /does(?: not|n't) support (?:tools?|functions?|tool (?:use|calls?|calling)|function calling)/i,
  /tools?(?: use| calls?| calling)? (?:is|are) not supported/i,
  /support tool use|tools param requires|enable-auto-tool-choice|requires --jinja/i,
];
const NO_IMAGES = [
  /(?:image|vision|multimodal)[^.]*not support|not support[^.]*(?:image|vision|multimodal)|image_url[^.]*(?:invalid|unknown|unexpected)/i,
  /mmproj/i,
];
/**
 * What may be meant by a server that refuses a request with an image, in any words: OpenAI ("image_url is only supported
 * by certain models"), vLLM ("not a multimodal model"), Mistral ("image input is not enabled"), OpenRouter ("no
 * endpoints found that support image input"), Ollama, DeepSeek ("unknown variant `image_url`"), Groq ("content must be a
 * string").
 */
const ABOUT_IMAGES = /image|vision|visual|multi-?modal|mmproj|content.{0,60}must be a string|expected (?:a )?string/i;
const NO_MODEL = [
  /model_not_found|\bmodel\b.*(?:not found|not exist|unknown|not available|no such|not a valid)|(?:unknown|invalid|no such) model|not a valid model|no models? loaded/i,
];
/** Google's servers report it with status 400. */
const NO_KEY = [
  /invalid_api_key|\b(?:invalid|incorrect|missing|wrong) api[ _-]?key|\bapi[ _-]?key(?: is)?(?: not valid| invalid| missing| required| incorrect)/i,
];
const NO_QUOTA = [
  /insufficient_quota|billing_hard_limit|insufficient[ _]balance|exceeded your current quota|insufficient credits/i,
];

function says(patterns: readonly RegExp[], { text, code }: Said): boolean {
  return patterns.some((pattern) => pattern.test(text) || pattern.test(code));
}

/** Whether a server that was sent an image refused the request for that, as far as its words say. */
export function refusesImages({ status, body }: Refusal): boolean {
  return ![401, 402, 403, 407, 408, 413, 429].includes(status) && ABOUT_IMAGES.test(body);
}

/** Turns a server's refusal into a message with the next step. */
export async function refused(context: FailureContext, { status, headers, body }: Refusal): Promise<ModelError> {
  return failed(context, saidWithout(body, context.secrets), status, headers);
}

/**
 * Reads a server's message and hides keys in it: before it is shortened, and again afterwards in case JSON had escaped
 * them.
 */
export function saidWithout(body: string, secrets: readonly string[]): Said {
  const { text, code } = readSaid(withoutSecrets(body, secrets));
  return { text: withoutSecrets(text, secrets), code: withoutSecrets(code, secrets) };
}

/**
 * Turns an error that a server reported into a message with the next step.
 *
 * @param status the HTTP status, or the error's own code if it came within a stream; undefined if there is none
 */
export async function failed(
  context: FailureContext,
  said: Said,
  status: number | undefined,
  headers: Pick<Headers, "get"> = new Headers(),
): Promise<ModelError> {
  const { access, model } = context;
  const server = nameServer(access);
  const told = tell(said);
  const who = model === undefined ? server : `${model} at ${server}`;
  if (says(NO_QUOTA, said) || status === 402) {
    return new ModelError(
      `${server} reports that your quota is used up.${told} Top it up with the provider, or choose another model.`,
    );
  }
  if (status === 413 || (status !== 429 && says(TOO_LONG, said))) {
    return new ModelError(
      `The conversation is longer than ${who} accepts.${told} Start a new conversation, or give the model more room on the server.`,
      { tooLong: true },
    );
  }
  if (says(NO_TOOLS, said)) {
    return new ModelError(
      `${who} cannot call tools.${told} Choose a model that can, or start the server with tools turned on.`,
    );
  }
  if (status === 401 || (status === 400 && says(NO_KEY, said))) {
    return new ModelError(
      `${server} ${context.secrets.length === 0 ? "requires a key" : "did not accept the key"}.${told} ${access.advice.key}`,
      { wrong: "key" },
    );
  }
  if (status === 403) {
    return new ModelError(`${server} does not allow this.${told} Check what the key may do. ${access.advice.key}`, {
      wrong: "key",
    });
  }
  if (status === 407) {
    return proxyWantsYou(server, told);
  }
  if (model !== undefined && says(NO_MODEL, said) && (status === undefined || status < 500)) {
    return new ModelError(`${server} has no model ${excerpt(model)}.${told} ${await otherModels(context)}`);
  }
  if (status === 404 || status === 405) {
    return new ModelError(
      `There is nothing at ${address(access, model)} (${status}).${told} ${addressAdvice(access)}`,
      { wrong: "address" },
    );
  }
  if (status === 429) {
    const wait = retryAfter(headers, Date.now());
    const when = wait === undefined ? "in a while" : `in ${Math.max(1, Math.ceil(wait / 1000))} s`;
    return new ModelError(`${server} accepts no more requests for now (429).${told} Try again ${when}.`, {
      retry: true,
      ...(wait === undefined ? {} : { retryAfter: wait }),
    });
  }
  if (model !== undefined && says(NO_IMAGES, said)) {
    return new ModelError(
      `${who} does not accept images.${told} Set "images": false for it in the settings, and send the message again without images.`,
    );
  }
  if (status === undefined || status >= 500 || status === 408 || status === 409 || status === 425) {
    const wait = retryAfter(headers, Date.now());
    const code = status === undefined ? "" : ` (${status})`;
    return new ModelError(
      `${who} failed${code}.${told} Try again later, look at the server's own log, or choose another model.`,
      {
        retry: status !== 501 && status !== 505,
        ...(wait === undefined ? {} : { retryAfter: wait }),
      },
    );
  }
  return new ModelError(
    `${who} refused the request (${status}).${told} Check the server's settings, or choose another model.`,
  );
}

/** Turns a connection that failed or broke into a message with the next step. */
export function unreachable({ access, secrets }: FailureContext, error: unknown): ModelError {
  const { message, code } = reasonOf(error);
  const server = nameServer(access);
  const why = withoutSecrets(
    `${oneLine(message)}${code !== "" && !message.includes(code) ? ` (${code})` : ""}`,
    secrets,
  );
  // `fetch` turns a proxy's 407 into its own error (Fetch standard, section 4.6): unlike all others, Node's has no
  // cause.
  if (
    /proxy authentication required|proxy response \(407\)/i.test(message) ||
    (message === "fetch failed" && code === "")
  ) {
    return proxyWantsYou(server, "");
  }
  if (code === "ECONNREFUSED") {
    return new ModelError(
      `Nothing answers at ${server}: the server is not running, or listens elsewhere. Start it. ${access.advice.address}`,
    );
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return new ModelError(
      `The name of ${server} could not be resolved (${code}). Check the network. ${access.advice.address}`,
      { retry: code === "EAI_AGAIN", wrong: "address" },
    );
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|TLS_CERT/.test(code)) {
    return new ModelError(
      `The certificate of ${server} is not trusted: ${why}. Add its authority to the system or to NODE_EXTRA_CA_CERTS, or use the address that the certificate is for.`,
      { wrong: "address" },
    );
  }
  if (code === "EPROTO" || code.startsWith("ERR_SSL") || code.startsWith("HPE_")) {
    return new ModelError(
      `${server} speaks another protocol (${code}). Try ${access.setting.baseUrl.startsWith("https:") ? "http://" : "https://"} in its address. ${access.advice.address}`,
      { wrong: "address" },
    );
  }
  if (code === "ENETUNREACH" || code === "EHOSTUNREACH" || code === "EADDRNOTAVAIL") {
    return new ModelError(`${server} cannot be reached (${code}). Check the network. ${access.advice.address}`, {
      retry: true,
    });
  }
  return new ModelError(`The connection to ${server} broke: ${why}. Try again, or look at the server's own log.`, {
    retry: true,
  });
}

function proxyWantsYou(server: string, told: string): ModelError {
  return new ModelError(
    `A proxy between here and ${server} requires you to sign in.${told} Check the proxy settings of VS Code (http.proxy) or of the environment (HTTPS_PROXY).`,
  );
}

/** Returns the server's message as a sentence to append. */
function tell({ text }: Said): string {
  return text === "" ? "" : ` It says: ${text.replace(/[.\s]*$/, ".")}`;
}

async function otherModels({ listModels }: FailureContext): Promise<string> {
  const models = (await listModels?.().catch(() => [])) ?? [];
  const named = models.slice(0, 10).join(", ") + (models.length > 10 ? ` and ${models.length - 10} more` : "");
  return models.length === 0 ? "Choose one that it has." : `It has ${named}. Choose one of these.`;
}

function address({ setting }: ServerAccess, model: string | undefined): string {
  return `${setting.baseUrl}/${model === undefined ? "models" : "chat/completions"}`;
}

function addressAdvice({ setting, advice }: ServerAccess): string {
  return /\/v\d+$/.test(setting.baseUrl)
    ? advice.address
    : `Base URLs usually end in /v1: try ${setting.baseUrl}/v1. ${advice.address}`;
}
