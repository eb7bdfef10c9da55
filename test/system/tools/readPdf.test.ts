import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ProcessPdf, type PdfLimits } from "../../../src/hosts/node/pdf/processPdf.js";
import { failed, openWorkspace, result, type TestWorkspace } from "../../unit/tools/workspace.js";
import { pdfOf } from "./pdfFile.js";

const dist = fileURLToPath(new URL("../../../dist", import.meta.url));

function open(files: Record<string, string | Uint8Array>, limits: Partial<PdfLimits> = {}): Promise<TestWorkspace> {
  return openWorkspace(files, { capabilities: { pdf: new ProcessPdf(dist, limits) } });
}

test("a PDF is given as numbered lines of text, each page under its number", async () => {
  const { call } = await open({ "a.pdf": pdfOf([["Of cabbages", "(and kings)"], [], ["The end"]]) });
  const { text, data } = result(await call("read", { path: "a.pdf" }));
  expect(text.split("\n").map((line) => line.trimStart())).toEqual([
    "[a.pdf: PDF, 3 pages, as text without pictures; 1 page without text.]",
    "1\t--- page 1 of 3 ---",
    "2\tOf cabbages",
    "3\t(and kings)",
    "4\t--- page 2 of 3 ---",
    "5\t--- page 3 of 3 ---",
    "6\tThe end",
  ]);
  expect(data).toMatchObject({ path: "a.pdf", start_line: 1, end_line: 6, total_lines: 6, next_offset: null });
});

test("a long PDF is given in pages of lines, as any file", async () => {
  const pages = Array.from({ length: 30 }, (_, at) => [`chapter ${at + 1}`]);
  const { call } = await open({ "a.pdf": pdfOf(pages) });
  const { text, data } = result<{ next_offset: number }>(await call("read", { path: "a.pdf", offset: 57, limit: 2 }));
  expect(text).toContain("58\tchapter 29\n[Lines 57-58 of 60. Continue with offset=59.]");
  expect(data.next_offset).toBe(59);
});

test("all text of a PDF can be stored and searched", async () => {
  const { call } = await open({ "a.pdf": pdfOf([["one"], ["two"]]) });
  result(await call("pipe", { tool_name: "read", tool_input: { path: "a.pdf" }, path: "a.txt" }));
  const { text } = result(await call("grep", { pattern: "t[w]o", path: ".toolhost/context/a.txt" }));
  expect(text).toContain("two");
});

test("scanned pages are said to be pictures, with what to do", async () => {
  const { call } = await open({ "scan.pdf": pdfOf([[], []]) });
  const { text } = result(await call("read", { path: "scan.pdf" }));
  expect(text).toBe(
    "[scan.pdf: PDF, 2 pages without text, so they are pictures. To see them, convert them to images, such as with pdftoppm -png, and read these.]",
  );
});

test.each([
  ["a password", pdfOf([["hidden"]], { encrypted: true }), /^The PDF cannot be read: it is protected by a password\.$/],
  ["damage", Buffer.from("%PDF-1.7\nnothing of it"), /^The PDF cannot be read: .+\.$/],
])("a PDF with %s is an error that says so", async (_what, bytes, message) => {
  const { call } = await open({ "a.pdf": bytes });
  const error = failed(await call("read", { path: "a.pdf" }));
  expect(error).toMatchObject({ type: "unsupported", hint: expect.stringContaining("pdftotext") as string });
  expect(error.message).toMatch(message);
});

test("a PDF that takes too long is stopped", async () => {
  const { call } = await open({ "a.pdf": pdfOf([["slow"]]) }, { page: 1 });
  expect(failed(await call("read", { path: "a.pdf" })).message).toBe(
    "The PDF cannot be read: page 1 takes longer than 0.001 s.",
  );
});
