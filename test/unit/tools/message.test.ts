import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { LoggedSessions } from "../../../src/features/sessions/loggedSessions.js";
import { ChannelMessages } from "../../../src/hosts/node/messages/channels.js";
import { environmentMessages } from "../../../src/hosts/node/messages/environment.js";
import { WebhookServer, type WebhookStep } from "../../harness/webhook-server.js";
import { logOn, openTestStore, start } from "../features/sessions/rig.js";
import { failed, openWorkspace, result, tempFolder, type TestWorkspace, type WorkspaceOptions } from "./workspace.js";

const SECRETS: Readonly<Record<string, string>> = { team: "T00/B00/S3CRETS3CRET", token: "xoxb-S3CRET-token" };
const SESSION = "aaaaaa11-1111-4111-8111-111111111111";

interface World extends TestWorkspace {
  shown: string[];
}

/** A window whose user has these channels. */
async function open(
  channels: unknown,
  { timeout, ...options }: WorkspaceOptions & { timeout?: number } = {},
): Promise<World> {
  const shown: string[] = [];
  const messages = new ChannelMessages({
    setting: () => channels,
    place: "toolhost.message.channels",
    secret: async (name) => SECRETS[name],
    secretAdvice: () => "The user can set it.",
    show: (content) => void shown.push(content),
    ...(timeout === undefined ? {} : { timeout }),
  });
  const log = logOn(await openTestStore("memory"), { now: () => Date.UTC(2026, 10, 22) });
  await log.beginTurn(start(SESSION, "t1", { title: "Fix it" }));
  await log.endTurn(SESSION, "t1");
  const workspace = await openWorkspace(
    {},
    {
      host: "memory",
      sessions: new LoggedSessions(() => Promise.resolve(log)),
      capabilities: { messages },
      ...options,
    },
  );
  return { ...workspace, shown };
}

async function server(...steps: WebhookStep[]): Promise<WebhookServer> {
  const started = await WebhookServer.start(...steps);
  onTestFinished(() => started.stop());
  return started;
}

/** An address on which nothing listens any more. */
async function deadOrigin(): Promise<string> {
  const gone = await WebhookServer.start();
  const { origin } = gone;
  await gone.stop();
  return origin;
}

