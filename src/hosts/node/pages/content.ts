// The main content of a page as Markdown.
import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import TurndownService from "turndown";
import type { PageContent } from "../../../ports/pages.js";
import { reducePage, type ReducedPage } from "./reduce.js";

/** Around the content of a page, in all that a page marks as its main part. */
const AROUND =
  "nav, aside, footer, form, [role=navigation], [role=search], [aria-hidden=true], [hidden], .headerlink, .anchor";
/** What a heading shows as a link to itself. */
const PERMALINK = /^(?:\u00b6|#|\u00a7|\u{1f517})\ufe0f?$/u;
/** A part with less text than this share of the page's, without what is around the content, is not its content. */
const MAIN_SHARE = 0.2;
/** Characters of text of a page that shows itself with scripts, at most. */
const SHELL_TEXT = 400;

/** Returns all text of a page, and what turns it into Markdown, which takes longer. */
export function openPage(html: string, address: string): { text: PageContent; markdown: () => PageContent } {
  const page = reducePage(html);
  const base = resolved(page.base ?? "", address) ?? address;
  const alternate = page.alternate === undefined ? undefined : resolved(page.alternate, base);
  const facts = {
    title: page.title,
    needsScript: needsScript(page),
    isCut: page.isCut,
    ...(alternate === undefined ? {} : { alternate }),
  };
  return {
    text: { ...facts, markdown: page.text, plain: "it could not be turned into Markdown" },
    markdown: () => ({ ...facts, markdown: toMarkdown(mainPart(page), base) }),
  };
}

function needsScript({ text, scripts, withoutScripts, hasMount }: ReducedPage): boolean {
  return (
    text.length < SHELL_TEXT && scripts > 0 && (hasMount || text === "" || /javascript/i.test(withoutScripts + text))
  );
}

/** Returns the HTML of what a page marks as its main part, or else of what reads like an article. */
function mainPart({ html, text }: ReducedPage): string {
  const { document } = parseHTML(/<html[\s>]/i.test(html) ? html : `<!doctype html><html><body>${html}</body></html>`);
  for (const marked of ["main", "[role=main]", "article"]) {
    const found = [...document.querySelectorAll(marked)];
    const [only] = found;
    if (
      found.length === 1 &&
      only !== undefined &&
      lengthOf(only.textContent) >= (lengthOf(text) - lengthAround(document, only)) * MAIN_SHARE
    ) {
      only.querySelectorAll(AROUND).forEach((each: Element) => each.remove());
      return only.innerHTML;
    }
  }
  const whole = document.body?.innerHTML ?? html;
  // It changes the document.
  const article = new Readability(document, { charThreshold: 200, keepClasses: true }).parse();
  const content = article?.content ?? "";
  return (article?.textContent ?? "").length >= text.length * MAIN_SHARE ? content : whole;
}

/** Returns the length of the text of menus and the like that neither have a page's main part nor are in it. */
function lengthAround(document: Document, main: Element): number {
  return [...document.querySelectorAll(AROUND)]
    .filter(
      (each) =>
        !each.contains(main) &&
        !main.contains(each) &&
        (each.parentElement?.closest(AROUND) ?? undefined) === undefined,
    )
    .reduce((sum, { textContent }) => sum + lengthOf(textContent ?? ""), 0);
}

/** Returns the length of a text without white space, which depends on how it was taken. */
function lengthOf(text: string): number {
  return text.replaceAll(/\s+/g, "").length;
}

function toMarkdown(html: string, base: string): string {
  const service = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
  addTables(service);
  service.remove(["script", "style", "noscript"]);
  service.addRule("link", {
    filter: (node) => node.nodeName === "A",
    replacement: (content, node) => {
      const text = content.replaceAll(/\s*\n\s*/g, " ").trim();
      const href = (node as Element).getAttribute("href") ?? "";
      if (href.startsWith("#") && PERMALINK.test(text)) {
        return "";
      }
      const to = href.startsWith("#") ? undefined : resolved(href, base);
      return to === undefined || text === "" ? text : `[${text}](${to})`;
    },
  });
  service.addRule("image", {
    filter: "img",
    replacement: (_content, node) => {
      const alt = ((node as Element).getAttribute("alt") ?? "").replaceAll(/\s+/g, " ").trim();
      const to = resolved((node as Element).getAttribute("src") ?? "", base);
      return alt === "" || to === undefined ? "" : `![${alt}](${to})`;
    },
  });
  service.addRule("code", {
    filter: "pre",
    replacement: (_content, node) => {
      const code = (node as Element).textContent.replace(/\n+$/, "").replace(/^\n/, "");
      const marks = `${(node as Element).className} ${(node as Element).querySelector("code")?.className ?? ""} ${((node as Element).parentNode as Element | null)?.className ?? ""}`;
      const language = /(?:language|lang|highlight(?:-source)?|brush:)[-\s]([\w+#-]+)/.exec(marks)?.[1] ?? "";
      const longest = Math.max(2, ...[...code.matchAll(/^`{3,}/gm)].map(([ticks]) => ticks.length));
      const fence = "`".repeat(longest + 1);
      return `\n\n${fence}${language}\n${code}\n${fence}\n\n`;
    },
  });
  const { document } = parseHTML(`<!doctype html><html><body><div id="content">${html}</div></body></html>`);
  const root = document.querySelector("#content");
  return root === null
    ? ""
    : service
        .turndown(root as unknown as HTMLElement)
        .replaceAll(/\n{3,}/g, "\n\n")
        .trim();
}

/** A table of single lines is one in Markdown; the cells of any other one follow each other. */
function addTables(service: TurndownService): void {
  const isPlain = (node: Node): boolean =>
    (node as Element).closest("table")?.querySelector("table, pre, ul, ol, blockquote, h1, h2, h3") === null;
  service.addRule("cell", {
    filter: ["td", "th"],
    replacement: (content, node) =>
      isPlain(node)
        ? ` ${content
            .trim()
            .replaceAll(/\s*\n\s*/g, " ")
            .replaceAll("|", "\\|")} |`
        : `\n\n${content}\n\n`,
  });
  service.addRule("row", {
    filter: "tr",
    replacement: (content, node) => {
      if (!isPlain(node)) {
        return content;
      }
      const cells = [...(node as Element).children].length;
      const isFirst = (node as Element).closest("table")?.querySelector("tr") === node;
      return `|${content}\n${isFirst ? `|${" --- |".repeat(cells)}\n` : ""}`;
    },
  });
  service.addRule("rows", { filter: ["thead", "tbody", "tfoot"], replacement: (content) => content });
  service.addRule("table", { filter: "table", replacement: (content) => `\n\n${content}\n\n` });
}

/** Returns an address of the web; undefined for any other, such as `javascript:`. */
function resolved(href: string, base: string): string | undefined {
  const url = URL.canParse(href, base) ? new URL(href, base) : undefined;
  return url !== undefined && ["http:", "https:", "mailto:"].includes(url.protocol) ? url.href : undefined;
}
