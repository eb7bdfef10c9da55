import type { Registry } from "../../../text/hosts/presets.js";
import type { GatedTouch } from "../touches.js";

/** Returns the registries from which commands install packages that the project's files name. */
export function fetchedFrom(touches: readonly GatedTouch[] = []): Registry[] {
  return touches.flatMap((touch) =>
    touch.kind === "command" ? touch.commands.flatMap(({ simple }) => simple.fetches ?? []) : [],
  );
}