describe("to chat services", () => {
  test.each<{
    service: string;
    channel: (origin: string) => object;
    content: string;
    sent: unknown;
    headers?: Record<string, string>;
    path?: string;
  }>([
    {
      service: "Slack",
      channel: (origin) => ({ url: `${origin}/services/\${secret:team}`, escape: "html" }),
      content: 'a < b && "c"\n<!channel>',
      sent: { text: 'a &lt; b &amp;&amp; "c"\n&lt;!channel&gt;' },
      path: "/services/T00/B00/S3CRETS3CRET",
    },
    {
      service: "Discord",
      channel: (origin) => ({
        url: `${origin}/api/webhooks/1`,
        body: { content: "{{content}}", allowed_mentions: { parse: [] } },
      }),
      content: '@everyone "hi"',
      sent: { content: '@everyone "hi"', allowed_mentions: { parse: [] } },
    },
    {
      service: "Teams",
      channel: (origin) => ({
        url: `${origin}/w`,
        body: '{"type": "message", "attachments": [{"contentType": "application/vnd.microsoft.card.adaptive", "content": {"type": "AdaptiveCard", "body": [{"type": "TextBlock", "text": "{{content}}", "wrap": true}]}}]}',
      }),
      content: 'a\\b\n"c"',
      sent: {
        type: "message",
        attachments: [
          {
            contentType: "application/vnd.microsoft.card.adaptive",
            content: { type: "AdaptiveCard", body: [{ type: "TextBlock", text: 'a\\b\n"c"', wrap: true }] },
          },
        ],
      },
    },
    {
      service: "Mattermost",
      channel: (origin) => ({ url: `${origin}/hooks/x`, body: { text: "{{content}}", username: "toolhost" } }),
      content: "done ✓",
      sent: { text: "done ✓", username: "toolhost" },
    },
    {
      service: "one with a token and another method",
      channel: (origin) => ({
        url: `${origin}/rooms/1/send`,
        method: "PUT",
        headers: { Authorization: "Bearer ${secret:token}", "Content-Type": "application/json; charset=utf-8" },
        body: { body: "{{content}}" },
      }),
      content: "hi",
      sent: { body: "hi" },
      headers: { authorization: "Bearer xoxb-S3CRET-token", "content-type": "application/json; charset=utf-8" },
    },
  ])("$service", async ({ channel, content, sent, headers = {}, path }) => {
    const http = await server({ status: 200, body: "ok" });
    const ws = await open({ "webhook:team": channel(http.origin) });
    const { text, data } = result(await ws.call("message", { to: "webhook:team", content }));
    expect(text).toBe(`Sent to webhook:team: ${http.origin} answered 200 and said "ok".`);
    expect(data).toEqual({ to: "webhook:team", status: 200, answer: "ok" });
    expect(http.requests).toHaveLength(1);
    expect(JSON.parse(http.requests[0]?.body ?? "")).toEqual(sent);
    expect(http.requests[0]?.headers).toMatchObject({ "content-type": "application/json", ...headers });
    expect(http.requests[0]?.path).toBe(path ?? http.requests[0]?.path);
  });

  test("to a number, by a signal-cli server", async () => {
    const http = await server({
      status: 201,
      headers: { "content-type": "application/json" },
      body: '{"timestamp":"1700000000000"}',
    });
    const ws = await open({ "signal:+15551234567": { url: http.origin, number: "+15557654321" } });
    expect(result(await ws.call("message", { to: "signal:+15551234567", text: "The build is red." })).text).toMatch(
      / answered 201 and said "\{\\"timestamp\\":/,
    );
    expect(http.requests).toMatchObject([{ method: "POST", path: "/v2/send" }]);
    expect(JSON.parse(http.requests[0]?.body ?? "")).toEqual({
      message: "The build is red.",
      number: "+15557654321",
      recipients: ["+15551234567"],
    });
  });
});

