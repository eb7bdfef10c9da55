// https://docs.tavily.com/documentation/api-reference/endpoint/search
import { isRecord } from "../../../core/jsonSchema.js";
import { hitsOf, type Provider } from "./provider.js";

export const tavily: Provider = {
  ...{ title: "Tavily", needsKey: true, maxCount: 20 },
  request: (query, count, { url, key = "" }) => ({
    url: `${url}/search`,
    method: "POST",
    headers: new Map([["accept", "application/json"]]),
    credentials: new Map([["authorization", `Bearer ${key}`]]),
    body: { kind: "text", type: "application/json", text: JSON.stringify({ query, max_results: count }) },
  }),
  hits: (answer) =>
    isRecord(answer) ? hitsOf(answer["results"], { text: "content", date: "published_date" }) : undefined,
  advice: { 432: "The key's plan has no searches left.", 433: "The limit that the user set at Tavily is reached." },
};
