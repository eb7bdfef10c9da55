// Requests through a real proxy of this machine, named by the environment.
import type { LookupAddress } from "node:dns";
import { expect, test } from "vitest";
import { nodeHttp } from "../../../../src/hosts/node/http/nodeHttp.js";
import { lookupOf } from "../../../../src/hosts/node/http/publicLookup.js";
import type { HttpAnswer, HttpRequest } from "../../../../src/ports/http.js";
import { isPrivateAddress, isPrivateHost } from "../../../../src/text/privateAddress.js";
import { startHttp } from "../../../unit/features/openapi/rig.js";
import { startHttps } from "../../cli/httpsServer.js";
import { startProxy } from "./proxy.js";

/** @param names their addresses here; another name is not known */
function sender(
  env: NodeJS.ProcessEnv,
  names: Record<string, string> = {},
): (url: string, more?: Partial<HttpRequest>) => Promise<HttpAnswer> {
  const lookup = lookupOf((host, _options, callback) => {
    const address = names[host];
    if (address === undefined) {
      callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND" }), []);
    } else {
      callback(null, [{ address, family: 4 } satisfies LookupAddress]);
    }
  });
  const http = nodeHttp("Toolhost/test", {
    network: { isHost: isPrivateHost, isAddress: isPrivateAddress, lookup },
    env,
  });
  return (url, more = {}) =>
    http.send(
      {
        ...{ url, method: "GET", headers: new Map(), credentials: new Map() },
        ...{ timeout: 10_000, maxBytes: 100_000, mayBePrivate: false, ...more },
      },
      new AbortController().signal,
    );
}

const text = ({ body }: HttpAnswer): string => new TextDecoder().decode(body);

test("a name that only the proxy knows is fetched through it", async () => {
  const proxy = await startProxy();
  const send = sender({ HTTP_PROXY: proxy.address });
  expect(text(await send("http://docs.test.example/page?a=1"))).toBe("of the proxy");
  expect(proxy.asked).toEqual(["GET http://docs.test.example/page?a=1"]);
});

test("https goes through a tunnel, and the server's certificate is still checked", async () => {
  const proxy = await startProxy();
  const { port } = await startHttps((response) => response.end("secret"));
  const send = sender({ https_proxy: proxy.address });
  await expect(send(`https://docs.test.example:${port}/`)).rejects.toMatchObject({
    type: "unavailable",
    message: expect.stringContaining("its certificate is not trusted") as string,
  });
  expect(proxy.asked).toEqual([`CONNECT docs.test.example:${port}`]);
});

test.each([
  ["a private address", "http://10.0.0.1/"],
  ["the metadata service", "http://169.254.169.254/latest"],
  ["this machine", "http://localhost:1/"],
  ["a name that leads to a private address here", "http://inside.test.example/"],
])("%s is refused before the proxy hears of it", async (_what, url) => {
  const proxy = await startProxy();
  const send = sender({ http_proxy: proxy.address }, { "inside.test.example": "192.168.0.9" });
  await expect(send(url)).rejects.toMatchObject({ type: "denied" });
  expect(proxy.asked).toEqual([]);
});

test("a redirect by the proxy's network to a private address is refused", async () => {
  const proxy = await startProxy((_request, response) =>
    response.writeHead(302, { location: "http://169.254.169.254/latest" }).end(),
  );
  await expect(sender({ http_proxy: proxy.address })("http://docs.test.example/")).rejects.toMatchObject({
    type: "denied",
  });
  expect(proxy.asked).toHaveLength(1);
});

test("what NO_PROXY names and what is on this machine goes directly", async () => {
  const [proxy, server] = [await startProxy(), await startHttp((_asked, response) => response.end("direct"))];
  const { port } = new URL(server.origin);
  const env = { HTTP_PROXY: proxy.address, NO_PROXY: "direct.test.example" };
  await expect(sender(env)(`http://direct.test.example:${port}/`)).rejects.toMatchObject({
    message: expect.stringContaining("the name could not be resolved") as string,
  });
  expect(text(await sender(env)(`${server.origin}/`, { mayBePrivate: true }))).toBe("direct");
  expect(proxy.asked).toEqual([]);
});

test("a proxy that is not there or wants a password is named as the reason", async () => {
  const proxy = await startProxy((_request, response) => response.writeHead(407).end());
  await expect(sender({ https_proxy: proxy.address })("https://docs.test.example/")).rejects.toMatchObject({
    type: "unavailable",
    message: expect.stringMatching(/the proxy .*407/) as string,
  });
  await expect(sender({ http_proxy: "http://127.0.0.1:9" })("http://docs.test.example/")).rejects.toMatchObject({
    type: "unavailable",
    message: expect.stringMatching(/the proxy did not connect to it: .*ECONNREFUSED/) as string,
  });
});
