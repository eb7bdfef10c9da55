// The servers of the settings and what they tell of their models.
import { describe, expect, test, vi } from "vitest";
import { EnvironmentModels } from "../../../../src/hosts/openai/environment.js";
import { fetchModels } from "../../../../src/hosts/openai/modelList.js";
import type { ServerSetting } from "../../../../src/ports/modelServers.js";
import type { ServerStep } from "../../../harness/openai-server.js";
import { poll } from "../../../harness/poll.js";
import { LIMITS, modelError, openServers, startOpenAi } from "./rig.js";

const signal = new AbortController().signal;
const accessTo = (baseUrl: string, key?: string) => ({
  setting: { name: "local", baseUrl, models: undefined, headers: {} } satisfies ServerSetting,
  key: async () => key,
  advice: { address: "Correct its address.", key: "Set its key." },
});

describe("a list of models", () => {
  test.each<{ what: string; entry: object; tokens: number | undefined; images?: boolean }>([
    { what: "OpenAI, which tells nothing", entry: { id: "m", object: "model" }, tokens: undefined },
    {
      what: "OpenRouter",
      entry: {
        id: "m",
        name: "M",
        context_length: 200_000,
        top_provider: { context_length: 100_000 },
        architecture: { input_modalities: ["text", "image"] },
      },
      tokens: 91_808,
      images: true,
    },
    { what: "vLLM", entry: { id: "m", max_model_len: 32_768 }, tokens: 24_576 },
    {
      what: "LM Studio",
      entry: { id: "m", type: "vlm", max_context_length: 131_072, loaded_context_length: 8_192 },
      tokens: 6_144,
      images: true,
    },
    { what: "llama.cpp", entry: { id: "m", meta: { n_ctx_train: 16_384 } }, tokens: 12_288 },
    { what: "Groq", entry: { id: "m", context_window: 8_000 }, tokens: 6_000 },
    {
      what: "Mistral",
      entry: { id: "m", max_context_length: 40_000, capabilities: { vision: false } },
      tokens: 31_808,
      images: false,
    },
    { what: "nonsense", entry: { id: "m", context_length: "long", max_model_len: -1 }, tokens: undefined },
  ])("tells how much a model reads and whether it sees: $what", async ({ entry, tokens, images }) => {
    const server = await startOpenAi({ models: [entry] });
    const { models, problems } = await openServers({ local: { baseUrl: server.baseUrl } }).list(signal);
    expect(problems).toEqual([]);
    expect(models.map(({ id, maxInputTokens, seesImages }) => ({ id, maxInputTokens, seesImages }))).toEqual([
      { id: "test/local/m", maxInputTokens: tokens, seesImages: images },
    ]);
  });

  test("of models that cannot chat offers none, unless the user names one", async () => {
    const server = await startOpenAi({
      models: ["gpt-5", "text-embedding-3-large", "whisper-1", "tts-1", "dall-e-3", "nomic-embed-text"],
    });
    const { models } = await openServers({
      all: { baseUrl: server.baseUrl },
      some: { baseUrl: server.baseUrl, models: ["whisper-1"] },
    }).list(signal);
    expect(models.map(({ id }) => id)).toEqual(["test/all/gpt-5", "test/some/whisper-1"]);
  });

  test.each<{ what: string; models: ServerStep; message: RegExp }>([
    {
      what: "a web page",
      models: { body: "<html><title>Open WebUI</title></html>" },
      message: /returned a web page, “Open WebUI” and no list of models/,
    },
    { what: "something else", models: { body: { hello: 1 } }, message: /returned "\{\\"hello\\":1\}" and no list/ },
    { what: "an error", models: { status: 500, body: { error: "oops" } }, message: /failed \(500\)\. It says: oops/ },
    { what: "nothing", models: { body: " " }, message: /returned nothing and no list/ },
  ])("that is $what is said", async ({ models, message }) => {
    const server = await startOpenAi({ models });
    expect((await modelError(fetchModels(accessTo(server.baseUrl), "t", 5_000, signal))).message).toMatch(message);
  });

  test("that does not come is not waited for", async () => {
    const server = await startOpenAi({ models: { delayMs: 2_000, body: {} } });
    expect((await modelError(fetchModels(accessTo(server.baseUrl), "t", 100, signal))).message).toMatch(
      /did not list its models within/,
    );
  });

  test("as a bare list or with a key of another name is read, each id once", async () => {
    for (const body of [["a", { id: "b" }, { id: "a" }, {}, 7], { models: [{ name: "a" }, { name: "b" }] }]) {
      const server = await startOpenAi({ models: { body } });
      expect((await fetchModels(accessTo(server.baseUrl), "t", 5_000, signal)).map(({ id }) => id)).toEqual(["a", "b"]);
    }
  });
});

