// A page that is kept as a file begins with where it is from, as front matter.
import { splitFrontMatter } from "./frontMatter.js";

/** Where a kept page is from. */
export interface PageSource {
  url: string;
  /** When it was fetched, as ISO 8601. */
  fetched: string;
  /** What the server calls this version of the page. */
  etag?: string;
  /** When the server says that it changed last, in the server's words. */
  modified?: string;
}

/** Returns a page's text with where it is from. */
export function withSource({ url, fetched, etag, modified }: PageSource, text: string): string {
  const lines = [
    `url: ${JSON.stringify(url)}`,
    `fetched: ${JSON.stringify(fetched)}`,
    ...(etag === undefined ? [] : [`etag: ${JSON.stringify(etag)}`]),
    ...(modified === undefined ? [] : [`modified: ${JSON.stringify(modified)}`]),
  ];
  return `---\n${lines.join("\n")}\n---\n\n${text}`;
}

/** Returns where a file's text is from; undefined if it is not a page that was kept. */
export function sourceOf(text: string): PageSource | undefined {
  const parts = splitFrontMatter(text);
  if (parts === undefined || parts === "unclosed") {
    return undefined;
  }
  const fields = new Map(
    [...parts.yaml.matchAll(/^(url|fetched|etag|modified): ("(?:[^"\\]|\\.)*")[ \t]*$/gm)].flatMap(
      ([, name = "", value = '""']) => {
        const read = textOf(value);
        return read === undefined ? [] : [[name, read] as const];
      },
    ),
  );
  const url = fields.get("url");
  const etag = fields.get("etag");
  const modified = fields.get("modified");
  return url === undefined || !/^https?:\/\//i.test(url)
    ? undefined
    : {
        ...{ url, fetched: fields.get("fetched") ?? "" },
        ...(etag === undefined ? {} : { etag }),
        ...(modified === undefined ? {} : { modified }),
      };
}

function textOf(json: string): string | undefined {
  try {
    return String(JSON.parse(json));
  } catch {
    return undefined;
  }
}
