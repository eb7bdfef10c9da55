import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { OpenAiServer } from "../../harness/openai-server.js";
import { WebhookServer } from "../../harness/webhook-server.js";
import { tempFolder } from "../../unit/tools/workspace.js";
import { builtCli } from "./built.js";

const cli = builtCli();

it("sends to the channels of a variable, with secrets of others; without any there is no such command", async () => {
  const http = await WebhookServer.start({ body: "ok" }, { status: 500, body: "broken T0/SECRET1" });
  onTestFinished(() => http.stop());
  const folder = await tempFolder();
  const env = {
    ...process.env,
    TOOLHOST_MESSAGE_CHANNELS: JSON.stringify({ "webhook:team": { url: `${http.origin}/\${secret:team}` } }),
    TOOLHOST_SECRET_TEAM: "T0/SECRET1",
  };
  const run = (words: string[], given: NodeJS.ProcessEnv = env) =>
    cli.run(["--workspace", folder, ...words], { env: given });
  expect(await run(["message", "webhook:team", 'Build "7" is red'])).toMatchObject({
    code: 0,
    err: "",
    out: `Sent to webhook:team: ${http.origin} answered 200 and said "ok".\n`,
  });
  expect(http.requests).toMatchObject([{ path: "/T0/SECRET1", body: '{"text":"Build \\"7\\" is red"}' }]);
  const broken = await run(["message", "webhook:team", "again"]);
  expect(broken).toMatchObject({
    code: 1,
    err: expect.stringContaining('the server refused the message (500). It says: "broken [hidden]"') as string,
  });
  expect(await run(["message", "window:", "x"])).toMatchObject({
    code: 1,
    err: expect.stringContaining('"window:": messages cannot be sent there.') as string,
  });
  const explained = await run(["explain", "message", "--input", '{"to": "webhook:team", "content": "x"}']);
  expect(explained.out).toContain(`Sends a message to webhook:team, at ${http.origin}.`);
  const none = await run(["message", "webhook:team", "x"], { ...process.env, TOOLHOST_MESSAGE_CHANNELS: "" });
  expect(none.code).toBe(2);
  expect(http.requests).toHaveLength(2);
});

it("makes the list of capabilities, in the model's words where there is one, else in its own", async () => {
  const server = await OpenAiServer.start();
  onTestFinished(() => server.stop());
  server.script({ text: '{"internal": [{"theme": "Files", "can": "look into the workspace"}], "external": []}' });
  const folder = await tempFolder();
  const run = (words: string[], env: NodeJS.ProcessEnv) =>
    cli.run(["--workspace", folder, ...words], {
      env: { ...process.env, OPENAI_BASE_URL: "", OPENAI_MODEL: "", ...env },
    });
  const file = (): Promise<string> => readFile(join(folder, ".toolhost/capabilities.md"), "utf8");
  const alone = await run(["capabilities", "--no-mcp", "--json"], {});
  expect(alone).toMatchObject({ code: 0 });
  expect(JSON.parse(alone.out)).toMatchObject({
    ok: true,
    data: { path: ".toolhost/capabilities.md", mcp_tool_count: 0, created_file: true, by: "static" },
  });
  expect(await file()).toContain("- **Files** — look at, search, list,");
  const asked = await run(["capabilities"], { OPENAI_BASE_URL: server.baseUrl, OPENAI_MODEL: "test" });
  expect(asked).toMatchObject({ code: 0, err: "" });
  expect(asked.out).toMatch(/^Updated \.toolhost\/capabilities\.md: .*worded by the model\.\n$/);
  expect(await file()).toContain("- **Files** — look into the workspace\n");
  expect((await run(["undo"], {})).code).toBe(0);
  expect(await file()).toContain("- **Files** — look at, search, list,");
});
