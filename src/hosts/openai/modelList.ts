import { isRecord } from "../../core/jsonSchema.js";
import { ModelError } from "../../features/models/modelError.js";
import { excerpt } from "../../text/clip.js";
import { nameServer, withoutSecrets, type ServerAccess } from "./access.js";
import { openClient, readBounded, type Client } from "./client.js";
import { refused, unreachable } from "./failures.js";
import { readSaid } from "../shared/said.js";
import { RefusedError, request } from "./request.js";

/** Maximum bytes of a list; OpenRouter's, with 400 models, has 0.6 MB. */
const MAX_LIST_BYTES = 16_000_000;

/** A model as its server lists it. */
export interface ListedModel {
  id: string;
  name?: string;
  /** Maximum tokens of a request and its answer together. */
  contextTokens?: number;
  images?: boolean;
}

/**
 * Requests a server's list of models.
 *
 * @param timeout in ms
 * @throws ModelError
 */
export async function fetchModels(
  access: ServerAccess,
  userAgent: string,
  timeout: number,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const key = await access.key();
  const context = { access, secrets: [...(key === undefined ? [] : [key]), ...Object.values(access.setting.headers)] };
  const limit = AbortSignal.timeout(timeout);
  const both = AbortSignal.any([signal, limit]);
  let client: Client | undefined;
  try {
    client = await openClient(access.setting.baseUrl, both, (url, wanted) =>
      request(access, url, { method: "GET", key, userAgent, ...wanted }),
    );
    const response = await client.openai.models.list({ signal: both }).asResponse();
    return readModels(access, context.secrets, await readBounded(response, MAX_LIST_BYTES));
  } catch (caught) {
    signal.throwIfAborted();
    const error = client?.failure() ?? caught;
    if (limit.aborted) {
      throw new ModelError(
        `${nameServer(access)} did not list its models within ${timeout / 1000} s. Check that the server runs. ${access.advice.address}`,
        { retry: true },
      );
    }
    throw error instanceof ModelError
      ? error
      : error instanceof RefusedError
        ? await refused(context, error.refusal)
        : unreachable(context, error);
  }
}

/** Reads OpenAI's `{data: […]}`, a bare list (Together), or `{models: […]}`. */
function readModels(access: ServerAccess, secrets: readonly string[], text: string | undefined): ListedModel[] {
  let answer: unknown;
  try {
    answer = JSON.parse(text ?? "");
  } catch {
    answer = undefined;
  }
  const list = Array.isArray(answer)
    ? (answer as unknown[])
    : isRecord(answer)
      ? (answer["data"] ?? answer["models"])
      : undefined;
  if (!Array.isArray(list)) {
    const shown = withoutSecrets((text ?? "").trim(), secrets);
    const came =
      text === undefined
        ? `more than ${MAX_LIST_BYTES / 1e6} MB`
        : shown.startsWith("<")
          ? readSaid(shown).text
          : shown === ""
            ? "nothing"
            : excerpt(shown, 100);
    throw new ModelError(
      `${access.setting.baseUrl}/models returned ${came} and no list of models. ${/\/v\d+$/.test(access.setting.baseUrl) ? "" : `Base URLs usually end in /v1: try ${access.setting.baseUrl}/v1. `}${access.advice.address}`,
      { wrong: "address" },
    );
  }
  const models = list.flatMap((entry: unknown) => readModel(entry) ?? []);
  return models.filter(({ id }, index) => models.findIndex((other) => other.id === id) === index);
}

function readModel(entry: unknown): ListedModel | undefined {
  const model = typeof entry === "string" ? { id: entry } : isRecord(entry) ? entry : {};
  const id = [model["id"], model["name"]].find((part): part is string => typeof part === "string" && part !== "");
  if (id === undefined) {
    return undefined;
  }
  const tokens = contextTokens(model);
  const images = imagesOf(model);
  const name = model["display_name"] ?? model["name"];
  return {
    id,
    ...(typeof name === "string" && name !== "" ? { name } : {}),
    ...(tokens === undefined ? {} : { contextTokens: tokens }),
    ...(images === undefined ? {} : { images }),
  };
}

/**
 * Reads the size of a model's context: LM Studio's `loaded_context_length` and `max_context_length`, OpenRouter's and
 * Together's `context_length`, vLLM's `max_model_len`, Groq's `context_window`, llama.cpp's `meta`. Values in force
 * come before possible ones.
 */
function contextTokens(model: Record<string, unknown>): number | undefined {
  const meta = isRecord(model["meta"]) ? model["meta"] : {};
  const provider = isRecord(model["top_provider"]) ? model["top_provider"] : {};
  const named = [
    model["loaded_context_length"],
    provider["context_length"],
    ...["context_length", "max_model_len", "max_context_length", "context_window", "max_input_tokens"].map(
      (name) => model[name],
    ),
    meta["n_ctx"],
    meta["n_ctx_train"],
  ];
  return named.find((tokens): tokens is number => typeof tokens === "number" && Number.isInteger(tokens) && tokens > 0);
}

/**
 * Reads OpenRouter's modalities, Mistral's `vision`, llama.cpp's and LM Studio's values; undefined if the server does
 * not say.
 */
function imagesOf(model: Record<string, unknown>): boolean | undefined {
  const architecture = isRecord(model["architecture"]) ? model["architecture"] : {};
  const modalities = architecture["input_modalities"] ?? model["input_modalities"];
  if (Array.isArray(modalities)) {
    return modalities.includes("image");
  }
  const capabilities = model["capabilities"];
  if (isRecord(capabilities) && typeof capabilities["vision"] === "boolean") {
    return capabilities["vision"];
  }
  if (
    model["type"] === "vlm" ||
    (Array.isArray(capabilities) &&
      capabilities.some((capability) => capability === "vision" || capability === "multimodal"))
  ) {
    return true;
  }
  return undefined;
}
