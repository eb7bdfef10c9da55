// Web pages that are kept in the context store with their address, from a real server of this machine.
import { expect, test } from "vitest";
import { fileURLToPath } from "node:url";
import { nodeHttp } from "../../../src/hosts/node/http/nodeHttp.js";
import { lookupOf } from "../../../src/hosts/node/http/publicLookup.js";
import { ProcessPages } from "../../../src/hosts/node/pages/processPages.js";
import { ProcessPdf } from "../../../src/hosts/node/pdf/processPdf.js";
import { startHttp } from "../../unit/features/openapi/rig.js";
import { contentOf, failed, openWorkspace, result, type TestWorkspace } from "../../unit/tools/workspace.js";

const dist = fileURLToPath(new URL("../../../dist", import.meta.url));
const isPrivate = (host: string): boolean => host !== "127.0.0.1";
const lookup = lookupOf(
  (_host, _options, callback) => callback(null, [{ address: "127.0.0.1", family: 4 }]),
  isPrivate,
);

const open = (rules?: unknown): Promise<TestWorkspace> =>
  openWorkspace(
    {},
    {
      capabilities: {
        http: nodeHttp("Toolhost/test", { network: { isHost: isPrivate, isAddress: isPrivate, lookup } }),
        ...{ pages: new ProcessPages(dist), pdf: new ProcessPdf(dist) },
      },
      ...(rules !== undefined && { rules }),
      now: () => Date.UTC(2026, 10, 27),
    },
  );

/** A site with a page that changes, and one that its server cannot tell apart. */
async function site(): Promise<Awaited<ReturnType<typeof startHttp>> & { text: { now: string } }> {
  const text = { now: "First edition." };
  const server = await startHttp(({ url, headers }, response) => {
    const etag = `"${text.now.length}"`;
    if (url === "/gone") {
      response.writeHead(404).end();
    } else if (url === "/guide" && headers["if-none-match"] === etag) {
      response.writeHead(304).end();
    } else {
      response
        .writeHead(200, {
          "content-type": "text/html",
          ...(url === "/guide" && { etag, "last-modified": "Fri, 27 Nov 2026 10:00:00 GMT" }),
        })
        .end(`<main><h1>Guide</h1><p>${text.now}</p></main>`);
    }
  });
  return { ...server, text };
}

test("a page is kept with its address, found by a search, and fetched again only if it has changed", async () => {
  const server = await site();
  const { call, folder } = await open();
  const url = `${server.origin}/guide`;
  const stored = result<{ created: boolean }>(await call("context_write", { path: "guide.md", url }));
  expect(stored.data.created).toBe(true);
  expect(await contentOf(folder, ".toolhost/context/guide.md")).toBe(
    `---\nurl: "${url}"\nfetched: "2026-11-27T00:00:00.000Z"\netag: "\\"14\\""\nmodified: "Fri, 27 Nov 2026 10:00:00 GMT"\n---\n\n# Guide\n\nFirst edition.`,
  );
  expect(result(await call("context_search", { query: "edition" })).text).toContain("guide.md");
  const same = result<{ pages: object }>(await call("context_refresh", { pages: true }));
  expect(same.data.pages).toEqual({ changed: [], unchanged: 1, failed: [] });
  expect(server.asked.at(-1)?.headers).toMatchObject({
    "if-none-match": '"14"',
    "if-modified-since": "Fri, 27 Nov 2026 10:00:00 GMT",
  });
  server.text.now = "The second edition.";
  const other = result<{ pages: object }>(await call("context_refresh", { path: "guide.md", pages: true }));
  expect(other.data.pages).toEqual({ changed: ["guide.md"], unchanged: 0, failed: [] });
  expect(other.text).toContain("Kept pages: 1 changed, 0 unchanged, 0 could not be fetched.\n- guide.md: replaced");
  expect(await contentOf(folder, ".toolhost/context/guide.md")).toContain('etag: "\\"19\\""');
  expect(result(await call("context_search", { query: "second" })).text).toContain("guide.md");
});

test("a server that says nothing of versions is asked, and the file stays if the page is the same", async () => {
  const server = await site();
  const { call, folder } = await open();
  result(await call("context_write", { path: "plain.md", url: `${server.origin}/plain` }));
  const before = await contentOf(folder, ".toolhost/context/plain.md");
  const { data } = result<{ pages: object }>(await call("context_refresh", { pages: true }));
  expect(data.pages).toEqual({ changed: [], unchanged: 1, failed: [] });
  expect(await contentOf(folder, ".toolhost/context/plain.md")).toBe(before);
});

