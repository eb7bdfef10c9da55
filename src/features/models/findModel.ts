import type { ChatModel } from "../../ports/models.js";
import { excerpt } from "../../text/clip.js";
import { ModelError } from "./modelError.js";

/** Maximum models that an error names. */
const MAX_NAMED = 20;

/**
 * Finds the model that a name means: its whole id, or the part after the vendor or server if only one model has it.
 *
 * @param problems why models may be missing, for the message
 * @throws ModelError that names the available models
 */
export function findModel<M extends ChatModel>(
  models: readonly M[],
  name: string,
  problems: readonly string[] = [],
): M {
  const whole = models.find(({ id }) => id === name);
  if (whole !== undefined) {
    return whole;
  }
  // Prefer the match that omits the fewest parts: "a/b" means the model "b" of "a" before the model "a/b" of another
  // server.
  const leftOut = ({ id }: M): number => id.slice(0, -name.length).split("/").length;
  const ends = models.filter(({ id }) => id.endsWith(`/${name}`));
  const nearest = ends.filter((model) => leftOut(model) === Math.min(...ends.map(leftOut)));
  if (nearest[0] !== undefined && nearest.length === 1) {
    return nearest[0];
  }
  if (nearest.length > 1) {
    throw new ModelError(`${excerpt(name)} matches ${nearest.length} models: ${nameModels(nearest)}. Use a full name.`);
  }
  throw new ModelError([`There is no model ${excerpt(name)}.`, tellModels(models), ...problems].join(" "));
}

/** Returns a sentence that names the available models. */
export function tellModels(models: readonly ChatModel[]): string {
  return models.length === 0
    ? "There are no models at all."
    : `There ${models.length === 1 ? "is" : "are"}: ${nameModels(models)}.`;
}

function nameModels(models: readonly ChatModel[]): string {
  const named = models.slice(0, MAX_NAMED).map(({ id }) => id);
  const rest = models.length - named.length;
  return named.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
