import { generateKeyPairSync } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Question } from "../../../src/ports/confirm.js";
import type { Messages } from "../../../src/ports/messages.js";
import { KEYS, MADE, PRIVATE_KEY, random } from "../../unit/text/secrets/samples.js";
import { openWorkspace, type CallOptions, type FileTree, type TestWorkspace } from "../../unit/tools/workspace.js";

const KEY = KEYS["GITHUB_TOKEN"] ?? "";
const PASSWORD = `hunter ${random(6)} x`;
/** What is a secret by what comes before it alone. */
const NAMED = random(20, undefined, 7);
const HANDLE = /⟦secret [A-Z0-9_]+ #[0-9a-f]{6,}⟧/;

const FILES: FileTree = {
  ".env": `# the database\nDB_PASSWORD="${PASSWORD}"\nAPI_TOKEN=${MADE}\nNODE_ENV=development\nPORT=3000\n`,
  "src/client.ts": `export const url = "https://x.test";\nconst token = "${KEY}";\nexport default token;\n`,
  "README.md": "# Readme\n\nSet the token.\n",
};

/** What a person says who allows all. */
const yes: CallOptions = { as: "model", answer: async () => true, mode: "default" };
const no: CallOptions = { as: "model", answer: async () => false, mode: "default" };

async function textOf(ws: TestWorkspace, tool: string, input: unknown, options: CallOptions = yes): Promise<string> {
  const outcome = await ws.call(tool, input, options);
  return outcome.ok ? outcome.text : `${outcome.error.type}: ${outcome.error.message}\n${outcome.error.hint ?? ""}`;
}

async function handleOf(ws: TestWorkspace, path: string, name: string): Promise<string> {
  const text = await textOf(ws, "read", { path });
  const found = new RegExp(`⟦secret ${name} #[0-9a-f]+⟧`).exec(text)?.[0];
  expect(found, text).toBeDefined();
  return found ?? "";
}

const reasons = (asked: readonly Question[]): string[] => asked.flatMap((each) => each.reasons);

test("a secret file is read with its names, and handles for its values; ordinary settings stay", async () => {
  const ws = await openWorkspace(FILES, { masks: true });
  const outcome = await ws.call("read", { path: ".env" }, yes);
  expect(outcome.ok && outcome.text).toMatch(
    /2\tDB_PASSWORD="⟦secret DB_PASSWORD #[0-9a-f]{6}⟧"\n\s*3\tAPI_TOKEN=⟦secret API_TOKEN #[0-9a-f]{6}⟧\n\s*4\tNODE_ENV=development\n\s*5\tPORT=3000/,
  );
  expect(JSON.stringify(outcome)).not.toContain(MADE);
  expect(JSON.stringify(outcome)).not.toContain(PASSWORD);
});

test.each(["read", "memory_get", "context_read"])(
  "%s shows no part of a secret, wherever a long line is cut",
  async (tool) => {
    const folder = { read: "", memory_get: ".toolhost/memory/", context_read: ".toolhost/context/" }[tool] ?? "";
    const line = `${"x".repeat(1_990)} ${KEY} ${"y".repeat(1_950)} ${PASSWORD} ${"z".repeat(4_000)} https://me:${NAMED}@x.test/ ${"z".repeat(99)}`;
    const ws = await openWorkspace({ ...FILES, [`${folder}long.md`]: line }, { masks: true });
    const first = line.indexOf(KEY) + 1;
    const second = line.indexOf(PASSWORD) + 1;
    const inside = (at: number, secret: string): number[] => [at - 1_990, at, at + 1, at + 3, at + secret.length - 1];
    const third = line.indexOf(NAMED) + 1;
    for (const column of [1, ...inside(first, KEY), ...inside(second, PASSWORD), ...inside(third, NAMED)]) {
      const outcome = JSON.stringify(
        await ws.call(
          tool,
          { path: tool === "memory_get" ? "memory/long.md" : "long.md", column: Math.max(1, column) },
          yes,
        ),
      );
      for (const secret of [KEY, PASSWORD]) {
        const parts = Array.from({ length: secret.length - 5 }, (_, at) => secret.slice(at, at + 6));
        expect(
          parts.filter((part) => outcome.includes(part)),
          `column ${column}`,
        ).toEqual([]);
      }
      expect(outcome).toContain('"ok":true');
    }
  },
);

