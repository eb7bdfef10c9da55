import { expect, it } from "vitest";
import { describeService } from "../../../../src/features/custom/services.js";

it("names who else gets a secret: the server that issues tokens", async () => {
  const service = {
    entry: {
      spec: "./pets.json",
      auth: { type: "oauth2" as const, secret: "TOK", tokenUrl: "https://issuer.example/token?x=1", clientId: "c" },
    },
    ...{ source: "pets.json", text: "{}", address: undefined, lastApproved: undefined, isApproved: false },
    ...{ version: "1", line: 1, column: 1 },
  };
  const text = await describeService(service, { tools: [], leftOut: [], problems: [], cautions: [] });
  expect(text).toContain("Calls authenticate with TOK, which goes to https://issuer.example.");
});