describe("several servers", () => {
  test("the user's words on a model stand before the server's, and prices are theirs alone", async () => {
    const server = await startOpenAi({
      models: [{ id: "m", context_length: 8_192, pricing: { prompt: "1" } }, { id: "n" }],
    });
    const prices = { input: 3, output: 15 };
    const { models } = await openServers({
      local: {
        baseUrl: server.baseUrl,
        models: [{ id: "m", name: "Mine", maxInputTokens: 5, images: true, prices }, "n"],
      },
    }).list(signal);
    expect(models).toMatchObject([{ name: "Mine", maxInputTokens: 5, seesImages: true, prices }, { name: "n" }]);
    expect(models[1]?.prices).toBeUndefined();
  });

  test("one that is down and one that is slow hold up no other, and the slow one's models follow", async () => {
    const [up, slow, down] = await Promise.all([
      startOpenAi({ models: ["a"] }),
      startOpenAi({ models: { delayMs: 2_000, body: { data: [{ id: "late" }] } } }),
      startOpenAi(),
    ]);
    await down.stop();
    const servers = openServers(
      {
        down: { baseUrl: down.baseUrl },
        slow: { baseUrl: slow.baseUrl },
        up: { baseUrl: up.baseUrl },
        bad: { baseUrl: 7 },
      },
      // Long enough for a busy machine to answer at once.
      { patience: 1_000 },
    );
    const changed = new Promise<void>((resolve) => servers.onDidChange(resolve));
    const { models, problems } = await servers.list(signal);
    expect(models.map(({ id }) => id)).toEqual(["test/up/a"]);
    expect(problems).toEqual([
      expect.stringContaining('entry "bad": baseUrl must be an address'),
      expect.stringMatching(/^Nothing answers at down/),
      "slow has not listed its models yet.",
    ]);
    await changed;
    // What is down is asked again meanwhile, which is told as well.
    await expect
      .poll(async () => (await servers.list(signal)).models.map(({ id }) => id))
      .toEqual(["test/slow/late", "test/up/a"]);
    expect(up.requests()).toHaveLength(1);
  });

  test("one that is started later is asked again by itself, in pauses that grow, and its models follow", async () => {
    const server = await startOpenAi({ models: ["a"] });
    await server.stop();
    const asked: { work: () => void; milliseconds: number }[] = [];
    const servers = openServers(
      { local: { baseUrl: server.baseUrl } },
      { later: (work, milliseconds) => (asked.push({ work, milliseconds }), { dispose: () => undefined }) },
    );
    expect((await servers.list(signal)).problems).toEqual([expect.stringMatching(/^Nothing answers at local/)]);
    for (let times = 1; times <= 6; times++) {
      await poll("the next time to be planned", () => asked.length === times);
      asked.at(-1)?.work();
    }
    await poll("the next time to be planned", () => asked.length === 7);
    expect(asked.map(({ milliseconds }) => milliseconds / 1000)).toEqual([15, 30, 60, 120, 240, 300, 300]);
    await server.restart();
    const changed = new Promise<void>((resolve) => servers.onDidChange(resolve));
    asked.at(-1)?.work();
    await changed;
    expect((await servers.list(signal)).models.map(({ id }) => id)).toEqual(["test/local/a"]);
    expect(asked).toHaveLength(7);
  });

  test("one that answers somebody else's question is not asked by itself as well", async () => {
    const server = await startOpenAi({ models: ["a"] });
    await server.stop();
    const real = Date.now;
    let ahead = 0;
    const now = vi.spyOn(Date, "now").mockImplementation(() => real() + ahead);
    try {
      let [planned, disposed] = [0, 0];
      const servers = openServers(
        { local: { baseUrl: server.baseUrl } },
        { later: () => ((planned += 1), { dispose: () => void (disposed += 1) }) },
      );
      await servers.list(signal);
      expect([planned, disposed]).toEqual([1, 0]);
      await server.restart();
      const changed = new Promise<void>((resolve) => servers.onDidChange(resolve));
      ahead = 11_000;
      await servers.list(signal);
      await changed;
      expect([planned, disposed]).toEqual([1, 1]);
    } finally {
      now.mockRestore();
    }
  });

  test("one that does not take the key, or that was forgotten, is not asked again by itself", async () => {
    const server = await startOpenAi({ models: ["a"], key: "right" });
    const asked: (() => void)[] = [];
    let disposed = 0;
    const servers = openServers(
      { local: { baseUrl: server.baseUrl } },
      { later: (work) => (asked.push(work), { dispose: () => void (disposed += 1) }) },
    );
    expect((await servers.list(signal)).problems).toEqual([expect.stringContaining("key")]);
    expect(asked).toHaveLength(0);
    await server.stop();
    servers.forget();
    await servers.list(signal);
    expect(asked).toHaveLength(1);
    servers.forget();
    expect(disposed).toBe(1);
    await server.restart();
    const before = server.requests().length;
    asked[0]?.();
    await servers.list(signal);
    expect(server.requests().length).toBe(before + 1);
  });

  test("a server whose models the user described in full is not asked for a list", async () => {
    const server = await startOpenAi();
    await openServers({
      local: { baseUrl: server.baseUrl, models: [{ id: "m", maxInputTokens: 9, images: false }] },
    }).list(signal);
    expect(server.requests()).toEqual([]);
  });

  test("models that the user named are offered when their server is down", async () => {
    const server = await startOpenAi();
    await server.stop();
    const { models, problems } = await openServers({ local: { baseUrl: server.baseUrl, models: ["m"] } }).list(signal);
    expect(models.map(({ id }) => id)).toEqual(["test/local/m"]);
    expect(problems).toHaveLength(1);
  });

  test("a model is found by its name, with slashes in it and unlisted, and not without its server", () => {
    const servers = openServers({ router: { baseUrl: "http://127.0.0.1:9/v1" } });
    expect(servers.model("router/meta/llama:free")?.id).toBe("test/router/meta/llama:free");
    expect([servers.model("other/m"), servers.model("router"), servers.model("router/"), servers.model("")]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("a server is tried before it is saved, with the key that is to be its own", async () => {
    const server = await startOpenAi({ key: "right-key-1", models: ["a", "tts-1"] });
    const setting: ServerSetting = { name: "new", baseUrl: server.baseUrl, models: undefined, headers: {} };
    const servers = openServers({});
    expect(await servers.probe(setting, "right-key-1", signal)).toEqual(["a"]);
    const { message } = await modelError(servers.probe(setting, "wrong-key-1", signal));
    expect(message).toMatch(/did not accept the key\. It says: Incorrect API key provided: \[key\]\./);
  });
});

describe("the server of the environment", () => {
  const open = (options: object, environment: Record<string, string> = {}): EnvironmentModels =>
    new EnvironmentModels(options, environment, "t", LIMITS);

  test("its only model is taken, else they are named", async () => {
    const server = await startOpenAi({ models: ["only"] });
    const environment = { OPENAI_BASE_URL: `${server.baseUrl}/`, OPENAI_API_KEY: "" };
    expect((await open({}, environment).find(undefined, signal)).id).toBe(`127.0.0.1:${server.port}/only`);
    server.configure({ models: ["a", "b"] });
    const { message } = await modelError(open({}, environment).find(undefined, signal));
    expect(message).toBe(
      `Say which model to use, with --model or OPENAI_MODEL. There are: 127.0.0.1:${server.port}/a, 127.0.0.1:${server.port}/b.`,
    );
    expect((await open({}, { ...environment, OPENAI_MODEL: "b" }).find(undefined, signal)).name).toBe("b");
    expect((await open({ model: "a" }, { ...environment, OPENAI_MODEL: "b" }).find(undefined, signal)).name).toBe("a");
    expect((await open({}, environment).find("unlisted", signal)).id).toBe(`127.0.0.1:${server.port}/unlisted`);
  });

  test("no address, a wrong one, and a server that is down are told", async () => {
    const server = await startOpenAi();
    await server.stop();
    for (const [environment, words] of [
      [{}, "--base-url or OPENAI_BASE_URL"],
      [{ OPENAI_API_KEY: "sk-only-a-key" }, "--base-url or OPENAI_BASE_URL"],
      [{ OPENAI_BASE_URL: "localhost" }, "OPENAI_BASE_URL must be an address"],
      [{ OPENAI_BASE_URL: server.baseUrl }, "Nothing answers at 127.0.0.1"],
    ] as const) {
      expect((await modelError(open({}, environment).find(undefined, signal))).message).toContain(words);
    }
  });

  test("a wrong key names its variable", async () => {
    const server = await startOpenAi({ key: "right" });
    const { message } = await modelError(
      open({ baseUrl: server.baseUrl, apiKey: "wrong-one" }).find(undefined, signal),
    );
    expect(message).toMatch(/did not accept the key.*OPENAI_API_KEY/);
    expect(message).not.toContain("wrong-one");
  });
});
