import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { tempFolder } from "../../unit/tools/workspace.js";

/** Starts a server with a certificate of its own, for `localhost` and every name below `test.example`. */
export async function startHttps(
  answer: (response: ServerResponse) => void,
): Promise<{ spec: string; port: number; cert: string }> {
  const folder = await tempFolder();
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,DNS:*.test.example"];
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-keyout", key, "-out", cert, ...subject],
    { stdio: "ignore" },
  );
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) =>
    answer(response),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { spec: `https://localhost:${port}/pets.json`, port, cert };
}
