import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { failed, hosts, openWorkspace, result, type FileTree } from "./workspace.js";

const STORE = ".toolhost/context";

interface DeleteData {
  path: string;
  deleted: string[];
  bytes: number;
}

describe.each(hosts)("context_delete on the %s host", (host) => {
  const files: FileTree = {
    [`${STORE}/.gitignore`]: "*\n",
    [`${STORE}/a.md`]: "text",
    [`${STORE}/notes/b.md`]: "b",
    [`${STORE}/notes/deep/c.bin`]: Buffer.from([0, 1, 2]),
    [`${STORE}/notes/deep/latin1`]: Buffer.from([0xe9]),
    [`${STORE}/alone/in/d.md`]: "d",
    [`${STORE}/empty`]: undefined,
    [`${STORE}/secret/.env`]: "KEY=1",
    [`${STORE}/secret/e.md`]: "e",
  };

  describe("deletes", () => {
    const cases: { name: string; path: string; text: string; data: DeleteData; left: string[] }[] = [
      {
        name: "a file",
        path: "a.md",
        text: "Deleted a.md (4 bytes).",
        data: { path: "a.md", deleted: ["a.md"], bytes: 4 },
        left: [".gitignore", "alone", "empty", "notes", "secret"],
      },
      {
        name: "a binary file",
        path: "/notes/deep/c.bin",
        text: "Deleted notes/deep/c.bin (3 bytes).",
        data: { path: "notes/deep/c.bin", deleted: ["notes/deep/c.bin"], bytes: 3 },
        left: [".gitignore", "a.md", "alone", "empty", "notes", "secret"],
      },
      {
        name: "the last file of folders, with them",
        path: "alone/in/d.md",
        text: "Deleted alone/in/d.md (1 byte).",
        data: { path: "alone/in/d.md", deleted: ["alone/in/d.md"], bytes: 1 },
        left: [".gitignore", "a.md", "empty", "notes", "secret"],
      },
      {
        name: "a folder with all that is in it",
        path: "notes/",
        text: "Deleted 3 files (5 bytes):\n- notes/b.md (1)\n- notes/deep/c.bin (3)\n- notes/deep/latin1 (1)",
        data: { path: "notes", deleted: ["notes/b.md", "notes/deep/c.bin", "notes/deep/latin1"], bytes: 5 },
        left: [".gitignore", "a.md", "alone", "empty", "secret"],
      },
    ];
    test.each(cases)("$name; undo brings it back", async ({ path, text, data, left }) => {
      const workspace = await openWorkspace(files, { host });
      const session = randomUUID();
      const answer = result<DeleteData>(
        await workspace.call(
          "context_delete",
          { logical_path: path },
          { as: "model", reads: "must", session, turn: "one" },
        ),
      );
      expect(answer).toMatchObject({ text, data });
      expect(await workspace.names(STORE)).toEqual(left);
      await workspace.changes.undo(
        { session, turn: "undo", callId: randomUUID(), door: "api", summary: "" },
        { session, turn: "one" },
        workspace.files,
        new AbortController().signal,
      );
      for (const file of data.deleted) {
        expect((await workspace.bytes(`${STORE}/${file}`)).equals(Buffer.from(files[`${STORE}/${file}`] ?? ""))).toBe(
          true,
        );
      }
      expect(workspace.asked).toEqual([]);
    });
  });

  describe("refuses, everything as it was:", () => {
    const cases: { path: string; type: string; message: RegExp; hint: RegExp }[] = [
      {
        path: "vanished",
        type: "not_found",
        message: /^vanished: there is no such file or folder/,
        hint: /context_tree/,
      },
      { path: ".", type: "invalid_input", message: /The whole context store cannot be deleted/, hint: /Name the file/ },
      { path: "", type: "invalid_input", message: /The whole context store cannot be deleted/, hint: /Name the file/ },
      { path: "*", type: "invalid_input", message: /patterns are not expanded/, hint: /Give a path/ },
      { path: "notes/**", type: "invalid_input", message: /patterns are not expanded/, hint: /Give a path/ },
      { path: "../tools.json", type: "invalid_input", message: /\.\. leaves a folder/, hint: /Give a path/ },
      { path: ".gitignore", type: "invalid_input", message: /own \.gitignore/, hint: /Give a path/ },
      { path: "empty", type: "not_found", message: /^empty: the folder has no files/, hint: /are harmless/ },
      {
        path: "secret",
        type: "protected",
        message: /^secret contains secret\/\.env, which is protected/,
        hint: /by its own path first/,
      },
      { path: "link", type: "unsupported", message: /^link is a link/, hint: /src\/x\.ts/ },
      { path: "linked", type: "unsupported", message: /^linked: linked\/inner is a link/, hint: /by their own paths/ },
      {
        path: "pipes",
        type: "unsupported",
        message: /^pipes: pipes\/pipe is a pipe, socket or device, not a file/,
        hint: /ask the user/,
      },
    ];
    test.each(cases)("$path", async ({ path, type, message, hint }) => {
      const workspace = await openWorkspace(
        { ...files, "src/x.ts": "source", [`${STORE}/linked/z`]: "z", [`${STORE}/pipes/z`]: "z" },
        { host },
      );
      await workspace.link(`${STORE}/link`, `${workspace.folder}/src/x.ts`);
      await workspace.link(`${STORE}/linked/inner`, `${workspace.folder}/src`);
      await workspace.makePipe(`${STORE}/pipes/pipe`);
      const error = failed(await workspace.call("context_delete", { path }));
      expect([error.type, error.message, error.hint]).toEqual([
        type,
        expect.stringMatching(message),
        expect.stringMatching(hint),
      ]);
      expect(await workspace.names(STORE)).toEqual([
        ".gitignore",
        "a.md",
        "alone",
        "empty",
        "link",
        "linked",
        "notes",
        "pipes",
        "secret",
      ]);
      expect([
        await workspace.names("src"),
        await workspace.names(`${STORE}/linked`),
        await workspace.names(`${STORE}/secret`),
      ]).toEqual([["x.ts"], ["inner", "z"], [".env", "e.md"]]);
    });
  });

  test("refuses a folder of more than 500 files", async () => {
    const many = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`${STORE}/many/${index}`, ""]));
    const workspace = await openWorkspace(many, { host });
    expect(failed(await workspace.call("context_delete", { path: "many" }))).toMatchObject({
      type: "too_large",
      hint: expect.stringMatching(/subfolders/) as string,
    });
    expect(await workspace.names(`${STORE}/many`)).toHaveLength(501);
  });

  test("refuses a folder with others that lie too deep", async () => {
    const workspace = await openWorkspace({ [`${STORE}/deep/${"d/".repeat(150)}z`]: "z" }, { host });
    expect(failed(await workspace.call("context_delete", { path: "deep" }))).toMatchObject({
      type: "unsupported",
      message: expect.stringMatching(/^deep has folders 100 or more levels deep\. Nothing/) as string,
    });
    expect(await workspace.names(`${STORE}/deep`)).toEqual(["d"]);
  });

  test("in mode ask, shows what would be gone", async () => {
    const workspace = await openWorkspace(files, { host });
    result(await workspace.call("context_delete", { path: "notes" }, { as: "model", answer: true }));
    expect(workspace.asked).toMatchObject([
      {
        title: "Delete notes from the context store",
        detail: { language: "text", text: expect.stringMatching(/^3 files \(5 bytes\):\n- notes\/b\.md/) as string },
      },
    ]);
  });
});