test.each(["read", "memory_get", "context_read"])(
  "%s shows no line of a private key, wherever a page begins or ends",
  async (tool) => {
    const folder = { read: "", memory_get: ".toolhost/memory/", context_read: ".toolhost/context/" }[tool] ?? "";
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const key = String(privateKey.export({ type: "pkcs8", format: "pem" }))
      .trimEnd()
      .split("\n");
    const text = ["before", "it", ...key, "after", "the key"].join("\n");
    const ws = await openWorkspace({ [`${folder}key.md`]: text }, { masks: true });
    const path = tool === "memory_get" ? "memory/key.md" : "key.md";
    for (let offset = 1; offset <= key.length + 4; offset++) {
      for (const limit of [1, 2, 5, 100]) {
        const outcome = JSON.stringify(
          await ws.call(
            tool,
            tool === "memory_get" ? { path, from: offset, lines: limit } : { path, offset, limit },
            yes,
          ),
        );
        expect(outcome).toContain('"ok":true');
        const shown = key.slice(1, -1).filter((line) => outcome.includes(line));
        expect([offset, limit, shown]).toEqual([offset, limit, []]);
        const last = offset + limit > key.length + 2 && offset <= key.length + 3;
        expect([offset, limit, outcome.includes("after")]).toEqual([
          offset,
          limit,
          last && offset + limit > key.length + 3,
        ]);
      }
    }
  },
);

test("an edit that quotes a handle finds its line, and writes what the handle stands for", async () => {
  const ws = await openWorkspace(FILES, { masks: true });
  const handle = await handleOf(ws, "src/client.ts", "[A-Z_]+");
  ws.asked.length = 0;
  const text = await textOf(ws, "edit", {
    path: "src/client.ts",
    old_text: `const token = "${handle}";`,
    new_text: `const token: string = "${handle}"; // rotate`,
  });
  expect(text).toContain("line 2");
  expect(ws.asked).toEqual([]);
  expect((await ws.bytes("src/client.ts")).toString()).toBe(
    String(FILES["src/client.ts"]).replace(`token = "${KEY}";`, `token: string = "${KEY}"; // rotate`),
  );
});

test("multi_edit, apply_patch and write take handles, too", async () => {
  const ws = await openWorkspace(FILES, { masks: true });
  const handle = await handleOf(ws, "src/client.ts", "[A-Z_]+");
  ws.asked.length = 0;
  await textOf(ws, "multi_edit", {
    edits: [{ path: "src/client.ts", old_text: `"${handle}"`, new_text: `'${handle}'` }],
  });
  expect((await ws.bytes("src/client.ts")).toString()).toContain(`const token = '${KEY}';`);
  await textOf(ws, "apply_patch", {
    patch: `--- a/src/client.ts\n+++ b/src/client.ts\n@@ -1,3 +1,3 @@\n export const url = "https://x.test";\n-const token = '${handle}';\n+const key = '${handle}';\n export default token;\n`,
  });
  expect((await ws.bytes("src/client.ts")).toString()).toContain(`const key = '${KEY}';`);
  await textOf(ws, "write", { path: "src/client.ts", content: `let key = "${handle}";\n` });
  expect((await ws.bytes("src/client.ts")).toString()).toBe(`let key = "${KEY}";\n`);
  expect(reasons(ws.asked).filter((reason) => reason.includes("⟦"))).toEqual([]);
});

