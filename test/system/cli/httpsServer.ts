import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import { onTestFinished } from "vitest";
import { ownCertificate } from "../../harness/ownCertificate.js";
import { tempFolder } from "../../unit/tools/workspace.js";

/** Starts a server with a certificate of its own, for `localhost` and every name below `test.example`. */
export async function startHttps(
  answer: (response: ServerResponse) => void,
): Promise<{ spec: string; port: number; cert: string }> {
  const { key, cert, certFile } = ownCertificate(await tempFolder());
  const server = createServer({ key, cert }, (_request, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { spec: `https://localhost:${port}/pets.json`, port, cert: certFile };
}
