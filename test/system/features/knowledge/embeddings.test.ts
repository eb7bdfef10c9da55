import { describe, expect, it } from "vitest";
import { EmbeddingsServer } from "../../../../src/hosts/openai/embeddings.js";
import {
  embeddingsEndpoint,
  openKnowledge,
  type EmbeddingsEndpoint,
  type Rig,
  type RigOptions,
} from "../../../unit/features/knowledge/rig.js";

const NO_KEYS = { environment: {}, userAgent: "Toolhost/test" };

/** Things that mean the same, by the words for them: a model of meaning as small as the test's texts. */
const MEANINGS: readonly (readonly string[])[] = [
  ["car", "automobile", "vehicle"],
  ["doctor", "physician"],
  ["holiday", "vacation"],
  ["money", "salary", "wage"],
];

/** A vector by what a text means: a number for each meaning, and a little of what its other words make of it. */
function meaning(dimension: number): (text: string) => number[] {
  return (text) => {
    const vector = Array.from({ length: dimension }, () => 0);
    for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
      const known = MEANINGS.findIndex((words) => words.includes(word));
      const other =
        MEANINGS.length +
        ([...word].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % (dimension - MEANINGS.length));
      vector[known === -1 ? other : known] = (vector[known === -1 ? other : known] ?? 0) + (known === -1 ? 0.1 : 1);
    }
    return vector;
  };
}

const NOTES = {
  "a.md": "The automobile is in the garage.\n",
  "b.md": "The physician calls on Monday.\n",
  "c.md": "Our vacation begins in July.\n",
  "d.md": "The salary is paid monthly.\n",
};

async function withServer(options: Partial<RigOptions> = {}): Promise<Rig & { server: EmbeddingsEndpoint }> {
  const server = await embeddingsEndpoint(meaning(16));
  const client = new EmbeddingsServer(() => ({ baseUrl: server.url, model: "tiny" }), NO_KEYS);
  // Only a server that is slow on purpose is given up: a busy machine may take longer than a user waits.
  const patience = 60_000;
  return { ...(await openKnowledge(NOTES, { embeddings: () => client.current(), patience, ...options })), server };
}

describe("a hybrid search", () => {
  it("finds what is said in other words, and by words still", async () => {
    const { search } = await withServer();
    for (const [query, path] of [
      ["car", "a.md"],
      ["doctor", "b.md"],
      ["where do we go on holiday", "c.md"],
      ["garage", "a.md"],
    ] as const) {
      const { hits, ranking, note } = await search({ query });
      expect([ranking, note, hits[0]?.path]).toEqual(["hybrid", undefined, path]);
      expect(hits.every(({ score }) => score >= 0.35 && score <= 1)).toBe(true);
    }
  });

  it("finds nothing where nothing means the same, and keeps to a path", async () => {
    const { search } = await withServer();
    expect((await search({ query: "xylophone" })).hits).toEqual([]);
    expect((await search({ query: "car", path: "b.md" })).hits).toEqual([]);
    expect((await search({ query: "car", path: "a.md" })).hits).toHaveLength(1);
  });

  it("sends each chunk once, in batches, and the query alone afterwards", async () => {
    const { search, refresh, server, workspace } = await withServer();
    for (let i = 0; i < 100; i += 1) {
      await workspace.put(`.toolhost/context/n${i}.md`, `note ${i}`);
    }
    expect(await refresh()).toMatchObject({ indexed: 104 });
    expect(server.requests.map((texts) => texts.length).slice(1)).toEqual([64, 40]);
    await search({ query: "car" });
    expect(server.requests.at(-1)).toEqual(["car"]);
    await workspace.put(".toolhost/context/new.md", "A new vehicle.");
    expect((await search({ query: "car" })).hits.map(({ path }) => path).sort()).toEqual(["a.md", "new.md"]);
    expect(server.requests.at(-1)).toHaveLength(1);
  });
});

