import { describe, expect, test } from "vitest";
import { groupList, toolHelp, toolList } from "../../../../src/doors/chat/toolList.js";
import { tools } from "../../../../src/tools/index.js";

const named = (name: string): (typeof tools)[number] =>
  tools.find((tool) => tool.name === name) ?? expect.fail(`no ${name}`);

describe("/tools", () => {
  test("counts every tool once, in a short line for each group that opens it", () => {
    const text = toolList(tools);
    const rows = text.split("\n").filter((line) => line.startsWith("- "));
    const groups = new Set(tools.map(({ group }) => group));
    expect(rows).toHaveLength(groups.size);
    const counts = rows.map((row) => Number(/\): (\d+)$/.exec(row)?.[1]));
    expect(counts.reduce((sum, each) => sum + each)).toBe(tools.length);
    const [first = ""] = rows;
    const query = encodeURIComponent(JSON.stringify([{ query: "@toolhost /tools fs" }]));
    expect(first).toBe(
      `- [Files](command:workbench.action.chat.open?${query} "List these tools"): ${tools.filter(({ group }) => group === "fs").length}`,
    );
    // As many rows as the chat view shows at once, each of one or two lines.
    expect(text.split("\n").length).toBeLessThan(17);
  });

  test.each(["fs", "files", "Files"])("%s lists the tools of a group, by name and what they do", (name) => {
    const text = groupList(tools, name) ?? expect.fail("no such group");
    expect(text).toContain("**Files**\n");
    expect(text.split("\n").filter((line) => line.startsWith("- "))).toEqual(
      tools.filter(({ group }) => group === "fs").map((tool) => `- \`${tool.name}\` ${tool.title}`),
    );
  });

  test("says nothing of a group that is not there", () => {
    expect(groupList(tools, "nosuch")).toBeUndefined();
    expect(groupList([], "fs")).toBeUndefined();
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