describe("what a server may do instead", () => {
  const channel = (origin: string): object => ({
    "webhook:team": { url: `${origin}/\${secret:team}`, headers: { "X-Token": "${secret:token}" } },
  });
  test.each<{ what: string; step: WebhookStep; type: string; says: RegExp; hint?: RegExp }>([
    {
      what: "refuse the address",
      step: { status: 404, body: "no_team" },
      type: "io_error",
      says: /the server refused the message \(404\)\. It says: "no_team"\.$/,
      hint: /no such webhook/,
    },
    {
      what: "refuse the secret",
      step: { status: 403, body: '{"error": {"message": "bad token"}}' },
      type: "io_error",
      says: /\(403\)\. It says: "bad token"\.$/,
      hint: /set it again/,
    },
    {
      what: "refuse the body",
      step: { status: 400, body: "invalid_payload" },
      type: "io_error",
      says: /\(400\)/,
      hint: /the body of the channel/,
    },
    {
      what: "find it too long",
      step: { status: 413, body: "" },
      type: "io_error",
      says: /\(413\)\.$/,
      hint: /shorter/,
    },
    { what: "have enough", step: { status: 429, body: "slow down" }, type: "io_error", says: /\(429\)/, hint: /wait/ },
    {
      what: "break",
      step: { status: 500, body: "<!doctype html><title>Oh no</title>" },
      type: "io_error",
      says: /\(500\)\. It says: "a web page, “Oh no”"\.$/,
      hint: /do not resend it immediately/,
    },
    {
      what: "show a sign-in page in its place",
      step: { status: 200, body: "<html><head><title>Sign in</title></head></html>" },
      type: "io_error",
      says: /the server answered with a web page \(200\).*Sign in.*did not arrive/,
    },
    {
      what: "say yes and mean no",
      step: { status: 200, body: '{"ok":false,"error":"channel_not_found"}' },
      type: "io_error",
      says: /answered 200, but did not accept the message\. It says: "channel_not_found"/,
    },
    {
      what: "send on elsewhere",
      step: { status: 308, headers: { location: "https://evil.example.com/x?y" } },
      type: "io_error",
      says: /redirects to https:\/\/evil\.example\.com \(308\), which is not followed/,
    },
    {
      what: "send on to nowhere",
      step: { status: 302 },
      type: "io_error",
      says: /redirects to another address \(302\)/,
    },
    {
      what: "hang up",
      step: { breaks: "drop" },
      type: "io_error",
      says: /the connection broke: .*Whether the message arrived is not known\.$/,
      hint: /Do not resend it unasked/,
    },
    {
      what: "never answer",
      step: { breaks: "headers" },
      type: "timeout",
      says: /no complete answer within 0\.3 s\. Whether the message arrived is not known\.$/,
      hint: /Do not resend it unasked/,
    },
    {
      what: "never end its answer",
      step: { body: "o", breaks: "body" },
      type: "timeout",
      says: /no complete answer within/,
    },
    {
      what: "repeat the secrets",
      step: {
        status: 400,
        body: `bad: /T00/B00/S3CRETS3CRET ${encodeURIComponent("T00/B00/S3CRETS3CRET")} S3CRETS3CRET xoxb-S3CRET-token`,
      },
      type: "io_error",
      says: /It says: "bad: \[hidden\]/,
    },
  ])("$what", async ({ step, type, says, hint = /./ }) => {
    const http = await server(step);
    const ws = await open(channel(http.origin), { timeout: 300 });
    const error = failed(await ws.call("message", { to: "webhook:team", content: "hi" }));
    expect(error).toMatchObject({
      type,
      message: expect.stringMatching(says) as string,
      hint: expect.stringMatching(hint) as string,
    });
    expect(error.message).toContain(`webhook:team (${http.origin})`);
    expect(JSON.stringify(error)).not.toContain("S3CRET");
    // Whatever came of it, it was sent once.
    expect(http.requests).toHaveLength(1);
  });

  test("repeat what the user wrote out, or half of it", async () => {
    const secret = "S3CRETS3CRETS3CRET";
    const http = await server(
      {
        status: 400,
        body: JSON.stringify({ error: `no: ${secret} ${`/${"x".repeat(20)}?sig=${secret} `.repeat(9)}` }),
      },
      { status: 400, body: `Key ${secret}` },
    );
    const ws = await open({
      "webhook:team": {
        url: `${http.origin}/${"x".repeat(20)}?sig=${secret}`,
        headers: { "X-Api-Key": `Key ${secret}` },
      },
    });
    for (let sent = 0; sent < 2; sent++) {
      const error = failed(await ws.call("message", { to: "webhook:team", content: "hi" }));
      expect(error.message).toContain("[hidden]");
      expect(JSON.stringify(error)).not.toContain("S3C");
    }
  });

  test("answer without end: what it says is cut, and the rest is not waited for", async () => {
    const http = await server({ body: "x".repeat(1_000_000), breaks: "body" });
    const ws = await open(channel(http.origin));
    expect(
      result<{ answer: string }>(await ws.call("message", { to: "webhook:team", content: "hi" })).data.answer,
    ).toMatch(/^x{199}…$/);
  });

  test("not be there", async () => {
    const origin = await deadOrigin();
    const ws = await open(channel(origin));
    expect(failed(await ws.call("message", { to: "webhook:team", content: "hi" }))).toMatchObject({
      type: "unavailable",
      message: `webhook:team (${origin}): nothing answers there (ECONNREFUSED). Nothing was sent.`,
    });
  });

  test("have a name that leads nowhere", async () => {
    const ws = await open(channel("http://nobody.invalid"));
    expect(failed(await ws.call("message", { to: "webhook:team", content: "hi" }))).toMatchObject({
      type: "unavailable",
      message: expect.stringMatching(
        /^webhook:team \(http:\/\/nobody\.invalid\): the name could not be resolved \((?:ENOTFOUND|EAI_AGAIN)\)\. Nothing was sent\.$/,
      ) as string,
    });
  });

  test("speak no TLS where it should", async () => {
    const http = await server();
    const ws = await open(channel(http.origin.replace("http:", "https:")));
    expect(failed(await ws.call("message", { to: "webhook:team", content: "hi" }))).toMatchObject({
      type: "unavailable",
      message: expect.stringMatching(/it does not speak TLS \(.*\)\. Nothing was sent\.$/) as string,
    });
    expect(http.requests).toEqual([]);
  });

  test("show a certificate that nobody signed", async () => {
    const folder = await tempFolder();
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    execFileSync(
      "openssl",
      [
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "1",
        "-subj",
        "/CN=localhost",
        "-keyout",
        key,
        "-out",
        cert,
      ],
      { stdio: "ignore" },
    );
    const requests: string[] = [];
    const https = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
      requests.push(request.url ?? "");
      response.end("ok");
    });
    await new Promise<void>((resolve) => https.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void https.close());
    const ws = await open(channel(`https://127.0.0.1:${(https.address() as AddressInfo).port}`));
    expect(failed(await ws.call("message", { to: "webhook:team", content: "hi" }))).toMatchObject({
      type: "unavailable",
      message: expect.stringMatching(
        /its certificate is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. Nothing was sent\.$/,
      ) as string,
    });
    expect(requests).toEqual([]);
  });

  test("be slow while the caller stops", async () => {
    const http = await server({ breaks: "headers" });
    const ws = await open(channel(http.origin));
    const stop = new AbortController();
    const call = ws.call("message", { to: "webhook:team", content: "hi" }, { signal: stop.signal });
    await expect.poll(() => http.requests.length).toBe(1);
    stop.abort();
    await expect(call).rejects.toThrow("message: cancelled.");
  });
});