describe("a search whose server is too slow for all texts", () => {
  it("keeps what came in time, searches by that, and goes on with the next one", async () => {
    const { workspace, search, server } = await withServer({ patience: 3_000 });
    for (let number = 0; number < 50; number++) {
      await workspace.put(`.toolhost/context/more/${number}.md`, `note ${number}`);
    }
    // It answers for the query and for the first texts, and no more.
    let read = 0;
    server.behaviour = { vector: meaning(16), delay: 0 };
    Object.defineProperty(server.behaviour, "delay", { get: () => (read++ < 2 ? 0 : 600_000), configurable: true });
    expect(await search({ query: "car" })).toMatchObject({
      ranking: "hybrid",
      hits: [{ path: "a.md" }],
      note: "Not all of it has embeddings yet: each search fetches some, a refresh all.",
    });
    const [, first = [], second = []] = server.requests;
    server.requests.length = 0;
    server.behaviour = { vector: meaning(16) };
    const again = await search({ query: "car" });
    expect([again.ranking, again.note]).toEqual(["hybrid", undefined]);
    // What was not answered is sent again, and nothing else twice.
    const sent = server.requests.slice(1).flat();
    expect(sent).toEqual(expect.arrayContaining(second));
    expect(sent.filter((text) => first.includes(text))).toEqual([]);
    expect(sent.length + first.length).toBe(54);
  });
});

