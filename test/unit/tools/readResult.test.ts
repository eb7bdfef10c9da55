import { describe, expect, it, test } from "vitest";
import { RESULT_PAGE } from "../../../src/ports/results.js";
import { failed, openWorkspace, result, type TestWorkspace } from "./workspace.js";

interface Page {
  id: string;
  page: number;
  total_pages: number;
  total_chars: number;
  complete: boolean;
  content: string;
}

/** Stores an output of 12 pages and a bit. */
async function stored(): Promise<{ workspace: TestWorkspace; id: string; text: string }> {
  const workspace = await openWorkspace();
  const { data } = result<{ result_id: string }>(
    await workspace.call("exec", { command: "head -c 99999 /dev/zero | tr '\\0' x; echo; echo end" }),
  );
  return { workspace, id: data.result_id, text: `${"x".repeat(99_999)}\nend\n` };
}

describe.skipIf(process.platform === "win32")("a stored result", () => {
  it("is read a page at a time, each with where it goes on", async () => {
    const { workspace, id, text } = await stored();
    const first = result<Page>(await workspace.call("read_result", { id }));
    expect(first.data).toEqual({
      id,
      page: 1,
      total_pages: 14,
      total_chars: text.length,
      complete: true,
      content: text.slice(0, RESULT_PAGE),
    });
    expect(first.text).toBe(
      `${text.slice(0, RESULT_PAGE)}\n[Page 1 of 14 of ${id}. Its last line is cut: continue with page=2.]`,
    );
    const last = result<Page>(await workspace.call("read_result", { result_id: id, page: 14 }));
    expect(last.text).toBe(`${text.slice(97_500)}\n[Page 14 of 14 of ${id}. The end.]`);
  });

  it("is cut into pages at line ends", async () => {
    const workspace = await openWorkspace();
    const { data } = result<{ result_id: string }>(await workspace.call("exec", { command: "seq -w 1 20000" }));
    const first = result<Page>(await workspace.call("read_result", { id: data.result_id }));
    expect(first.data.content).toHaveLength(7_500);
    expect(
      first.text.endsWith("\n01250\n\n[Page 1 of 16 of ID. Continue with page=2.]".replace("ID", data.result_id)),
    ).toBe(true);
    const second = result<Page>(await workspace.call("read_result", { id: data.result_id, page: 2 }));
    expect(second.data.content.startsWith("01251\n")).toBe(true);
  });

  it("continues behind the head of an answer that has head and tail", async () => {
    const workspace = await openWorkspace();
    const { text, data } = result<{ result_id: string }>(
      await workspace.call("exec", { command: "seq -w 1 20000" }, { as: "model" }),
    );
    const offset = Number(/offset=(\d+) continues there/.exec(text)?.[1]);
    const shown = String(offset - 1).padStart(5, "0");
    expect(text).toContain(`\n${shown}\n[… `);
    const rest = result<Page>(await workspace.call("read_result", { id: data.result_id, offset, limit: 1 }));
    expect(rest.data.content).toBe(`${String(offset).padStart(5, "0")}\n`);
  });

  it("counts pages from the end", async () => {
    const { workspace, id, text } = await stored();
    const last = result<Page>(await workspace.call("read_result", { id, page: -1 }));
    expect(last.text).toBe(`${text.slice(97_500)}\n[Page 14 of 14 of ${id}. The end.]`);
    expect(result<Page>(await workspace.call("read_result", { id, page: -14 })).data.page).toBe(1);
    expect(failed(await workspace.call("read_result", { id, page: -15 })).type).toBe("page_out_of_range");
  });

  test.each<{ name: string; input: object; text: string }>([
    {
      name: "by offset and limit, as read has them",
      input: { offset: 9_998, limit: 2 },
      text: "9998:line 9998\n9999:line 9999\n[Lines 9998-9999 of ID. Continue with offset=10000.]",
    },
    {
      name: "to the end",
      input: { offset: 9_999 },
      text: "9999:line 9999\n10000:line 10000\n[Lines 9999-10000 of ID. The end.]",
    },
    {
      name: "from the first, with limit alone",
      input: { limit: 1 },
      text: "1:line 1\n[Lines 1-1 of ID. Continue with offset=2.]",
    },
    {
      name: "by other systems' names",
      input: { start_line: 7, end_line: 8 },
      text: "7:line 7\n8:line 8\n[Lines 7-8 of ID. Continue with offset=9.]",
    },
    {
      name: "whatever the page says",
      input: { page: 1, offset: 7, limit: 1 },
      text: "7:line 7\n[Lines 7-7 of ID. Continue with offset=8.]",
    },
  ])("is read by lines: $name", async ({ input, text }) => {
    const workspace = await openWorkspace();
    const { data } = result<{ result_id: string }>(
      await workspace.call("exec", { command: "seq -f 'line %.0f' 10000" }),
    );
    const found = result<Page>(await workspace.call("read_result", { id: data.result_id, ...input }));
    expect(found.text.replaceAll(data.result_id, "ID")).toBe(text);
  });

  it("gives as many lines as fit on a page, and cuts one that is longer", async () => {
    const { workspace, id } = await stored();
    const cut = result<Page>(await workspace.call("read_result", { id, offset: 1 }));
    expect(cut.data.content).toBe(`${"x".repeat(RESULT_PAGE)}\n`);
    expect(cut.text).toMatch(
      /\[Lines 1-1 of \w+\. Line 1 is cut: read_result by page has all of it\. Continue with offset=2\.\]$/,
    );
    expect(result<Page>(await workspace.call("read_result", { id, offset: 2 })).text).toBe(
      `2:end\n[Lines 2-2 of ${id}. The end.]`,
    );
    expect(failed(await workspace.call("read_result", { id, offset: 3 }))).toMatchObject({
      type: "page_out_of_range",
      message: `${id} has no line 3.`,
      hint: "It has 2 lines.",
    });
  });

  const searches: { name: string; input: object; text: string }[] = [
    { name: "one line", input: { pattern: "^line 777$" }, text: "777:line 777\n[1 line of ID matches.]" },
    {
      name: "with context",
      input: { pattern: "^line 777$", context: 1 },
      text: "776-line 776\n777:line 777\n778-line 778\n[1 line of ID matches.]",
    },
    {
      name: "the first of several lines",
      input: { pattern: "^line 77\\d$", limit: 2 },
      text: "770:line 770\n771:line 771\n[10 lines of ID match. The first 2 are given.]",
    },
    {
      name: "an offset, which it cannot follow",
      input: { pattern: "^line 777$", offset: 5 },
      text: "777:line 777\n[1 line of ID matches. offset has no effect with pattern; page has.]",
    },
    { name: "no line", input: { pattern: "^needle$" }, text: "[0 lines of ID match.]" },
    {
      name: "with other case",
      input: { pattern: "^LINE 77\\d$" },
      text: "[0 lines of ID match. With other case it matches 10 lines: begin the pattern with (?i).]",
    },
    {
      name: "with slashes around the pattern",
      input: { pattern: "/LINE 7/i" },
      text: "[0 lines of ID match. /…/i is matched as it is: write (?i)LINE 7.]",
    },
    {
      name: "with quotes around the pattern",
      input: { pattern: "'line 7'" },
      text: "[0 lines of ID match. '…' is matched as it is: write line 7.]",
    },
    {
      name: "look-around (PCRE2)",
      input: { pattern: "(?<=^line )9999$" },
      text: "9999:line 9999\n[1 line of ID matches.]",
    },
    {
      name: "a bracket that can only be text",
      input: { pattern: "line 77(" },
      text: "[0 lines of ID match. Read as line 77\\(: brackets that can only be text are taken as text.]",
    },
    {
      name: "the last page of what is found",
      input: { pattern: "00$", page: -1 },
      text: `${Array.from({ length: 100 }, (_, at) => `${(at + 1) * 100}:line ${(at + 1) * 100}\n`).join("")}[100 lines of ID match.]`,
    },
  ];
  test.each(searches)("is searched: $name", async ({ input, text }) => {
    const workspace = await openWorkspace();
    const { data } = result<{ result_id: string }>(
      await workspace.call("exec", { command: "seq -f 'line %.0f' 10000" }),
    );
    const found = result<Page>(await workspace.call("read_result", { id: data.result_id, ...input }));
    expect(found.text.replaceAll(data.result_id, "ID")).toBe(text);
  });

  it("gives what a search finds in pages", async () => {
    const workspace = await openWorkspace();
    const { data } = result<{ result_id: string }>(
      await workspace.call("exec", { command: "seq -f 'line %.0f' 10000" }),
    );
    const seen: string[] = [];
    for (let page = 1, total = 1; page <= total; page++) {
      const found = result<Page>(await workspace.call("read_result", { id: data.result_id, pattern: "line", page }));
      total = found.data.total_pages;
      expect(found.data.content.length).toBeLessThanOrEqual(RESULT_PAGE);
      seen.push(...found.data.content.split("\n").slice(0, -1));
    }
    expect(seen).toEqual(Array.from({ length: 10_000 }, (_, at) => `${at + 1}:line ${at + 1}`));
  });

  const bad: { name: string; input: (id: string) => object; type: string; message: RegExp }[] = [
    {
      name: "a page behind the last",
      input: (id) => ({ id, page: 15 }),
      type: "page_out_of_range",
      message: /has no page 15\.$/,
    },
    {
      name: "a page far behind it",
      input: (id) => ({ id, page: Number.MAX_SAFE_INTEGER }),
      type: "page_out_of_range",
      message: /has no page/,
    },
    { name: "page 0", input: (id) => ({ id, page: 0 }), type: "page_out_of_range", message: /has no page 0/ },
    {
      name: "a page of a search that found less",
      input: (id) => ({ id, pattern: "a", page: 1_000 }),
      type: "page_out_of_range",
      message: /lines of r\w+ that match have no page 1000\.$/,
    },
    {
      name: "a wrong expression",
      input: (id) => ({ id, pattern: "(a|b" }),
      type: "invalid_input",
      message: /unclosed group/,
    },
    {
      name: "a search of another id",
      input: () => ({ id: "r000000000000", pattern: "a" }),
      type: "unknown_id",
      message: /no such result/,
    },
    { name: "half a page", input: (id) => ({ id, page: 1.5 }), type: "invalid_input", message: /page/ },
    { name: "no id", input: () => ({}), type: "invalid_input", message: /id: required/ },
    {
      name: "another id",
      input: () => ({ id: "r000000000000" }),
      type: "unknown_id",
      message: /^r000000000000: there is no such result/,
    },
    {
      name: "an id that is a path",
      input: (id) => ({ id: `../${id}` }),
      type: "unknown_id",
      message: /there is no such result/,
    },
    { name: "an empty id", input: () => ({ id: "" }), type: "unknown_id", message: /there is no such result/ },
  ];
  test.each(bad)("$name is an error", async ({ input, type, message }) => {
    const { workspace, id } = await stored();
    const error = failed(await workspace.call("read_result", input(id)));
    expect(error.type).toBe(type);
    expect(error.message).toMatch(message);
  });

  it("is read without a question, also in plan mode and Restricted Mode", async () => {
    const { workspace, id } = await stored();
    expect((await workspace.call("read_result", { id }, { as: "model", mode: "plan" })).ok).toBe(true);
    const restricted = await openWorkspace({}, { trusted: false });
    expect(failed(await restricted.call("read_result", { id }, { as: "model" })).type).toBe("unknown_id");
  });
});
