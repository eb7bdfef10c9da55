import { execFileSync } from "node:child_process";
import { rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NodeDisk } from "../../../src/hosts/node/disk/disk.js";
import { failed, hosts, openWorkspace, result, tempFolder } from "./workspace.js";

interface ReadData {
  path: string;
  content: string;
  start_line: number;
  end_line: number;
  total_lines: number | null;
  next_offset: number | null;
  unsaved: boolean;
}

const numbered = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");
const utf16 = (text: string, littleEndian: boolean): Buffer => {
  const bytes = Buffer.from(`\uFEFF${text}`, "utf16le");
  return littleEndian ? bytes : bytes.swap16();
};

describe.each(hosts)("what a reader sees, on the %s host", (host) => {
  const cases: { name: string; file: string | Uint8Array; input?: object; text: string }[] = [
    { name: "a number, then a tab", file: "a\nb\n", text: "1\ta\n2\tb" },
    { name: "a final newline is not a line", file: "a\n", text: "1\ta" },
    { name: "no final newline changes nothing", file: "a", text: "1\ta" },
    { name: "an empty last line is one", file: "a\n\n", text: "1\ta\n2\t" },
    { name: "an empty file says so", file: "", text: "[f.txt is empty.]" },
    { name: "a file of one newline has one empty line", file: "\n", text: "1\t" },
    { name: "CRLF", file: "a\r\nb\r\n", text: "1\ta\n2\tb" },
    { name: "a lone CR ends a line", file: "a\rb\r", text: "1\ta\n2\tb" },
    { name: "mixed line endings", file: "a\r\nb\nc\rd", text: "1\ta\n2\tb\n3\tc\n4\td" },
    { name: "other Unicode line separators are text", file: "a\u2028b\u0085c\n", text: "1\ta\u2028b\u0085c" },
    { name: "a byte order mark is no text", file: "\uFEFFa\n", text: "1\ta" },
    { name: "UTF-16, little endian", file: utf16("é😀\nb", true), text: "1\té😀\n2\tb" },
    { name: "UTF-16, big endian", file: utf16("é😀\nb", false), text: "1\té😀\n2\tb" },
    {
      name: "bytes that are no UTF-8 show as such",
      file: Buffer.from([0x61, 0xff, 0x62]),
      text: "1\ta\uFFFDb\n[\uFFFD marks bytes that are invalid in the encoding used to read this file, so it cannot be edited as it is. The user can set files.encoding in .vscode/settings.json.]",
    },
    { name: "a character that stands for others is one", file: "a\uFFFDb", text: "1\ta\uFFFDb" },
    {
      name: "a page from the middle gives the next offset",
      file: numbered(5),
      input: { offset: 2, limit: 2 },
      text: "2\tline 2\n3\tline 3\n[Lines 2-3 of 5. Continue with offset=4.]",
    },
    {
      name: "the last page says that it is",
      file: numbered(5),
      input: { offset: 4, limit: 10 },
      text: "4\tline 4\n5\tline 5\n[Lines 4-5 of 5: the end.]",
    },
    {
      name: "a limit that takes all leaves nothing to say",
      file: numbered(2),
      input: { limit: 2 },
      text: "1\tline 1\n2\tline 2",
    },
    {
      name: "offset 0 is the first line",
      file: numbered(5),
      input: { offset: 0, limit: 1 },
      text: "1\tline 1\n[Line 1 of 5. Continue with offset=2.]",
    },
    {
      name: "an offset past the end names the length",
      file: numbered(5),
      input: { offset: 6 },
      text: "[offset=6 is past the end: f.txt has 5 lines.]",
    },
    {
      name: "an offset far past the end",
      file: "a\n",
      input: { offset: 9_007_199_254_740_991 },
      text: "[offset=9007199254740991 is past the end: f.txt has 1 line.]",
    },
    { name: "an offset into an empty file", file: "", input: { offset: 4 }, text: "[f.txt is empty.]" },
    { name: "a line of 2,000 characters is whole", file: "x".repeat(2000), text: `1\t${"x".repeat(2000)}` },
    {
      name: "a longer one is a window",
      file: "x".repeat(2001),
      text: `1\t${"x".repeat(2000)}[… characters 1-2000 of 2001; continue with column=2001]`,
    },
    {
      name: "its last window says nothing follows",
      file: "x".repeat(2001),
      input: { column: 2001 },
      text: "1\tx[… characters 2001-2001 of 2001]",
    },
    {
      name: "a column past the end of a long line",
      file: "x".repeat(2001),
      input: { column: 2002 },
      text: "1\t[… column 2002 is past the end: the line has 2001 characters]",
    },
    {
      name: "column leaves short lines whole",
      file: `short\n${"y".repeat(2500)}\n`,
      input: { column: 2499 },
      text: "1\tshort\n2\tyy[… characters 2499-2500 of 2500]",
    },
    {
      name: "NUL behind the probe is text",
      file: `${"a".repeat(8000)}\n\0`,
      input: { offset: 2 },
      text: "2\t\0\n[Line 2 of 2: the end.]",
    },
    { name: "a .png that is text", file: "not a picture\n", input: { path: "f.png" }, text: "1\tnot a picture" },
    { name: "an empty .png", file: "", input: { path: "f.png" }, text: "[f.png is empty.]" },
  ];
  test.each(cases)("$name", async ({ file, input = {}, text }) => {
    const workspace = await openWorkspace({ "f.txt": file, "f.png": file }, { host });
    expect(result(await workspace.call("read", { path: "f.txt", ...input })).text).toBe(text);
  });

  test("data holds the lines without their numbers", async () => {
    const workspace = await openWorkspace({ "f.txt": "a\r\nb\r\nc" }, { host });
    expect(result(await workspace.call("read", { path: "./f.txt", offset: 2, limit: 1 })).data).toEqual({
      path: "f.txt",
      content: "b",
      start_line: 2,
      end_line: 2,
      total_lines: 3,
      next_offset: 3,
      unsaved: false,
    });
  });
});