test("a private key is one handle, which stands for all of its lines", async () => {
  const ws = await openWorkspace(
    { "test/fixture.ts": `export const key = \`${PRIVATE_KEY}\`;\nexport const a = 1;\n` },
    { masks: true },
  );
  const handle = await handleOf(ws, "test/fixture.ts", "PRIVATE_KEY");
  await textOf(ws, "edit", {
    path: "test/fixture.ts",
    old_text: `key = \`${handle}\`;`,
    new_text: `rsaKey = \`${handle}\`;`,
  });
  expect((await ws.bytes("test/fixture.ts")).toString()).toBe(
    `export const rsaKey = \`${PRIVATE_KEY}\`;\nexport const a = 1;\n`,
  );
});

test.each([
  ["edit", (handle: string) => ({ path: "README.md", old_text: "Set the token.", new_text: `Set ${handle}.` })],
  ["write", (handle: string) => ({ path: "notes.md", content: `${handle}\n` })],
  [
    "apply_patch",
    (handle: string) => ({
      patch: `--- a/README.md\n+++ b/README.md\n@@ -1,3 +1,3 @@\n # Readme\n \n-Set the token.\n+Set ${handle}.\n`,
    }),
  ],
  [
    "apply_patch",
    (handle: string) => ({
      patch: `*** Begin Patch\n*** Update File: src/client.ts\n@@\n-const token = "${handle}";\n+const token = process.env.TOKEN;\n*** Update File: README.md\n@@\n-Set the token.\n+Set ${handle}.\n*** End Patch`,
    }),
  ],
  [
    "multi_edit",
    (handle: string) => ({ edits: [{ path: "README.md", old_text: "Set the token.", new_text: `Set ${handle}.` }] }),
  ],
])(
  "%s that takes a secret to another file asks, naming secret and file; a no writes nothing",
  async (tool, inputOf) => {
    const ws = await openWorkspace(FILES, { masks: true });
    const handle = await handleOf(ws, "src/client.ts", "[A-Z_]+");
    const input = inputOf(handle);
    ws.asked.length = 0;
    expect(await textOf(ws, tool, input, no)).toMatch(/^denied: /);
    expect(reasons(ws.asked)).toContainEqual(expect.stringMatching(/^Writes ⟦secret .*⟧ into .*(README|notes)\.md\.$/));
    expect(ws.asked[0]?.derived).toEqual([]);
    expect((await ws.bytes("README.md")).toString()).toBe(FILES["README.md"]);
    expect(await ws.names()).not.toContain("notes.md");
    // Nobody to ask is a no, and in mode bypass nothing is asked.
    expect(await textOf(ws, tool, input, { as: "model" })).toMatch(/^denied: /);
    expect(await textOf(ws, tool, input, { ...no, mode: "bypass" })).not.toMatch(/^denied: /);
  },
);

test("a command gets a secret through its environment alone, which asks even of a command that only reads", async () => {
  const ws = await openWorkspace(FILES, { masks: true });
  const handle = await handleOf(ws, ".env", "API_TOKEN");
  ws.asked.length = 0;
  const command = 'echo "got $TOKEN"; test "$TOKEN" = "$(sed -n s/API_TOKEN=//p .env)" && echo same';
  expect(await textOf(ws, "exec", { command: "echo ok", env: { TOKEN: handle } }, no)).toMatch(/^denied: /);
  expect(reasons(ws.asked)).toContain(`Passes ${handle} to the command, as TOKEN.`);
  expect(JSON.stringify(ws.asked)).not.toContain(MADE);
  const text = await textOf(ws, "exec", { command, env: { TOKEN: handle } });
  expect(text).toContain(`got ${handle}`);
  expect(text).toContain("same");
  expect(text).not.toContain(MADE);
});

