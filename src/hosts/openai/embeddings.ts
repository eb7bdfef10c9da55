import { ToolError } from "../../core/errors.js";
import { SETTING } from "../../names/settings.js";
import type { Embeddings } from "../../ports/embeddings.js";
import { excerpt } from "../../text/clip.js";
import { withoutSecrets, type ServerAccess } from "./access.js";
import { openClient, readBounded, type Client } from "./client.js";
import { reasonOf } from "../shared/reasonOf.js";
import { RefusedError, request } from "./request.js";

/** Time limit for one batch, in ms: models on a laptop's processor take seconds. */
const TIMEOUT = 60_000;
/** Maximum bytes of an answer: ten times what a batch of the longest vectors takes. */
const MAX_ANSWER = 64_000_000;
const NEXT_STEP = `Check the setting ${SETTING.embeddings} and that its server runs.`;

/** The environment, which holds the server's key, and the user agent to send. */
interface Caller {
  environment: NodeJS.ProcessEnv;
  userAgent: string;
}

/** An OpenAI-compatible embeddings server. */
interface ServerSetting {
  url: URL;
  model: string;
  /** Name of the environment variable with its key. */
  apiKeyName: string | undefined;
}

/** The embeddings server in the user's current settings. */
export class EmbeddingsServer {
  readonly #setting: () => unknown;
  readonly #caller: Caller;
  #current: { key: string; embeddings: Embeddings | undefined } | undefined;

  /**
   * @param setting the value of `toolhost.embeddings`, unchecked
   */
  constructor(setting: () => unknown, caller: Caller) {
    this.#setting = setting;
    this.#caller = caller;
  }

  /**
   * Returns the same object until the setting changes; undefined if not set. An invalid setting fails when it is used.
   */
  current(): Embeddings | undefined {
    const value = this.#setting();
    const key = JSON.stringify(value) ?? "";
    if (this.#current?.key !== key) {
      this.#current = { key, embeddings: this.#make(value) };
    }
    return this.#current.embeddings;
  }

  #make(value: unknown): Embeddings | undefined {
    if (value === undefined || value === null || (typeof value === "object" && Object.keys(value).length === 0)) {
      return undefined;
    }
    const setting = readSetting(value);
    if (typeof setting === "string") {
      return {
        model: "none",
        embed: () => Promise.reject(new ToolError("unavailable", `${SETTING.embeddings}: ${setting}.`, NEXT_STEP)),
      };
    }
    // The host is part of the name: another server may return other vectors under the same model name.
    return {
      model: `${setting.model} at ${setting.url.host}`,
      embed: (texts, signal) => embed(setting, this.#caller, texts, signal),
    };
  }
}

/** Returns the setting, or what is wrong with it. */
function readSetting(value: unknown): ServerSetting | string {
  const {
    baseUrl,
    url: oldName,
    model,
    apiKeyName,
  } = (typeof value === "object" ? value : {}) as Record<string, unknown>;
  // `url` is the former name of `baseUrl`; settings that use it keep working.
  const url = baseUrl ?? oldName;
  if (typeof url !== "string" || !/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    return "baseUrl must be an address such as http://localhost:11434/v1";
  }
  if (typeof model !== "string" || model === "") {
    return "model must be the name of a model";
  }
  if (apiKeyName !== undefined && typeof apiKeyName !== "string") {
    return "apiKeyName must be the name of an environment variable";
  }
  return { url: new URL(url.replace(/\/+$/, "").replace(/\/embeddings$/, "")), model, apiKeyName };
}

async function embed(
  { url, model, apiKeyName }: ServerSetting,
  { environment, userAgent }: Caller,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const key = apiKeyName === undefined ? undefined : environment[apiKeyName];
  if (apiKeyName !== undefined && !key) {
    throw new ToolError(
      "unavailable",
      `${SETTING.embeddings}: the environment variable ${excerpt(apiKeyName)} contains no key.`,
      "Set it and restart VS Code.",
    );
  }
  const access: ServerAccess = {
    setting: { name: url.host, baseUrl: url.href, models: undefined, headers: {} },
    key: async () => key,
    advice: { address: NEXT_STEP, key: NEXT_STEP },
  };
  const timeout = AbortSignal.timeout(TIMEOUT);
  const both = AbortSignal.any([signal, timeout]);
  let client: Client | undefined;
  try {
    client = await openClient(url.href, both, (address, wanted) =>
      request(access, address, { method: "POST", key, userAgent, ...wanted }),
    );
    const response = await client.openai.embeddings
      .create({ model, input: [...texts], encoding_format: "float" }, { signal: both })
      .asResponse();
    const answer = await readBounded(response, MAX_ANSWER);
    if (answer === undefined) {
      throw refused(url, `answered with more than ${MAX_ANSWER / 1e6} MB`);
    }
    return vectorsOf(url, JSON.parse(answer), texts.length);
  } catch (caught) {
    signal.throwIfAborted();
    const error = client?.failure() ?? caught;
    if (timeout.aborted) {
      throw new ToolError("timeout", `${url.host} returned no embeddings within ${TIMEOUT / 1000} seconds.`, NEXT_STEP);
    }
    if (error instanceof RefusedError) {
      const { status, body } = error.refusal;
      throw refused(url, `answered ${status}: ${excerpt(withoutSecrets(body.trim(), [key ?? ""]), 200)}`);
    }
    throw error instanceof ToolError ? error : refused(url, `cannot be used: ${reasonOf(error).message}`);
  }
}

/** Returns an answer's vectors in the order of the texts, each of length 1. */
function vectorsOf(url: URL, answer: unknown, count: number): Float32Array[] {
  const data = (answer as { data?: unknown } | null)?.data;
  const rows = Array.isArray(data) ? (data as ({ index?: unknown; embedding?: unknown } | null)[]) : [];
  const vectors: Float32Array[] = [];
  for (const [place, row] of rows.entries()) {
    const numbers = Array.isArray(row?.embedding) ? row.embedding : [];
    if (
      numbers.length > 0 &&
      numbers.every((number) => typeof number === "number" && Number.isFinite(Math.fround(number)))
    ) {
      vectors[typeof row?.index === "number" ? row.index : place] = unit(Float32Array.from(numbers as number[]));
    }
  }
  const dimension = vectors[0]?.length;
  if (vectors.length !== count || Array.from(vectors).some((vector) => vector?.length !== dimension)) {
    throw refused(url, `did not return ${count} embeddings of equal length`);
  }
  return vectors;
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((number) => number / length);
}

function refused(url: URL, what: string): ToolError {
  return new ToolError("unavailable", `${url.host} ${what}.`, NEXT_STEP);
}
