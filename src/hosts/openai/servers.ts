import { readServers } from "../../features/models/serverSettings.js";
import { ModelError } from "../../features/models/modelError.js";
import { SET_SERVER_KEY } from "../../names/contributed.js";
import { SETTING } from "../../names/settings.js";
import type { ModelServers, ModelSetting, ServerModel, ServerSetting } from "../../ports/modelServers.js";
import type { ServerAccess } from "./access.js";
import { OpenAiModel } from "./model.js";
import { fetchModels, type ListedModel } from "./modelList.js";
import { WAIT_LIMITS, type WaitLimits } from "./patience.js";
import { messageOf } from "../../text/words.js";

/** How long a list of models is fresh, in ms. */
const FRESH = 60_000;
/** How long until a server that failed is called again, in ms. */
const FRESH_FAILURE = 10_000;
/** How long a list waits for a slow server, in ms. Its models follow with a change event. */
const PATIENCE = 1_500;
/**
 * How long until a server that listed nothing is called again automatically, in ms, and the longest such pause: each is
 * twice the one before.
 */
const FIRST_PAUSE = 15_000;
const LONGEST_PAUSE = 300_000;
/**
 * Share of the context reserved for the answer, if the server only reports both together, and its maximum in tokens.
 */
const ANSWER_SHARE = 0.25;
const MAX_ANSWER = 8_192;
/** Ids of models in servers' lists that are not chat models. A model in the settings is offered whatever its id. */
const NO_CHAT_MODEL =
  /embed|whisper|\btts\b|-tts|dall-e|moderation|transcribe|realtime|rerank|gpt-image|\bsora\b|davinci-002|babbage-002|stable-diffusion/i;

export interface OpenAiServersOptions {
  /** Prefix of `/<server>/<model>` in the ids of models. */
  vendor: string;
  /** The value of `toolhost.models.servers`, unchecked. */
  setting: () => unknown;
  /** Returns the key that was set for a server; undefined if there is none. */
  keyOf: (server: ServerSetting) => Promise<string | undefined>;
  userAgent: string;
  limits?: WaitLimits;
  patience?: number;
  now: () => number;
  /**
   * Runs work after some milliseconds. If present, a server that listed no models is called again automatically until
   * it does.
   */
  later?: (work: () => void, milliseconds: number) => { dispose(): void };
}

/** A server's latest list of models. */
interface Listing {
  /** The setting used for the request. */
  asked: string;
  models: readonly ListedModel[];
  problem: string | undefined;
  /** When it answered; undefined if it has not yet. */
  at: number | undefined;
  /** The request in progress. */
  pending: Promise<void> | undefined;
  /** Number of failed requests in a row, and the timer for the next automatic one. */
  failures: number;
  again: { dispose(): void } | undefined;
}

/**
 * The servers in the user's current settings. Each is called separately: one that is down does not delay the others.
 */
export class OpenAiServers implements ModelServers {
  readonly #options: OpenAiServersOptions;
  readonly #listings = new Map<string, Listing>();
  readonly #listeners = new Set<() => void>();

  constructor(options: OpenAiServersOptions) {
    this.#options = options;
  }

