// How calls authenticate, and that no secret is ever shown or sent elsewhere.
import { describe, expect, test } from "vitest";
import { call, fixture, load, oneOperation, startHttp, type Asked } from "./rig.js";

const SECRET = "s3cr3t/+ü".replace("ü", "-value");

async function withAuth(auth: object, answer?: Parameters<typeof startHttp>[0], entry: object = {}) {
  const server = await startHttp(answer);
  const options = { secrets: { KEY: SECRET } };
  const loaded = load(fixture("petstore-3.0.json"), { server: server.origin, auth, ...entry }, options);
  return { ...server, ...loaded };
}

test.each<{ what: string; auth: object; sent: (asked: Asked | undefined) => unknown; expected: string }>([
  {
    what: "bearer",
    auth: { type: "bearer", secret: "KEY" },
    sent: (asked) => asked?.headers.authorization,
    expected: `Bearer ${SECRET}`,
  },
  {
    what: "basic",
    auth: { type: "basic", username: "ann", secret: "KEY" },
    sent: (asked) => asked?.headers.authorization,
    expected: `Basic ${btoa(`ann:${SECRET}`)}`,
  },
  {
    what: "an API key as the description says",
    auth: { type: "apiKey", secret: "KEY" },
    sent: (asked) => asked?.headers["x-api-key"],
    expected: SECRET,
  },
  {
    what: "an API key in the query",
    auth: { type: "apiKey", in: "query", name: "k", secret: "KEY" },
    sent: (asked) => asked?.url,
    expected: `/pets/1?k=${encodeURIComponent(SECRET)}`,
  },
  {
    what: "an API key in a cookie",
    auth: { type: "apiKey", in: "cookie", name: "k", secret: "KEY" },
    sent: (asked) => asked?.headers.cookie,
    expected: `session=1; k=${encodeURIComponent(SECRET)}`,
  },
])("$what: sent, and hidden where the server repeats it", async ({ auth, sent, expected }) => {
  const repeat = ({ url, headers }: Asked): string => JSON.stringify({ url, headers });
  const { tools, asked } = await withAuth(auth, (one, response) =>
    response.writeHead(one.url.startsWith("/pets/1") ? 200 : 400, { link: one.url }).end(repeat(one)),
  );
  const input = expected.startsWith("session") ? { petId: "1", session: "1" } : { petId: "1" };
  const { text, data } = await call(tools, "get_pet", input);
  expect(sent(asked[0])).toBe(expected);
  expect(text).toContain("[KEY]");
  const failed: unknown = await call(tools, "get_pet", { petId: "2" }).catch((error: unknown) => error);
  const shown = `${text} ${JSON.stringify(data)} ${(failed as Error).message}`;
  for (const form of [SECRET, encodeURIComponent(SECRET), btoa(`ann:${SECRET}`)]) {
    expect(shown).not.toContain(form);
  }
  const tool = tools.find(({ name }) => name === "get_pet");
  const preview = await tool?.preview?.({ petId: "1" }, {} as never);
  expect(preview?.text).toContain("Credentials: KEY");
  expect(preview?.text).not.toContain(SECRET);
});

test("a secret that is not set, or cannot be sent, is said before anything is sent", async () => {
  const { tools, asked } = await withAuth({ type: "bearer", secret: "OTHER" });
  await expect(call(tools, "get_pet", { petId: "1" })).rejects.toMatchObject({
    type: "unavailable",
    message: "The secret OTHER is not set. Nothing was sent.",
  });
  const broken = load(
    fixture("petstore-3.0.json"),
    { server: "http://127.0.0.1:1", auth: { type: "bearer", secret: "K" } },
    { secrets: { K: "a\nb" } },
  );
  await expect(call(broken.tools, "get_pet", { petId: "1" })).rejects.toMatchObject({ type: "unavailable" });
  expect(asked).toEqual([]);
});

test("an operation without security gets no credentials", async () => {
  const { tools, asked } = await withAuth({ type: "bearer", secret: "KEY" });
  await call(tools, "login", { body: { user: "ann" } });
  expect(asked[0]?.headers.authorization).toBeUndefined();
});

