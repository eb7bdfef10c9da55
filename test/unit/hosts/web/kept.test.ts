import { expect, it } from "vitest";
import { MemoryResults } from "../../../../src/hosts/web/results.js";
import { TabSecrets } from "../../../../src/hosts/web/secrets.js";
import { RESULT_PAGE } from "../../../../src/ports/results.js";

/** Matches a text that has these words. */
const containing = (words: string): unknown => expect.stringContaining(words);

const { signal } = new AbortController();

async function kept(results: MemoryResults, ...parts: string[]): Promise<string> {
  const writer = await results.open();
  await writer.write(...parts);
  return (await writer.close()).id;
}

it("gives a large result by pages that end with lines", async () => {
  const results = new MemoryResults();
  const text = Array.from({ length: 2_000 }, (_, index) => `line ${index} größer`).join("\n");
  const id = await kept(results, text.slice(0, 500), text.slice(500));
  const first = await results.page(id, 1);
  const pages = await Promise.all(
    Array.from({ length: first.result.pages }, (_, index) => results.page(id, index + 1)),
  );
  expect(pages.map((page) => page.text).join("")).toBe(text);
  expect(pages.every((page) => page.text.length <= RESULT_PAGE && page.complete)).toBe(true);
  expect(pages.slice(0, -1).every((page) => page.text.endsWith("\n"))).toBe(true);
  expect(await results.page(id, -1)).toMatchObject({ page: pages.length, text: pages.at(-1)?.text });
  let whole = "";
  for await (const chunk of results.chunks(id, signal)) whole += chunk;
  expect(whole).toBe(text);
  expect(await results.location(id)).toBe(text);
});

it("splits no character, and a line only where it is longer than a page", async () => {
  const results = new MemoryResults();
  const id = await kept(results, "😀".repeat(RESULT_PAGE));
  const { result } = await results.page(id, 1);
  for (let page = 1; page <= result.pages; page++) {
    expect(encodeURIComponent((await results.page(id, page)).text)).not.toBe("");
  }
});

it("says of a page or an id that is not there what there is", async () => {
  const results = new MemoryResults();
  const id = await kept(results, "one");
  await expect(results.page(id, 2)).rejects.toMatchObject({ type: "page_out_of_range", hint: "Valid pages are 1–1." });
  await expect(results.page("r000000000000", 1)).rejects.toMatchObject({
    type: "unknown_id",
    hint: containing("tab"),
  });
  await expect(results.page(await kept(results), 1)).resolves.toMatchObject({ text: "", page: 1 });
});

it("counts what it does not keep, and forgets the oldest first", async () => {
  const results = new MemoryResults();
  const large = "x".repeat(12_000_000);
  const ids = [];
  for (let index = 0; index < 6; index++) ids.push(await kept(results, large));
  const [first = "", second = ""] = ids;
  await expect(results.page(first, 1)).rejects.toMatchObject({ type: "unknown_id" });
  expect((await results.page(second, 1)).result).toMatchObject({ characters: 12_000_000, dropped: 2_000_000 });
});

it("masks what looks like a secret and what the user named, the same way each time", async () => {
  const secrets = new TabSecrets();
  secrets.add("TOOLHOST_SECRET_MAIL", "correct horse battery");
  const token = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
  const mask = await secrets.mask();
  const masked = mask.mask(`token ${token}, password correct horse battery`);
  expect(masked).not.toContain(token);
  expect(masked).not.toContain("correct horse");
  expect(secrets.now().mask(`token ${token}, password correct horse battery`)).toBe(masked);
  const [, id = ""] = /([0-9a-f]{4,})/.exec(masked) ?? [];
  expect(secrets.find(id)).toHaveLength(1);
});
