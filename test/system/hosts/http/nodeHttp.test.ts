// Requests to real servers of this machine.
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { HttpRequest } from "../../../../src/ports/http.js";
import { nodeHttp } from "../../../../src/hosts/node/http/nodeHttp.js";
import { lookupOf, publicLookup } from "../../../../src/hosts/node/http/publicLookup.js";
import { isPrivateAddress } from "../../../../src/text/privateAddress.js";
import { startHttp } from "../../../unit/features/openapi/rig.js";

const signal = new AbortController().signal;
const http = nodeHttp("Toolhost/test");
const request = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  url,
  method: "GET",
  headers: new Map(),
  credentials: new Map([["authorization", "Bearer x"]]),
  timeout: 10_000,
  maxBytes: 100_000,
  mayBePrivate: true,
  ...more,
});
const text = (body: Uint8Array): string => new TextDecoder().decode(body);
const redirecting = (status: number, location: (origin: string) => string) =>
  startHttp((asked, response) =>
    asked.url === "/from"
      ? response.writeHead(status, { location: location(`http://${asked.headers.host}`) }).end()
      : response.end(`${asked.method} ${asked.url} ${asked.headers.authorization} ${asked.body}`),
  );

test.each([
  { status: 302, method: "GET", got: "GET /to Bearer x " },
  { status: 303, method: "POST", got: "GET /to Bearer x " },
  { status: 302, method: "POST", got: "GET /to Bearer x " },
  { status: 307, method: "POST", got: "POST /to Bearer x b" },
  { status: 308, method: "PUT", got: "PUT /to Bearer x b" },
])("a redirect within the origin is followed: $status for $method", async ({ status, method, got }) => {
  const server = await redirecting(status, () => "/to");
  const body = method === "GET" ? {} : { body: { kind: "text", type: "text/plain", text: "b" } as const };
  const answer = await http.send(request(`${server.origin}/from`, { method, ...body }), signal);
  expect([answer.status, text(answer.body), answer.url]).toEqual([200, got, `${server.origin}/to`]);
});

test.each([
  {
    what: "to a private network",
    location: "http://127.0.0.1:1/to",
    message: "http://127.0.0.1:1, which is on a private network",
  },
  { what: "to the metadata service", location: "http://169.254.169.254/latest", message: "private network" },
  { what: "to a file", location: "file:///etc/passwd", message: "to an address that is not of the web" },
  { what: "to nonsense", location: "http://[", message: "to an address that is not of the web" },
  {
    what: "of a change to another origin",
    location: "https://example.com/",
    method: "POST",
    message: "to another origin, https://example.com",
  },
])("a redirect $what is refused", async ({ location, message, method = "GET" }) => {
  const server = await redirecting(307, () => location);
  await expect(http.send(request(`${server.origin}/from`, { method }), signal)).rejects.toMatchObject({
    type: "denied",
    message: expect.stringContaining(message) as string,
  });
});

test.each([302, 303, 307, 308])("a redirect to another origin is followed without credentials: %d", async (status) => {
  const other = await startHttp((asked, response) => response.end(JSON.stringify(asked.headers)));
  const server = await redirecting(status, () => `http://user:pass@${new URL(other.origin).host}/to`);
  // This machine stands for the public network: every other address of a test would be one.
  const open = { isHost: () => false, isAddress: () => false, lookup: publicLookup };
  const answer = await nodeHttp("Toolhost/test", { network: open }).send(
    request(`${server.origin}/from`, {
      headers: new Map([
        ["accept", "text/plain"],
        ["x-own", "1"],
      ]),
      credentials: new Map([
        ["authorization", "Bearer x"],
        ["cookie", "session=1"],
        ["x-api-key", "key"],
      ]),
    }),
    signal,
  );
  expect([answer.status, answer.url]).toEqual([200, `${other.origin}/to`]);
  expect(server.asked.map(({ headers }) => [headers.authorization, headers["x-api-key"]])).toEqual([
    ["Bearer x", "key"],
  ]);
  expect(other.asked).toHaveLength(1);
  const { host: _host, connection: _connection, ...sent } = JSON.parse(text(answer.body)) as Record<string, string>;
  expect(Object.keys(sent).sort()).toEqual(["accept", "user-agent"]);
});