describe("a search without an answer from its server", () => {
  it.each<[string, (server: EmbeddingsEndpoint) => unknown, string]>([
    ["is down", (server) => server.stop(), "cannot be used"],
    ["is slow", (server) => (server.behaviour.delay = 5_000), "no answer in time"],
    ["refuses", (server) => (server.behaviour.status = 500), "answered 500"],
    ["answers with something else", (server) => (server.behaviour.body = "<html>"), "cannot be used"],
    [
      "answers with no vectors",
      (server) => (server.behaviour.body = '{"data":[]}'),
      "did not return 1 embeddings of equal length",
    ],
    [
      "answers with numbers that no vector holds",
      (server) => (server.behaviour.body = '{"data":[{"index":0,"embedding":[1e300,1]}]}'),
      "did not return 1 embeddings of equal length",
    ],
    [
      "answers with words for numbers",
      (server) => (server.behaviour.body = '{"data":[{"index":0,"embedding":["a",null]}]}'),
      "did not return 1 embeddings of equal length",
    ],
  ])("that %s goes by words, and says so", async (what, breakIt, why) => {
    const { search, server } = await withServer(what === "is slow" ? { patience: 300 } : {});
    await search({ query: "car" });
    await breakIt(server);
    expect(await search({ query: "garage" })).toMatchObject({
      ranking: "lexical",
      hits: [{ path: "a.md" }],
      note: expect.stringContaining(why) as string,
    });
    expect((await search({ query: "car" })).hits).toEqual([]);
  });

  it("sends nothing to where the server redirects", async () => {
    const elsewhere = await embeddingsEndpoint(meaning(24));
    const { search, server } = await withServer();
    await search({ query: "car" });
    Object.assign(server.behaviour, { status: 307, location: `${elsewhere.url}/embeddings` });
    expect(await search({ query: "garage" })).toMatchObject({
      ranking: "lexical",
      hits: [{ path: "a.md" }],
      note: expect.stringContaining("cannot be used") as string,
    });
    expect(elsewhere.requests).toEqual([]);
  });

  it("fetches all vectors again when their length changed", async () => {
    const { search, refresh, server } = await withServer();
    await search({ query: "car" });
    server.behaviour.vector = meaning(24);
    server.requests.length = 0;
    expect(await refresh()).toMatchObject({ unchanged: 4 });
    expect(server.requests.map((texts) => texts.length)).toEqual([1, 4]);
    expect(await search({ query: "doctor" })).toMatchObject({ ranking: "hybrid", hits: [{ path: "b.md" }] });
  });

  it("gives up on a server whose vectors have another length each time, and says so", async () => {
    const { workspace, search, refresh, server } = await withServer();
    for (let number = 0; number < 200; number++) {
      await workspace.put(`.toolhost/context/more/${number}.md`, `note ${number}`);
    }
    server.behaviour.vector = () => Array.from({ length: 8 + server.requests.length }, () => 1);
    expect(await refresh()).toMatchObject({ note: expect.stringContaining("a different length") as string });
    expect(server.requests.length).toBeLessThan(10);
    expect(await search({ query: "garage" })).toMatchObject({
      ranking: "lexical",
      hits: [{ path: "a.md" }],
      note: expect.stringContaining("a different length") as string,
    });
    // Once it has settled all is well.
    server.behaviour.vector = meaning(16);
    await refresh();
    expect(await search({ query: "doctor" })).toMatchObject({ ranking: "hybrid", hits: [{ path: "b.md" }] });
  });

  it("fetches all vectors again when their length changes in the middle of a refresh", async () => {
    const { workspace, search, refresh, server } = await withServer();
    for (let number = 0; number < 100; number++) {
      await workspace.put(`.toolhost/context/more/${number}.md`, `note ${number}`);
    }
    server.behaviour.vector = (text) => meaning(server.requests.length < 3 ? 16 : 24)(text);
    expect((await refresh()).note).toBeUndefined();
    const found = await search({ query: "doctor" });
    expect(found).toMatchObject({ ranking: "hybrid", hits: [{ path: "b.md" }] });
    expect(found.note).toBeUndefined();
  });

  it("is refreshed without it, and says so", async () => {
    const { refresh, server } = await withServer();
    await server.stop();
    expect(await refresh()).toEqual({
      indexed: 4,
      unchanged: 0,
      removed: 0,
      failed: [],
      note: expect.stringContaining("cannot be used") as string,
    });
  });

  it("is cancelled at once", async () => {
    const { base, search, server } = await withServer();
    await search({ query: "car" });
    // Nobody waits for so long: what is not cancelled fails by the limit of the test.
    server.behaviour.delay = 600_000;
    const cancel = new AbortController();
    setTimeout(() => cancel.abort(), 50);
    await expect(
      base.search({ area: "context", query: "car", limit: 6, minScore: 0 }, cancel.signal),
    ).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("the setting", () => {
  it.each<[string, unknown, string]>([
    ["no address", { baseUrl: "localhost", model: "m" }, "baseUrl must be"],
    ["a file", { baseUrl: "file:///etc/passwd", model: "m" }, "baseUrl must be"],
    ["no model", { baseUrl: "http://localhost:1/v1" }, "model must be"],
    [
      "a key's name of another type",
      { baseUrl: "http://localhost:1/v1", model: "m", apiKeyName: 7 },
      "apiKeyName must be",
    ],
    ["text", "http://localhost:1", "baseUrl must be"],
    [
      "a key that is not there",
      { baseUrl: "http://localhost:1/v1", model: "m", apiKeyName: "NO_SUCH_KEY" },
      '"NO_SUCH_KEY" contains no key',
    ],
  ])("with %s is told in the note", async (_, value, message) => {
    const client = new EmbeddingsServer(() => value, NO_KEYS);
    const { search } = await openKnowledge(NOTES, { embeddings: () => client.current() });
    expect(await search({ query: "garage" })).toMatchObject({
      ranking: "lexical",
      hits: [{ path: "a.md" }],
      note: expect.stringContaining(message) as string,
    });
  });

  it.each([[undefined], [null], [{}]])("%j means no server", (value) => {
    expect(new EmbeddingsServer(() => value, NO_KEYS).current()).toBeUndefined();
  });

  it.each([
    [200, "answered with more than 64 MB"],
    [500, "answered 500"],
  ])("reads no answer of %d that has no end", async (status, words) => {
    const server = await embeddingsEndpoint(meaning(16));
    server.behaviour = { ...server.behaviour, status, body: " ".repeat(70_000_000) };
    const client = new EmbeddingsServer(() => ({ baseUrl: server.url, model: "tiny" }), NO_KEYS);
    await expect(client.current()?.embed(["a"], new AbortController().signal)).rejects.toMatchObject({
      type: "unavailable",
      message: expect.stringContaining(words) as string,
    });
  });

  it("takes the address under its former name, url", async () => {
    const server = await embeddingsEndpoint(meaning(16));
    const client = new EmbeddingsServer(() => ({ url: server.url, model: "tiny" }), NO_KEYS);
    expect(await client.current()?.embed(["a"], new AbortController().signal)).toHaveLength(1);
  });

  it("sends the key of the variable it names", async () => {
    const server = await embeddingsEndpoint(meaning(16));
    const client = new EmbeddingsServer(() => ({ baseUrl: `${server.url}/`, model: "tiny", apiKeyName: "KEY" }), {
      environment: { KEY: "sesame" },
      userAgent: "Toolhost/test",
    });
    await client.current()?.embed(["a"], new AbortController().signal);
    expect(server.headers.at(-1)).toMatchObject({ authorization: "Bearer sesame", "user-agent": "Toolhost/test" });
  });
});
