import { expect, it } from "vitest";
import { surveyDescription } from "../../../../src/features/openapi/survey.js";

const description = {
  openapi: "3.1.0",
  servers: [{ url: "https://api.example/v1" }],
  components: {
    securitySchemes: {
      a: { type: "http", scheme: "Bearer" },
      b: { type: "oauth2", flows: { clientCredentials: { tokenUrl: "https://t.example", scopes: {} } } },
      c: { type: "openIdConnect", openIdConnectUrl: "https://x.example" },
      d: { $ref: "#/components/securitySchemes/a" },
    },
  },
  paths: {
    "/a": {
      get: { operationId: "getA", summary: "Get.", tags: ["x", "y"] },
      post: { description: "Make.", tags: ["x"] },
    },
  },
};

it("tells what there is to choose from", () => {
  const survey = surveyDescription(JSON.stringify(description), undefined);
  expect(survey).toMatchObject({
    operations: [
      { pattern: "getA", summary: "GET /a: Get." },
      { pattern: "POST /a", summary: "Make." },
    ],
    tags: [
      { tag: "x", operations: 2 },
      { tag: "y", operations: 1 },
    ],
    server: "https://api.example/v1",
    auth: [{ type: "bearer" }, { type: "oauth2", tokenUrl: "https://t.example" }, { type: "bearer" }],
  });
  const choice = typeof survey === "string" ? undefined : survey.wrongChoice;
  expect(choice?.(["getA", "tag:x"])).toBeUndefined();
  expect(choice?.(["getB"])).toContain("matches no operation");
});

it.each([
  ["no JSON", "{", /^Line 1: Not valid JSON/],
  ["Swagger", '{"swagger": "2.0"}', /Swagger 2\.0 is not supported/],
  ["no paths", '{"openapi": "3.1.0", "paths": {}}', /has no operations/],
])("says why nothing can be called: %s", (_what, text, says) => {
  expect(surveyDescription(text, undefined)).toMatch(says);
});

it("knows no server where the description names none", () => {
  expect(surveyDescription(JSON.stringify({ ...description, servers: [] }), undefined)).toMatchObject({
    server: undefined,
  });
});
