// Secrets on the command line: as processes that share no more than the state folder.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { workspaceStateFolder } from "../../../src/hosts/node/state/stateFolder.js";
import { KEYS, MADE } from "../../unit/text/secrets/samples.js";
import { agentRig, calls } from "./agentRig.js";

const rig = agentRig();
const KEY = KEYS["GITHUB_TOKEN"] ?? "";
const FILES = { ".env": `API_TOKEN=${MADE}\n`, "a.ts": `const key = "${KEY}";\n` };

test("a handle that one process shows is good for the next, and a person can have the values shown", async () => {
  const { folder, run } = await rig.inFolder(FILES);
  const shown = await run("read", "a.ts");
  const handle = /⟦secret GITHUB_TOKEN #[0-9a-f]{6}⟧/.exec(shown.out)?.[0] ?? "";
  expect(shown.out).not.toContain(KEY);
  expect((await run("read", "a.ts")).out).toContain(handle);
  const edited = await run("edit", "a.ts", "--old-text", `"${handle}"`, "--new-text", `'${handle}'`);
  expect([edited.code, edited.err]).toEqual([0, ""]);
  expect(await readFile(join(folder, "a.ts"), "utf8")).toBe(`const key = '${KEY}';\n`);
  const plain = await rig.cli.run(["read", ".env"], {
    cwd: folder,
    env: { ...process.env, TOOLHOST_SHOW_SECRETS: "1" },
  });
  expect(plain.out).toContain(MADE);
  const agents = await rig.cli.run(["read", "a.ts"], {
    cwd: folder,
    env: { ...process.env, TOOLHOST_SHOW_SECRETS: "1", TOOLHOST_AGENT: "1" },
  });
  expect(agents.out).toContain(handle);
});

test("no request to a model, no event and no message of the session log has a value, whatever the agent runs", async () => {
  const { folder, agent } = await rig.inFolder(FILES);
  const { code, out, err } = await agent(
    [
      { ...calls(["read", { path: ".env" }], ["exec", { command: "cat .env a.ts" }], ["grep", { pattern: "key" }]) },
      { ...calls(["exec", { command: 'yes "$(cat .env)" | head -c 100000' }]) },
      { text: `The token is ${MADE}.` },
    ],
    ["--json", "--allow-all", "look"],
  );
  expect(code).toBe(0);
  const sent = JSON.stringify(
    rig
      .server()
      .chats()
      .map(({ body }) => body),
  );
  expect(sent).toMatch(/⟦secret API_TOKEN #[0-9a-f]{6}⟧/);
  const db = new DatabaseSync(join(workspaceStateFolder([folder]), "state.db"), { readOnly: true });
  const messages = JSON.stringify(db.prepare("SELECT content FROM messages").all());
  db.close();
  expect(messages).toContain("The token is ⟦secret API_TOKEN #");
  for (const value of [KEY, MADE]) {
    for (const text of [sent, err, messages, out.replace(/.*"type":"(?:text|end|done)".*/g, "")]) {
      expect(text).not.toContain(value);
    }
  }
});
