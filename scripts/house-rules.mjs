// What only this house asks of its code, as rules of oxlint (oxlint.config.ts).
import { layersRule } from "./layers.mjs";

/** @type {import("eslint").Rule.RuleModule} */
const schemasOnUse = {
  meta: { type: "problem", schema: [] },
  create: (context) => ({
    'CallExpression[callee.object.name="z"]:not(:function *)': (
      /** @type {import("eslint").Rule.Node} a schema that is made when its module loads */ node,
    ) => {
      const message = "Make schemas on first use (`once`, src/core/once.ts): all of them take a third of a start.";
      context.report({ node, message });
    },
  }),
};

export default { meta: { name: "house" }, rules: { layers: layersRule, "schemas-on-use": schemasOnUse } };
