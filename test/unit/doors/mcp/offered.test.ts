import { describe, expect, test } from "vitest";
import { estimateText } from "../../../../src/agent/tokens.js";
import { schemas } from "../../../../src/core/formats.js";
import { offeredTools } from "../../../../src/doors/mcp/offered.js";
import { tools } from "../../../../src/tools/index.js";

describe("what an outside agent is offered", () => {
  test("costs less than 5,000 tokens", () => {
    // As they are listed without --data.
    const listed = schemas(offeredTools(tools), "mcp").map((tool) => ({ ...tool, outputSchema: undefined }));
    expect(estimateText(JSON.stringify(listed))).toBeLessThan(5_000);
  });

  test("has a tool for each thing that agents do in code, so that none greps for names", () => {
    const names = offeredTools(tools).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["symbols", "references", "edit_symbol", "read", "apply_patch"]));
  });

  test("has annotations on every tool, without which some agents call none", () => {
    const listed = schemas(
      offeredTools(tools, () => true),
      "mcp",
    );
    expect(listed.length).toBeGreaterThan(40);
    for (const tool of listed) {
      expect(tool).toMatchObject({
        title: expect.any(String) as string,
        annotations: { readOnlyHint: expect.any(Boolean) as boolean, destructiveHint: expect.any(Boolean) as boolean },
        inputSchema: { type: "object" },
      });
    }
  });

  test("is what the user chose, with what reads stored results, and never what ends our own tasks", () => {
    const names = (isWanted: (name: string) => boolean): string[] =>
      offeredTools(tools, ({ name }) => isWanted(name)).map(({ name }) => name);
    expect(names((name) => name === "grep")).toEqual(["grep", "read_result"]);
    expect(names(() => true)).not.toContain("complete_task");
  });

  test("names no tool that is not among it", () => {
    const offered = offeredTools(tools);
    const others = tools.filter((tool) => !offered.includes(tool)).map(({ name }) => name);
    const named = offered.flatMap((tool) => {
      const text = JSON.stringify(schemas([tool], "mcp"));
      return others
        .filter((name) => name.includes("_") && new RegExp(`(?<!\\w)${name}(?!\\w)`).test(text))
        .map((name) => `${tool.name} names ${name}`);
    });
    expect(named).toEqual([]);
  });
});
