import { afterAll, beforeAll } from "vitest";
import { startSshd, type SshServer } from "../../harness/sshd.js";

/** Starts Debian's sshd on the loopback for the tests of a file, with keys of its own. */
export function sshServer(): SshServer {
  const none = (): Promise<void> => Promise.resolve();
  const server: SshServer = { host: "box", env: {}, stop: none, remove: none };
  beforeAll(async () => void Object.assign(server, await startSshd()));
  afterAll(() => server.remove());
  return server;
}
