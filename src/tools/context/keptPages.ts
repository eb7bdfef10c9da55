// The web pages in the context store that were kept with their address.
import { addressOf } from "../web/address.js";
import { pageToKeep } from "../web/fetchPage.js";
import { contextFile } from "../../features/context/path.js";
import { listArea } from "../../features/knowledge/places.js";
import type { ToolContext } from "../../core/contract.js";
import { ToolError } from "../../core/errors.js";
import { LARGEST_CHANGED_FILE } from "../../core/largestFile.js";
import type { Http } from "../../ports/http.js";
import type { Files, GatedPath, TextSnapshot } from "../../ports/files.js";
import { sourceOf, withSource, type PageSource } from "../../text/pageSource.js";
import { shownName } from "../../text/shownName.js";
import { count } from "../../text/words.js";

/** Pages that one call asks for again. */
const MAX_PAGES = 100;
/** Files of a kind that are listed by name. */
const MAX_NAMED = 20;

interface KeptPage {
  logical: string;
  at: GatedPath;
  source: PageSource;
  before: TextSnapshot;
}

interface RefreshedPages {
  changed: string[];
  unchanged: number;
  failed: { path: string; why: string }[];
}

/** Returns the kept pages at or below a path; `.` for all. @throws ToolError `too_large` for more than a call may fetch */
export async function keptPages(files: Files, below: string, signal: AbortSignal): Promise<KeptPage[]> {
  const listed = (await listArea(files, "context", signal)).filter(
    ({ path, unlisted }) =>
      unlisted === undefined &&
      /\.(?:md|txt)$/i.test(path) &&
      (below === "." || path === below || path.startsWith(`${below}/`)),
  );
  const pages: KeptPage[] = [];
  for (const { path: logical, size } of listed) {
    signal.throwIfAborted();
    const at = await files.resolve(contextFile(logical));
    const before = size <= LARGEST_CHANGED_FILE ? await readText(files, at) : undefined;
    const source = before && sourceOf(before.text);
    if (before !== undefined && source !== undefined) {
      pages.push({ logical, at, source, before });
    }
    if (pages.length > MAX_PAGES) {
      throw new ToolError(
        "too_large",
        `More than ${count(MAX_PAGES, "kept page")}. None was fetched.`,
        "Refresh one folder at a time, with path.",
      );
    }
  }
  return pages;
}

/** Whether a kept page's address is one that is fetched: one of a private network fails, without a question. */
export async function isFetched(url: string, http: Http): Promise<boolean> {
  try {
    await http.checkPublic(addressOf(url).href);
    return true;
  } catch (error) {
    if (error instanceof ToolError) {
      return false;
    }
    throw error;
  }
}

/** Returns a page as it is to be stored. @throws ToolError as `web_fetch` */
export async function pageToStore(
  url: string,
  context: ToolContext<"clock" | "http" | "pages" | "pdf">,
): Promise<{ text: string; notes: string[] }> {
  const page = await pageToKeep(url, context, new Date(context.clock.now()));
  if (page === undefined) {
    throw new Error("a page that was asked for without conditions is said to be unchanged");
  }
  return { text: withSource(page.source, page.text), notes: page.notes };
}

/** Asks again for the kept pages at or below a path, and replaces those that have changed. Returns that in words, too. */
export async function refreshPages(
  below: string,
  context: ToolContext<"files" | "changes" | "clock" | "http" | "pages" | "pdf">,
): Promise<{ data: RefreshedPages; lines: string[] }> {
  const { files, changes, clock, signal, report } = context;
  const pages = await keptPages(files, below, signal);
  const done: RefreshedPages = { changed: [], unchanged: 0, failed: [] };
  for (const [index, { logical, at, source, before }] of pages.entries()) {
    report({ message: source.url, fraction: index / pages.length });
    try {
      const page = await pageToKeep(source.url, context, new Date(clock.now()), source);
      const isSame = page === undefined || withSource({ ...page.source, ...source }, page.text) === before.text;
      if (page === undefined || isSame) {
        done.unchanged += 1;
      } else {
        await changes.apply([{ kind: "replace", at, before, text: withSource(page.source, page.text) }], signal);
        done.changed.push(logical);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ToolError)) {
        throw error;
      }
      done.failed.push({ path: logical, why: error.message });
    }
  }
  return { data: done, lines: inWords(done) };
}

async function readText(files: Files, at: GatedPath): Promise<TextSnapshot | undefined> {
  try {
    return await files.readSnapshot(at, LARGEST_CHANGED_FILE);
  } catch (error) {
    if (error instanceof ToolError) {
      // Not text, or gone.
      return undefined;
    }
    throw error;
  }
}

function inWords({ changed, unchanged, failed }: RefreshedPages): string[] {
  return [
    `Kept pages: ${changed.length} changed, ${unchanged} unchanged, ${failed.length} could not be fetched.`,
    ...changed.slice(0, MAX_NAMED).map((path) => `- ${shownName(path)}: replaced`),
    ...failed.slice(0, MAX_NAMED).map(({ path, why }) => `- ${shownName(path)}: ${why}`),
  ];
}
