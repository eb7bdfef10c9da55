import type { ModelSetting, ServerSetting } from "../../ports/modelServers.js";
import type { ModelPrices } from "../../ports/models.js";
import { excerpt } from "../../text/clip.js";
import { isRecord } from "../../core/jsonSchema.js";
import { SET_SERVER_KEY } from "../../names/contributed.js";
import { SETTING } from "../../names/settings.js";

/** Valid header names in HTTP (RFC 9110, section 5.6.2). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Header values that `fetch` accepts: no line endings, nothing beyond Latin-1. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Reads the servers from the unchecked value of `toolhost.models.servers`.
 *
 * @returns the entries that can be used, and for each of the others a message that names it
 */
export function readServers(value: unknown): { servers: ServerSetting[]; problems: string[] } {
  if (value === undefined || value === null) {
    return { servers: [], problems: [] };
  }
  if (!isRecord(value)) {
    return { servers: [], problems: [`${SETTING.modelServers} must be an object of servers keyed by name.`] };
  }
  const servers: ServerSetting[] = [];
  const problems: string[] = [];
  for (const [name, entry] of Object.entries(value)) {
    const server = readServer(name, entry);
    if (typeof server === "string") {
      problems.push(
        `${SETTING.modelServers}, entry ${excerpt(name)}: ${server}. Correct it in the settings; until then this server is not used.`,
      );
    } else {
      servers.push(server);
    }
  }
  return { servers, problems };
}

/** Returns what is wrong with a server's name; undefined if it is valid. */
export function nameProblem(name: string): string | undefined {
  return /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,49}$/u.test(name) && name.trim() === name
    ? undefined
    : "a name begins with a letter or digit and has letters, digits, spaces, dots, dashes and underscores, at most 50";
}

/** Returns a base URL in its usual form, or what is wrong with it, to follow its name: `must be an address …`. */
export function readBaseUrl(value: unknown): { baseUrl: string } | { problem: string } {
  const text = typeof value === "string" ? value.trim() : "";
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) {
    return { problem: "must be an address such as http://localhost:11434/v1" };
  }
  if (url.username !== "" || url.password !== "") {
    return {
      problem: `must not contain a user name or a password; set the key with the command “Toolhost: ${SET_SERVER_KEY}”`,
    };
  }
  if (url.search !== "" || url.hash !== "") {
    return { problem: "must not have a part after ? or #" };
  }
  // Accept the address of a request, copied from a manual.
  const path = url.pathname
    .replace(/\/+$/, "")
    .replace(/\/(?:chat\/completions|completions|models)$/, "")
    .replace(/\/+$/, "");
  return { baseUrl: url.origin + path };
}

function readServer(name: string, entry: unknown): ServerSetting | string {
  const badName = nameProblem(name);
  if (badName !== undefined) {
    return badName;
  }
  if (!isRecord(entry)) {
    return "the entry must be an object with a baseUrl";
  }
  const unknown = Object.keys(entry).find((key) => !["baseUrl", "models", "headers"].includes(key));
  if (unknown !== undefined) {
    return `${excerpt(unknown)} is not a server property; use baseUrl, models and headers`;
  }
  const address = readBaseUrl(entry["baseUrl"]);
  if ("problem" in address) {
    return `baseUrl ${address.problem}`;
  }
  const headers = readHeaders(entry["headers"] ?? {});
  if (typeof headers === "string") {
    return headers;
  }
  const models = entry["models"] === undefined ? undefined : readModels(entry["models"]);
  return typeof models === "string" ? models : { name, baseUrl: address.baseUrl, models, headers };
}

function readHeaders(value: unknown): Record<string, string> | string {
  if (!isRecord(value)) {
    return "headers must be an object of strings";
  }
  for (const [name, content] of Object.entries(value)) {
    if (!HEADER_NAME.test(name)) {
      return `${excerpt(name)} is not a header name`;
    }
    // The value may be a secret: it is not shown.
    if (typeof content !== "string" || !HEADER_VALUE.test(content)) {
      return `the header ${excerpt(name)} must be a one-line string`;
    }
  }
  return value as Record<string, string>;
}

function readModels(value: unknown): ModelSetting[] | string {
  if (!Array.isArray(value)) {
    return "models must be a list of ids, or of objects with an id";
  }
  const models: ModelSetting[] = [];
  for (const [index, entry] of (value as unknown[]).entries()) {
    const model: unknown = typeof entry === "string" ? { id: entry } : entry;
    const problem = modelProblem(model);
    if (problem !== undefined) {
      return `model ${index + 1} of its list: ${problem}`;
    }
    models.push(model as ModelSetting);
  }
  const twice = models.find(({ id }, index) => models.findIndex((other) => other.id === id) !== index);
  return twice === undefined ? models : `the model ${excerpt(twice.id)} is listed twice`;
}

function modelProblem(model: unknown): string | undefined {
  if (!isRecord(model) || typeof model["id"] !== "string" || model["id"].trim() === "") {
    return "it must be an id, or an object with an id";
  }
  const { id, name, maxInputTokens, images, prices, ...rest } = model;
  const [unknown] = Object.keys(rest);
  const of = excerpt(String(id));
  if (unknown !== undefined) {
    return `${excerpt(unknown)} is not a model property; use id, name, maxInputTokens, images and prices`;
  }
  if (name !== undefined && typeof name !== "string") {
    return `name of ${of} must be a string`;
  }
  if (maxInputTokens !== undefined && !(Number.isInteger(maxInputTokens) && Number(maxInputTokens) > 0)) {
    return `maxInputTokens of ${of} must be a whole number above 0`;
  }
  if (images !== undefined && typeof images !== "boolean") {
    return `images of ${of} must be true or false`;
  }
  if (prices !== undefined && !isPrices(prices)) {
    return `prices of ${of} must be an object with the numbers input and output, per million tokens`;
  }
  return undefined;
}

function isPrices(value: unknown): value is ModelPrices {
  return (
    isRecord(value) && ["input", "output"].every((side) => Number.isFinite(value[side]) && Number(value[side]) >= 0)
  );
}
