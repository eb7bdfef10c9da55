// The proxy of contained commands, asked as a hostile program would.
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { HostsProxy } from "../../../../../src/hosts/node/processes/hosts/proxy.js";
import { readHosts } from "../../../../../src/text/hosts/allowedHosts.js";
import { poll } from "../../../../harness/poll.js";
import { startHttp } from "../../../../unit/features/openapi/rig.js";
import { startProxy } from "../../http/proxy.js";
import { outsideOf } from "../../views/outside.js";

const NAMES = {
  "api.example.com": "127.0.0.1",
  "deep.api.example.org": "127.0.0.1",
  "inside.example.com": "10.0.0.7",
  "cloud.example.com": "169.254.169.254",
  "registry.npmjs.org": "127.0.0.1",
};

interface Asked {
  proxy: HostsProxy;
  /** Sends bytes and returns all that comes back until the connection ends or `until` matches. */
  send: (bytes: string, until?: RegExp) => Promise<string>;
  open: () => Socket;
}

async function start(hosts: readonly string[], env: Record<string, string> = {}): Promise<Asked> {
  const folder = mkdtempSync(join(tmpdir(), "toolhost-proxy-"));
  const path = join(folder, "s");
  const proxy = new HostsProxy(readHosts(hosts).hosts, outsideOf(NAMES, env));
  await proxy.listen(path);
  onTestFinished(() => {
    proxy.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const open = (): Socket => connect({ path, allowHalfOpen: true }).on("error", () => undefined);
  return {
    ...{ proxy, open },
    send: (bytes, until = /$^/) =>
      new Promise((resolve) => {
        const socket = open();
        let got = "";
        const end = (): void => {
          socket.destroy();
          resolve(got);
        };
        socket.on("data", (chunk: Buffer) => {
          got += chunk.toString();
          if (until.test(got)) {
            end();
          }
        });
        socket.on("end", end).on("close", end);
        socket.write(bytes);
      }),
  };
}

/** A server that answers each chunk with itself. */
async function startEcho(): Promise<number> {
  const server = createServer((socket) => void socket.on("error", () => undefined).pipe(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
}

const connectTo = (target: string): string => `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`;

test.each([
  ["api.example.com", "api.example.com"],
  ["api.example.com", "API.Example.COM"],
  ["api.example.com", "api.example.com."],
  ["*.example.org", "deep.api.example.org"],
])("with %s a tunnel to %s carries bytes both ways", async (entry, host) => {
  const port = await startEcho();
  const { send, proxy } = await start([`${entry}:${port}`]);
  const got = await send(`${connectTo(`${host}:${port}`)}hello`, /hello/);
  expect(got).toMatch(/^HTTP\/1\.1 200 Connection Established\r\n\r\nhello$/);
  expect(proxy.wanted()).toEqual([]);
});

test.each<[target: string, status: number, wanted: string | undefined]>([
  ["other.example.com:443", 403, "other.example.com"],
  ["other.example.com:8443", 403, "other.example.com:8443"],
  ["api.example.com:22", 403, "api.example.com:22"],
  ["xapi.example.com:443", 403, "xapi.example.com"],
  ["example.org:443", 403, "example.org"],
  ["api.example.com.evil.test:443", 403, "api.example.com.evil.test"],
  ["127.0.0.1:443", 403, undefined],
  ["2130706433:443", 403, undefined],
  ["0x7f.1:443", 403, undefined],
  ["localhost:443", 403, undefined],
  ["[::1]:443", 400, undefined],
  ["[::ffff:127.0.0.1]:443", 400, undefined],
  ["user@api.example.com:443", 400, undefined],
  ["api.example.com", 400, undefined],
  ["api.example.com:", 400, undefined],
  ["api.example.com:0", 403, undefined],
  ["api.example.com:99999", 403, undefined],
  ["api.example.com:443:443", 400, undefined],
  ["api.example.com:443/path", 400, undefined],
  ["http://api.example.com:443", 400, undefined],
  ["a%2eexample.com:443", 403, undefined],
  ["/var/run/docker.sock:1", 400, undefined],
  [`${"a".repeat(300)}:443`, 400, undefined],
])("a tunnel to %s is refused with %d", async (target, status, wanted) => {
  const { send, proxy } = await start(["api.example.com", "*.example.org"]);
  const got = await send(connectTo(target));
  expect(got).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(proxy.wanted()).toEqual(wanted === undefined ? [] : [{ host: wanted, isPrivate: false }]);
  expect(got.includes("toolhost.sandbox.hosts")).toBe(wanted !== undefined);
});

test.each(["inside.example.com", "cloud.example.com"])(
  "%s, which leads to a private address, is refused",
  async (host) => {
    const { send, proxy } = await start(["*.example.com"]);
    expect(await send(connectTo(`${host}:443`))).toMatch(/^HTTP\/1\.1 403 .*private network/s);
    expect(await send(`GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 403 .*private network/s,
    );
    expect(proxy.wanted()).toEqual([{ host, isPrivate: true }]);
  },
);

test("a name that nobody knows is a bad gateway, and says why", async () => {
  const { send } = await start(["*.example.com"]);
  expect(await send(connectTo("nobody.example.com:443"))).toMatch(
    /^HTTP\/1\.1 502 .*nobody\.example\.com is not reached: .*ENOTFOUND/s,
  );
});

test("a plain request goes to the host of its address, whatever its other headers say", async () => {
  const heads: Record<string, unknown>[] = [];
  const server = await startHttp((asked, response) => {
    heads.push({ ...asked.headers, url: asked.url, method: asked.method });
    response.writeHead(201, { "x-own": "1", connection: "x-hop", "x-hop": "1" }).end("made");
  });
  const { port } = new URL(server.origin);
  const { send } = await start([`api.example.com:${port}`]);
  const got = await send(
    `POST http://API.example.com:${port}/a?b HTTP/1.1\r\nHost: other.example.com\r\nProxy-Authorization: Basic eA==\r\nConnection: close, x-hop\r\nX-Hop: 1\r\nX-Own: 2\r\nContent-Length: 4\r\n\r\nbody`,
  );
  expect(got).toMatch(/^HTTP\/1\.1 201 /);
  expect(got).toMatch(/x-own: 1/);
  expect(got).not.toMatch(/x-hop: 1/);
  expect(got).toMatch(/made/);
  expect(heads).toHaveLength(1);
  expect(heads[0]).toMatchObject({ host: `api.example.com:${port}`, url: "/a?b", method: "POST", "x-own": "2" });
  expect(heads[0]).not.toHaveProperty("proxy-authorization");
  expect(heads[0]).not.toHaveProperty("x-hop");
});

/** A server that keeps all bytes that it gets, and answers the first head with `answer`. */
async function startRaw(answer: string): Promise<{ port: number; got: () => string }> {
  let got = "";
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => {
      got += chunk.toString();
      if (/\r\n0\r\n\r\n$|\r\n\r\n[^]*hidden$/.test(got)) {
        socket.end(answer);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as { port: number }).port, got: () => got };
}

const HIDDEN = "GET http://evil.test/ HTTP/1.1\r\nHost: evil.test\r\nX: hidden";

test.each([
  ["chunks", `Transfer-Encoding: chunked\r\n\r\n${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`],
  [
    "a length that is of the connection",
    `Connection: content-length\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
  ],
])(
  "a body in %s that no such request has is no second request, neither at the host nor at the user's proxy",
  async (_what, rest) => {
    for (const method of ["GET", "DELETE"]) {
      const direct = await startRaw("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      const users = await startRaw("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      const url = `http://api.example.com:${direct.port}/`;
      const bytes = `${method} ${url} HTTP/1.1\r\nHost: x\r\n${rest}`;
      const allowed = [`api.example.com:${direct.port}`];
      for (const [{ got }, env] of [
        [direct, {}],
        [users, { http_proxy: `http://127.0.0.1:${users.port}` }],
      ] as const) {
        const { send } = await start(allowed, env);
        expect(await send(bytes, /\r\n\r\n/)).toMatch(/^HTTP\/1\.1 200 /);
        expect(got()).toMatch(/^(?:content-length: \d+|transfer-encoding: chunked)\r$/im);
        expect(got()).toMatch(/^connection: close\r$/im);
      }
    }
  },
);

test.each(["000 Odd", "099 Odd", "101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade", "1000 Odd"])(
  "an answer of %s is a bad gateway",
  async (status) => {
    const server = createServer((socket) => {
      socket
        .on("error", () => undefined)
        .once("data", () => socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const { send } = await start([`api.example.com:${port}`]);
    expect(await send(`GET http://api.example.com:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(/^HTTP\/1\.1 502 /);
  },
);

test.each([
  ["an address of the proxy itself", "GET / HTTP/1.1\r\nHost: api.example.com\r\n\r\n", 400],
  ["another scheme", "GET ftp://api.example.com/ HTTP/1.1\r\nHost: api.example.com\r\n\r\n", 400],
  ["https without a tunnel", "GET https://api.example.com/ HTTP/1.1\r\nHost: api.example.com\r\n\r\n", 400],
  ["a password in the address", "GET http://u:p@api.example.com/ HTTP/1.1\r\nHost: api.example.com\r\n\r\n", 400],
  ["a refused host", "GET http://evil.test/ HTTP/1.1\r\nHost: api.example.com\r\n\r\n", 403],
  ["an address in numbers", "GET http://127.1/ HTTP/1.1\r\nHost: api.example.com\r\n\r\n", 403],
  [
    "two lengths",
    "POST http://api.example.com/ HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
    400,
  ],
  ["what is no HTTP", "\u0016\u0003\u0001hello\r\n\r\n", 400],
  [
    "a head of 20,000 bytes",
    `GET http://api.example.com/ HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
    431,
  ],
])("%s is refused", async (_what, bytes, status) => {
  const { send } = await start(["api.example.com"]);
  expect(await send(bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

test("a head that never ends is not waited for", async () => {
  const { send } = await start(["api.example.com"]);
  expect(await send("CONNECT api.example.com:443 HTTP/1.1\r\nX: ")).toMatch(/^HTTP\/1\.1 408 /);
}, 60_000);

test("more than 128 connections are closed, and the proxy answers once others have ended", async () => {
  const { open, send } = await start(["api.example.com"]);
  const flood = Array.from({ length: 300 }, () => open().resume());
  const ended = flood.map((socket) => once(socket, "end"));
  let closed = 0;
  await new Promise<void>((resolve) => {
    for (const each of ended) {
      void each.then(() => ++closed === 300 - 128 && resolve());
    }
  });
  await Promise.all(flood.map((socket) => once(socket.destroy(), "close")));
  const got = await poll("an answer", () => send(connectTo("other.example.com:443")));
  expect(got).toMatch(/^HTTP\/1\.1 403 /);
  expect(closed).toBe(300 - 128);
});

test("connections to hosts are bounded, also where the command ends its own before they are made", async () => {
  const folder = mkdtempSync(join(tmpdir(), "toolhost-proxy-"));
  const held: (() => void)[] = [];
  const outside = outsideOf(NAMES, {});
  const { lookup } = outside.network;
  const proxy = new HostsProxy(readHosts(["api.example.com"]).hosts, {
    ...outside,
    network: { ...outside.network, lookup: (...asked) => void held.push(() => lookup(...asked)) },
  });
  await proxy.listen(join(folder, "s"));
  onTestFinished(() => {
    proxy.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const get = "GET http://api.example.com/ HTTP/1.1\r\nHost: x\r\n\r\n";
  const ask = (): Socket => connect({ path: join(folder, "s") }).on("error", () => undefined);
  for (let at = 1; at <= 128; at++) {
    const socket = ask();
    socket.write(get);
    await poll("a look-up", () => held.length === at, { intervalMs: 1 });
    socket.destroy();
  }
  const last = ask();
  last.write(get);
  const [answer] = (await once(last, "data")) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 502 [^]*too many connections/);
  expect(held).toHaveLength(128);
});

test("what has ended does not count: more than 128 requests and tunnels follow each other", async () => {
  const [server, users] = [await startHttp((_asked, response) => response.end("all")), await startProxy()];
  const { port } = new URL(server.origin);
  const direct = await start([`api.example.com:${port}`]);
  const through = await start([`api.example.com:${port}`], { http_proxy: users.address, https_proxy: users.address });
  const get = `GET http://api.example.com:${port}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
  const tunnelled = `${connectTo(`api.example.com:${port}`)}GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
  const four = [direct, through].flatMap(({ send }) => [() => send(get), () => send(tunnelled, /all/)]);
  const all = Array.from({ length: 130 }, () => four);
  for (const round of all) {
    const answers = await Promise.all(round.map((ask) => ask()));
    expect(answers.filter((answer) => !/^HTTP\/1\.1 200 [^]*(?:all|of the proxy)/.test(answer))).toEqual([]);
  }
}, 60_000);

test("a name that leads elsewhere the next time is looked up once for a connection, and refused then", async () => {
  const folder = mkdtempSync(join(tmpdir(), "toolhost-proxy-"));
  const port = await startEcho();
  const names: Record<string, string> = { "api.example.com": "127.0.0.1" };
  const outside = outsideOf(names, {});
  const { lookup } = outside.network;
  let lookups = 0;
  const proxy = new HostsProxy(readHosts([`api.example.com:${port}`]).hosts, {
    ...outside,
    network: {
      ...outside.network,
      lookup: (host, options, callback) => {
        lookups++;
        lookup(host, options, (...found) => {
          names["api.example.com"] = "169.254.169.254";
          callback(...found);
        });
      },
    },
  });
  await proxy.listen(join(folder, "s"));
  onTestFinished(() => {
    proxy.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const answers: string[] = [];
  for (const request of [connectTo(`api.example.com:${port}`), connectTo(`api.example.com:${port}`)]) {
    const socket = connect({ path: join(folder, "s") });
    socket.write(request);
    const [answer] = (await once(socket, "data")) as [Buffer];
    answers.push(answer.toString().slice(0, 12));
    socket.destroy();
  }
  expect(answers).toEqual(["HTTP/1.1 200", "HTTP/1.1 403"]);
  expect(lookups).toBe(2);
});

test("of many refused hosts the first twenty are remembered", async () => {
  const { send, proxy } = await start([]);
  for (let at = 0; at < 25; at++) {
    await send(connectTo(`h${at}.example.com:443`));
  }
  expect(proxy.wanted()).toHaveLength(20);
});

test("closing it ends open tunnels", async () => {
  const port = await startEcho();
  const { open, proxy } = await start([`api.example.com:${port}`]);
  const socket = open();
  socket.write(connectTo(`api.example.com:${port}`));
  await new Promise((resolve) => socket.once("data", resolve));
  const ended = once(socket, "end");
  proxy.close();
  socket.resume();
  await ended;
});

test("what is allowed goes through the user's proxy, unless NO_PROXY has it", async () => {
  const [users, port] = [await startProxy(), await startEcho()];
  const env = { HTTPS_PROXY: users.address, HTTP_PROXY: users.address };
  const through = await start([`known-there.example.com:${port}`, "plain.example.com"], env);
  expect(await through.send(`${connectTo(`known-there.example.com:${port}`)}hello`, /hello/)).toMatch(/200[^]*hello$/);
  expect(
    await through.send(
      "GET http://plain.example.com/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
      /of the proxy/,
    ),
  ).toMatch(/200[^]*of the proxy/);
  expect(users.asked).toEqual([`CONNECT known-there.example.com:${port}`, "GET http://plain.example.com/a"]);
  const around = await start([`api.example.com:${port}`], { ...env, NO_PROXY: ".example.com" });
  expect(await around.send(`${connectTo(`api.example.com:${port}`)}hello`, /hello/)).toMatch(/200[^]*hello$/);
  const refused = await start(["inside.example.com"], env);
  expect(await refused.send(connectTo("inside.example.com:443"))).toMatch(/^HTTP\/1\.1 403 .*private network/s);
  expect(users.asked).toHaveLength(2);
});

test("a user's proxy that wants a password gets it, and its refusal is told", async () => {
  const heads: (string | undefined)[] = [];
  const users = await startProxy((asked, response) => {
    heads.push(asked.headers["proxy-authorization"]);
    response.end("in");
  });
  const address = users.address.replace("http://", "http://me:p%40ss@");
  const { send } = await start(["plain.example.com", "api.example.com"], { http_proxy: address, https_proxy: address });
  expect(await send("GET http://plain.example.com/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", /in$/)).toMatch(
    /200/,
  );
  expect(heads).toEqual([`Basic ${Buffer.from("me:p@ss").toString("base64")}`]);
  expect(await send(connectTo("api.example.com:443"))).toMatch(
    /^HTTP\/1\.1 502 .*the user's proxy refused it \(407\)/s,
  );
});
