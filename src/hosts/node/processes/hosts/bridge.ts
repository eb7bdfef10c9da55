import { closeSync, openSync, writeSync } from "node:fs";
import { connect, createServer } from "node:net";
import { dirname, join, basename } from "node:path";

// Runs in a sandbox, where programs reach 127.0.0.1 and nothing else: passes their connections on to a Unix socket of
// the process outside; bundled to its own file, dist/hosts-bridge.js. It says that it listens by closing its output.
// Its arguments are the socket and the port. It ends with the sandbox.

const [, , socket = "", port = ""] = process.argv;

// The command's group gets these, and the command itself decides when it ends.
for (const signal of ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGALRM"] as const) {
  process.on(signal, () => undefined);
}

// The name of a socket has 107 bytes at most.
const folder = openSync(dirname(socket), "r");
const path = join("/proc/self/fd", String(folder), basename(socket));

const server = createServer({ allowHalfOpen: true }, (inner) => {
  const outer = connect({ path, allowHalfOpen: true });
  inner.on("error", () => outer.destroy());
  outer.on("error", () => inner.destroy());
  inner.on("close", () => outer.destroy());
  outer.on("close", () => inner.destroy());
  inner.pipe(outer).pipe(inner);
});
server.listen(Number(port), "127.0.0.1", () => {
  writeSync(1, "ready");
  closeSync(1);
  // No connection may get its number, which Node never closes.
  openSync("/dev/null", "w");
});