  servers(): { servers: ServerSetting[]; problems: string[] } {
    return readServers(this.#options.setting());
  }

  async list(signal: AbortSignal): Promise<{ models: ServerModel[]; problems: string[] }> {
    const { servers, problems } = this.servers();
    const lists = await Promise.all(servers.map((server) => this.#modelsOf(server, signal)));
    return {
      models: lists.flatMap(({ models }) => models),
      problems: [...problems, ...lists.flatMap(({ problem }) => problem ?? [])],
    };
  }

  model(name: string): ServerModel | undefined {
    const slash = name.indexOf("/");
    const server = this.servers().servers.find((known) => known.name === name.slice(0, slash));
    const id = name.slice(slash + 1);
    if (server === undefined || slash === -1 || id === "") {
      return undefined;
    }
    return this.#make(server, server.models?.find((model) => model.id === id) ?? { id });
  }

  async probe(server: ServerSetting, key: string | undefined, signal: AbortSignal): Promise<string[]> {
    // The user is entering the address and key right now, and there is no setting yet.
    const advice = {
      address: "Check the address.",
      key: key === undefined ? "Enter one." : "Check it, or enter another.",
    };
    const access: ServerAccess = { setting: server, key: async () => key, advice };
    const listed = await fetchModels(access, this.#options.userAgent, this.#limits.list, signal);
    return listed.map(({ id }) => id).filter((id) => !NO_CHAT_MODEL.test(id));
  }

  onDidChange(listener: () => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  /** Forgets the servers' lists: the settings or a key changed. */
  forget(): void {
    this.dispose();
    this.#listings.clear();
    this.#tellChange();
  }

  /** Stops automatic calls. */
  dispose(): void {
    for (const listing of this.#listings.values()) {
      listing.again?.dispose();
    }
  }

  get #limits(): WaitLimits {
    return this.#options.limits ?? WAIT_LIMITS;
  }

  async #modelsOf(
    server: ServerSetting,
    signal: AbortSignal,
  ): Promise<{ models: ServerModel[]; problem: string | undefined }> {
    // Nothing to request if the user has set everything.
    if (server.models?.every(({ maxInputTokens, images }) => maxInputTokens !== undefined && images !== undefined)) {
      return { models: server.models.map((model) => this.#make(server, model)), problem: undefined };
    }
    const listing = this.#ask(server);
    if (listing.at === undefined) {
      await soon(listing.pending, this.#options.patience ?? PATIENCE, signal);
    }
    const wanted =
      server.models ?? listing.models.filter(({ id }) => !NO_CHAT_MODEL.test(id)).map(({ id }) => ({ id }));
    const problem = listing.at === undefined ? `${server.name} has not listed its models yet.` : listing.problem;
    return { models: wanted.map((model) => this.#make(server, model)), problem };
  }

  /** Returns the known list of a server; if it is old, requests a new one without waiting. */
  #ask(server: ServerSetting): Listing {
    const asked = JSON.stringify(server);
    const known = this.#listings.get(server.name);
    const listing: Listing =
      known?.asked === asked
        ? known
        : { asked, models: [], problem: undefined, at: undefined, pending: undefined, failures: 0, again: undefined };
    this.#listings.set(server.name, listing);
    const age = this.#options.now() - (listing.at ?? Number.NEGATIVE_INFINITY);
    if (listing.pending === undefined && age > (listing.problem === undefined ? FRESH : FRESH_FAILURE)) {
      listing.pending = this.#refresh(server, listing);
    }
    return listing;
  }

  async #refresh(server: ServerSetting, listing: Listing): Promise<void> {
    const before = JSON.stringify([listing.models, listing.problem]);
    const wasWaitedFor = listing.at === undefined;
    const began = this.#options.now();
    try {
      listing.models = await fetchModels(
        this.#access(server),
        this.#options.userAgent,
        this.#limits.list,
        new AbortController().signal,
      );
      listing.problem = undefined;
      listing.failures = 0;
      // Somebody may have asked before its timer fired.
      listing.again?.dispose();
    } catch (error) {
      // Keep its earlier models: they report what is wrong when called.
      listing.problem = messageOf(error);
      // If the key is wrong, don't try again automatically: the user has to enter another one.
      if (listing.models.length === 0 && !(error instanceof ModelError && error.wrong === "key")) {
        this.#askLater(server, listing);
      }
    }
    listing.at = this.#options.now();
    listing.pending = undefined;
    const isLate = wasWaitedFor && listing.at - began >= (this.#options.patience ?? PATIENCE);
    if (isLate || (!wasWaitedFor && JSON.stringify([listing.models, listing.problem]) !== before)) {
      this.#tellChange();
    }
  }

  /** Asks again later: nothing else does, if the server starts after VS Code or the network comes up later. */
  #askLater(server: ServerSetting, listing: Listing): void {
    listing.again?.dispose();
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** listing.failures);
    listing.failures += 1;
    listing.again = this.#options.later?.(() => {
      if (this.#listings.get(server.name) === listing && listing.pending === undefined) {
        listing.pending = this.#refresh(server, listing);
      }
    }, pause);
  }

  #make(server: ServerSetting, model: ModelSetting): OpenAiModel {
    const listed = this.#listings.get(server.name)?.models.find(({ id }) => id === model.id);
    const tokens =
      model.maxInputTokens ?? (listed?.contextTokens === undefined ? undefined : roomOf(listed.contextTokens));
    const images = model.images ?? listed?.images;
    const name = model.name ?? listed?.name;
    return new OpenAiModel({
      id: `${this.#options.vendor}/${server.name}/${model.id}`,
      access: this.#access(server),
      model: {
        ...model,
        ...(name === undefined ? {} : { name }),
        ...(tokens === undefined ? {} : { maxInputTokens: tokens }),
        ...(images === undefined ? {} : { images }),
      },
      userAgent: this.#options.userAgent,
      limits: this.#limits,
      listModels: async () => {
        const listed = await fetchModels(
          this.#access(server),
          this.#options.userAgent,
          this.#limits.list,
          new AbortController().signal,
        );
        return listed.map(({ id }) => id);
      },
    });
  }

  #access(server: ServerSetting): ServerAccess {
    return accessOf(server, () => this.#options.keyOf(server));
  }

  #tellChange(): void {
    for (const listener of this.#listeners) {
      listener();
    }
  }
}

/** Returns the maximum tokens of a request, from a context shared with the answer. */
export function roomOf(contextTokens: number): number {
  return contextTokens - Math.min(MAX_ANSWER, Math.floor(contextTokens * ANSWER_SHARE));
}

function accessOf(setting: ServerSetting, key: () => Promise<string | undefined>): ServerAccess {
  return {
    setting,
    key,
    advice: {
      address: `Its baseUrl is in the setting ${SETTING.modelServers}, entry “${setting.name}”.`,
      key: `Set it with the command “Toolhost: ${SET_SERVER_KEY}”.`,
    },
  };
}

/** Waits for some work, but only for a while. */
async function soon(work: Promise<void> | undefined, patience: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => undefined;
  const enough = new Promise<void>((resolve, reject) => {
    timer = setTimeout(resolve, patience);
    onAbort = () =>
      reject(signal.reason instanceof Error ? signal.reason : new ModelError("The list of models was cancelled."));
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    signal.throwIfAborted();
    await Promise.race([work, enough]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