describe("pages", () => {
  const pages: { name: string; file: string; input?: object; lines: number; text: RegExp }[] = [
    {
      name: "2,000 lines",
      file: numbered(2001),
      lines: 2000,
      text: /\[Lines 1-2000 of 2001\. Continue with offset=2001\.\]$/,
    },
    {
      name: "or 50 KB",
      file: `${"x".repeat(999)}\n`.repeat(60),
      lines: 49,
      text: /\[Lines 1-49 of 60\. Continue with offset=50\.\]$/,
    },
    {
      name: "bytes, not characters",
      file: `${"é".repeat(999)}x\n`.repeat(30),
      lines: 24,
      text: /\[Lines 1-24 of 30\. Continue with offset=25\.\]$/,
    },
    {
      name: "a limit passes the number of lines",
      file: `${"x".repeat(9)}\n`.repeat(2500),
      input: { limit: 2500 },
      lines: 2500,
      text: /x$/,
    },
    {
      name: "not the 50 KB",
      file: `${"x".repeat(992)}\n`.repeat(600),
      input: { limit: 600 },
      lines: 50,
      text: /\[Lines 1-50 of 600\. Continue with offset=51\.\]$/,
    },
    {
      name: "numbers of short lines weigh, too",
      file: "\n".repeat(300_000),
      input: { limit: 300_000 },
      lines: 6250,
      text: /\[Lines 1-6250 of 300000\. Continue with offset=6251\.\]$/,
    },
  ];
  test.each(pages)("$name", async ({ file, input = {}, lines, text }) => {
    const workspace = await openWorkspace({ "f.txt": file });
    const page = result<ReadData>(await workspace.call("read", { path: "f.txt", ...input }));
    expect(page.data.end_line).toBe(lines);
    expect(page.text.length).toBeLessThanOrEqual(50_100);
    expect(page.text).toMatch(text);
  });

  test("following the offsets gives the whole file", async () => {
    const folder = await tempFolder();
    const workspace = await openWorkspace({}, { roots: [{ name: "b", path: folder, beside: true }] });
    const path = join(folder, "f.txt");
    const line = fc.tuple(
      fc.string({ unit: "grapheme", maxLength: 30 }),
      fc.integer({ min: 1, max: 20 }),
      fc.constantFrom("\n", "\r\n", "\r"),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 120 }),
        fc.boolean(),
        fc.option(fc.integer({ min: 1, max: 50 })),
        async (parts, endsOpen, limit) => {
          const whole = parts.map(([text, times, eol]) => text.repeat(times) + eol).join("");
          const text = endsOpen ? whole.replace(/(\r\n|\n|\r)$/, "") : whole;
          await writeFile(path, text);
          const seen: string[] = [];
          for (let offset: number | null = 1; offset !== null;) {
            const page: ReadData = result<ReadData>(
              await workspace.call("read", { path, offset, ...(limit === null ? {} : { limit }) }),
            ).data;
            if (page.start_line > 0) {
              expect(page.start_line).toBe(offset);
              seen.push(...page.content.split("\n"));
            }
            offset = page.next_offset;
          }
          const lines = text.split(/\r\n|\n|\r/);
          expect(seen).toEqual(lines.at(-1) === "" ? lines.slice(0, -1) : lines);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("following the columns gives the whole line", async () => {
    const line = "0123456789😀é".repeat(700);
    const workspace = await openWorkspace({ "f.txt": `first\n${line}\nlast` });
    let seen = "";
    for (let column: string | undefined = "1"; column !== undefined;) {
      const { text, data }: { text: string; data: ReadData } = result<ReadData>(
        await workspace.call("read", { path: "f.txt", offset: 2, limit: 1, column: Number(column) }),
      );
      expect(data.content).not.toMatch(/\p{Surrogate}/u);
      seen += data.content;
      column = /continue with column=(\d+)\]/.exec(text)?.[1];
    }
    expect(seen).toBe(line);
  });
});

describe.each(hosts)("media, on the %s host", (host) => {
  const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(100)]);
  const kinds: { name: string; bytes: Uint8Array; mimeType: string }[] = [
    { name: "a.png", bytes: png, mimeType: "image/png" },
    { name: "A.PNG", bytes: png, mimeType: "image/png" },
    { name: "a.jpeg", bytes: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]), mimeType: "image/jpeg" },
    { name: "a.gif", bytes: Buffer.from("GIF89a\0\0"), mimeType: "image/gif" },
    { name: "a.webp", bytes: Buffer.from("RIFF\x10\0\0\0WEBPVP8 "), mimeType: "image/webp" },
  ];
  test.each(kinds)("$name is $mimeType", async ({ name, bytes, mimeType }) => {
    const workspace = await openWorkspace({ [name]: bytes }, { host });
    const outcome = await workspace.call("read", { path: name });
    expect(outcome).toMatchObject({ ok: true, text: `${name}: ${mimeType}, ${bytes.length} bytes.` });
    expect(outcome.ok && outcome.media?.map((media) => [media.mimeType, Buffer.from(media.bytes)])).toEqual([
      [mimeType, Buffer.from(bytes)],
    ]);
  });

  test("a picture of more than 5 MB is refused with a next step that helps", async () => {
    const workspace = await openWorkspace({ "big.png": Buffer.concat([png, Buffer.alloc(6_000_000)]) });
    expect(failed(await workspace.call("read", { path: "big.png" }))).toEqual({
      type: "too_large",
      message: "big.png has 6000108 bytes; images may have up to 5000000.",
      hint: "Ask the user for a smaller version.",
    });
  });

  test("a picture by name only is read as what it is", async () => {
    const workspace = await openWorkspace({ "a.png": Buffer.from("RIFF\0\0\0\0WAVE") }, { host });
    expect(failed(await workspace.call("read", { path: "a.png" })).type).toBe("binary");
  });
});

