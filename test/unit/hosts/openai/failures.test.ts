// Every way a server can fail, over real HTTP: what the user reads, and whether the request is worth making again.
import { createServer, type Server } from "node:net";
import { describe, expect, test } from "vitest";
import type { ModelErrorDetail } from "../../../../src/features/models/modelError.js";
import { unreachable } from "../../../../src/hosts/openai/failures.js";
import { withoutSecrets } from "../../../../src/hosts/openai/access.js";
import type { WaitLimits } from "../../../../src/hosts/openai/patience.js";
import type { ServerStep } from "../../../harness/openai-server.js";
import { collect, HELLO, LIMITS, modelError, modelOf, startOpenAi, textOf, TOOLS } from "./rig.js";

const KEY = "sk-test-1234567890abcdef";
const HTML = "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body><h1>nginx</h1></body></html>";

interface Case {
  what: string;
  step: ServerStep;
  message: RegExp;
  retry?: boolean;
  tooLong?: boolean;
  retryAfter?: number;
  wrong?: ModelErrorDetail["wrong"];
}

const refusals: Case[] = [
  {
    what: "401 names the command for the key",
    step: { status: 401, body: { error: { message: `Incorrect API key provided: ${KEY}` } } },
    message: /^local \(127\.0\.0\.1:\d+\) did not accept the key\. .*“Toolhost: Set Key of Model Server…”/,
    wrong: "key",
  },
  {
    what: "400 in Google's words for a wrong key",
    step: {
      status: 400,
      body: [
        {
          error: { code: 400, message: "API key not valid. Please pass a valid API key.", status: "INVALID_ARGUMENT" },
        },
      ],
    },
    message: /did not accept the key\. It says: API key not valid\./,
    wrong: "key",
  },
  {
    what: "407 of a proxy",
    step: { status: 407, headers: { "proxy-authenticate": "Basic" }, body: "who are you?" },
    message: /^A proxy between here and local \(127\.0\.0\.1:\d+\) requires you to sign in\. .*http\.proxy/,
  },
  {
    what: "403",
    step: { status: 403, body: { error: "country not supported" } },
    message: /does not allow this\. It says: country not supported\./,
    wrong: "key",
  },
  {
    what: "404 with an unknown model names those there are",
    step: { status: 404, body: { error: { message: "model 'test-model' not found, try pulling it first" } } },
    message: /has no model "test-model"\. .*It has alpha, beta\. Choose one of these/,
  },
  {
    what: "400 with OpenRouter's words for it",
    step: { status: 400, body: { error: { message: "test-model is not a valid model ID", code: 400 } } },
    message: /has no model "test-model"/,
  },
  {
    what: "404 of a wrong path",
    step: { status: 404, body: "404 page not found" },
    message: /There is nothing at http:.*\/v1\/chat\/completions \(404\)\. .*entry “local”/,
    wrong: "address",
  },
  { what: "413", step: { status: 413, body: "too large" }, message: /longer than test-model/, tooLong: true },
  {
    what: "429 with seconds",
    step: { status: 429, headers: { "retry-after": "7" }, body: { error: { message: "Rate limit reached" } } },
    message: /no more requests for now \(429\)\. It says: Rate limit reached\. Try again in 7 s/,
    retry: true,
    retryAfter: 7000,
  },
  {
    what: "429 with milliseconds",
    step: { status: 429, headers: { "retry-after-ms": "1500", "retry-after": "9" }, body: {} },
    message: /in 2 s/,
    retry: true,
    retryAfter: 1500,
  },
  { what: "429 without a time", step: { status: 429, body: "" }, message: /Try again in a while/, retry: true },
  {
    what: "429 with a time that is none",
    step: { status: 429, headers: { "retry-after": "soon" }, body: "" },
    message: /in a while/,
    retry: true,
  },
  {
    what: "a quota that is used up",
    step: { status: 429, body: { error: { message: "You exceeded your current quota", code: "insufficient_quota" } } },
    message: /quota is used up/,
  },
  {
    what: "402",
    step: { status: 402, body: { error: { message: "Insufficient credits" } } },
    message: /quota is used up/,
  },
  {
    what: "500",
    step: { status: 500, body: { error: { message: "CUDA out of memory" } } },
    message: /failed \(500\)\. It says: CUDA out of memory\./,
    retry: true,
  },
  {
    what: "503 with a time",
    step: { status: 503, headers: { "retry-after": "2" }, body: { error: { message: "Loading model" } } },
    message: /Loading model/,
    retry: true,
    retryAfter: 2000,
  },
  {
    what: "a web page with status 502: its title alone",
    step: { status: 502, body: HTML },
    message: /failed \(502\)\. It says: a web page, “502 Bad Gateway”\./,
    retry: true,
  },
  {
    what: "a model without tools (Ollama)",
    step: { status: 400, body: { error: { message: "registry.ollama.ai/library/gemma does not support tools" } } },
    message: /cannot call tools\. .*Choose a model that can/,
  },
  {
    what: "a server without tools (vLLM)",
    step: {
      status: 400,
      body: { message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set' },
    },
    message: /cannot call tools/,
  },
  {
    what: "a request refused for another reason",
    step: { status: 400, body: { detail: [{ msg: "temperature: not allowed" }] } },
    message: /refused the request \(400\)\. It says: temperature: not allowed\./,
  },
  {
    what: "a web page with status 200",
    step: { body: HTML.replace("502 Bad Gateway", "Sign in") },
    message: /answered with a web page, “Sign in”, which is not a model's answer/,
    wrong: "address",
  },
  {
    what: "a text with status 200",
    step: { body: "Ollama is running" },
    message: /answered with "Ollama is running"/,
    wrong: "address",
  },
  { what: "an empty answer with status 200", step: { body: " " }, message: /without an answer/, retry: true },
  {
    what: "half JSON with status 200",
    step: { body: '{"choices": [' },
    message: /neither JSON nor a stream/,
    retry: true,
  },
  {
    what: "JSON that is no answer",
    step: { body: { status: "ok" } },
    message: /sent no answer: "\{\\"status\\":\\"ok\\"\}" came instead/,
  },
  {
    what: "an error with status 200",
    step: { body: { error: { message: "Model crashed" } } },
    message: /failed\. It says: Model crashed\./,
    retry: true,
  },
  {
    what: "an error within the stream",
    step: { text: "Well", raw: [{ error: { message: "Provider overloaded", code: 503 } }] },
    message: /failed \(503\)\. It says: Provider overloaded\./,
    retry: true,
  },
  {
    what: "too many requests within the stream",
    step: { raw: [{ error: { message: "slow down", code: 429 } }] },
    message: /no more requests for now/,
    retry: true,
  },
  {
    what: "a context too long within the stream (LM Studio)",
    step: {
      raw: [
        'event: error\ndata: {"error":{"message":"Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with context length of only 32768 tokens"}}\n\n',
      ],
    },
    message: /longer than test-model/,
    tooLong: true,
  },
  {
    what: "an event that is no JSON",
    step: { text: "Well", raw: ["data: {oops\n\n"] },
    message: /sent something in its answer that is not JSON: .*oops/,
  },
  {
    what: "events without choices",
    step: { raw: [{ hello: 1 }, "data: [DONE]\n\n"] },
    message: /sent no answer: "\{\\"hello\\":1\}" came instead/,
  },
  {
    what: "a connection torn down before anything",
    step: { drop: true, raw: [] },
    message: /broke|without an answer/,
    retry: true,
  },
  {
    what: "a connection torn down in the middle",
    step: { text: ["Once upon"], drop: true },
    message: /broke/,
    retry: true,
  },
  {
    what: "a stream that ends in the middle, cleanly",
    step: { text: ["Once upon"], finish: null, noDone: true },
    message: /broke in the middle of the answer/,
    retry: true,
  },
  {
    what: "a stream that ends with an unnamed error",
    step: { text: "Well", finish: "error" },
    message: /stopped with an error it did not name/,
    retry: true,
  },
  {
    what: "a redirect to another server",
    step: { status: 307, headers: { location: "http://127.0.0.2:1/v1/chat/completions" }, body: "" },
    message: /redirects to http:\/\/127\.0\.0\.2:1, where nothing is sent because you did not name it/,
    wrong: "address",
  },
  {
    what: "a redirect to nowhere",
    step: { status: 302, headers: { location: "http://" }, body: "" },
    message: /redirects to an invalid address/,
    wrong: "address",
  },
];

describe("a server's failure is told in words with the next step", () => {
  test.each(refusals)("$what", async ({ step, message, retry = false, tooLong = false, retryAfter, wrong }) => {
    const server = await startOpenAi({ models: ["alpha", "beta"] });
    server.script(step);
    const error = await modelError(collect(modelOf(server, { key: KEY })));
    expect(error.message).toMatch(message);
    expect({ retry: error.retry, tooLong: error.tooLong, retryAfter: error.retryAfter, wrong: error.wrong }).toEqual({
      retry,
      tooLong,
      retryAfter,
      wrong,
    });
    expect(error.message).not.toContain(KEY);
    expect(server.chats()).toHaveLength(1);
  });

  test("429 with a date", async () => {
    const server = await startOpenAi();
    server.script({ status: 429, headers: { "retry-after": new Date(Date.now() + 30_000).toUTCString() }, body: "" });
    const { retryAfter } = await modelError(collect(modelOf(server)));
    expect(retryAfter).toBeGreaterThan(15_000);
    expect(retryAfter).toBeLessThanOrEqual(30_000);
  });

  test.each([
    {
      by: "OpenAI",
      body: {
        error: {
          message:
            "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
          code: "context_length_exceeded",
        },
      },
    },
    {
      by: "vLLM",
      body: {
        object: "error",
        message:
          "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens in the messages. Please reduce the length of the messages.",
        code: 400,
      },
    },
    {
      by: "llama.cpp",
      body: {
        error: {
          code: 400,
          message:
            "the request exceeds the available context size. try increasing the context size or enable context shift",
          type: "exceed_context_size_error",
          n_ctx: 8192,
        },
      },
    },
    {
      by: "llama.cpp, newer",
      body: {
        error: {
          message: "request (70494 tokens) exceeds the available context size (67584 tokens), try increasing it",
        },
      },
    },
    {
      by: "LM Studio",
      body: {
        error:
          "Trying to keep the first 10136 tokens when context the overflows. However, the model is loaded with context length of only 7866 tokens, which is not enough.",
      },
    },
    { by: "LM Studio, MLX", body: { error: "Context size has been exceeded." } },
    { by: "Ollama", body: { error: { message: "input length exceeds the context length" } } },
    { by: "llama-cpp-python", body: { error: { message: "Requested tokens (2285) exceed context window of 2048" } } },
    { by: "TGI", body: { error: "Input validation error: `inputs` must have less than 4096 tokens. Given: 5000" } },
    { by: "Anthropic", body: { error: { message: "prompt is too long: 210000 tokens > 200000 maximum" } } },
  ])("a conversation too long, in the words of $by", async ({ body }) => {
    const server = await startOpenAi();
    server.script({ status: 400, body });
    const error = await modelError(collect(modelOf(server)));
    expect(error.tooLong).toBe(true);
    expect(error.retry).toBe(false);
    expect(error.message).toContain("Start a new conversation");
  });

  test("a limit of tokens a minute is no conversation that is too long", async () => {
    const server = await startOpenAi();
    server.script({
      status: 429,
      body: {
        error: { message: "Rate limit reached on tokens per min (TPM). Please reduce the length of the messages." },
      },
    });
    expect(await modelError(collect(modelOf(server)))).toMatchObject({ retry: true, tooLong: false });
  });

  test("a base URL without /v1 is told what to try", async () => {
    const server = await startOpenAi();
    const baseUrl = server.baseUrl.replace("/v1", "");
    const { message } = await modelError(collect(modelOf({ baseUrl })));
    expect(message).toContain(`try ${baseUrl}/v1.`);
  });

  test("a server that is not running", async () => {
    const server = await startOpenAi();
    const model = modelOf(server);
    await server.stop();
    const error = await modelError(collect(model));
    expect(error.message).toMatch(
      /^Nothing answers at local \(127\.0\.0\.1:\d+\): the server is not running.*Start it/,
    );
    expect(error.retry).toBe(false);
  });

  test("a name that leads nowhere", async () => {
    const { message } = await modelError(collect(modelOf({ baseUrl: "http://nowhere.invalid/v1" })));
    expect(message).toMatch(/The name of local \(nowhere\.invalid\) could not be resolved/);
  });

  test("https at a server that speaks http", async () => {
    const server = await startOpenAi();
    const { message } = await modelError(collect(modelOf({ baseUrl: server.baseUrl.replace("http:", "https:") })));
    expect(message).toMatch(/speaks another protocol.*Try http:\/\//);
  });

  test("a server that speaks something else", async () => {
    const odd: Server = createServer((socket) => socket.on("error", () => undefined).end("SSH-2.0-OpenSSH\r\n"));
    await new Promise<void>((resolve) => odd.listen(0, "127.0.0.1", resolve));
    const { port } = odd.address() as { port: number };
    const { message } = await modelError(collect(modelOf({ baseUrl: `http://127.0.0.1:${port}/v1` })));
    odd.close();
    expect(message).toMatch(/speaks another protocol|broke/);
  });
});

describe("a server that is silent", () => {
  test.each<{ what: string; step: ServerStep; limits: WaitLimits; message: RegExp }>([
    {
      what: "before its answer",
      step: { hang: true, raw: [": wait\n\n"] },
      limits: { ...LIMITS, begin: 100 },
      message: /has not begun to answer within 1 s/,
    },
    {
      what: "before its headers",
      step: { delayMs: 3_000, text: "late" },
      limits: { ...LIMITS, begin: 100 },
      message: /has not begun to answer/,
    },
    {
      what: "in the middle of it",
      step: { text: "Once", hang: true },
      limits: { ...LIMITS, idle: 100 },
      message: /stopped in the middle of its answer/,
    },
  ])("$what is left, and the request may be made again", async ({ step, limits, message }) => {
    const server = await startOpenAi();
    server.script(step);
    const error = await modelError(collect(modelOf(server, { limits })));
    expect(error.message).toMatch(message);
    expect(error.retry).toBe(true);
    await expect.poll(() => server.chats()[0]?.aborted).toBe(true);
  });

  test("may take its time before the first word, and be thinking", async () => {
    const server = await startOpenAi();
    server.script({ delayMs: 300, text: "There." });
    expect(textOf(await collect(modelOf(server, { limits: { ...LIMITS, idle: 50 } })))).toBe("There.");
  });

  test("the time that whoever reads takes is not the server's", async () => {
    const server = await startOpenAi();
    server.script({ text: ["a", "b", "c"], chunkBytes: 40 });
    let text = "";
    for await (const event of modelOf(server, { limits: { ...LIMITS, idle: 80 } }).send(
      HELLO,
      new AbortController().signal,
    )) {
      text += event.type === "text" ? event.text : "";
      await new Promise((resolve) => setTimeout(resolve, 120));
    }
    expect(text).toBe("abc");
  });
});

describe("a request that is stopped", () => {
  test.each([
    { what: "before it is sent", after: -1 },
    { what: "while the server is silent", after: 0 },
    { what: "in the middle of the answer", after: 1 },
  ])("$what ends at once with the reason, and the connection with it", async ({ after }) => {
    const server = await startOpenAi();
    server.script({ text: "Once", hang: true, ...(after === 0 ? { text: [] } : {}) });
    const controller = new AbortController();
    const reason = new Error("The user stopped.");
    if (after === -1) controller.abort(reason);
    const work = (async () => {
      for await (const event of modelOf(server).send({ ...HELLO, tools: TOOLS }, controller.signal)) {
        if (event.type === "text" && after === 1) controller.abort(reason);
      }
    })();
    if (after === 0) {
      await expect.poll(() => server.chats().length).toBe(1);
      controller.abort(reason);
    }
    await expect(work).rejects.toBe(reason);
    if (after >= 0) await expect.poll(() => server.chats()[0]?.aborted).toBe(true);
    else expect(server.requests()).toHaveLength(0);
  });

  test("when whoever reads walks away, too", async () => {
    const server = await startOpenAi();
    server.script({ text: "Once", hang: true });
    for await (const event of modelOf(server).send(HELLO, new AbortController().signal)) {
      if (event.type === "text") break;
    }
    await expect.poll(() => server.chats()[0]?.aborted).toBe(true);
  });
});

test("a redirect within the same server is followed, with the key", async () => {
  const server = await startOpenAi({ key: KEY });
  server.script({ status: 308, headers: { location: "/v1/chat/completions" }, body: "" }, { text: "Here." });
  expect(textOf(await collect(modelOf(server, { key: KEY })))).toBe("Here.");
  expect(server.chats().map(({ headers }) => headers.authorization)).toEqual([`Bearer ${KEY}`, `Bearer ${KEY}`]);
});

test("redirects in circles end", async () => {
  const server = await startOpenAi();
  server.script(
    ...Array.from({ length: 9 }, () => ({ status: 307, headers: { location: "/v1/chat/completions" }, body: "" })),
  );
  expect((await modelError(collect(modelOf(server)))).message).toContain("redirects in circles");
});

test("a server that requires a key, and was given none, says so", async () => {
  const server = await startOpenAi({ key: KEY });
  const { message, wrong } = await modelError(collect(modelOf(server)));
  expect(message).toMatch(/^local \(.*\) requires a key\. .*“Toolhost: Set Key of Model Server…”/);
  expect(wrong).toBe("key");
});

describe("a connection that cannot be made", () => {
  const access = {
    setting: { name: "work", baseUrl: "https://llm.example.com/v1", models: undefined, headers: {} },
    key: async () => KEY,
    advice: { address: "Check the address.", key: "Check the key." },
  };

  // As Node 24 nests and names them.
  test.each<{ code?: string; says: string; message: RegExp; retry?: boolean; wrong?: "address" }>([
    {
      code: "DEPTH_ZERO_SELF_SIGNED_CERT",
      says: "self-signed certificate",
      message:
        /^The certificate of work \(llm\.example\.com\) is not trusted: self-signed certificate \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. .*NODE_EXTRA_CA_CERTS/,
      wrong: "address",
    },
    {
      code: "SELF_SIGNED_CERT_IN_CHAIN",
      says: "self-signed certificate in certificate chain",
      message: /^The certificate of .* is not trusted/,
      wrong: "address",
    },
    {
      code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
      says: "unable to verify the first certificate",
      message: /is not trusted/,
      wrong: "address",
    },
    {
      code: "CERT_HAS_EXPIRED",
      says: "certificate has expired",
      message: /is not trusted: certificate has expired/,
      wrong: "address",
    },
    {
      code: "ERR_TLS_CERT_ALTNAME_INVALID",
      says: "Hostname/IP does not match certificate's altnames",
      message: /is not trusted: .*use the address that the certificate is for/,
      wrong: "address",
    },
    {
      code: "ERR_SSL_WRONG_VERSION_NUMBER",
      says: "wrong version number",
      message: /speaks another protocol \(ERR_SSL_WRONG_VERSION_NUMBER\)\. Try http:\/\//,
      wrong: "address",
    },
    { code: "EHOSTUNREACH", says: "connect EHOSTUNREACH", message: /cannot be reached/, retry: true },
    {
      code: "ECONNRESET",
      says: `read ECONNRESET of ${KEY}`,
      message: /broke: read ECONNRESET of \[key\]\. Try again/,
      retry: true,
    },
    {
      says: "proxy authentication required",
      message:
        /^A proxy between here and work \(llm\.example\.com\) requires you to sign in\. Check the proxy settings/,
    },
    { says: "Proxy response (407) !== 200 when HTTP Tunneling", message: /^A proxy between here and/ },
  ])("$says", ({ code, says, message, retry = false, wrong }) => {
    const error = unreachable(
      { access, secrets: [KEY] },
      new TypeError("fetch failed", { cause: Object.assign(new Error(says), { code }) }),
    );
    expect(error.message).toMatch(message);
    expect({ retry: error.retry, wrong: error.wrong }).toEqual({ retry, wrong });
  });
});

describe("a key that a server repeats is taken out", () => {
  test.each([
    { what: "whole", said: "Bad key my-own-key-77, sorry.", shown: "Bad key [key], sorry." },
    {
      what: "OpenAI's, masked",
      said: "Incorrect API key provided: sk-proj-********abcd. You can find",
      shown: "Incorrect API key provided: [key]. You can find",
    },
    { what: "masked by asterisks alone", said: "key abcd****wxyz!", shown: "key [key]!" },
    { what: "with dots between its ends", said: "key sk-12ab...cdef is wrong", shown: "key [key] is wrong" },
    { what: "Groq's", said: "Invalid gsk_abcdef123", shown: "Invalid [key]" },
    { what: "xAI's", said: "Invalid xai-abcdef123.", shown: "Invalid [key]." },
    { what: "as a header", said: "got Bearer abc.def+ghi/jkl==", shown: "got Bearer [key]" },
    {
      what: "too short to be one: other words stay",
      said: "I ask you, a task-force at risk-free, sk-1",
      shown: "I ask you, a task-force at risk-free, sk-1",
    },
  ])("$what", ({ said, shown }) => {
    expect(withoutSecrets(said, ["my-own-key-77", "I"])).toBe(shown);
  });

  const odd = 'odd"key\\77';
  test.each<{ what: string; step: ServerStep }>([
    { what: "in an error, as JSON writes it", step: { status: 500, body: { error: { message: `got ${odd}` } } } },
    { what: "within the stream", step: { raw: [{ error: { message: `got ${odd} and ${KEY}` } }] } },
    { what: "in a text with status 200", step: { body: `got ${odd} and ${KEY}` } },
    { what: "in a web page's title", step: { body: `<html><title>got ${KEY}</title></html>` } },
    { what: "in JSON that is no answer", step: { body: { got: KEY } } },
    { what: "in half JSON", step: { body: `{"got": "${KEY}"` } },
    { what: "in an event that is no JSON", step: { raw: [`data: got ${KEY}\n\n`] } },
  ])("$what", async ({ step }) => {
    const server = await startOpenAi();
    server.script(step);
    const { message } = await modelError(
      collect(modelOf(server, { key: KEY, entry: { headers: { "X-Other": odd } } })),
    );
    expect(message).toContain("[key]");
    expect(message).not.toContain("odd");
    expect(message).not.toContain(KEY);
  });
});
