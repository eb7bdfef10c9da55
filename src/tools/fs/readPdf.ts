import type { Pdf, PdfText } from "../../ports/pdf.js";
import type { ToolResult } from "../../core/outcome.js";
import { inOne } from "../../text/page.js";
import { shownName } from "../../text/shownName.js";
import { count } from "../../text/words.js";
import { pageOfText, type PageData, type WantedPage, type PageLimits } from "./filePage.js";

/** Maximum bytes of a PDF. */
export const MAX_PDF_BYTES = 50_000_000;
/** Maximum code units of text that are taken from a PDF: some 1,500 dense pages. */
const MAX_TEXT = 5_000_000;

/**
 * Returns a page of a PDF's text as numbered lines, as of a text file: few models and servers accept PDFs, and all read
 * text.
 *
 * @throws ToolError those of `Pdf.text`
 */
export async function readPdf(
  { pdf, signal, ...limits }: { pdf: Pdf; signal: AbortSignal } & PageLimits,
  { path, bytes }: { path: string; bytes: Uint8Array },
  wanted: WantedPage,
): Promise<ToolResult<PageData & { path: string }>> {
  const document = await pdf.text(bytes, MAX_TEXT, signal);
  const { pages, total } = document;
  const name = shownName(path);
  const empty = pages.filter((page) => page.trim() === "").length;
  if (empty === pages.length) {
    const { data } = await pageOfText(() => inOne(""), {}, path, { unsaved: false });
    return {
      text: `[${name}: PDF, ${count(total, "page")} without text, so they are pictures. To see them, convert them to images, such as with pdftoppm -png, and read these.]`,
      data: { ...data, path },
    };
  }
  const notes = [
    `${name}: PDF, ${count(total, "page")}, as text without pictures`,
    ...(empty > 0 ? [`${count(empty, "page")} without text`] : []),
    ...(pages.length < total ? [`only pages 1-${pages.length}: the text is too long`] : []),
  ];
  const text = textOf(document);
  const page = await pageOfText(() => inOne(text), wanted, path, { unsaved: false, ...limits });
  const isWhole = Object.values(wanted).every((value) => value === undefined);
  return {
    text: `[${notes.join("; ")}.]\n${page.text}`,
    data: { ...page.data, path },
    // pipe stores results without anybody reading them: it must get all the text, or a page would be mistaken for it.
    ...(isWhole && {
      whole: { note: "This is all text of the PDF.", dropped: 0, chunks: () => inOne(text) },
    }),
  };
}

/** Joins the pages, each under its number. */
function textOf({ pages, total }: PdfText): string {
  return pages
    .map(
      (page, index) =>
        `--- page ${index + 1} of ${total} ---\n${page === "" || page.endsWith("\n") ? page : `${page}\n`}`,
    )
    .join("");
}
