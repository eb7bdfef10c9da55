// What only this house asks of its code, as rules of oxlint (oxlint.config.ts).
import { layersRule } from "./layers.mjs";

/** @typedef {Parameters<import("oxlint/plugins-dev").RuleTester["run"]>[1]} Rule oxlint does not export the type itself */
/** @typedef {Parameters<Parameters<Extract<Rule, { create: unknown }>["create"]>[0]["report"]>[0]} Report */
/** @typedef {NonNullable<Report["node"]>} Node */

/** @type {Rule} */
const schemasOnUse = {
  meta: { type: "problem", schema: [] },
  create: (context) => ({
    'CallExpression[callee.object.name="z"]:not(:function *)': (
      /** @type {Node} a schema that is made when its module loads */ node,
    ) => {
      const message = "Make schemas on first use (`once`, src/core/once.ts): all of them take a third of a start.";
      context.report({ node, message });
    },
  }),
};

export default { meta: { name: "house" }, rules: { layers: layersRule, "schemas-on-use": schemasOnUse } };
