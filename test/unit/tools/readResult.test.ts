import { describe, expect, it, test } from "vitest";
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
      total_pages: 13,
      total_chars: text.length,
      complete: true,
      content: text.slice(0, 8_000),
    });
    expect(first.text).toBe(`${text.slice(0, 8_000)}\n[Page 1 of 13 of ${id}. Continue with page=2.]`);
    const last = result<Page>(await workspace.call("read_result", { result_id: id, page: 13 }));
    expect(last.text).toBe(`${text.slice(96_000)}\n[Page 13 of 13 of ${id}. The end.]`);
  });

  const bad: { name: string; input: (id: string) => object; type: string; message: RegExp }[] = [
    {
      name: "a page behind the last",
      input: (id) => ({ id, page: 14 }),
      type: "page_out_of_range",
      message: /has no page 14\.$/,
    },
    {
      name: "a page far behind it",
      input: (id) => ({ id, page: Number.MAX_SAFE_INTEGER }),
      type: "page_out_of_range",
      message: /has no page/,
    },
    { name: "page 0", input: (id) => ({ id, page: 0 }), type: "invalid_input", message: /page/ },
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
