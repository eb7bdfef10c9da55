// Operations called at a real server.
import { describe, expect, test } from "vitest";
import { call, fixture, load, oneOperation, startHttp, StoredTexts } from "./rig.js";

async function pets(
  entry: object = {},
  answer?: Parameters<typeof startHttp>[0],
  secrets: Record<string, string> = {},
) {
  const server = await startHttp(answer);
  const port = new URL(server.origin).port;
  const loaded = load(fixture("petstore-3.0.json"), { server: `http://127.0.0.1:${port}/v1`, ...entry }, { secrets });
  return { ...server, ...loaded };
}

test("path, query, header and cookie parameters arrive as the description says", async () => {
  const { tools, asked } = await pets();
  const got = await call(tools, "get_pet", { petId: "a/b ü?", "X-Trace": "t1", session: "s 1" });
  expect(got.text).toBe('200 OK\n{"ok":true}');
  expect(got.data).toEqual({ status: 200, type: "application/json", body: { ok: true } });
  await call(tools, "list_pets", { limit: 5, tags: ["a", "b&c"], ids: [1, 2], filter: { kind: "cat", age: 3 } });
  expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
    "GET /v1/pets/a%2Fb%20%C3%BC%3F",
    "GET /v1/pets?limit=5&tags=a&tags=b%26c&ids=1,2&filter%5Bkind%5D=cat&filter%5Bage%5D=3",
  ]);
  expect(asked[0]?.headers).toMatchObject({ "x-trace": "t1", cookie: "session=s%201", "user-agent": "Toolhost/test" });
});

test("bodies arrive as JSON, forms and multipart", async () => {
  const { tools, asked } = await pets();
  await call(tools, "create_pet", { body: { name: "Rex", kind: "dog", born: null } });
  await call(tools, "login", {
    body: { user: "ann & co", scopes: ["a", "b"], device: { id: 1 }, place: { city: "Rome", at: { x: 1 } } },
  });
  await call(tools, "upload_photo", { petId: "1", body: { title: "At sea", size: { width: 3 } } });
  const [json, form, multipart] = asked;
  expect([json?.headers["content-type"], JSON.parse(json?.body ?? "")]).toEqual([
    "application/json",
    { name: "Rex", kind: "dog", born: null },
  ]);
  expect([form?.headers["content-type"], [...new URLSearchParams(form?.body)]]).toEqual([
    "application/x-www-form-urlencoded",
    [
      ["user", "ann & co"],
      ["scopes", "a"],
      ["scopes", "b"],
      ["device", '{"id":1}'],
      ["place[city]", "Rome"],
      ["place[at][x]", "1"],
    ],
  ]);
  const data = await new Response(multipart?.body, {
    headers: { "content-type": multipart?.headers["content-type"] ?? "" },
  }).formData();
  expect(data.get("title")).toBe("At sea");
  expect(await new Response(data.get("size") as Blob | string).text()).toBe('{"width":3}');
});

test("a boundary of multipart cannot be written by a name or a value", async () => {
  const { tools, asked } = await pets();
  const name = 'x"\r\nInjected: 1\r\n\r\n';
  await call(tools, "upload_photo", { petId: "1", body: { title: "--toolhost-\r\n--", [name]: "v" } });
  const data = await new Response(asked[0]?.body, {
    headers: { "content-type": asked[0]?.headers["content-type"] ?? "" },
  }).formData();
  expect([...data.keys()]).toHaveLength(2);
  expect(asked[0]?.body).not.toContain("\r\nInjected");
});

