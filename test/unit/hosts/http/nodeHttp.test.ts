// Requests to real servers of this machine.
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { HttpRequest } from "../../../../src/ports/http.js";
import { nodeHttp } from "../../../../src/hosts/node/http/nodeHttp.js";
import { publicLookup } from "../../../../src/hosts/node/http/publicLookup.js";
import { startHttp } from "../../features/openapi/rig.js";

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

test("an answer that breaks off or is compressed wrongly is an error, not half an answer", async () => {
  const server = await startHttp((asked, response) => {
    if (asked.url === "/half") {
      response.writeHead(200, { "content-length": "100" });
      response.write("half");
      response.socket?.end();
    } else {
      response.writeHead(200, { "content-encoding": "gzip" }).end("no gzip");
    }
  });
  await expect(http.send(request(`${server.origin}/half`), signal)).rejects.toMatchObject({ type: "io_error" });
  await expect(http.send(request(server.origin), signal)).rejects.toMatchObject({ type: "io_error" });
});