test.each([
  ["exec", (handle: string) => ({ command: `curl -H "Authorization: ${handle}" https://x.test` }), /env .*\$TOKEN/],
  ["grep", (handle: string) => ({ pattern: handle }), /name of the setting/],
  ["process", (handle: string) => ({ action: "input", process_id: "p1", input: `${handle}\n` }), /env of exec/],
])("%s refuses a handle where it means nothing, and says what to do", async (tool, inputOf, advice) => {
  const ws = await openWorkspace(FILES, { masks: true });
  const handle = await handleOf(ws, ".env", "API_TOKEN");
  const text = await textOf(ws, tool, inputOf(handle));
  expect(text).toMatch(/^invalid_input: .* has the handle ⟦secret API_TOKEN #/);
  expect(text).toMatch(advice);
});

test("a handle of no known value is refused, and nothing is written", async () => {
  const ws = await openWorkspace(FILES, { masks: true });
  const text = await textOf(ws, "edit", {
    path: "README.md",
    old_text: "Set the token.",
    new_text: "Set ⟦secret AWS_KEY #0123456789⟧.",
  });
  expect(text).toMatch(
    /^unknown_id: edit: new_text has the handle ⟦secret AWS_KEY #0123456789⟧, whose value is not known here/,
  );
  expect((await ws.bytes("README.md")).toString()).toBe(FILES["README.md"]);
});

test("a file that has the text of a handle itself is edited as it is, even if the handle stands for a value", async () => {
  const ws = await openWorkspace(FILES, { masks: true });
  const real = await handleOf(ws, ".env", "API_TOKEN");
  await ws.put("fake.md", `one ${real}\ntwo ⟦secret OTHER #abcdef0123⟧\n`);
  ws.asked.length = 0;
  await textOf(ws, "edit", { path: "fake.md", old_text: `one ${real}`, new_text: `1 ${real}` });
  await textOf(ws, "edit", {
    path: "fake.md",
    old_text: "two ⟦secret OTHER #abcdef0123⟧",
    new_text: "2 ⟦secret OTHER #abcdef0123⟧",
  });
  expect((await ws.bytes("fake.md")).toString()).toBe(`1 ${real}\n2 ⟦secret OTHER #abcdef0123⟧\n`);
  expect(ws.asked).toEqual([]);
});

test("a weak password that is a word of paths leaves them as calls can give them", async () => {
  const path = "wp/wordpress-seo/wordpress/main.php";
  const ws = await openWorkspace(
    { ".env": "DB_PASSWORD=wordpress\n", [path]: "<?php // find me\n", "wordpress.md": "find me\n" },
    { masks: true },
  );
  const answers = [
    await textOf(ws, "ls", { path: ".", depth: 5 }),
    await textOf(ws, "glob", { pattern: "**/*.php" }),
    await textOf(ws, "grep", { pattern: "find me" }),
    await textOf(ws, "read", { path: "wp/wordpress-seo/wordpress/man.php" }),
    await textOf(ws, "exec", { command: "find . -name '*.php'" }),
  ];
  for (const answer of answers) {
    expect(answer).toContain("wordpress");
    expect(answer).not.toContain("⟦secret");
  }
  expect(await textOf(ws, "read", { path })).toContain("find me");
  expect(await textOf(ws, "read", { path: ".env" })).toMatch(/DB_PASSWORD=⟦secret DB_PASSWORD #[0-9a-f]{6}⟧/);
  expect(await textOf(ws, "exec", { command: "echo wordpress" })).not.toMatch(/^wordpress$/m);
});

test("a file at the top that has a weak password's name is listed by it, and the password stays masked elsewhere", async () => {
  const ws = await openWorkspace(
    { ".env": "DB_PASSWORD=symfony\n", symfony: "find me\n", "a.txt": "it is symfony\n" },
    { masks: true },
  );
  expect(await textOf(ws, "ls", { path: "." })).toMatch(/^symfony {2}\(8 bytes\)$/m);
  expect(await textOf(ws, "glob", { pattern: "*" })).toMatch(/^symfony$/m);
  expect(await textOf(ws, "grep", { pattern: "find me" })).toMatch(/^symfony$/m);
  expect(await textOf(ws, "exec", { command: "ls; echo '?? symfony'" })).toMatch(/^symfony\n\?\? symfony$/m);
  expect(await textOf(ws, "read", { path: "a.txt" })).toMatch(/it is ⟦secret DB_PASSWORD #[0-9a-f]{6}⟧$/);
  expect(await textOf(ws, "read", { path: ".env" })).toMatch(/DB_PASSWORD=⟦secret DB_PASSWORD #[0-9a-f]{6}⟧$/);
  expect(await textOf(ws, "exec", { command: "echo 'symfony and more'; echo x symfony" })).not.toContain("symfony");
});

test("a name that a database shares with its password leaves package.json as it is", async () => {
  const ws = await openWorkspace(
    { ".env": "DB_NAME=acmeshop\nDB_PASSWORD=acmeshop\n", "package.json": '{ "name": "acmeshop" }\n' },
    { masks: true },
  );
  expect(await textOf(ws, "read", { path: "package.json" })).toContain('{ "name": "acmeshop" }');
});

test("values of variables are masked by their names, but not paths, numbers and words", async () => {
  const env = {
    DEPLOY_PASSWORD: PASSWORD,
    SSH_KEY: "/home/x/.ssh/id_rsa",
    TOKEN_COUNT: "12345678901",
    APP_SECRET: "changeme",
    PASSWORD: "development",
    EDITOR: "vim-with-plugins",
  };
  const ws = await openWorkspace({}, { masks: true, env });
  const text = await textOf(ws, "exec", {
    command: `printf '%s\\n' ${Object.values(env)
      .map((value) => `'${value}'`)
      .join(" ")}`,
  });
  for (const [name, value] of Object.entries(env)) {
    expect(text.includes(value)).toBe(name !== "DEPLOY_PASSWORD");
  }
  expect(text).toMatch(/⟦secret DEPLOY_PASSWORD #[0-9a-f]{6}⟧/);
});

test("a handle means the same in another process", async () => {
  const ws = await openWorkspace({ "a.ts": `const key = "${KEY}";\n` }, { masks: true });
  const handle = await handleOf(ws, "a.ts", "GITHUB_TOKEN");
  const key = await readFile(join(ws.stateFolder, "secrets.key"));
  expect(key).toHaveLength(32);
  const other = ws.reopened();
  expect(
    (
      await other.invoke(
        "edit",
        { path: "a.ts", old_text: `"${handle}"`, new_text: `"${handle}" as const` },
        { door: "api", session: "s", signal: new AbortController().signal, authority: "owner" },
      )
    ).ok,
  ).toBe(true);
  expect((await ws.bytes("a.ts")).toString()).toBe(`const key = "${KEY}" as const;\n`);
});

test("a value is masked once its file has it, and no longer when it has gone", async () => {
  const ws = await openWorkspace({ ".env": `API_TOKEN=${PASSWORD}\n` }, { masks: true });
  expect(await textOf(ws, "exec", { command: `echo '${PASSWORD}'` })).toMatch(HANDLE);
  await ws.put(".env", "API_TOKEN=something else 1!\n");
  await ws.date(".env", 1_000_000);
  expect(await textOf(ws, "exec", { command: `echo '${PASSWORD}'` })).toContain(PASSWORD);
  expect(await textOf(ws, "exec", { command: "echo 'something else 1!'" })).toMatch(HANDLE);
});

/** Calls of tools that read, show or compute, each of which could show the value. */
const LOOKS: readonly (readonly [string, unknown])[] = [
  ["read", { path: ".env" }],
  ["read", { path: "src/client.ts" }],
  ["read", { path: "src/client.ts", offset: 2, limit: 1 }],
  ["grep", { pattern: "token|TOKEN|PASSWORD", context: 2 }],
  ["grep", { pattern: "TOKEN", path: ".env" }],
  ["glob", { pattern: "**/*" }],
  ["ls", {}],
  ["exec", { command: "cat .env src/client.ts" }],
  ["exec", { command: "cat .env >&2; exit 3" }],
  ["exec", { command: 'yes "$(cat .env src/client.ts)" | head -c 300000' }],
  ["exec", { command: "cat .env; cat src/client.ts", background: true }],
  ["process", { action: "list" }],
  ["process", { action: "status", process_id: "p1" }],
  ["process", { action: "poll", process_id: "p1", wait_for: "exit", timeout: 1 }],
  ["exec", { command: `echo ${MADE}`, workdir: "src" }],
  ["edit", { path: "src/client.ts", old_text: 'const token = "wrong";\nexport default', new_text: "x" }],
  ["edit", { path: "src/client.ts", old_text: "export default token", new_text: "export { token }" }],
  ["write", { path: "src/new.ts", content: `const secret = "${MADE}";\n` }],
  ["apply_patch", { patch: "--- a/src/client.ts\n+++ b/src/client.ts\n@@ -1,2 +1,2 @@\n-nothing\n+like it\n" }],
  ["context_write", { path: "note.json", content: JSON.stringify({ token: MADE, key: KEY, list: [PASSWORD] }) }],
  ["context_read", { path: "note.json" }],
  ["context_search", { query: "token" }],
  ["query", { path: "note.json", expression: "$" }],
  ["query", { path: "note.json", expression: "token" }],
  ["pipe", { tool_name: "exec", tool_input: { command: "cat .env src/client.ts" }, path: "piped.txt" }],
  ["context_read", { path: "piped.txt" }],
  ["pipe", { tool_name: "read", tool_input: { path: "src/client.ts" }, path: "piped2.txt" }],
  ["memory_write", { key: "note", value: `The token is ${MADE}.` }],
  ["memory_read", { key: "note" }],
  ["memory_search", { query: "token" }],
  ["memory_list", {}],
  ["sessions_list", {}],
  [MADE, {}],
  ["read", { path: `${MADE}.txt` }],
  ["read", { [KEY]: 1 }],
];

test("a message to people has what the model has: handles", async () => {
  const sent: string[] = [];
  const messages: Messages = {
    addresses: () => ({ addresses: ["window:"], problems: [] }),
    originOf: () => undefined,
    send: async (_, content) => {
      sent.push(content);
      return { status: undefined, answer: "" };
    },
  };
  const ws = await openWorkspace(FILES, { masks: true, capabilities: { messages } });
  const content = await textOf(ws, "read", { path: ".env" });
  const edited = await textOf(ws, "edit", { path: "src/client.ts", old_text: `${KEY}?`, new_text: "" });
  await textOf(ws, "message", { to: "window:", content: `${content}\n${edited}` });
  expect(sent.join("")).toMatch(HANDLE);
  expect([KEY, MADE, PASSWORD].filter((value) => sent.join("").includes(value))).toEqual([]);
});

test("no tool shows a value, whatever it returns, reports, stores or says when it fails", async () => {
  const ws = await openWorkspace(FILES, { masks: true, env: { OTHER_TOKEN: PASSWORD } });
  const told: string[] = [];
  for (const [tool, input] of LOOKS) {
    const outcome = await ws.pipeline.invoke(tool, input, {
      door: "api",
      session: "s",
      signal: new AbortController().signal,
      authority: "owner",
      report: (progress) => told.push(JSON.stringify(progress)),
    });
    for (const value of [KEY, MADE, PASSWORD]) {
      expect(JSON.stringify(outcome), `${tool} ${JSON.stringify(input)}`).not.toContain(value);
    }
  }
  const stored = await Promise.all(
    (await readdir(ws.stateFolder))
      .filter((name) => /^r.*\.(txt|json)$/.test(name))
      .map((name) => readFile(join(ws.stateFolder, name), "utf8")),
  );
  expect(stored.some((text) => text.length > 100_000 && HANDLE.test(text))).toBe(true);
  const all = [
    ...told,
    ...stored,
    JSON.stringify(ws.activity.entries()),
    (await ws.bytes(".toolhost/context/piped.txt")).toString(),
  ].join("\n");
  for (const value of [KEY, MADE, PASSWORD]) {
    expect(all.includes(value)).toBe(false);
    expect(told.some((message) => message.includes(value.slice(0, 16)))).toBe(false);
  }
});
