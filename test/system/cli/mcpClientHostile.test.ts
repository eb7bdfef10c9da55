// MCP servers that do what they should not, as real processes and over HTTP.
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { poll } from "../../harness/poll.js";
import { contentOf, tempFolder } from "../../unit/tools/workspace.js";
import { builtCli } from "./built.js";
import { connect } from "./mcpRig.js";
import { approvedPlace, HOSTILE, script, type Place } from "./mcpClientRig.js";

const cli = builtCli();

/** A folder with one server, `bad`, that does something. */
function bad(does: string, ...more: string[]): Promise<Place> {
  return approvedPlace(cli, { bad: script(HOSTILE, does, ...more) });
}

describe("what a process writes", () => {
  test("lines that are no message are passed over, up to a limit", async () => {
    const { call } = await bad("banner");
    expect((await call("mcp_exec", { server: "bad", tool: "banner" })).text).toContain("done");
  });

  test.each<{ does: string; type: string; says: string }>([
    {
      does: "garbage",
      type: "inner_tool_error",
      says: "it wrote more than 1 MB that are not MCP messages, so it was ended.",
    },
    {
      does: "exit-at-start",
      type: "unavailable",
      says: 'mcp_exec: (permanent) bad (.mcp.json): it exited with code 3. Its standard error ends with: "first line | Error: the configuration has no key"',
    },
    {
      does: "exit-in-call",
      type: "inner_tool_error",
      says: 'exit-in-call of bad failed (retryable). It says: "connection closed: it exited with code 4. Its standard error ends with: \\"out of luck\\""',
    },
    { does: "long-line", type: "inner_tool_error", says: "it wrote a message of more than 16 MB, so it was ended." },
    {
      does: "notifications",
      type: "inner_tool_error",
      says: "it wrote messages without end that nobody asked for, so it was ended.",
    },
    {
      does: "wrong-id",
      type: "inner_tool_error",
      says: 'it answered a request that was not made (id \\"another\\"), so it was ended.',
    },
    {
      does: "refused-input",
      type: "inner_tool_error",
      says: 'refused-input of bad failed (input). It says: "error -32602: a: wanted a number"',
    },
    { does: "not-a-result", type: "inner_tool_error", says: "its content is not a list" },
  ])("$does", async ({ does, type, says }) => {
    const { call } = await bad(does);
    const { error } = await call("mcp_exec", { server: "bad", tool: does });
    expect(error?.type).toBe(type);
    expect(error?.message).toContain(says);
    expect(error?.message.length).toBeLessThan(2_000);
  });

  test("a server that does not answer at its start is given up", async () => {
    const { call } = await bad("hang-at-start");
    const { error } = await call("mcp_exec", { server: "bad", tool: "x" }, { TOOLHOST_MCP_START_TIMEOUT: "1" });
    expect(error?.message).toContain("mcp_exec: (retryable) bad (.mcp.json): it gave no answer within 1 s: timed out.");
  });

  test("a server that has exited is started again by the next call", async () => {
    const { folder, env } = await bad("exit-in-call");
    const rule = JSON.stringify({ tool: "mcp_exec", params: { server: "bad", tool: "*" } });
    const words = ["--tools", "mcp_exec,mcp_list_tools", "--allow", rule];
    const { text } = await connect(cli, folder, words, "2025-11-25", env);
    const call = { server: "bad", tool: "exit-in-call" };
    expect(await text("mcp_exec", call)).toContain("exit-in-call of bad failed (retryable)");
    const both = await Promise.all([text("mcp_list_tools", {}), text("mcp_list_tools", { server: "bad" })]);
    expect(both.map((listed) => listed.includes("bad  exit-in-call"))).toEqual([true, true]);
    expect(await text("mcp_exec", call)).toContain("it exited with code 4");
  });

  test("a server gets neither the user, the model nor the folders by asking", async () => {
    const { call } = await bad("asks");
    const { text } = await call("mcp_exec", { server: "bad", tool: "asks" });
    expect(text).toContain("elicitation/create: refused\nsampling/createMessage: refused\nroots/list: refused");
  });

  test("the last answer of a server that exits is not lost", async () => {
    const { call } = await bad("answer-and-exit");
    expect((await call("mcp_exec", { server: "bad", tool: "answer-and-exit" })).text).toContain("the last words");
  });

  test.each(["SIGTERM", "SIGKILL"] as const)(
    "a call that hangs ends with the command line by %s, and the server with all that it started",
    async (signal) => {
      const pids = join(await tempFolder({}), "pids");
      const { folder, env } = await bad("hang-in-call", pids);
      const child = cli.start(["mcp_exec", "bad", "hang-in-call"], {
        cwd: folder,
        env: { ...process.env, ...env },
        stdio: "ignore",
      });
      const ended = new Promise((resolve) => child.on("close", resolve));
      const [server = 0, below = 0] = await poll("the call", async () => {
        const numbers = (await contentOf(pids, "").catch(() => "")).split(" ").map(Number);
        return numbers.length === 2 && numbers;
      });
      child.kill(signal);
      await ended;
      await poll("the end of both", () => isGone(server) && isGone(below));
    },
  );
});

