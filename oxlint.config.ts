// Lint: correctness rules, with and without types, and the one-way imports that hold the house together.
import { defineConfig } from "oxlint";
import { pure } from "./scripts/layers.mjs";

/** What only one kind of host has: rooms that run everywhere reach it through a port. */
const hostGlobals = ["process", "Buffer", "fetch", "WebSocket", "setImmediate", "global", "__dirname", "__filename"];

export default defineConfig({
  plugins: ["typescript", "import"],
  jsPlugins: ["./scripts/house-rules.mjs"],
  // Each rule is named, so that a new version of oxlint brings none and takes none away.
  categories: { correctness: "off" },
  options: { typeAware: true },
  ignorePatterns: ["node_modules/", "dist/", ".vscode-test/", "test-results/", "test/fixtures/"],
  overrides: [
    {
      files: ["src/**/*.ts", "test/**/*.ts"],
      rules: {
        "no-var": "error",
        "prefer-const": ["error", { destructuring: "any", ignoreReadBeforeAssign: false }],
        "prefer-rest-params": "error",
        "prefer-spread": "error",
        "typescript/await-thenable": "error",
        "typescript/ban-ts-comment": "error",
        "no-array-constructor": "error",
        "typescript/no-array-delete": "error",
        "typescript/no-base-to-string": "error",
        "typescript/no-duplicate-enum-values": "error",
        "typescript/no-duplicate-type-constituents": "error",
        "typescript/no-empty-object-type": "error",
        "typescript/no-explicit-any": "error",
        "typescript/no-extra-non-null-assertion": "error",
        "typescript/no-floating-promises": "error",
        "typescript/no-for-in-array": "error",
        "typescript/no-implied-eval": "error",
        "typescript/no-misused-new": "error",
        "typescript/no-misused-promises": "error",
        "typescript/no-namespace": "error",
        "typescript/no-non-null-asserted-optional-chain": "error",
        "typescript/no-redundant-type-constituents": "error",
        "typescript/no-require-imports": "error",
        "typescript/no-this-alias": "error",
        "typescript/no-unnecessary-type-assertion": "error",
        "typescript/no-unnecessary-type-constraint": "error",
        "typescript/no-unsafe-argument": "error",
        "typescript/no-unsafe-assignment": "error",
        "typescript/no-unsafe-call": "error",
        "typescript/no-unsafe-declaration-merging": "error",
        "typescript/no-unsafe-enum-comparison": "error",
        "typescript/no-unsafe-function-type": "error",
        "typescript/no-unsafe-member-access": "error",
        "typescript/no-unsafe-return": "error",
        "typescript/no-unsafe-unary-minus": "error",
        "no-unused-expressions": [
          "error",
          { allowShortCircuit: false, allowTaggedTemplates: false, allowTernary: false },
        ],
        "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
        "typescript/no-wrapper-object-types": "error",
        "typescript/only-throw-error": "error",
        "typescript/prefer-as-const": "error",
        "typescript/prefer-namespace-keyword": "error",
        "typescript/prefer-promise-reject-errors": "error",
        "typescript/restrict-plus-operands": "error",
        "typescript/restrict-template-expressions": "error",
        "typescript/triple-slash-reference": "error",
        "typescript/unbound-method": "error",
        "typescript/no-non-null-assertion": "error",
        "typescript/consistent-type-imports": "error",
        "typescript/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
        eqeqeq: ["error", "always"],
        "import/no-default-export": "error",
      },
    },
    {
      files: ["src/**/*.ts"],
      rules: { "house/layers": "error", "house/schemas-on-use": "error" },
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
  ],
});