describe("to this window, and to sessions", () => {
  test("a notification", async () => {
    const ws = await open({});
    expect(result(await ws.call("message", { to: "window:", content: "Done." }))).toEqual({
      text: "Shown in the window. Whether anyone saw it is unknown.",
      data: { to: "window:", status: null, answer: "" },
    });
    expect(ws.shown).toEqual(["Done."]);
  });

  test("a session, by the beginning of its id", async () => {
    const ws = await open({});
    expect(
      result(await ws.call("message", { to: `session:${SESSION.slice(0, 8)}`, content: "Look at the log" })),
    ).toEqual({
      text: `Left for session ${SESSION} (Fix it). It is not active and gets the message with its next turn.`,
      data: { to: `session:${SESSION}`, status: null, answer: "" },
    });
    expect(failed(await ws.call("message", { to: "session:nobody", content: "x" })).type).toBe("unknown_id");
    expect(
      failed(await ws.call("message", { to: `session:${SESSION}`, content: "x" }, { session: SESSION })).message,
    ).toBe("message: to: that is the session you are in.");
  });
});

describe("addresses and contents", () => {
  const channels = {
    "webhook:team": { url: "http://127.0.0.1:9/x", maxLength: 10 },
    "webhook:broken": { url: "x" },
    "webhook:keyless": { url: "http://127.0.0.1:9/${secret:none}" },
  };
  test.each<{ what: string; input: object; type: string; says: RegExp; hint?: RegExp }>([
    {
      what: "no channel:address",
      input: { to: "team", content: "x" },
      type: "not_found",
      says: /^"team": messages cannot be sent there\.$/,
      hint: /Did you mean webhook:team\?/,
    },
    {
      what: "window without its colon",
      input: { to: "window", content: "x" },
      type: "not_found",
      says: /^"window"/,
      hint: /Did you mean window:\?/,
    },
    {
      what: "a name that is nearly one",
      input: { to: "webhook:taem", content: "x" },
      type: "not_found",
      says: /messages cannot be sent there/,
      hint: /Did you mean webhook:team/,
    },
    {
      what: "an address of the model's own",
      input: { to: "webhook:https://evil.example.com/x", content: "x" },
      type: "not_found",
      says: /messages cannot be sent there/,
      hint: /There are: window:, webhook:team, webhook:keyless\./,
    },
    {
      what: "a number that the user did not set",
      input: { to: "signal:+15550000000", content: "x" },
      type: "not_found",
      says: /messages cannot be sent there/,
    },
    {
      what: "a channel that is broken",
      input: { to: "webhook:broken", content: "x" },
      type: "invalid_input",
      says: /its settings cannot be used\. toolhost\.message\.channels, entry "webhook:broken": url must be/,
    },
    {
      what: "a secret that is not set",
      input: { to: "webhook:keyless", content: "x" },
      type: "unavailable",
      says: /its secret none is not set\. Nothing was sent\./,
      hint: /The user can set it/,
    },
    {
      what: "more than the channel takes",
      input: { to: "webhook:team", content: "12345678901" },
      type: "too_large",
      says: /the message has 11 characters; the maximum is 10/,
    },
    {
      what: "more than any takes",
      input: { to: "window:", content: "x".repeat(50_001) },
      type: "invalid_input",
      says: /content/,
    },
    { what: "nothing", input: { to: "window:", content: "" }, type: "invalid_input", says: /content/ },
    { what: "blanks", input: { to: "window:", content: " \n" }, type: "invalid_input", says: /content is blank/ },
    {
      what: "half a character",
      input: { to: "window:", content: "\ud83d" },
      type: "invalid_input",
      says: /an unpaired surrogate/,
    },
    { what: "a NUL", input: { to: "window:", content: "a\0b" }, type: "invalid_input", says: /NUL/ },
    {
      what: "a list",
      input: { to: ["window:", "file:x"], content: "x" },
      type: "invalid_input",
      says: /to: expected string/,
    },
    { what: "no address", input: { content: "x" }, type: "invalid_input", says: /to: required/ },
    {
      what: "another field",
      input: { to: "window:", content: "x", urgent: true },
      type: "invalid_input",
      says: /urgent/,
    },
  ])("$what", async ({ input, type, says, hint = /^/ }) => {
    const ws = await open(channels);
    const error = failed(await ws.call("message", input));
    expect(error).toMatchObject({ type, message: expect.stringMatching(says) as string });
    expect(error.hint ?? "").toMatch(hint);
    expect(ws.shown).toEqual([]);
  });
});

