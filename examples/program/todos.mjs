// Lists who left the most TODOs in a folder: `node todos.mjs <folder>`. It uses Toolhost's tools without VS Code.
// @ts-check
import { createToolhost } from "toolhost";

const [folder = "."] = process.argv.slice(2);

/** @type {import("toolhost").ToolDefinition} */
const countNames = {
  name: "count_names",
  description: "Count how often each name in brackets after TODO occurs in a text.",
  inputSchema: {
    type: "object",
    properties: { text: { type: "string", description: "The text." } },
    required: ["text"],
  },
  execute: ({ text }) => {
    /** @type {Record<string, number>} */
    const counts = {};
    for (const [, name = ""] of String(text).matchAll(/TODO\((\w+)\)/g)) {
      counts[name] = (counts[name] ?? 0) + 1;
    }
    const names = Object.entries(counts).sort(([, one], [, other]) => other - one);
    return { text: names.map(([name, count]) => `${name}: ${count}`).join("\n"), data: names };
  },
};

const toolhost = await createToolhost({
  folder,
  tools: [countNames],
  // Reading in the folder needs no permission. Whatever does is told here, and refused.
  confirm: ({ title, reasons }) => {
    console.log(`Not allowed: ${title} (${reasons.join(" ")})`);
    return "no";
  },
  // Calls of this program's own tool need none.
  rules: [{ tool: "count_names", decision: "allow" }],
});

const found = await toolhost.invoke("grep", { pattern: "TODO\\(\\w+\\)" });
if (!found.ok) {
  throw new Error(`${found.error.message} ${found.error.hint ?? ""}`);
}
const counted = await toolhost.invoke("count_names", { text: found.text });
console.log(counted.ok ? counted.text : counted.error.message);

// This changes more than a file that can be restored, so it asks.
const removed = await toolhost.invoke("exec", { command: "rm -r src" });
console.log(removed.ok ? "Removed" : `${removed.error.type}: nothing was removed`);

await toolhost.dispose();