test.each<{ what: string; input: Record<string, unknown>; message: string }>([
  { what: "nothing for a required field", input: {}, message: "petId: required (string), got nothing" },
  { what: "a number for a text", input: { petId: 3 }, message: "petId: expected string, got number 3" },
  {
    what: "a field that does not exist",
    input: { petId: "1", petid: 2 },
    message: 'unknown field; did you mean "petId"?',
  },
  { what: "an empty part of the path", input: { petId: "" }, message: "petId: must not be empty" },
  { what: "a step up", input: { petId: ".." }, message: "no step . or .." },
  { what: "a step up inside", input: { petId: "a/../b" }, message: "no step . or .." },
  { what: "a line break in a header", input: { petId: "1", "X-Trace": "a\r\nb: c" }, message: "neither line breaks" },
  { what: "a step up inside, encoded", input: { petId: "a/..%2fb" }, message: "no step . or .." },
  { what: "a step up, encoded twice", input: { petId: "%252e%252e%252fb" }, message: "no step . or .." },
  { what: "a step up with a parameter", input: { petId: "..;x" }, message: "no step . or .." },
  { what: "half a character", input: { petId: "\ud800" }, message: "is not valid text" },
])("$what is refused, and nothing is sent", async ({ input, message }) => {
  const { tools, asked } = await pets();
  await expect(call(tools, "get_pet", input)).rejects.toMatchObject({
    type: "invalid_input",
    message: expect.stringContaining(message) as string,
  });
  expect(asked).toEqual([]);
});

test("bytes that are no text stay in a path, and half a character is in no body", async () => {
  const server = await startHttp();
  const body = (type: string) => ({ content: { [type]: { schema: { type: "object" } } } });
  const paths = {
    "/%FF/{id}\udc00": { get: { operationId: "bytes" } },
    "/text": { post: { operationId: "text", requestBody: body("text/plain") } },
    "/form": { post: { operationId: "form", requestBody: body("application/x-www-form-urlencoded") } },
    "/parts": { post: { operationId: "parts", requestBody: body("multipart/form-data") } },
  };
  const { tools } = load({ openapi: "3.0.0", servers: [{ url: `${server.origin}/%FE` }], paths });
  await call(tools, "bytes", { id: "%FF" });
  for (const [name, value] of [
    ["text", "\ud800"],
    ["form", { a: "\ud800" }],
    ["parts", { a: "\ud800" }],
  ] as const) {
    await expect(call(tools, name, { body: value })).rejects.toMatchObject({ type: "invalid_input" });
  }
  expect(server.asked.map(({ url }) => url)).toEqual(["/%FE/%FF/%25FF%EF%BF%BD"]);
});

test("steps up in a list or a field of the path are refused", async () => {
  const path = "/a/{list}/b";
  const { tools } = load(
    oneOperation(
      {
        parameters: [{ name: "list", in: "path", style: "label", explode: true, schema: { type: "array", items: {} } }],
      },
      { path },
    ),
  );
  await expect(call(tools, "op", { list: ["", ""] })).rejects.toMatchObject({ type: "invalid_input" });
  await expect(call(tools, "op", { list: [""] })).rejects.toMatchObject({ type: "invalid_input" });
});

