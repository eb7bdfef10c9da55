// Commands that a real window contains reach the hosts of the user's list, and no others.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { activateProduct, poll } from "../../harness/host";
import { missingSandbox } from "../../system/hosts/processes/missingSandbox";
import { inWorkspace, toolText, withSettings, writeFile } from "../tool";

const LISTED = "listed.example.com";
const OTHER = "other.example.com";

(missingSandbox() === undefined ? describe : describe.skip)("a contained command and the user's list of hosts", () => {
  // Stands for the network: the user's proxy, in which every name leads to it.
  const asked: string[] = [];
  const network = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end("of the host");
  });
  const { http_proxy: earlier } = process.env;

  before(async () => {
    await activateProduct();
    await new Promise<void>((resolve) => void network.listen(0, "127.0.0.1", resolve));
    process.env["http_proxy"] = `http://127.0.0.1:${(network.address() as AddressInfo).port}`;
    writeFile(
      "reach.py",
      `import urllib.request, urllib.error
for host in ["${LISTED}", "${OTHER}"]:
    try:
        print(host, urllib.request.urlopen("http://" + host + "/", timeout=60).read().decode())
    except urllib.error.HTTPError as error:
        print(host, error.code)
`,
    );
  });
  after(() => {
    network.close();
    network.closeAllConnections();
    rmSync(inWorkspace("reach.py"));
    if (earlier === undefined) {
      delete process.env["http_proxy"];
    } else {
      process.env["http_proxy"] = earlier;
    }
  });

  it("reaches a listed host, and its result names another that it wanted", async () => {
    const settings = {
      "toolhost.groups.runtime": "all",
      "toolhost.sandbox.commands": "auto",
      "toolhost.sandbox.hosts": [LISTED],
    };
    await withSettings(settings, async () => {
      // The list is read a moment after the setting has changed.
      const text = await poll("an answer of the listed host", async () => {
        const told = await toolText("exec", { command: "python3 reach.py" });
        return told.includes("of the host") && told;
      });
      assert.match(text, new RegExp(`^It wanted ${OTHER}, which the sandbox does not reach: the user can add it to `));
      assert.match(text, new RegExp(`\\n${LISTED} of the host\\n${OTHER} 403`));
      assert.deepEqual(asked, [`http://${LISTED}/`]);
    });
  });
});
