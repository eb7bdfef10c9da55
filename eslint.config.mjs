// Lint: correctness rules of typescript-eslint, and the one-way imports that hold the house together.
import tseslint from "typescript-eslint";

/**
 * Who may import whom inside src/ (docs/architecture.md). A folder not listed for another may not import it.
 * The composition roots (extension.ts, cli.ts and its parts) and src/compose, which they share, are all that sees
 * everything.
 */
/** @type {Record<string, string[]>} */
const layers = {
  text: [],
  ports: [],
  command: ["text", "ports"],
  core: ["command", "text", "ports"],
  tools: ["core", "ports", "text", "command"],
  agent: ["tools", "core", "ports", "text", "command"],
  hosts: ["ports", "core", "text"],
  doors: ["agent", "tools", "core", "ports", "text", "command"],
};

const everyLayer = Object.keys(layers);

/** Layers that reach the world through ports alone: neither the editor nor Node may be imported there. */
const pureLayers = ["core", "ports", "text", "command", "tools", "agent"];

/**
 * @param {string} layer
 * @param {string[]} allowed
 * @returns {import("typescript-eslint").ConfigArray[number]}
 */
function importRule(layer, allowed) {
  const forbidden = everyLayer.filter((other) => other !== layer && !allowed.includes(other));
  const patterns = [
    {
      regex: `^(\\.\\./)+(${forbidden.join("|")})/`,
      message: `src/${layer} may import only ${[layer, ...allowed].join(", ")} (docs/architecture.md, "One-way imports").`,
    },
    {
      regex: "^(\\.\\./)+(extension|cli|cliAgent|cliWork|compose/.*)(\\.js)?$",
      message: "Nothing imports the composition.",
    },
  ];
  if (pureLayers.includes(layer)) {
    patterns.push({
      regex: "^(vscode$|node:|fs$|path$|os$|child_process$|crypto$|worker_threads$|http$|https$)",
      message: `src/${layer} runs everywhere: reach the world through a port (src/ports).`,
    });
  }
  return {
    files: [`src/${layer}/**/*.ts`],
    rules: { "no-restricted-imports": ["error", { patterns }] },
  };
}

export default tseslint.config(
  { ignores: ["node_modules/", "dist/", ".vscode-test/", "test-results/", "test/fixtures/"] },
  {
    files: ["src/**/*.ts", "test/**/*.ts"],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      // A port method may be async for the interface's sake and await nothing in one host.
      "@typescript-eslint/require-await": "off",
      "no-restricted-syntax": ["error", { selector: "ExportDefaultDeclaration", message: "Name what you export." }],
      eqeqeq: "error",
    },
  },
  ...Object.entries(layers).map(([layer, allowed]) => importRule(layer, allowed)),
);
