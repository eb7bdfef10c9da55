import { describe, expect, it } from "vitest";
import { termText, tokensOf, wordTokensOf } from "../../../../src/text/search/tokens.js";

/** Forms that share a stem; no two rows do. */
const FAMILIES = [
  ["connect", "connected", "connecting", "connection", "connections"],
  ["run", "runs", "running"],
  ["hope", "hopes", "hoped", "hoping"],
  ["hop", "hops", "hopped", "hopping"],
  ["agree", "agreed", "agrees"],
  ["happy"],
  ["retry", "retries", "retried"],
  ["relate", "relational", "relating"],
  ["organize", "organization", "organizer"],
  ["use", "used", "using", "uses"],
  ["us"],
  ["deploy", "deployed", "deployment", "deployments"],
  ["size", "sized", "sizes"],
  ["caress", "caresses"],
  ["cat", "cats"],
  ["general", "generally"],
  ["generate", "generated", "generating"],
  ["sky", "skies"],
  ["news"],
  ["this"],
  ["gas"],
  ["say", "says"],
];

const words: [text: string, tokens: string[]][] = [
  ["getUserName", ["getusernam", "get", "user", "name"]],
  ["get_user_name get-user-name", ["getusernam", "get", "user", "name", "getusernam", "get", "user", "name"]],
  ["HTTPServer utf8", ["httpserver", "http", "server", "utf8", "utf", "8"]],
  ["src/text/page.ts", ["src", "text", "paget", "page", "ts"]],
  ["v1.2.3 10.0.1", ["v123", "v", "1", "2", "3", "10.0.1", "10", "0", "1"]],
  ["the user's café, don't", ["the", "user", "cafe", "dont"]],
  ["東京都 テスト", ["東京", "京都", "テス", "スト"]],
  ["Straße ﬁle", ["straße", "file"]],
  ["--- ??? \u0000 🙂", []],
  ["_private __init__", ["privat", "init"]],
];

describe("terms", () => {
  it.each(FAMILIES)("%s and its forms are one", (...forms) => {
    expect(new Set(forms.map(termText)).size).toBe(1);
  });

  it("of other words are others", () => {
    expect(new Set(FAMILIES.map(([first = ""]) => termText(first))).size).toBe(FAMILIES.length);
  });

  it.each(words)("of %j", (text, tokens) => {
    expect(tokensOf(text)).toEqual(tokens);
    expect(termText(text)).toBe(tokens.join(" "));
    expect(
      wordTokensOf(text).flatMap(({ whole, parts }) => [...(whole === undefined ? [] : [whole]), ...parts]),
    ).toEqual(tokens);
  });

  it("of ASCII are the same beside other text", () => {
    const text = "Read file_name.ts, it's v2.0 of `parseHTML` (see src/a-b.ts)... don't -x- _y_";
    expect(tokensOf(`${text} 東`)).toEqual([...tokensOf(text), "東"]);
  });

  it("of a word without end are its beginning's", () => {
    expect(tokensOf("x".repeat(1_000_000))).toEqual(["x".repeat(64)]);
  });
});
