import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { onTestFinished } from "vitest";

interface Proxy {
  address: string;
  /** What it was asked for: `GET http://…` and `CONNECT host:port`. */
  asked: string[];
}

/** Starts a proxy that has a network of its own, in which every name is this machine. */
export async function startProxy(
  answer?: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Proxy> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    (answer ?? ((_request, to) => to.end("of the proxy")))(request, response);
  });
  server.on("connect", (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    if (answer !== undefined) {
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    const through = connect(Number(request.url?.split(":")[1]), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      through.pipe(socket).pipe(through);
    });
    through.on("error", () => socket.destroy());
    socket.on("error", () => through.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { address: `http://127.0.0.1:${port}`, asked };
}