describe("what a server says its tools are", () => {
  test("10,000 tools are cut, which is said", async () => {
    const { call } = await bad("many");
    const { text, data } = await call("mcp_list_tools", {});
    expect(data).toMatchObject({ total: 2_000, omitted: 1_800 });
    expect(text).toContain("[bad: it has more than 2000 tools; the rest is left out.]");
  });

  test("a list whose pages have no end ends", async () => {
    const { call } = await bad("pages");
    const { text, data } = await call("mcp_list_tools", {});
    expect(data).toMatchObject({ total: 100 });
    expect(text).toContain("[bad: it has more than 100 tools; the rest is left out.]");
  });

  test("names that are not what they look like are left out; one like ours is the server's own", async () => {
    const { call } = await bad("names");
    const { text = "", data } = await call("mcp_list_tools", {});
    expect(data).toMatchObject({ tools: [{ tool: "read" }, { tool: "twice", description: "The first." }], total: 2 });
    expect(text).toContain("an earlier one has the same name");
    expect(text).toMatch(/bad: 6 tools left out \("del\\\\u202eete", "\*", .*\): its name is not made of letters/);
    expect(text).not.toContain("\u202e");
    expect((await call("mcp_exec", { server: "bad", tool: "read" })).text).toContain("done");
    expect((await call("mcp_exec", { server: "bad", tool: "edit" })).error?.type).toBe("forbidden_tool");
  });

  test("tools with schemas that are none are left out, with the reason", async () => {
    const { call } = await bad("schemas");
    const { text, data } = await call("mcp_list_tools", {});
    expect(data).toMatchObject({ tools: [{ tool: "odd" }, { tool: "none" }], total: 2 });
    expect(text).toContain('bad: 2 tools left out ("text" and "list"): its input schema is not that of an object.');
    expect(text).toContain('bad: 1 tool left out ("large"): its input schema is larger than 100 kB.');
    expect((await call("mcp_info", { server: "bad", tool: "odd" })).ok).toBe(true);
  });

  test("a description of a megabyte is cut", async () => {
    const { call } = await bad("description");
    expect((await call("mcp_list_tools", {})).text?.length).toBeLessThan(1_000);
    expect((await call("mcp_info", { server: "bad", tool: "description" })).text?.length).toBeLessThan(12_000);
  });
});

describe("results", () => {
  test("data of another shape than promised is shown, and that is said", async () => {
    const { call } = await bad("other-data");
    const { text } = await call("mcp_exec", { server: "bad", tool: "other-data" });
    expect(text).toContain('"sum": "five"');
    expect(text).toContain("[The data has not the shape that the server promises: #/sum: ");
  });

  test("a schema that could be checked forever is checked without what makes it so", async () => {
    const { call } = await bad("costly-schema");
    expect((await call("mcp_exec", { server: "bad", tool: "costly-schema" })).text).toContain("aaaa!");
  });

  test("pictures are pictures, and what cannot be shown is named", async () => {
    const { folder, env } = await bad("picture");
    const words = ["--tools", "mcp_exec", "--allow", "mcp_exec(server: bad)"];
    const connected = await connect(cli, folder, words, "2025-11-25", env);
    const { content } = await connected.call("mcp_exec", { server: "bad", tool: "picture" });
    expect(content.filter(({ type }) => type === "image")).toMatchObject([{ mimeType: "image/png" }]);
    const text = content[0]?.text;
    expect(text).toContain(
      [
        "A point:",
        "[A part of type image, image/svg+xml, 72 bytes is left out: it cannot be shown.]",
        "[A part of type audio, audio/wav, 72 bytes is left out: it cannot be shown.]",
        "[file:///x]",
        "of a resource",
        "[Page: https://example.com]",
        "[A part of type new is left out: it cannot be shown.]",
      ].join("\n"),
    );
  });
});

