import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";

/** Maximum characters of a handle: its name and its id, at their longest. */
const MAX_HANDLE = 150;

export const showSecret = defineTool({
  name: "show_secret",
  group: "runtime",
  title: "Show secret",
  description:
    "Show the value of a secret that results show as a handle. Asks the user every time. " +
    "Rarely needed: a handle in an edit, or in env of exec, stands for its value.",
  input: () =>
    z.object({
      handle: z.string().max(MAX_HANDLE).describe("The handle, exactly as shown: ⟦secret NAME #id⟧."),
    }),
  output: () => z.object({ value: z.string() }),
  needs: [],
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  positional: ["handle"],
  touches: () => [],
  withSecrets: ({ handle }, put) => ({ handle: put("handle", handle, { kind: "shown" }) }),
  showsSecrets: true,
  summary: () => "Show a secret to the model",
  expose: "optional",
  execute: async ({ handle: value }) => ({ text: value, data: { value } }),
});
