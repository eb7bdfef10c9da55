// What the tools cost that are sent with every request, and whether they make sense without the others.
import { describe, expect, test } from "vitest";
import { ToolDesk } from "../../../src/agent/toolDesk.js";
import { FIND_TOOL } from "../../../src/names/tools.js";
import { agentTools } from "../../../src/agent/toolSets.js";
import { estimateRequest, estimateText } from "../../../src/agent/tokens.js";
import { schemas } from "../../../src/core/formats.js";
import { tools } from "../../../src/tools/index.js";

const agent = agentTools(tools, undefined);
const desk = new ToolDesk(agent.tools, agent.sent);

describe("an agent's request", () => {
  test("has at most 16 tools, in 4,000 tokens by our estimate and by characters on the wire", () => {
    expect(desk.list.length).toBeLessThanOrEqual(16);
    expect(estimateRequest({ messages: [], tools: desk.list })).toBeLessThanOrEqual(4_000);
    const wire = desk.list.map(({ name, description, inputSchema: parameters }) => ({
      type: "function",
      function: { name, description, parameters },
    }));
    expect(estimateText(JSON.stringify(wire))).toBeLessThanOrEqual(4_000);
  });

  test("has one tool for all others, and names every one of them", () => {
    const last = desk.list.at(-1);
    expect(last?.name).toBe(FIND_TOOL);
    const hidden = agent.tools.filter((tool) => !agent.sent.includes(tool));
    expect(hidden.length).toBeGreaterThan(25);
    const named = (/list: (.*?)\. /.exec(last?.description ?? "")?.[1] ?? "").split(", ").flatMap((family) => {
      const [first = "", ...others] = family.split("/");
      return [first, ...others.map((rest) => `${first.split("_")[0]}_${rest}`)];
    });
    expect(named.sort()).toEqual(hidden.map(({ name }) => name).sort());
  });

  test("that ends a task has the tools for that", () => {
    const enders = tools.filter(({ terminal }) => terminal);
    const { sent } = agentTools(tools, undefined, enders);
    expect(sent.filter(({ terminal }) => terminal)).toEqual(enders);
    expect(sent.length + 1).toBeLessThanOrEqual(16 + enders.length);
  });

  test("has what the user wants there", () => {
    const { sent } = agentTools(tools, ({ group }) => group === "automation");
    expect(sent.map(({ name }) => name)).toContain("cron");
    expect(agentTools(tools, () => true).sent).toEqual(agent.tools);
    expect(new ToolDesk(agent.tools).list.map(({ name }) => name)).not.toContain(FIND_TOOL);
  });
});

/** Names that are words, too: a description that has one need not mean the tool. */
const WORDS = ["message", "subagents", "pipe", "document"];

const SETS = [
  { set: "Copilot's default tools", list: tools.filter(({ expose }) => expose === "default") },
  { set: "those that an agent is sent", list: agent.sent },
];

describe.each(SETS)("$set", ({ list }) => {
  test("name no tool that is not among them", () => {
    const [there, all] = [list, tools].map((some) => some.map(({ name }) => name));
    const named = list.flatMap((tool) => {
      const text = JSON.stringify(schemas([tool], "openai"));
      return (
        (all ?? [])
          .filter((name) => there?.includes(name) !== true && !WORDS.includes(name))
          // Its own field.
          .filter((name) => !Object.hasOwn(tool.inputSchema.properties, name))
          .filter((name) => new RegExp(`(?<!\\w)${name}(?!\\w)`).test(text))
          .map((name) => `${tool.name} names ${name}`)
      );
    });
    expect(named).toEqual([]);
  });

  test("can change several files in one call", () => {
    expect(list.map(({ name }) => name)).toContain("multi_edit");
  });
});
