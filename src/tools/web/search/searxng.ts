// https://docs.searxng.org/dev/search_api.html
import { isRecord } from "../../../core/jsonSchema.js";
import { hitsOf, type Provider } from "./provider.js";

export const searxng: Provider = {
  ...{ title: "SearXNG", needsKey: false, maxCount: 20 },
  request: (query, _count, { url, key }) => ({
    url: `${url}/search?${new URLSearchParams({ q: query, format: "json" })}`,
    method: "GET",
    headers: new Map([["accept", "application/json"]]),
    // For an instance behind a server that asks for one.
    credentials: new Map(key === undefined ? [] : [["authorization", `Bearer ${key}`]]),
  }),
  hits: (answer) =>
    isRecord(answer) ? hitsOf(answer["results"], { text: "content", date: "publishedDate" }) : undefined,
  advice: { 403: "It may not give JSON: search.formats in the instance's settings.yml must have json." },
};