describe("answers", () => {
  test.each<{ status: number; type: string }>([
    { status: 400, type: "invalid_input" },
    { status: 401, type: "denied" },
    { status: 404, type: "not_found" },
    { status: 409, type: "conflict" },
    { status: 418, type: "io_error" },
    { status: 429, type: "unavailable" },
    { status: 503, type: "unavailable" },
  ])("of status $status fail as $type with what the server says", async ({ status, type }) => {
    const { tools, origin } = await pets({}, (_asked, response) =>
      response.writeHead(status, { "content-type": "application/json" }).end('{"why":"because"}'),
    );
    await expect(call(tools, "get_pet", { petId: "1" })).rejects.toMatchObject({
      type,
      message: expect.stringMatching(
        new RegExp(`^${origin}: ${status} .* for GET /pets/\\{petId\\}\\. It says:\\n\\{"why":"because"\\}$`),
      ) as string,
    });
  });

  test.each([
    { method: "post", status: 201, says: "201 Created", hint: "so it has done what its status says" },
    { method: "get", status: 200, says: "200 OK", hint: "Try it again" },
    { method: "post", status: 404, says: "404 Not Found", hint: "Check the values" },
  ])("that break off tell the status: $status for $method", async ({ method, status, says, hint }) => {
    const server = await startHttp((_asked, response) => {
      response.writeHead(status, { "content-length": "100" });
      response.write("half");
      response.socket?.end();
    });
    const { tools } = load(oneOperation({}, { server: server.origin, method }));
    await expect(call(tools, "op")).rejects.toMatchObject({
      message: expect.stringMatching(
        new RegExp(`${says}.*${status < 400 ? "the connection broke" : "says"}.*\\nhalf`, "s"),
      ) as string,
      hint: expect.stringContaining(hint) as string,
    });
  });

  test("too long to be shown go to the result store", async () => {
    const long = JSON.stringify(Array.from({ length: 5_000 }, (_, id) => ({ id })));
    const { tools } = await pets({}, (_asked, response) =>
      response.writeHead(200, { "content-type": "application/json", link: "</pets?page=2>; rel=next" }).end(long),
    );
    const stored = new StoredTexts();
    const { text, data } = await call(tools, "list_pets", {}, stored);
    expect(stored.texts).toEqual([long]);
    expect(text).toContain("200 OK\nlink: </pets?page=2>; rel=next\n[{");
    expect(text).toContain(`The first 8000 of ${long.length} characters, page 1 of 2 of r0`);
    expect(data).toMatchObject({ status: 200, result_id: "r0", body: JSON.parse(long) as unknown });
  });

  test("without an end are read up to the limit", async () => {
    const { tools } = await pets({ maxBytes: 20_000 }, (_asked, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      const more = (): void => {
        while (!response.destroyed && response.write("x".repeat(10_000))) {
          // until the buffer is full
        }
      };
      response.on("drain", more);
      more();
    });
    const stored = new StoredTexts();
    const { text } = await call(tools, "list_pets", {}, stored);
    expect(text).toContain("[Only the first 20000 bytes were read: the answer is larger than the limit.");
    expect(stored.texts[0]).toHaveLength(20_000);
  });

  test("that are no text are described, and images shown", async () => {
    const { tools } = await pets({}, ({ url }, response) =>
      url.endsWith("/1")
        ? response.writeHead(200, { "content-type": "image/png" }).end(Buffer.from([1, 0, 2]))
        : response.writeHead(200).end(Buffer.from([1, 0, 2])),
    );
    const image = await call(tools, "get_pet", { petId: "1" });
    expect(image.text).toBe("200 OK\n[image/png, 3 bytes.]");
    expect(image.media?.map(({ mimeType, bytes }) => [mimeType, [...bytes]])).toEqual([["image/png", [1, 0, 2]]]);
    expect((await call(tools, "get_pet", { petId: "2" })).text).toBe("200 OK\n[Binary data, 3 bytes.]");
  });

  test("may be empty, of another charset, or JSON that is none", async () => {
    const { tools } = await pets({}, ({ url }, response) => {
      if (url.endsWith("/empty")) {
        response.writeHead(204).end();
      } else if (url.endsWith("/latin")) {
        response.writeHead(200, { "content-type": "text/plain; charset=iso-8859-1" }).end(Buffer.from([0xe9]));
      } else {
        response.writeHead(200, { "content-type": "application/json" }).end("<html>");
      }
    });
    expect((await call(tools, "get_pet", { petId: "empty" })).text).toBe("204 No Content");
    expect((await call(tools, "get_pet", { petId: "latin" })).text).toBe("200 OK\né");
    expect((await call(tools, "get_pet", { petId: "html" })).data).toMatchObject({ body: "<html>" });
  });
});

test("a call can be cancelled while the server is silent", async () => {
  const controller = new AbortController();
  const { tools } = await pets({}, () => controller.abort(new Error("stop")));
  await expect(call(tools, "get_pet", { petId: "1" }, undefined, controller.signal)).rejects.toThrow("stop");
});
