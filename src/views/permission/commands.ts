import type { Commands } from "../shared/commandTable.js";
import type { ExplainView } from "./explainView.js";
import { RulesView, type RulesViewHost } from "./rulesView.js";
import { PERMISSION_COMMAND } from "../../names/contributed.js";

/** Returns the palette commands for permission: the rules in force, and why something is allowed or not. */
export function permissionCommands(host: RulesViewHost, explain: ExplainView): Commands {
  const rules = new RulesView(host);
  return {
    [PERMISSION_COMMAND.rules]: () => rules.show(),
    [PERMISSION_COMMAND.explain]: (given) => explain.show(given),
  };
}
