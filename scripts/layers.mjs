// Who may import whom in src/ (docs/architecture.md, "Layers"), as a rule of oxlint (oxlint.config.ts).
import { builtinModules } from "node:module";
import { posix, sep } from "node:path";

const below = ["core", "names", "ports", "shell", "text"];

/**
 * A room is a folder of src/; `*` stands for each folder there. It may import itself, the rooms named here, and
 * nothing else. `features/*` on the right means every feature. Files of src/ itself are composition roots: they see
 * everything.
 *
 * @type {Record<string, string[]>}
 */
export const rooms = {
  text: [],
  names: [],
  ports: [],
  shell: ["ports", "text"],
  core: ["names", "ports", "shell", "text"],
  "features/*": below,
  "features/custom": [...below, "features/openapi", "features/processes"],
  "features/documents": [...below, "features/memory"],
  "features/knowledge": [...below, "features/context", "features/memory"],
  tools: [...below, "features/*"],
  agent: [...below, "features/*", "tools"],
  "hosts/shared": below,
  "hosts/ripgrep": [...below, "hosts/shared"],
  "hosts/search": [...below, "hosts/ripgrep", "hosts/shared"],
  "hosts/sandbox": [...below, "hosts/shared"],
  "hosts/web": [...below, "hosts/ripgrep", "hosts/shared"],
  "hosts/openai": [...below, "features/*", "hosts/shared"],
  "hosts/node": [...below, "features/*", "hosts/ripgrep", "hosts/sandbox", "hosts/shared"],
  "hosts/vscode": [...below, "features/*", "hosts/node", "hosts/ripgrep", "hosts/shared"],
  "views/*": [...below, "features/*", "tools", "agent", "views/shared"],
  "doors/*": [...below, "features/*", "tools", "agent", "views/*", "doors/shared"],
  manifest: [...below, "features/*", "tools", "doors/cli"],
  compose: [...below, "features/*", "tools", "agent", "hosts/*", "views/*", "doors/*"],
};

/** Rooms that reach the world through ports alone. */
export const pure = ["text", "names", "ports", "shell", "core", "features/*", "tools", "agent", "manifest"];

/** Rooms that run in plain Node, too: no `vscode` there. */
export const outsideOfVSCode = [
  "doors/cli",
  "doors/library",
  "doors/mcp",
  "hosts/node",
  "hosts/openai",
  "hosts/ripgrep",
  "hosts/sandbox",
  "hosts/search",
  "hosts/shared",
  "hosts/web",
];

const builtin = new RegExp(`^(node:.*|(${builtinModules.filter((name) => !name.startsWith("_")).join("|")})(/.*)?)$`);

/**
 * The room of a file.
 *
 * @param {string} file below src/, with `/`
 * @returns {string} `root` for a file of src/ itself
 */
export function roomOf(file) {
  const [first = "", second = "", third] = file.split("/");
  if (second === "") {
    return "root";
  }
  return third !== undefined && ["features", "hosts", "views", "doors"].includes(first) ? `${first}/${second}` : first;
}

/**
 * Why a file may not import something.
 *
 * @param {string} file below src/, with `/`
 * @param {string} specifier as it is written
 * @returns {string | undefined} undefined where it may
 */
function whyNot(file, specifier) {
  const room = roomOf(file);
  if (room === "root") {
    return undefined;
  }
  const allowed = rooms[room] ?? rooms[room.replace(/\/.*/, "/*")];
  if (allowed === undefined) {
    return `src/${room} is not among the rooms of scripts/layers.mjs: say there what it may import.`;
  }
  if (!specifier.startsWith(".")) {
    if (matches(pure, room) && (specifier === "vscode" || builtin.test(specifier))) {
      return `src/${room} runs everywhere: reach the world through a port (src/ports).`;
    }
    return specifier === "vscode" && matches(outsideOfVSCode, room)
      ? `src/${room} runs outside of VS Code, too.`
      : undefined;
  }
  const target = posix.join(posix.dirname(file), specifier);
  if (target.startsWith("..")) {
    return "src imports nothing of the repository outside of src.";
  }
  const other = roomOf(target);
  if (other === "root") {
    return "Nothing imports a composition root.";
  }
  return other === room || matches(allowed, other)
    ? undefined
    : `src/${room} may import only itself${allowed.length > 0 ? ` and ${allowed.join(", ")}` : ""} (docs/architecture.md, "Layers").`;
}

/**
 * @param {string[]} patterns
 * @param {string} room
 */
function matches(patterns, room) {
  return patterns.includes(room) || patterns.includes(room.replace(/\/.*/, "/*"));
}

/** @type {import("./house-rules.mjs").Rule} */
export const layersRule = {
  meta: { type: "problem", schema: [] },
  create(context) {
    const path = context.filename.split(sep).join("/");
    const file = path.slice(path.lastIndexOf("/src/") + "/src/".length);
    /** @param {unknown} source a node of the syntax tree, or nothing */
    const check = (source) => {
      const node =
        /** @type {(import("./house-rules.mjs").Node & { type: string, value?: unknown }) | null | undefined} */ (
          source
        );
      if (node?.type === "Literal" && typeof node.value === "string") {
        const message = whyNot(file, node.value);
        if (message !== undefined) {
          context.report({ node, message });
        }
      }
    };
    return {
      ImportDeclaration: ({ source }) => check(source),
      ExportNamedDeclaration: ({ source }) => check(source),
      ExportAllDeclaration: ({ source }) => check(source),
      ImportExpression: ({ source }) => check(source),
      TSExternalModuleReference: (/** @type {{ expression?: unknown }} */ { expression }) => check(expression),
      TSImportType: (/** @type {{ source?: unknown }} */ { source }) => check(source),
      CallExpression({ callee, arguments: [source] }) {
        if (callee.type === "Identifier" && callee.name === "require") {
          check(source);
        }
      },
    };
  },
};