describe("odd files", () => {
  const cases: { name: string; path: string; type: string; message: RegExp | string; hint?: RegExp | string }[] = [
    {
      name: "a folder",
      path: "src",
      type: "is_directory",
      message: "src is a folder, not a file.",
      hint: "Call ls with path=src to see what is in it.",
    },
    { name: "the workspace itself", path: ".", type: "is_directory", message: ". is a folder, not a file." },
    { name: "a binary file", path: "bin.dat", type: "binary", message: "bin.dat is a binary file, not text." },
    { name: "a pipe", path: "pipe", type: "unsupported", message: /^pipe is a pipe.*not opened\.$/ },
    { name: "a link to a pipe", path: "to-pipe", type: "unsupported", message: /^to-pipe is a pipe.*not opened\.$/ },
    {
      name: "a link that leads nowhere",
      path: "broken",
      type: "not_found",
      message: "broken is a link whose target does not exist.",
    },
    { name: "a link to itself", path: "circle", type: "io_error", message: "circle: its links form a cycle." },
    {
      name: "a link to a file outside",
      path: "to-secret",
      type: "outside_workspace",
      message: /^"to-secret": it is a link/,
    },
    {
      name: "a file behind a link to a folder outside",
      path: "to-outside/secret.txt",
      type: "outside_workspace",
      message: /^"to-outside\/secret.txt": it is a link/,
    },
    {
      name: "a file that is not there, behind such a link",
      path: "to-outside/none",
      type: "outside_workspace",
      message: /^"to-outside\/none": it is a link/,
    },
    {
      name: "a misspelt name",
      path: "src/mian.ts",
      type: "not_found",
      message: "src/mian.ts: there is no such file or folder.",
      hint: "Did you mean src/main.ts?",
    },
    {
      name: "a module's name, from another folder",
      path: "lib/main",
      type: "not_found",
      message: "lib/main: there is no such file or folder.",
      hint: "Did you mean src/main.ts?",
    },
    {
      name: "a module's name as an import has it",
      path: "main.js",
      type: "not_found",
      message: "main.js: there is no such file or folder.",
      hint: "Did you mean src/main.ts?",
    },
    {
      name: "a name like no other",
      path: "src/zzzzzzzzzzzz",
      type: "not_found",
      message: /no such/,
      hint: "ls shows what is in src.",
    },
    {
      name: "a missing folder",
      path: "nope/zzzzzzzz.ts",
      type: "not_found",
      message: /no such/,
      hint: "The folder nope does not exist either. Use ls or grep to find the file.",
    },
    {
      name: "a file taken for a folder",
      path: "src/main.ts/x",
      type: "not_found",
      message: /no such/,
      hint: "src/main.ts is a file, not a folder.",
    },
    {
      name: "a name too long for the disk",
      path: `src/${"n".repeat(300)}`,
      type: "invalid_input",
      message: /^"?src\/n+.*: the name is too long for the file system\.$/,
    },
  ];
  test.each(cases)("$name", async ({ path, type, message, hint }) => {
    const outside = await tempFolder({ "secret.txt": "secret" });
    const { folder, call } = await openWorkspace({ "src/main.ts": "x\n", "bin.dat": Buffer.from([1, 0, 2]) });
    if (process.platform !== "win32") execFileSync("mkfifo", [join(folder, "pipe")]);
    const links = {
      broken: "nowhere",
      circle: "circle",
      "to-pipe": "pipe",
      "to-secret": join(outside, "secret.txt"),
      "to-outside": outside,
    };
    for (const [link, target] of Object.entries(links)) {
      await symlink(target, join(folder, link));
    }
    const error = failed(await call("read", { path }));
    expect(error.type).toBe(type);
    expect(error.message).toMatch(message);
    expect(JSON.stringify(error)).not.toContain(folder);
    if (hint !== undefined) {
      expect(error.hint).toMatch(hint);
    }
  });

  test("links that stay inside are followed", async () => {
    const { folder, call } = await openWorkspace({ "src/main.ts": "x\n" });
    await symlink("src/main.ts", join(folder, "file"));
    await symlink("src", join(folder, "folder"));
    expect(result(await call("read", { path: "file" })).text).toBe("1\tx");
    expect(result(await call("read", { path: "folder/main.ts" })).text).toBe("1\tx");
  });

  test("a device is not opened", async () => {
    const { call } = await openWorkspace({}, { roots: [{ name: "dev", path: "/dev", beside: true }] });
    expect(failed(await call("read", { path: "/dev/zero" }))).toMatchObject({
      type: "unsupported",
      message: expect.stringContaining("/dev/zero") as string,
    });
  });

  test("a file deleted between look and read is missing, by its own name", async () => {
    const disk = new (class extends NodeDisk {
      override async readAll(path: string, maxBytes: number): Promise<Uint8Array> {
        await rm(path);
        return super.readAll(path, maxBytes);
      }
    })();
    const { call } = await openWorkspace({ "f.txt": "x" }, { disk });
    expect(failed(await call("read", { path: "f.txt" }))).toEqual({
      type: "not_found",
      message: "f.txt: there is no such file or folder.",
    });
  });

  test("a file replaced by a link to outside between look and read is not followed", async () => {
    const outside = await tempFolder({ secret: "secret" });
    const disk = new (class extends NodeDisk {
      override async readAll(path: string, maxBytes: number): Promise<Uint8Array> {
        await rm(path);
        await symlink(join(outside, "secret"), path);
        return super.readAll(path, maxBytes);
      }
    })();
    const { call } = await openWorkspace({ "f.txt": "x" }, { disk });
    expect(failed(await call("read", { path: "f.txt" })).type).toBe("unsupported");
  });
});

describe("permission", () => {
  test("a model reads an ordinary file unasked", async () => {
    const { call, asked } = await openWorkspace({ "f.txt": "x" });
    expect(result(await call("read", { path: "f.txt" }, { as: "model", answer: false })).text).toBe("1\tx");
    expect(asked).toEqual([]);
  });

  test.each([".env", "certs/site.pem", "id_rsa", ".ssh/config", "link-to-env"])("%s asks", async (path) => {
    const { folder, call, asked } = await openWorkspace({
      ".env": "K=1",
      "certs/site.pem": "K=1",
      id_rsa: "K=1",
      ".ssh/config": "K=1",
    });
    await symlink(".env", join(folder, "link-to-env"));
    expect(failed(await call("read", { path }, { as: "model" })).type).toBe("denied");
    expect(failed(await call("read", { path }, { as: "model", answer: false })).type).toBe("denied");
    expect(result(await call("read", { path }, { as: "model", answer: true })).text).toBe("1\tK=1");
    expect(asked.length).toBe(2);
    expect(result(await call("read", { path })).text).toBe("1\tK=1");
  });
});