test("another server that the description names for an operation gets no credentials", async () => {
  const [main, other] = [await startHttp(), await startHttp()];
  const spec = {
    openapi: "3.0.0",
    servers: [{ url: main.origin }],
    paths: {
      "/a": { get: { operationId: "a" } },
      "/b": { get: { operationId: "b", servers: [{ url: other.origin }] } },
    },
  };
  const { tools, cautions } = load(spec, { auth: { type: "bearer", secret: "KEY" } }, { secrets: { KEY: SECRET } });
  await call(tools, "a");
  await call(tools, "b");
  expect([main.asked[0]?.headers.authorization, other.asked[0]?.headers.authorization]).toEqual([
    `Bearer ${SECRET}`,
    undefined,
  ]);
  expect(cautions).toContain(`Calls to ${other.origin} are sent without credentials, which are for ${main.origin}.`);
});

test("a redirect to another origin gets no credentials, cookies or headers, and is told", async () => {
  const elsewhere = await startHttp();
  // Only a public origin is followed; the tests' servers are private ones.
  const server = await startHttp((_asked, response) =>
    response.writeHead(302, { location: `${elsewhere.origin}/y` }).end(),
  );
  const { tools } = load(
    oneOperation({}, { server: server.origin }),
    { auth: { type: "bearer", secret: "KEY" } },
    { secrets: { KEY: SECRET } },
  );
  await expect(call(tools, "op")).rejects.toMatchObject({
    type: "denied",
    message: `${server.origin}: it redirects to ${elsewhere.origin}, which is on a private network (302), which is not followed.`,
  });
  expect(elsewhere.asked).toEqual([]);
});

describe("OAuth 2 with client credentials", () => {
  async function service(clientAuth?: "basic" | "body") {
    let now = 0;
    let refuses = false;
    let tokens = 0;
    const tokenServer = await startHttp((_asked, response) =>
      response
        .writeHead(refuses ? 401 : 200, { "content-type": "application/json" })
        .end(
          JSON.stringify(
            refuses ? { error: `invalid ${SECRET}` } : { access_token: `tok-${++tokens}`, expires_in: 100 },
          ),
        ),
    );
    let status = 200;
    const api = await startHttp((asked, response) =>
      response.writeHead(status).end(`You sent ${asked.headers.authorization}`),
    );
    const auth = {
      type: "oauth2",
      tokenUrl: `${tokenServer.origin}/token`,
      clientId: "me:1",
      secret: "KEY",
      scopes: ["read", "write"],
      ...(clientAuth === undefined ? {} : { clientAuth }),
    };
    const { tools } = load(
      oneOperation({}, { server: api.origin }),
      { auth },
      { secrets: { KEY: SECRET }, now: () => now },
    );
    return {
      tools,
      tokenServer,
      api,
      setStatus: (next: number) => (status = next),
      pass: (ms: number) => (now += ms),
      refuse: () => (refuses = true),
    };
  }

  test("gets a token, uses it while it lasts, and hides it", async () => {
    const { tools, tokenServer, api, pass } = await service();
    expect((await call(tools, "op")).text).toBe("200 OK\nYou sent Bearer [KEY token]");
    await call(tools, "op");
    pass(69_000);
    await call(tools, "op");
    pass(2_000);
    await call(tools, "op");
    expect(api.asked.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer tok-1",
      "Bearer tok-1",
      "Bearer tok-1",
      "Bearer tok-2",
    ]);
    const [first] = tokenServer.asked;
    expect(first?.headers.authorization).toBe(`Basic ${btoa(`me%3A1:${encodeURIComponent(SECRET)}`)}`);
    expect([...new URLSearchParams(first?.body)]).toEqual([
      ["grant_type", "client_credentials"],
      ["scope", "read write"],
    ]);
  });

  test("forgets a token that was refused", async () => {
    const { tools, tokenServer, setStatus } = await service("body");
    setStatus(401);
    await expect(call(tools, "op")).rejects.toMatchObject({ type: "denied" });
    setStatus(200);
    await call(tools, "op");
    expect(tokenServer.asked).toHaveLength(2);
    expect(new URLSearchParams(tokenServer.asked[0]?.body).get("client_secret")).toBe(SECRET);
  });

  test("says that no token was given, without the secret, and makes no call", async () => {
    const { tools, api, refuse, tokenServer } = await service();
    refuse();
    await expect(call(tools, "op")).rejects.toMatchObject({
      type: "unavailable",
      message: `${tokenServer.origin} gave no token (HTTP 401). It says "invalid [KEY]". The call was not made.`,
    });
    expect(api.asked).toEqual([]);
  });
});
