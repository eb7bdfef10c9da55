import { readServers } from "../../features/models/serverSettings.js";
import { ModelError } from "../../features/models/modelError.js";
import { SETTING } from "../../names/settings.js";
import type { ModelServers, ModelSetting, ServerModel, ServerSetting } from "../../ports/modelServers.js";
import type { ServerAccess } from "./access.js";
import { OpenAiModel } from "./model.js";
import { fetchModels, type ListedModel } from "./modelList.js";
import { WAIT_LIMITS, type WaitLimits } from "./patience.js";
import { messageOf } from "../../text/words.js";

/** Milliseconds a list of models is good for. */
const FRESH = 60_000;
/** Milliseconds after which a server that failed is asked again. */
const FRESH_FAILURE = 10_000;
/** Milliseconds that a list waits for a slow server. Its models follow with a change. */
const PATIENCE = 1_500;
/**
 * Milliseconds after which a server that told nothing is asked again by itself, and the longest such pause: each is
 * twice the one before.
 */
const FIRST_PAUSE = 15_000;
const LONGEST_PAUSE = 300_000;
/**
 * The share of a context that is left for the answer, where the server tells only both together, and its bound in
 * tokens.
 */
const ANSWER_SHARE = 0.25;
const MAX_ANSWER = 8_192;
/** Ids of what servers list beside chat models. A model that the settings name is offered whatever its id is. */
const NO_CHAT_MODEL =
  /embed|whisper|\btts\b|-tts|dall-e|moderation|transcribe|realtime|rerank|gpt-image|\bsora\b|davinci-002|babbage-002|stable-diffusion/i;

export interface OpenAiServersOptions {
  /** Before `/<server>/<model>` in the ids of models. */
  vendor: string;
  /** The value of `toolhost.models.servers`, unchecked. */
  setting: () => unknown;
  /** The key that was set for a server; undefined for none. */
  keyOf: (server: ServerSetting) => Promise<string | undefined>;
  userAgent: string;
  limits?: WaitLimits;
  patience?: number;
  now: () => number;
  /**
   * Runs work after so many milliseconds. Where it is there, a server that told no models is asked again by itself,
   * until it does.
   */
  later?: (work: () => void, milliseconds: number) => { dispose(): void };
}

/** What a server last told of its models. */
interface Listing {
  /** The setting it was asked with. */
  asked: string;
  models: readonly ListedModel[];
  problem: string | undefined;
  /** When it told; undefined while it has not. */
  at: number | undefined;
  /** The request that is on its way. */
  pending: Promise<void> | undefined;
  /** Requests in a row that gave nothing, and the one that comes by itself. */
  failures: number;
  again: { dispose(): void } | undefined;
}

/** The servers of the user's settings, as they are now. Each is asked by itself: one that is down holds up no other. */
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
    // Whoever asks is asked for address and key at once, and has no setting yet.
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

  /** Forgets what servers told: the settings or a key changed. */
  forget(): void {
    this.dispose();
    this.#listings.clear();
    this.#tellChange();
  }

  /** Asks no server by itself any more. */
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
    // Nothing to ask for when the user said it all.
    if (server.models?.every(({ maxInputTokens, images }) => maxInputTokens !== undefined && images !== undefined)) {
      return { models: server.models.map((model) => this.#make(server, model)), problem: undefined };
    }
    const listing = this.#ask(server);
    if (listing.at === undefined) {
      await soon(listing.pending, this.#options.patience ?? PATIENCE, signal);
    }
    const wanted =
      server.models ?? listing.models.filter(({ id }) => !NO_CHAT_MODEL.test(id)).map(({ id }) => ({ id }));
    const problem = listing.at === undefined ? `${server.name} has not told its models yet.` : listing.problem;
    return { models: wanted.map((model) => this.#make(server, model)), problem };
  }

  /** What is known of a server; asks it when that is old, without waiting. */
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
      // Somebody may have asked before its own time came.
      listing.again?.dispose();
    } catch (error) {
      // The models it had stay: they say what is wrong when they are asked.
      listing.problem = messageOf(error);
      // Another key is the user's to enter.
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

  /** A server that is started after VS Code, or a network that comes later: nobody would ask for its models again. */
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

/** Tokens a request may hold, of a context that its answer shares. */
export function roomOf(contextTokens: number): number {
  return contextTokens - Math.min(MAX_ANSWER, Math.floor(contextTokens * ANSWER_SHARE));
}

function accessOf(setting: ServerSetting, key: () => Promise<string | undefined>): ServerAccess {
  return {
    setting,
    key,
    advice: {
      address: `Its baseUrl is in the setting ${SETTING.modelServers}, entry “${setting.name}”.`,
      key: "Set it with the command “Toolhost: Set Key of Model Server…”.",
    },
  };
}

/** Waits for some work, but not for long. */
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
