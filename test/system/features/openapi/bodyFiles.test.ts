// Files of the workspace as bodies and in forms: read through the gate, with the permission to read them.
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Question } from "../../../../src/ports/confirm.js";
import { failed, openWorkspace, result, tempFolder } from "../../../unit/tools/workspace.js";
import { load, startHttp } from "../../../unit/features/openapi/rig.js";

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0xff, 0xfe]);

const binary = { type: "string", format: "binary" };
const post = (operationId: string, content: object): object => ({ post: { operationId, requestBody: { content } } });
const spec = (server: string): object => ({
  openapi: "3.0.0",
  servers: [{ url: server }],
  paths: {
    "/form": post("form", {
      "multipart/form-data": {
        schema: {
          allOf: [
            { properties: { title: { type: "string" }, photo: { ...binary, description: "The photo" } } },
            { $ref: "#/components/schemas/More" },
          ],
        },
        encoding: { data: { contentType: "text/csv" } },
      },
    }),
    "/raw": post("raw", { "application/octet-stream": { schema: binary } }),
    "/image": post("image", { "image/*": {} }),
    "/text": post("text", { "text/plain": { schema: { type: "string" } } }),
  },
  components: {
    schemas: {
      More: {
        properties: { data: binary, others: { type: "array", items: { $ref: "#/components/schemas/File" } } },
      },
      File: binary,
    },
  },
});

async function service(files: Parameters<typeof openWorkspace>[0], more: { rules?: unknown } = {}) {
  const forms: (FormData | Uint8Array)[] = [];
  const types: (string | undefined)[] = [];
  const server = await startHttp((asked, response) => {
    types.push(asked.headers["content-type"]);
    const bytes = Buffer.from(asked.body, "latin1");
    const type = asked.headers["content-type"] ?? "";
    void (
      type.startsWith("multipart")
        ? new Response(bytes, { headers: { "content-type": type } }).formData()
        : Promise.resolve(bytes)
    ).then((read) => {
      forms.push(read);
      response.end("stored");
    });
  }, "latin1");
  const { tools } = load(spec(server.origin));
  const workspace = await openWorkspace(files, {
    moreTools: tools,
    rules: [{ tool: "*", params: { url: server.origin }, decision: "allow" }],
    ...more,
  });
  return { ...workspace, tools, server, forms, types };
}

test("files of a form arrive with name, type and bytes, whatever is in them", async () => {
  const { call, forms } = await service({ "img/cat.png": PNG, rows: "a,b\n", "x.json": "{}", "y.zzz": "?" });
  const body = { title: "cat.png", photo: "img/cat.png", data: "rows", others: ["x.json", "y.zzz"] };
  expect(result(await call("form", { body })).text).toBe("200 OK\nstored");
  const [form] = forms as FormData[];
  const sent = await Promise.all(
    [...(form ?? [])].map(async ([name, value]) =>
      typeof value === "string"
        ? [name, value]
        : [name, value.name, value.type, [...new Uint8Array(await value.arrayBuffer())]],
    ),
  );
  const bytes = (text: string): number[] => [...Buffer.from(text)];
  expect(sent).toEqual([
    ["title", "cat.png"],
    ["photo", "cat.png", "image/png", [...PNG]],
    ["data", "rows", "text/csv", bytes("a,b\n")],
    ["others", "x.json", "application/json", bytes("{}")],
    ["others", "y.zzz", "application/octet-stream", bytes("?")],
  ]);
});

test("a body that is a file arrives as it is on disk", async () => {
  const { call, forms, types } = await service({ "cat.png": PNG });
  await call("raw", { body: "cat.png" });
  await call("image", { body: "cat.png" });
  await call("text", { body: "cat.png" });
  expect(types).toEqual(["application/octet-stream", "image/png", "text/plain"]);
  expect(forms.map((each) => [...(each as Uint8Array)])).toEqual([[...PNG], [...PNG], [...Buffer.from("cat.png")]]);
});

test("models are told to give paths", async () => {
  const { tools } = await service({});
  const [form, raw] = tools.map(({ inputSchema }) => inputSchema.properties["body"]);
  expect(JSON.stringify(form)).toContain(
    '"photo":{"type":"string","description":"The photo. Path of the file in the workspace."}',
  );
  expect(JSON.stringify(form)).toContain(
    '"others":{"type":"array","description":"Path of the file in the workspace.","items":{"type":"string"}}',
  );
  expect(raw).toEqual({ type: "string", description: "Path in the workspace of the file that is sent." });
  expect(tools.map(({ needs }) => needs.includes("files"))).toEqual([true, true, true, false]);
});

test("a question shows which files are sent", async () => {
  const { call } = await service({ "cat.png": PNG }, { rules: [] });
  const questions: Question[] = [];
  const answer = async (question: Question): Promise<boolean> => {
    questions.push(question);
    return false;
  };
  await call("form", { body: { title: "A cat", photo: "cat.png" } }, { as: "model", answer });
  await call("raw", { body: "cat.png" }, { as: "model", answer });
  expect(questions.map(({ detail }) => detail?.text.split("\n\n")[1])).toEqual([
    "title: A cat\nphoto: cat.png (7 bytes, image/png)",
    "cat.png (7 bytes, application/octet-stream)",
  ]);
});

test("a file outside of the workspace, or with secrets, is not sent without a question", async () => {
  const elsewhere = await tempFolder({ "notes.txt": "private" });
  const { call, server } = await service({ ".env": "KEY=1", "a/b.txt": "b" });
  for (const path of [join(elsewhere, "notes.txt"), "../notes.txt", ".env"]) {
    expect(failed(await call("raw", { body: path }, { as: "model" })).type, path).toBe("denied");
  }
  expect(server.asked).toEqual([]);
  expect(result(await call("raw", { body: ".env" }, { as: "model", answer: true })).text).toContain("stored");
  expect(result(await call("raw", { body: "a/b.txt" }, { as: "model" })).text).toContain("stored");
});

test.each<{ what: string; body: unknown; type: string; message: string }>([
  { what: "a file that does not exist", body: { photo: "gone.png" }, type: "not_found", message: "gone.png" },
  { what: "a folder", body: { photo: "a" }, type: "unsupported", message: "a is not a file. Nothing was sent." },
  {
    what: "something that is no path",
    body: { photo: "" },
    type: "invalid_input",
    message: "photo: expected the path of a file.",
  },
  {
    what: "more bytes than are held",
    body: { photo: "big.bin", data: "big.bin" },
    type: "too_large",
    message: "the files of a call have 50000000 at most",
  },
  {
    what: "too many files",
    body: { others: Array.from({ length: 21 }, () => "b.txt") },
    type: "too_large",
    message: "The call sends 21 files; 20 at most.",
  },
])("$what is said, and nothing is sent", async ({ body, type, message }) => {
  const { call, server } = await service({ "b.txt": "b", "a/x": "x", "big.bin": new Uint8Array(30_000_000) });
  expect(failed(await call("form", { body }))).toMatchObject({
    type,
    message: expect.stringContaining(message) as string,
  });
  expect(server.asked).toEqual([]);
});
