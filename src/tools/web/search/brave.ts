// https://api-dashboard.search.brave.com/api-reference/web/search/get
import { isRecord } from "../../../core/jsonSchema.js";
import { hitsOf, type Provider } from "./provider.js";

export const brave: Provider = {
  ...{ title: "Brave", needsKey: true, maxCount: 20 },
  request: (query, count, { url, key = "" }) => ({
    url: `${url}/res/v1/web/search?${new URLSearchParams({ q: query, count: String(count) })}`,
    method: "GET",
    headers: new Map([["accept", "application/json"]]),
    credentials: new Map([["x-subscription-token", key]]),
  }),
  hits: (answer) => {
    // A search without web results has no such part.
    const web = isRecord(answer) ? answer["web"] : undefined;
    const isAnswer = isRecord(answer) && (answer["type"] === "search" || web !== undefined);
    return isAnswer
      ? (hitsOf(isRecord(web) ? web["results"] : [], { text: "description", date: "age" }) ?? [])
      : undefined;
  },
  advice: { 422: "Brave takes at most 400 characters and 50 words, and a valid key." },
};
