// The table of "Style Examples" in OpenAPI 3.1: color = "blue", ["blue","black","brown"], {R:100,G:200,B:150}.
import { describe, expect, test } from "vitest";
import { cookiePairs, headerValue, pathValue, queryPairs } from "../../../../src/features/openapi/serialize.js";

const array = ["blue", "black", "brown"];
const object = { R: 100, G: 200, B: 150 };
const how = (style: string, explode: boolean) => ({
  name: "color",
  style,
  explode,
  allowReserved: false,
  isJson: false,
});

describe("paths", () => {
  test.each<[string, boolean, string, string, string]>([
    ["matrix", false, ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"],
    ["matrix", true, ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"],
    ["label", false, ".blue", ".blue,black,brown", ".R,100,G,200,B,150"],
    ["label", true, ".blue", ".blue.black.brown", ".R=100.G=200.B=150"],
    ["simple", false, "blue", "blue,black,brown", "R,100,G,200,B,150"],
    ["simple", true, "blue", "blue,black,brown", "R=100,G=200,B=150"],
  ])("%s, explode %s", (style, explode, ...expected) => {
    expect(["blue", array, object].map((value) => pathValue(how(style, explode), value))).toEqual(expected);
  });
});

describe("queries", () => {
  test.each<[string, boolean, string, string, string]>([
    ["form", false, "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"],
    ["form", true, "color=blue", "color=blue&color=black&color=brown", "R=100&G=200&B=150"],
    ["spaceDelimited", false, "color=blue", "color=blue%20black%20brown", "color=R%20100%20G%20200%20B%20150"],
    ["pipeDelimited", false, "color=blue", "color=blue%7Cblack%7Cbrown", "color=R%7C100%7CG%7C200%7CB%7C150"],
    [
      "deepObject",
      true,
      "color=blue",
      "color%5B0%5D=blue&color%5B1%5D=black&color%5B2%5D=brown",
      "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150",
    ],
  ])("%s, explode %s", (style, explode, ...expected) => {
    expect(["blue", array, object].map((value) => queryPairs(how(style, explode), value).join("&"))).toEqual(expected);
  });

  test("leave out what is empty", () => {
    expect([null, undefined, [], {}].map((value) => queryPairs(how("form", false), value))).toEqual([[], [], [], []]);
  });

  test("keep reserved characters where that is said, but none that ends a value", () => {
    expect(queryPairs({ ...how("form", true), allowReserved: true }, "a/b?c#d&e+f=g")).toEqual([
      "color=a/b?c%23d%26e%2Bf=g",
    ]);
    expect(queryPairs(how("form", true), "a/b!'()*")).toEqual(["color=a%2Fb%21%27%28%29%2A"]);
  });

  test("carry JSON where the description gives a media type", () => {
    expect(queryPairs({ ...how("form", true), isJson: true }, { a: [1] })).toEqual(["color=%7B%22a%22%3A%5B1%5D%7D"]);
  });
});

test("headers are not encoded, cookies are", () => {
  expect(headerValue(how("simple", false), ["a b", "c"])).toBe("a b,c");
  expect(headerValue(how("simple", true), object)).toBe("R=100,G=200,B=150");
  expect(cookiePairs(how("form", false), ["a;b", "c"])).toEqual(["color=a%3Bb,c"]);
});

test("an object that is nested without end is cut, not followed", () => {
  const value: Record<string, unknown> = {};
  let inner = value;
  for (let depth = 0; depth < 50; depth++) {
    inner["a"] = inner = {};
  }
  expect(queryPairs(how("deepObject", true), { a: value })).toHaveLength(1);
});
