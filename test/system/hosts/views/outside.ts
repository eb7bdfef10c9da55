// The network of tests: names of its own, and the program that passes connections of sandboxes on.
import { buildSync } from "esbuild";
import type { LookupAddress } from "node:dns";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Outside } from "../../../../src/hosts/node/processes/hosts/dial.js";
import { lookupOf } from "../../../../src/hosts/node/http/publicLookup.js";
import { isPrivateAddress, isPrivateHost } from "../../../../src/text/privateAddress.js";

/** This machine counts as public here: the servers of tests are on it. */
const isPrivate = (address: string): boolean => address !== "127.0.0.1" && isPrivateAddress(address);

/** @param names the addresses of all names that there are */
export function outsideOf(
  names: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): Outside {
  const lookup = lookupOf((host, _options, callback) => {
    const address = names[host];
    if (address === undefined) {
      callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND" }), []);
    } else {
      callback(null, [{ address, family: 4 } satisfies LookupAddress]);
    }
  }, isPrivate);
  return { network: { isHost: isPrivateHost, isAddress: isPrivate, lookup }, env };
}

let folder: string | undefined;

/** Returns a folder like `dist/`, with that program. */
export function bridgeFolder(): string {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), "toolhost-bridge-"));
    process.on("exit", () => rmSync(made, { recursive: true, force: true }));
    buildSync({
      entryPoints: [fileURLToPath(new URL("../../../../src/hosts/node/processes/hosts/bridge.ts", import.meta.url))],
      outfile: join(made, "hosts-bridge.js"),
      ...{ bundle: true, platform: "node", format: "cjs", target: "node20", logLevel: "error" },
    });
    folder = made;
  }
  return folder;
}
