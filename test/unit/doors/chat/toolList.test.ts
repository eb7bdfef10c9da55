import { describe, expect, test } from "vitest";
import { toolHelp, toolList } from "../../../../src/doors/chat/toolList.js";
import { tools } from "../../../../src/tools/index.js";

const named = (name: string): (typeof tools)[number] =>
  tools.find((tool) => tool.name === name) ?? expect.fail(`no ${name}`);

describe("/tools", () => {
  test("names every tool once, in a line for each group", () => {
    const text = toolList(tools);
    for (const { name } of tools) {
      expect(text.split("\n").filter((line) => line.startsWith("- ") && line.includes(`\`${name}\``))).toHaveLength(1);
    }
    expect(text).toContain("- **Files**: `");
    // The first group of 64 tools used to fill the view by itself.
    expect(text.split("\n").length).toBeLessThan(15);
  });

  test("names the setting if nothing is on", () => {
    expect(toolList([])).toContain("toolhost.groups");
  });

  test("grep says what it does and takes", () => {
    const text = toolHelp(named("grep"));
    expect(text).toContain("**Search text** (`grep`)");
    expect(text).toContain("- `pattern` (required): Regular expression");
    expect(text).toMatch(/- `output` \(`content`, `files`, `count`\): /);
    expect(text).toContain("`/run grep {…}` runs it");
  });
});