describe("permission goes by address", () => {
  const channels = (origin: string): object => ({
    "webhook:team": { url: `${origin}/a` },
    "webhook:boss": { url: `${origin}/b` },
  });

  test("the window and sessions are not asked about", async () => {
    const ws = await open({});
    result(await ws.call("message", { to: "window:", content: "x" }, { as: "model" }));
    result(await ws.call("message", { to: `session:${SESSION}`, content: "x" }, { as: "model" }));
    expect(ws.asked).toEqual([]);
  });

  test("a channel is, with what is sent and where; the rule that is offered is for this address", async () => {
    const http = await server();
    const ws = await open(channels(http.origin));
    const input = { to: "webhook:team", content: "the key is 5" };
    // An editor's own “allow in this session” would be for every address.
    expect(
      (await ws.prepare("message", input, { as: "model", answer: true, inAdvance: true })).question,
    ).toBeUndefined();
    result(await ws.call("message", input, { as: "model", answer: true, inAdvance: true }));
    expect(ws.asked).toMatchObject([
      {
        title: 'Send "the key is 5" to webhook:team',
        reasons: [`Sends a message to webhook:team, at ${http.origin}.`],
        detail: { text: expect.stringContaining("the key is 5") as string },
        derived: [{ tool: "message", params: { to: "webhook:team" }, decision: "allow" }],
      },
    ]);
    expect(failed(await ws.call("message", input, { as: "model", answer: false })).type).toBe("denied");
    expect(failed(await ws.call("message", input, { as: "model" })).type).toBe("denied");
    expect(http.requests).toHaveLength(1);
  });

  test.each<{ what: string; rule: (origin: string) => object; to: string; decision: "allow" | "ask" | "deny" }>([
    {
      what: "a rule for the address allows it",
      rule: () => ({ tool: "message", params: { to: "webhook:team" }, decision: "allow" }),
      to: "webhook:team",
      decision: "allow",
    },
    {
      what: "and no other",
      rule: () => ({ tool: "message", params: { to: "webhook:team" }, decision: "allow" }),
      to: "webhook:boss",
      decision: "ask",
    },
    {
      what: "a rule for all webhooks allows it",
      rule: () => ({ tool: "message", params: { to: "webhook:*" }, decision: "allow" }),
      to: "webhook:boss",
      decision: "allow",
    },
    {
      what: "a rule for the machine allows it",
      rule: (origin) => ({ tool: "message", params: { url: origin }, decision: "allow" }),
      to: "webhook:boss",
      decision: "allow",
    },
    {
      what: "a rule for the tool alone names nobody",
      rule: () => ({ tool: "message", decision: "allow" }),
      to: "webhook:team",
      decision: "ask",
    },
    {
      what: "a rule for every tool does not mean messages",
      rule: () => ({ tool: "*", params: { to: "webhook:team" }, decision: "allow" }),
      to: "webhook:team",
      decision: "ask",
    },
    {
      what: "a rule about contents names nobody",
      rule: () => ({ tool: "message", params: { content: "*" }, decision: "allow" }),
      to: "webhook:team",
      decision: "ask",
    },
    {
      what: "a rule denies the address",
      rule: () => ({ tool: "message", params: { to: "webhook:team" }, decision: "deny" }),
      to: "webhook:team",
      decision: "deny",
    },
    {
      what: "a rule denies the machine, by whatever name",
      rule: (origin) => ({ tool: "*", params: { url: origin }, decision: "deny" }),
      to: "webhook:boss",
      decision: "deny",
    },
  ])("$what", async ({ rule, to, decision }) => {
    const http = await server();
    const ws = await open(channels(http.origin), { rules: [rule(http.origin)] });
    const outcome = await ws.call("message", { to, content: "x" }, { as: "model", answer: true });
    expect(ws.asked).toHaveLength(decision === "ask" ? 1 : 0);
    expect(outcome.ok).toBe(decision !== "deny");
    expect(http.requests).toHaveLength(decision === "deny" ? 0 : 1);
  });

  test.each<{ what: string; options: WorkspaceOptions; mode?: "plan"; type: string }>([
    { what: "in a workspace that is not trusted", options: { trusted: false }, type: "untrusted" },
    { what: "in mode plan", options: {}, mode: "plan", type: "denied" },
  ])("nothing leaves the machine $what", async ({ options, mode, type }) => {
    const http = await server();
    const ws = await open(channels(http.origin), {
      ...options,
      rules: [{ tool: "message", params: { to: "webhook:team" }, decision: "allow" }],
    });
    expect(
      failed(
        await ws.call(
          "message",
          { to: "webhook:team", content: "x" },
          { as: "model", answer: true, ...(mode && { mode }) },
        ),
      ).type,
    ).toBe(type);
    expect(http.requests).toEqual([]);
  });
});