test("redirects in a circle end", async () => {
  const server = await startHttp((_asked, response) => response.writeHead(302, { location: "/again" }).end());
  await expect(http.send(request(server.origin), signal)).rejects.toMatchObject({
    type: "denied",
    message: `${server.origin}: it redirects more than 5 times.`,
  });
  expect(server.asked).toHaveLength(6);
});

test("an address of a private network is refused unless that is meant", async () => {
  const server = await startHttp();
  const { port } = new URL(server.origin);
  for (const host of ["127.0.0.1", "localhost", "0x7f.1"]) {
    await expect(http.send(request(`http://${host}:${port}`, { mayBePrivate: false }), signal)).rejects.toMatchObject({
      type: "denied",
    });
  }
  expect(server.asked).toEqual([]);
});

test("a public name that leads to a private address is not connected to", async () => {
  // The machine's own name resolves to its loopback or private address, like any name that a stranger points there.
  const error = await new Promise((resolve) => publicLookup("localhost", { all: true }, resolve));
  expect(error).toMatchObject({ message: "localhost leads to an address of a private network" });
});

test("compressed answers are read, and a small one that grows stays within the limit", async () => {
  const server = await startHttp((_asked, response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("a".repeat(50_000_000))),
  );
  const answer = await http.send(request(server.origin), signal);
  expect([answer.body.length, answer.isWhole]).toEqual([100_000, false]);
});

test("an answer as long as the limit is whole", async () => {
  const server = await startHttp((_asked, response) => response.end("a".repeat(100_000)));
  const answer = await http.send(request(server.origin), signal);
  expect([answer.body.length, answer.isWhole]).toEqual([100_000, true]);
});

test("silence ends at the time limit, and it says whether the request may have arrived", async () => {
  const server = await startHttp(() => undefined);
  await expect(http.send(request(server.origin, { timeout: 100 }), signal)).rejects.toMatchObject({
    type: "timeout",
    message: `${server.origin}: no complete answer within 0.1 s.`,
  });
  await expect(http.send(request(server.origin, { timeout: 100, method: "POST" }), signal)).rejects.toMatchObject({
    message: `${server.origin}: no complete answer within 0.1 s. Whether the request arrived is not known.`,
  });
});

test("a broken connection and a closed port are said", async () => {
  const server = await startHttp((_asked, response) => response.socket?.destroy());
  await expect(http.send(request(server.origin, { method: "DELETE" }), signal)).rejects.toMatchObject({
    type: "io_error",
    message: expect.stringContaining("Whether the request arrived is not known.") as string,
  });
  await expect(http.send(request("http://127.0.0.1:1"), signal)).rejects.toMatchObject({
    type: "unavailable",
    message: "http://127.0.0.1:1: nothing answers there (ECONNREFUSED). Nothing was sent.",
  });
  await expect(http.send(request("http://no-such-host.invalid"), signal)).rejects.toMatchObject({
    type: "unavailable",
  });
});

