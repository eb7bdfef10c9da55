// The clients of sandboxes whose files the tables of the file tools run over, and what a test does to files in them.
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { TestRunner } from "vitest";
import type { Spawner } from "../../../src/features/processes/spawner.js";
import type { Bridge } from "../../../src/hosts/node/sandbox/bridge.js";
import { BridgeSpawner } from "../../../src/hosts/node/sandbox/bridgeSpawner.js";
import { ClientSpawner } from "../../../src/hosts/node/sandbox/clientSpawner.js";
import { BridgeClient } from "../../../src/hosts/node/sandbox/bridgeClient.js";
import { containerBridge } from "../../../src/hosts/node/sandbox/container.js";
import { localBridge, type LocalBridge } from "../../../src/hosts/node/sandbox/local.js";
import { LocalSandboxSpawner } from "../../../src/hosts/node/sandbox/localSpawner.js";
import { sshBridge } from "../../../src/hosts/node/sandbox/ssh.js";
import type { InMemorySandboxClient } from "../../../src/hosts/sandbox/memoryClient.js";
import type { SandboxClient } from "../../../src/ports/sandbox.js";
import { localE2B } from "../../harness/e2b.js";
import type { TestDisk } from "./workspace.js";

/**
 * Where the tables run besides Node and the memory of the tests: `sandbox`, the local sandbox; `ssh`, the shell behind an sshd; `podman`, a container of Podman; `e2b`, a sandbox of E2B's shape; `client`, the library's sandbox in memory,
 * which has no shell; `worktree`, a copy of a folder.
 */
const CLIENTS = ["sandbox", "ssh", "podman", "e2b", "client", "worktree"] as const;
export type Client = (typeof CLIENTS)[number];

/** The one that TOOLHOST_TEST_HOST names. @throws Error if there is none of that name */
export function chosenClient(): Client | undefined {
  const name = process.env["TOOLHOST_TEST_HOST"];
  const client = CLIENTS.find((each) => each === name);
  if (name !== undefined && client === undefined) {
    throw new Error(`TOOLHOST_TEST_HOST=${name}: there is ${CLIENTS.join(", ")}.`);
  }
  return client;
}

/** Returns a client of files of this machine; one client for all tests where a connection is shared. */
export function clientOfMachine(host: Exclude<Client, "client" | "worktree">): SandboxClient {
  switch (host) {
    case "e2b":
      return localE2B();
    case "ssh":
      return (ssh ??= new BridgeClient(box()));
    case "podman":
      return (podman ??= new BridgeClient(container()));
    case "sandbox":
      return (inBubblewrap ??= new BridgeClient(bubblewrap()));
  }
}

/** Returns what starts commands over a client. @param local starts programs of this machine */
export function spawnerOf(host: string, local: Spawner): Spawner {
  switch (host) {
    case "e2b":
      return new ClientSpawner(localE2B(), "the test's sandbox", true);
    case "ssh":
      return new BridgeSpawner(box(), local);
    case "podman":
      return new BridgeSpawner(container(), local);
    case "sandbox":
      return new LocalSandboxSpawner(bubblewrap(), local);
    default:
      return local;
  }
}

let ssh: SandboxClient | undefined;
let podman: SandboxClient | undefined;
let inBubblewrap: SandboxClient | undefined;

const box = (): Bridge => sshBridge("box", { folder: process.env["TOOLHOST_TEST_SSH"] ?? "" });

const container = (): Bridge => containerBridge("podman", process.env["TOOLHOST_TEST_CONTAINER"] ?? "");

// One for all tests, whose folders are there. Its own files are elsewhere.
const bubblewrap = (): LocalBridge => localBridge(tmpdir(), "/var/tmp/toolhost-test-state");

/** Files of the library's sandbox in memory. It has neither links nor times: tests of these are expected to fail. */
export function clientDisk(client: InMemorySandboxClient, folder: string): TestDisk {
  const place = (path: string): string => resolve(folder, path);
  const names = async (path: string): Promise<string[]> => (await client.list(path)).map(({ name }) => name).sort();
  const remove = async (path: string): Promise<void> => {
    const inside = await names(path);
    for (const name of inside) {
      await remove(join(path, name));
    }
    for (const key of [path, `${path}/`].filter((each) => client.getFile(each) !== undefined)) {
      await client.remove(key);
    }
  };
  const lacks = (what: string): Promise<never> => {
    const test = TestRunner.getCurrentTest();
    if (test !== undefined) {
      test.fails = true;
    }
    return Promise.reject(new Error(`A sandbox in memory has no ${what}.`));
  };
  return {
    put: (path, content) => client.writeFile(place(path), content),
    makeFolder: (path) => client.writeFile(`${place(path)}/`, ""),
    link: () => lacks("links"),
    makePipe: () => lacks("pipes"),
    date: () => lacks("times to set"),
    remove: (path) => remove(place(path)),
    bytes: async (path) => Buffer.from(await client.readFile(place(path))),
    names: (path = ".") => names(place(path)),
  };
}