describe("over HTTP", () => {
  type Answer = (message: { id?: unknown; method: string }, response: ServerResponse, request: IncomingMessage) => void;

  /** Serves MCP at an address of this machine. */
  async function serve(answer: Answer): Promise<string> {
    const server = createServer((request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
      request.on("end", () => {
        const message = JSON.parse(body === "" ? "{}" : body) as { id?: unknown; method: string };
        if (message.id === undefined) {
          response.writeHead(202).end();
        } else {
          answer(message, response, request);
        }
      });
    });
    return listen(server);
  }

  async function listen(server: Server): Promise<string> {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  }

  const results: Record<string, object> = {
    initialize: {
      protocolVersion: "2025-06-18",
      capabilities: { tools: {} },
      serverInfo: { name: "web", version: "1" },
    },
    "tools/list": { tools: [{ name: "ask", inputSchema: { type: "object" } }] },
    "tools/call": { content: [{ type: "text", text: "answered" }] },
  };
  const json: Answer = ({ id, method }, response) => {
    const result = results[method];
    response.writeHead(200, { "content-type": "application/json" });
    response.end(
      JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error: { code: -32601, message: "no" } }) }),
    );
  };
  const ASK = { server: "web", tool: "ask" };

  test("calls are answered as JSON and as events, with the headers of the definition", async () => {
    const seen: unknown[] = [];
    const url = await serve((message, response, request) => {
      if (message.method !== "tools/call") {
        json(message, response, request);
        return;
      }
      seen.push(request.headers["x-key"]);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id: message.id, result: results["tools/call"] })}\n\n`);
    });
    const { call } = await approvedPlace(cli, { web: { type: "http", url, headers: { "X-Key": "${env:WEB_KEY}" } } });
    expect((await call("mcp_exec", ASK, { WEB_KEY: "k8s7d6f5g4" })).text).toContain("answered");
    expect(seen).toEqual(["k8s7d6f5g4"]);
  });

  test("a server on MCP's SDK is called in the newest revision", async () => {
    const revisions = new Set<unknown>();
    const handler = createMcpHandler(() => {
      const server = new McpServer({ name: "web", version: "1" });
      server.registerTool("ask", { description: "Ask.", inputSchema: z.object({ what: z.string() }) }, ({ what }) => ({
        content: [{ type: "text", text: `You asked for ${what}.` }],
      }));
      return server;
    });
    onTestFinished(() => handler.close());
    const server = createServer((request, response) => {
      void (async () => {
        revisions.add(request.headers["mcp-protocol-version"]);
        const body = Buffer.concat((await request.toArray()) as Buffer[]);
        const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
        const url = `http://127.0.0.1${request.url ?? ""}`;
        const answer = await handler.fetch(new Request(url, { method: request.method ?? "POST", headers, body }));
        response.writeHead(answer.status, Object.fromEntries(answer.headers));
        for await (const chunk of answer.body ?? []) {
          response.write(chunk);
        }
        response.end();
      })();
    });
    const { call } = await approvedPlace(cli, { web: { url: await listen(server) } });
    expect((await call("mcp_exec", { ...ASK, args: { what: "this" } })).text).toContain("You asked for this.");
    expect((await call("mcp_exec", ASK)).error?.message).toContain("ask of web failed (input)");
    expect(revisions).toContain("2026-07-28");
  });

  test.each<{ what: string; answer: Answer; says: string | RegExp }>([
    {
      what: "a redirect to another origin is not followed",
      answer: (_message, response) => response.writeHead(307, { location: "http://127.0.0.1:1/other" }).end(),
      says: /it redirects to http:\/\/127\.0\.0\.1:1\/other \(307\), which is not followed/,
    },
    {
      what: "401 is a matter of signing in",
      answer: (_message, response) => response.writeHead(401).end("no"),
      says: /^mcp_exec: \(auth\) web \(\.mcp\.json\): .*401/,
    },
    {
      what: "503 may work later",
      answer: (_message, response) => response.writeHead(503).end("busy"),
      says: /^mcp_exec: \(retryable\) web \(\.mcp\.json\): .*503/,
    },
    {
      what: "events without end and without an answer end with the time limit",
      answer: (_message, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(": still here\n\n");
      },
      says: /it gave no answer within 2 s/,
    },
    {
      what: "a page is no answer",
      answer: (_message, response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>"),
      says: /text\/html/,
    },
  ])("$what", async ({ answer, says }) => {
    const { call } = await approvedPlace(cli, { web: { url: await serve(answer) } });
    const { error } = await call("mcp_exec", ASK, { TOOLHOST_MCP_START_TIMEOUT: "2" });
    expect(error?.message).toMatch(says);
    expect(error?.message.length).toBeLessThan(2_000);
  });

  test("events of more than 32 MB end the call", async () => {
    const url = await serve((message, response, request) => {
      if (message.method !== "tools/call") {
        json(message, response, request);
        return;
      }
      response.writeHead(200, { "content-type": "text/event-stream" });
      const more = (): void => {
        while (!response.destroyed && response.write(`: ${"x".repeat(100_000)}\n\n`));
        response.once("drain", more);
      };
      more();
    });
    const { call } = await approvedPlace(cli, { web: { url } });
    expect((await call("mcp_exec", ASK)).error?.message).toMatch(/32 MB/);
  });

  test("a public name that leads to a private address is not connected to", async () => {
    const asked: string[] = [];
    const url = await serve((message) => asked.push(message.method));
    const resolver = join(
      await tempFolder({
        "dns.cjs":
          'require("node:dns").lookup = (host, options, done) => done(null, options.all ? [{ address: "127.0.0.1", family: 4 }] : "127.0.0.1", 4);',
      }),
      "dns.cjs",
    );
    const { call } = await approvedPlace(cli, { web: { url: url.replace("127.0.0.1", "mcp.example.com") } });
    const { error } = await call("mcp_exec", ASK, { NODE_OPTIONS: `--require ${resolver}` });
    expect(error?.message).toContain("mcp.example.com leads to an address of a private network, so nothing was sent.");
    expect(asked).toEqual([]);
  });

  test("a server that is not there", async () => {
    const { call } = await approvedPlace(cli, { web: { url: "http://127.0.0.1:1/mcp" } });
    expect((await call("mcp_exec", ASK)).error?.message).toContain("nothing answers there (ECONNREFUSED)");
  });
});

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}
