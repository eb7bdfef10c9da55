import { describe, expect, test } from "vitest";
import { findModel } from "../../../../src/features/models/findModel.js";
import { readServers } from "../../../../src/features/models/serverSettings.js";
import type { ChatModel } from "../../../../src/ports/models.js";

const URL = "http://localhost:11434/v1";

describe("toolhost.models.servers", () => {
  test("is read, addresses in their usual form", () => {
    const { servers, problems } = readServers({
      ollama: { baseUrl: `${URL}/` },
      "my vLLM": {
        baseUrl: "HTTPS://GPU.example.com/v1/chat/completions",
        models: ["a", { id: "b", maxInputTokens: 5, images: true, prices: { input: 0, output: 1.5 } }],
        headers: { "X-Team": "blue" },
      },
    });
    expect(problems).toEqual([]);
    expect(servers).toEqual([
      { name: "ollama", baseUrl: URL, models: undefined, headers: {} },
      {
        name: "my vLLM",
        baseUrl: "https://gpu.example.com/v1",
        models: [{ id: "a" }, { id: "b", maxInputTokens: 5, images: true, prices: { input: 0, output: 1.5 } }],
        headers: { "X-Team": "blue" },
      },
    ]);
  });

  test.each<{ what: string; name?: string; entry: unknown; problem: string }>([
    { what: "no object", entry: URL, problem: "the entry must be an object with a baseUrl" },
    { what: "no address", entry: {}, problem: "baseUrl must be an address such as" },
    { what: "a file", entry: { baseUrl: "file:///etc/passwd" }, problem: "baseUrl must be an address" },
    { what: "no host", entry: { baseUrl: "http://" }, problem: "baseUrl must be an address" },
    {
      what: "a password in the address",
      entry: { baseUrl: "https://me:secret@example.com/v1" },
      problem: "must not contain a user name or a password",
    },
    { what: "a key in the query", entry: { baseUrl: `${URL}?key=secret` }, problem: "must not have a part after ?" },
    {
      what: "a slash in the name",
      name: "a/b",
      entry: { baseUrl: URL },
      problem: "a name begins with a letter or digit",
    },
    { what: "no name", name: "", entry: { baseUrl: URL }, problem: "a name begins" },
    {
      what: "an unknown field",
      entry: { baseUrl: URL, apiKey: "secret" },
      problem: '"apiKey" is not a server property',
    },
    { what: "headers that are none", entry: { baseUrl: URL, headers: ["a"] }, problem: "headers must be an object" },
    {
      what: "a header of two lines",
      entry: { baseUrl: URL, headers: { a: "secret\r\nb: c" } },
      problem: 'the header "a" must be a one-line string',
    },
    {
      what: "a header's name that is none",
      entry: { baseUrl: URL, headers: { "a b": "c" } },
      problem: '"a b" is not a header name',
    },
    { what: "models that are no list", entry: { baseUrl: URL, models: { a: 1 } }, problem: "models must be a list" },
    {
      what: "a model without id",
      entry: { baseUrl: URL, models: ["a", { name: "b" }] },
      problem: "model 2 of its list: it must be an id",
    },
    {
      what: "a model twice",
      entry: { baseUrl: URL, models: ["a", { id: "a" }] },
      problem: 'the model "a" is listed twice',
    },
    {
      what: "a model's unknown field",
      entry: { baseUrl: URL, models: [{ id: "a", temperature: 1 }] },
      problem: '"temperature" is not a model property',
    },
    {
      what: "a size that is none",
      entry: { baseUrl: URL, models: [{ id: "a", maxInputTokens: 0.5 }] },
      problem: 'maxInputTokens of "a" must be a whole number above 0',
    },
    {
      what: "images that are no yes",
      entry: { baseUrl: URL, models: [{ id: "a", images: "yes" }] },
      problem: "must be true or false",
    },
    {
      what: "half prices",
      entry: { baseUrl: URL, models: [{ id: "a", prices: { input: 1 } }] },
      problem: "numbers input and output",
    },
    {
      what: "negative prices",
      entry: { baseUrl: URL, models: [{ id: "a", prices: { input: -1, output: 1 } }] },
      problem: "numbers input and output",
    },
  ])(
    "with $what: the entry is named, no secret is shown, and the others still count",
    ({ name = "bad", entry, problem }) => {
      const { servers, problems } = readServers({ [name]: entry, good: { baseUrl: URL } });
      expect(servers.map((server) => server.name)).toEqual(["good"]);
      expect(problems).toHaveLength(1);
      expect(problems[0]).toContain(`toolhost.models.servers, entry ${JSON.stringify(name)}: `);
      expect(problems[0]).toContain(problem);
      expect(problems[0]).not.toContain("secret");
    },
  );

  test.each([[7], ["text"], [[{ baseUrl: URL }]], [true]])("that is no object (%j) is said", (value) => {
    expect(readServers(value)).toEqual({ servers: [], problems: [expect.stringContaining("must be an object")] });
  });

  test.each([[undefined], [null], [{}]])("that is empty (%j) is fine", (value) => {
    expect(readServers(value)).toEqual({ servers: [], problems: [] });
  });
});

describe("a model's name", () => {
  const models = [
    "copilot/gpt-5",
    "servers/ollama/qwen:8b",
    "servers/router/meta/llama",
    "servers/other/llama",
    "servers/vllm/llama",
    "servers/vllm/gpt-5",
  ].map((id) => ({ id }) as ChatModel);

  test.each([
    ["copilot/gpt-5", "copilot/gpt-5"],
    ["ollama/qwen:8b", "servers/ollama/qwen:8b"],
    ["qwen:8b", "servers/ollama/qwen:8b"],
    ["router/meta/llama", "servers/router/meta/llama"],
    ["meta/llama", "servers/router/meta/llama"],
    ["gpt-5", "copilot/gpt-5"],
  ])("%s means %s", (name, id) => {
    expect(findModel(models, name).id).toBe(id);
  });

  test.each([
    ["llama", '"llama" matches 2 models: servers/other/llama, servers/vllm/llama. Use a full name.'],
    ["wen:8b", 'There is no model "wen:8b". There are: copilot/gpt-5, servers/ollama/qwen:8b,'],
    ["", 'There is no model "".'],
  ])("%s is refused: %s", (name, message) => {
    expect(() => findModel(models, name)).toThrow(message);
  });

  test("that is not there comes with the reasons why models may be missing", () => {
    expect(() => findModel([], "a", ["ollama is down."])).toThrow(
      'There is no model "a". There are no models at all. ollama is down.',
    );
  });
});
