// Lint: correctness rules of typescript-eslint, and the one-way imports that hold the house together.
import tseslint from "typescript-eslint";
import { layersRule, pure } from "./scripts/layers.mjs";

/** What only one kind of host has: rooms that run everywhere reach it through a port. */
const hostGlobals = ["process", "Buffer", "fetch", "WebSocket", "setImmediate", "global", "__dirname", "__filename"];

const exportDefault = { selector: "ExportDefaultDeclaration", message: "Name what you export." };

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
      "no-restricted-syntax": ["error", exportDefault],
      eqeqeq: "error",
    },
  },
  {
    files: ["src/**/*.ts"],
    plugins: { house: { rules: { layers: layersRule } } },
    rules: {
      "house/layers": "error",
      "no-restricted-syntax": [
        "error",
        exportDefault,
        {
          selector: 'CallExpression[callee.object.name="z"]:not(:function *)',
          message: "Make schemas on first use (`once`, src/core/once.ts): all of them take a third of a start.",
        },
      ],
    },
  },
  {
    files: pure.map((room) => `src/${room}/**/*.ts`),
    rules: {
      "no-restricted-globals": [
        "error",
        ...hostGlobals.map((name) => ({
          name,
          message: "This room runs everywhere: reach the world through a port (src/ports).",
        })),
      ],
    },
  },
);
