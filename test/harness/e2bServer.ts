// A stand-in for E2B's service, for its own package: its API, and the program of a sandbox that reads, writes and runs commands.
// Each sandbox is a folder of this machine; `/home/user` in paths and folders is that folder.
import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";

export const E2B_HOME = "/home/user";
const NOT_FOUND = { code: 404, message: "not found" };

export interface E2BServer {
  /** The package's variables. */
  env: Record<string, string>;
  /** The requests to its API so far: a method and a path. */
  asked: string[];
  stop: () => Promise<void>;
}

/** Starts the service on the loopback. */
export async function startE2B(): Promise<E2BServer> {
  const place = await mkdtemp(join(tmpdir(), "e2b-"));
  const asked: string[] = [];
  let made = 0;
  /** Makes the folder of a new sandbox or snapshot, of which another may be the beginning. */
  const make = async (kind: string, from?: string): Promise<string> => {
    const id = `${kind}${++made}`;
    await mkdir(join(place, id));
    if (from !== undefined) {
      await cp(join(place, from), join(place, id), { recursive: true });
    }
    return id;
  };
  const about = (sandboxID: string): object => ({
    ...{ sandboxID, templateID: "base", clientID: "x", envdVersion: "0.4.0", envdAccessToken: "t" },
  });
  const api = async (method: string, path: string, body: Buffer): Promise<[status: number, answer?: object]> => {
    asked.push(`${method} ${path}`);
    const [, id = "", what] = /^\/(?:v2\/)?sandboxes(?:\/(\w+))?(?:\/(\w+))?$/.exec(path) ?? [];
    if (method !== "POST") {
      return [404, NOT_FOUND];
    }
    if (id === "") {
      const { templateID } = JSON.parse(body.toString()) as { templateID: string };
      return [201, about(await make("sandbox", templateID.startsWith("snapshot") ? templateID : undefined))];
    }
    return what === "pause"
      ? [204]
      : what === "connect"
        ? [200, about(id)]
        : what === "snapshots"
          ? [201, { snapshotID: await make("snapshot", id), names: [] }]
          : [404, NOT_FOUND];
  };
  const server = createServer(
    (request, response) =>
      void answer(request, response).catch((error: unknown) => {
        response.writeHead(500).end(JSON.stringify({ code: 500, message: String(error) }));
      }),
  );
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://e2b");
    const { method = "" } = request;
    const json = (status: number, data?: object): void =>
      void response
        .writeHead(status, { "content-type": "application/json" })
        .end(data === undefined ? "" : JSON.stringify(data));
    const body = Buffer.concat(await request.toArray());
    const sandbox = request.headers["e2b-sandbox-id"];
    const there = (path: string): string => join(place, String(sandbox), path.replace(E2B_HOME, ""));
    if (pathname === "/process.Process/Start") {
      const { process: wanted } = JSON.parse(body.toString("utf8", 5)) as { process: Wanted };
      return run({ ...wanted, cwd: there(wanted.cwd ?? E2B_HOME) }, response);
    }
    if (pathname !== "/files") {
      return json(...(await api(method, pathname, body)));
    }
    const path = there(searchParams.get("path") ?? "");
    if (method === "GET") {
      const bytes = await readFile(path).catch(() => undefined);
      return bytes === undefined
        ? json(404, NOT_FOUND)
        : void response.writeHead(200, { "content-type": "application/octet-stream" }).end(bytes);
    }
    const form = await new Response(Readable.toWeb(Readable.from([body])) as ReadableStream, {
      headers: { "content-type": request.headers["content-type"] ?? "" },
    }).formData();
    const file = form.get("file") as File;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, Buffer.from(await file.arrayBuffer()));
    return json(200, [{ name: "f", type: "file", path: searchParams.get("path") }]);
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  return {
    env: { E2B_API_KEY: `e2b_${"0".repeat(40)}`, E2B_API_URL: url, E2B_SANDBOX_URL: url },
    asked,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(place, { recursive: true, force: true });
    },
  };
}

interface Wanted {
  cmd: string;
  args: string[];
  envs?: Record<string, string>;
  cwd?: string;
}

/** Runs a command as the sandbox's program does: a stream of events, each after its length (Connect's protocol, as JSON). */
async function run({ cmd, args, envs, cwd }: Wanted, response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "application/connect+json" });
  const send = (event: object, flags = 0): void => {
    const bytes = Buffer.from(JSON.stringify(event));
    const head = Buffer.alloc(5);
    head.writeUInt8(flags, 0);
    head.writeUInt32BE(bytes.length, 1);
    response.write(Buffer.concat([head, bytes]));
  };
  // Not the start files of this machine's user.
  const child = spawn(cmd, args, {
    cwd,
    env: { ...process.env, HOME: cwd, ...envs },
    stdio: ["ignore", "pipe", "pipe"],
  });
  response.once("close", () => child.kill("SIGKILL"));
  send({ event: { start: { pid: child.pid } } });
  for (const name of ["stdout", "stderr"] as const) {
    child[name].on("data", (part: Buffer) => send({ event: { data: { [name]: part.toString("base64") } } }));
  }
  const exitCode = await new Promise<number>((resolve) => child.once("close", (code) => resolve(code ?? -1)));
  send({ event: { end: { exitCode, exited: true, status: `exit status ${exitCode}` } } });
  send({}, 2);
  response.end();
}