describe("the command line", () => {
  test("is without the tool where no channel is set", () => {
    expect(environmentMessages({})).toBeUndefined();
    expect(environmentMessages({ TOOLHOST_MESSAGE_CHANNELS: " " })).toBeUndefined();
  });

  test("has channels and secrets in variables, and no window", async () => {
    const http = await server();
    const channels = JSON.stringify({ "webhook:my-team": { url: `${http.origin}/\${secret:my-team}` } });
    const messages = environmentMessages({ TOOLHOST_MESSAGE_CHANNELS: channels, TOOLHOST_SECRET_MY_TEAM: "abc\n" });
    expect(messages?.addresses()).toEqual({ addresses: ["webhook:my-team"], problems: [] });
    await messages?.send("webhook:my-team", "x", new AbortController().signal);
    expect(http.requests).toMatchObject([{ path: "/abc" }]);
    await expect(messages?.send("window:", "x", new AbortController().signal)).rejects.toThrow(
      '"window:": messages cannot be sent there.',
    );
    const keyless = environmentMessages({ TOOLHOST_MESSAGE_CHANNELS: channels });
    await expect(keyless?.send("webhook:my-team", "x", new AbortController().signal)).rejects.toMatchObject({
      type: "unavailable",
      hint: "Set the environment variable TOOLHOST_SECRET_MY_TEAM.",
    });
    expect(environmentMessages({ TOOLHOST_MESSAGE_CHANNELS: "{" })?.addresses().problems).toEqual([
      "TOOLHOST_MESSAGE_CHANNELS must be an object of channels keyed by address, such as webhook:team.",
    ]);
  });
});