test("a page that is gone stays as it was kept, which is said; files of other kinds are not asked for", async () => {
  const { call, put, folder } = await open();
  const server = await site();
  const text = `---\nurl: "${server.origin}/gone"\nfetched: "2026-01-01T00:00:00.000Z"\n---\n\nAs it was.\n`;
  await put(".toolhost/context/gone.md", text);
  await put(".toolhost/context/own.md", "---\ntitle: mine\n---\nNo address.\n");
  await put(".toolhost/context/file.md", '---\nurl: "file:///etc/passwd"\n---\nNo address of the web.\n');
  const { data } = result<{ pages: { failed: { path: string; why: string }[] } }>(
    await call("context_refresh", { pages: true }),
  );
  expect(data.pages).toMatchObject({ changed: [], unchanged: 0, failed: [{ path: "gone.md" }] });
  expect(data.pages.failed[0]?.why).toContain("404");
  expect(await contentOf(folder, ".toolhost/context/gone.md")).toBe(text);
  expect(result<object>(await call("context_refresh", {})).data).not.toHaveProperty("pages");
});

test("each site asks, for keeping and for fetching again, and a private address is refused", async () => {
  const server = await site();
  const { call, asked, put } = await open();
  const url = `${server.origin}/guide`;
  const model = { as: "model", mode: "default", answer: false } as const;
  failed(await call("context_write", { path: "guide.md", url }, model));
  await put(".toolhost/context/guide.md", `---\nurl: "${url}"\nfetched: ""\n---\n\nOld.\n`);
  failed(await call("context_refresh", { pages: true }, model));
  expect(asked.map(({ reasons }) => reasons)).toEqual([[`Reaches ${url}.`], [`Reaches ${url}.`]]);
  expect(server.asked).toEqual([]);
  result(await call("context_refresh", {}, model));
  // What will not be fetched is no question.
  await put(".toolhost/context/guide.md", '---\nurl: "http://10.0.0.1/guide"\nfetched: ""\n---\n\nOld.\n');
  const { data } = result<{ pages: { failed: { path: string; why: string }[] } }>(
    await call("context_refresh", { pages: true }, model),
  );
  expect(data.pages.failed).toMatchObject([{ path: "guide.md", why: expect.stringContaining("private") as string }]);
  expect(asked).toHaveLength(2);
  expect(failed(await call("context_write", { path: "x.md", url: "http://169.254.169.254/latest" }))).toMatchObject({
    type: "denied",
  });
});

test("a page that got another address while a person was asked is not fetched", async () => {
  const [asked, other] = [await site(), await site()];
  const { call, put } = await open();
  const page = (origin: string): string => `---\nurl: "${origin}/guide"\nfetched: ""\n---\n\nOld.\n`;
  await put(".toolhost/context/guide.md", page(asked.origin));
  const swapped = async (): Promise<boolean> => {
    await put(".toolhost/context/guide.md", page(other.origin));
    return true;
  };
  const { data } = result<{ pages: { failed: { why: string }[] } }>(
    await call("context_refresh", { pages: true }, { as: "model", mode: "default", answer: swapped }),
  );
  expect(data.pages.failed).toMatchObject([
    { why: expect.stringContaining("was not among the sites to reach. Nothing was sent.") as string },
  ]);
  expect([asked.asked, other.asked]).toEqual([[], []]);
});

test("neither or both of text and address, a file of data, and a file in the way are errors before anything is fetched", async () => {
  const server = await site();
  const { call } = await open();
  const url = `${server.origin}/guide`;
  result(await call("context_write", { path: "there.md", content: "mine" }));
  for (const [input, type] of [
    [{ path: "a.md" }, "invalid_input"],
    [{ path: "a.md", url, content: "x" }, "invalid_input"],
    [{ path: "a.json", url }, "invalid_input"],
    [{ path: "a.md", url: "ftp://x" }, "invalid_input"],
    [{ path: "there.md", url }, "path_conflict"],
  ] as const) {
    expect(failed(await call("context_write", input))).toMatchObject({ type });
  }
  expect(server.asked).toEqual([]);
});
