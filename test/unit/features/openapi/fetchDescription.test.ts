// A description fetched from its address.
import { expect, test } from "vitest";
import { fetchDescription } from "../../../../src/features/openapi/fetchDescription.js";
import { nodeHttp } from "../../../../src/hosts/node/http/nodeHttp.js";
import { startHttp } from "./rig.js";

const http = nodeHttp("Toolhost/test");

test("tells how much has arrived, and can be cancelled", async () => {
  const server = await startHttp((_asked, response) => void response.write("x".repeat(100_000)));
  const controller = new AbortController();
  const told: number[] = [];
  const fetching = fetchDescription({ spec: server.origin, allowPrivate: true }, http, controller.signal, (bytes) => {
    told.push(bytes);
    if (bytes === 100_000) {
      controller.abort(new Error("enough"));
    }
  });
  await expect(fetching).rejects.toThrow("enough");
  expect(told).toEqual([...told].sort((one, other) => one - other));
  expect(told.at(-1)).toBe(100_000);
});

test("that breaks off is no description", async () => {
  const server = await startHttp((_asked, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("{");
    response.socket?.end();
  });
  await expect(
    fetchDescription({ spec: server.origin, allowPrivate: true }, http, new AbortController().signal),
  ).rejects.toMatchObject({ type: "io_error", message: `${server.origin} cannot be read: the connection broke.` });
});

test("that is too large or not there is said", async () => {
  const server = await startHttp((asked, response) => {
    if (asked.url === "/gone") {
      response.writeHead(404).end();
    } else {
      response.end("x".repeat(20_000_001));
    }
  });
  const fetch = (path: string): Promise<string> =>
    fetchDescription({ spec: server.origin + path, allowPrivate: true }, http, new AbortController().signal);
  await expect(fetch("/gone")).rejects.toMatchObject({ message: `${server.origin}/gone: the server answered 404.` });
  await expect(fetch("/large")).rejects.toMatchObject({ type: "too_large" });
});
