// Pages at the command line, as a user behind a proxy with an authority of its own gets them.
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../unit/tools/workspace.js";
import { startProxy } from "../hosts/http/proxy.js";
import { builtCli } from "./built.js";
import { startHttps } from "./httpsServer.js";

const cli = builtCli();

describe("toolhost web fetch", () => {
  it("goes through HTTPS_PROXY to a server that NODE_EXTRA_CA_CERTS vouches for, and not to this machine", async () => {
    const proxy = await startProxy();
    const { port, cert } = await startHttps((response) =>
      response.setHeader("content-type", "text/plain").end("from behind the proxy"),
    );
    const fetchWith = async (url: string, more: Record<string, string>): Promise<string> => {
      const env = { ...process.env, TOOLHOST_STATE: await tempFolder(), ...more };
      const { out, err } = await cli.run(["web", "fetch", url], { cwd: await tempFolder(), env });
      return out + err;
    };
    const url = `https://docs.test.example:${port}/`;
    const all = { HTTPS_PROXY: proxy.address, NODE_EXTRA_CA_CERTS: cert };
    expect(await fetchWith(url, all)).toContain("from behind the proxy");
    expect(proxy.asked).toEqual([`CONNECT docs.test.example:${port}`]);
    expect(await fetchWith(url, { HTTPS_PROXY: proxy.address })).toContain("its certificate is not trusted");
    expect(await fetchWith(url, { NODE_EXTRA_CA_CERTS: cert })).toMatch(/the name could not be resolved/);
    expect(await fetchWith(`https://localhost:${port}/`, all)).toContain("so nothing was sent");
    expect(proxy.asked).toHaveLength(2);
  });
});