test("an answer that breaks off, is slow or is compressed wrongly has its status, and says that it is not all", async () => {
  const whole = gzipSync("a".repeat(1_000));
  const server = await startHttp((asked, response) => {
    switch (asked.url) {
      case "/half":
        response.writeHead(201, { "content-length": "100" });
        response.write("half");
        response.socket?.end();
        break;
      case "/slow":
        response.writeHead(202);
        response.write("slow");
        break;
      case "/truncated":
        response.writeHead(200, { "content-encoding": "gzip" }).end(whole.subarray(0, -8));
        break;
      case "/other":
        response.writeHead(200, { "content-encoding": "zip" }).end("PK");
        break;
      default:
        response.writeHead(200, { "content-encoding": "gzip" }).end("no gzip");
    }
  });
  const got = async (path: string, more: Partial<HttpRequest> = {}): Promise<unknown> => {
    const { status, body, isWhole, broken } = await http.send(request(server.origin + path, more), signal);
    return [status, text(body).length, isWhole, broken?.type, broken?.reason];
  };
  expect(await got("/half")).toEqual([201, 4, false, "io_error", "the connection broke"]);
  expect(await got("/slow", { timeout: 200 })).toEqual([202, 4, false, "timeout", "it was not complete within 0.2 s"]);
  expect(await got("/truncated")).toEqual([200, 1_000, false, "io_error", "unexpected end of file"]);
  expect(await got("/other")).toEqual([200, 0, false, "io_error", 'its encoding "zip" is not known']);
  expect(await got("/")).toEqual([200, 0, false, "io_error", "incorrect header check"]);
});

test.each([
  { what: "HEAD", method: "HEAD", status: 200, headers: {} },
  { what: "204", method: "DELETE", status: 204, headers: {} },
  { what: "205", method: "POST", status: 205, headers: { "content-length": "0" } },
  { what: "304", method: "GET", status: 304, headers: {} },
  { what: "a length of 0", method: "POST", status: 201, headers: { "content-length": "0" } },
  { what: "chunks without any", method: "POST", status: 200, headers: { "transfer-encoding": "chunked" } },
])("no body is no compressed one: $what", async ({ method, status, headers }) => {
  for (const encoding of ["gzip", "br", "deflate", "zip"]) {
    const server = await startHttp((_asked, response) =>
      response.writeHead(status, { "content-encoding": encoding, ...headers }).end(),
    );
    const answer = await http.send(request(server.origin, { method }), signal);
    expect([answer.status, answer.body.length, answer.isWhole, answer.broken]).toEqual([status, 0, true, undefined]);
  }
});

test("every encoding that is asked for is read, and words before the answer are passed over", async () => {
  const encoded = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync, Deflate: deflateRawSync };
  const server = await startHttp(({ url }, response) => {
    const name = url.slice(1) as keyof typeof encoded;
    response.writeContinue();
    response.writeEarlyHints({ link: "</a>; rel=preload" });
    response.writeHead(200, { "content-encoding": name }).end(encoded[name]("words"));
  });
  for (const name of Object.keys(encoded)) {
    expect(text((await http.send(request(`${server.origin}/${name}`), signal)).body)).toBe("words");
  }
});

test("a connection that others left open to a private address is not used for a public request", async () => {
  const server = await startHttp();
  const url = `http://shop.test.example:${new URL(server.origin).port}/`;
  const lookup = lookupOf(
    (_host, _options, callback) => callback(null, [{ address: "127.0.0.1", family: 4 }]),
    () => false,
  );
  const trusting = nodeHttp("Toolhost/test", { network: { isHost: () => false, isAddress: () => false, lookup } });
  await trusting.send(request(url, { mayBePrivate: false }), signal);
  const guarded = nodeHttp("Toolhost/test", { network: { isHost: () => false, isAddress: isPrivateAddress, lookup } });
  await expect(guarded.send(request(url, { mayBePrivate: false }), signal)).rejects.toMatchObject({
    type: "denied",
    message: expect.stringContaining("private network") as string,
  });
  expect(server.asked).toHaveLength(1);
});

test("a body that arrives a byte at a time ends with the time limit, and keeps what came", async () => {
  const server = await startHttp((_asked, response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    const drip = (): void => void (response.destroyed || response.write("a", () => setTimeout(drip, 20)));
    drip();
  });
  const answer = await http.send(request(server.origin, { timeout: 1_000 }), signal);
  expect(answer).toMatchObject({ isWhole: false, broken: { type: "timeout" } });
  expect(text(answer.body)).toMatch(/^a+$/);
});
